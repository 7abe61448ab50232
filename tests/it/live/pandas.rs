//! Tables of pandas: `to_records` writes, we read; we write, a `DataFrame` is made of it.

use crate::python::python;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_npy::Header;
use serde_npy::with::{Datetime, Ns};
use std::fs;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Row {
    id: i64,
    count: u16,
    price: f64,
    ratio: f32,
    #[serde(with = "Datetime::<Ns>", default)]
    time: Option<i64>,
    symbol: String,
    active: bool,
}

const FRAME: &str = r#"
import json, os, sys
try:
    import numpy as np, pandas as pd
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit()
task = json.load(sys.stdin)
frame = pd.DataFrame({
    "id": np.arange(5, dtype="i8") * 10**15,
    "count": np.array([0, 1, 255, 256, 65535], "u2"),
    "price": [0.1, -2.5, 1e300, float("inf"), -0.0],
    "ratio": np.array([0.5, 0.1, -1e-30, 3e38, 0], "f4"),
    "time": pd.to_datetime(
        ["2026-03-02T14:30:00.123456789", "1969-12-31T23:59:59", None, "1970-01-01", "2262-04-11"], format="ISO8601",
    ).astype("datetime64[ns]"),
    "symbol": ["ACME", "日本", "", "naïve", "GLOBEX"],
    "active": [True, False, True, True, False],
})
"#;

fn rows() -> Vec<Row> {
    let time = [Some(1_772_461_800_123_456_789), Some(-1_000_000_000), None, Some(0), Some(9_223_286_400_000_000_000)];
    let symbol = ["ACME", "日本", "", "naïve", "GLOBEX"];
    (0..5)
        .map(|i| Row {
            id: i64::try_from(i).unwrap() * 1_000_000_000_000_000,
            count: [0, 1, 255, 256, 65535][i],
            price: [0.1, -2.5, 1e300, f64::INFINITY, -0.0][i],
            ratio: [0.5, 0.1, -1e-30, 3e38, 0.0][i],
            time: time[i],
            symbol: symbol[i].to_owned(),
            active: [true, false, true, true, false][i],
        })
        .collect()
}

#[test]
fn a_data_frame_passes_to_us_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let task = json!({"folder": folder.path()}).to_string();
    let save = format!(
        "{FRAME}\n{}",
        r#"
records = frame.to_records(index=False, column_dtypes={"symbol": "U8"})
np.save(task["folder"] + "/records.npy", records)
with_index = frame.set_index("id").to_records(column_dtypes={"symbol": "U8"})
np.save(task["folder"] + "/indexed.npy", with_index)
np.save(task["folder"] + "/objects.npy", frame.to_records(index=False), allow_pickle=True)
"#
    );
    let Some(printed) = python(&save, task.as_bytes()) else { return };
    if !printed.is_empty() {
        eprint!("{}", String::from_utf8(printed).unwrap());
        return;
    }
    let read = |file: &str| fs::read(folder.path().join(file)).unwrap();
    let descr = "[('id', '<i8'), ('count', '<u2'), ('price', '<f8'), ('ratio', '<f4'), ('time', '<M8[ns]'), \
                 ('symbol', '<U8'), ('active', '|b1')]";
    for file in ["records.npy", "indexed.npy"] {
        let bytes = read(file);
        assert_eq!(Header::read(&bytes[..]).unwrap().dtype().to_string(), descr, "{file}");
        assert_eq!(serde_npy::from_slice::<Vec<Row>>(&bytes).unwrap(), rows(), "{file}");
        assert_eq!(serde_npy::records_from_path::<Row>(folder.path().join(file)).unwrap(), rows(), "{file}");
    }
    // Without `column_dtypes` text becomes objects; the error says what to do.
    let error = serde_npy::from_slice::<Vec<Row>>(&read("objects.npy")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field `symbol` is of dtype `|O`: Python objects, for which NumPy saves the whole array as a pickle; save it \
         with fixed-width strings or numbers instead, such as `astype('U16')`, or `column_dtypes` of \
         `DataFrame.to_records`, and times with a zone after `dt.tz_convert(None)`"
    );

    serde_npy::to_path(folder.path().join("ours.npy"), &rows()).unwrap();
    let options = serde_npy::WriteOptions::default().dtype(descr.parse().unwrap());
    assert_eq!(serde_npy::to_vec_with(&rows(), &options).unwrap(), read("records.npy"));
    let load = format!(
        "{FRAME}\n{}",
        r#"
loaded = pd.DataFrame(np.load(task["folder"] + "/ours.npy"))
assert list(loaded.dtypes.drop("symbol")) == list(frame.dtypes.drop("symbol")), (loaded.dtypes, frame.dtypes)
# Whether text is of pandas's own dtype or of objects is its version's affair.
pd.testing.assert_frame_equal(loaded.drop(columns="symbol"), frame.drop(columns="symbol"), check_exact=True)
assert list(loaded["symbol"]) == list(frame["symbol"])
"#
    );
    assert_eq!(python(&load, task.as_bytes()).unwrap(), b"");
}
