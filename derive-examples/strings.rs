//! Text and bytes: `U`, `S` and `V` fields.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Station {
    /// Text becomes `U`, as wide as its longest.
    name: String,
    /// One of a fixed set of names is text, too.
    kind: Kind,
    /// Bytes become `V`, in which nothing is lost.
    #[serde(with = "serde_bytes")]
    key: [u8; 4],
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Kind {
    Weather,
    #[serde(rename = "tide gauge")]
    TideGauge,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let stations = [
        Station { name: "Zürich".into(), kind: Kind::Weather, key: [1, 2, 3, 0] },
        Station { name: "Brest".into(), kind: Kind::TideGauge, key: *b"\0\0\0\x01" },
    ];
    let file = serde_npy::to_vec(&stations)?;
    let dtype = serde_npy::Header::read(&file[..])?.dtype().to_string();
    println!("{dtype}");
    assert_eq!(dtype, "[('name', '<U6'), ('kind', '<U10'), ('key', '|V4')]");
    assert_eq!(serde_npy::from_slice::<Vec<Station>>(&file)?, stations);

    // `S` is only written where it is asked for, since NumPy does not keep NULs at its end. Reading, it is text.
    let options = serde_npy::WriteOptions::default().dtype("S8".parse()?);
    let file = serde_npy::to_vec_with(&["NOAA", "USGS"], &options)?;
    assert_eq!(serde_npy::from_slice::<Vec<String>>(&file)?, ["NOAA", "USGS"]);
    // Out of memory, it can be borrowed.
    assert_eq!(serde_npy::from_slice::<Vec<&str>>(&file)?, ["NOAA", "USGS"]);

    // Text that is too long for a given dtype is never cut.
    if let Err(error) = serde_npy::to_vec_with(&["far too long"], &options) {
        println!("{error}");
        assert_eq!(error.path().as_deref(), Some("[0]"));
    }
    Ok(())
}
