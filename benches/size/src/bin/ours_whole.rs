//! The same by `from_path` and `to_path`.

#[macro_use]
#[path = "../fields.rs"]
mod fields;

mod first {
    twenty!(Record, #[derive(serde::Serialize, serde::Deserialize)]);
}
#[cfg(feature = "second")]
mod second {
    twenty!(Record, #[derive(serde::Serialize, serde::Deserialize)]);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    while let (Some(from), Some(to)) = (arguments.next(), arguments.next()) {
        let records: Vec<first::Record> = serde_npy::from_path(&from).unwrap();
        serde_npy::to_path(&to, &records).unwrap();
        #[cfg(feature = "second")]
        {
            let records: Vec<second::Record> = serde_npy::from_path(from).unwrap();
            serde_npy::to_path(to, &records).unwrap();
        }
    }
}
