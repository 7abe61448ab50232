//! Decoding on all cores: the same values, order and errors as on one.

use serde::{Deserialize, Serialize};
use serde_npy::{ReadOptions, View};

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Row {
    id: u32,
    name: String,
    empty: (),
}

fn rows(count: u32) -> Vec<Row> {
    (0..count).map(|id| Row { id, name: format!("row number {id}"), empty: () }).collect()
}

#[test]
fn the_values_are_the_same() {
    let rows = rows(40_000);
    let file = serde_npy::to_vec(&rows).unwrap();
    let view = View::new(&file).unwrap();
    for (start, end) in [(0, 40_000), (1, 39_999), (17, 17), (0, 1), (20_000, 40_000), (40_000, 40_000)] {
        let range = start as u64..end as u64;
        assert_eq!(view.par_records::<Row>(range.clone()).unwrap(), rows[start..end], "{start}..{end}");
        for threads in [1, 3, 16] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| view.par_records::<Row>(range.clone())).unwrap();
            assert_eq!(found, rows[start..end], "{start}..{end} on {threads}");
        }
    }
    let matrix = serde_npy::to_vec(&vec![[1u16, 2, 3]; 100_000]).unwrap();
    let transposed = View::new(&matrix).unwrap().transpose();
    assert_eq!(transposed.par_records::<Vec<u16>>(..).unwrap(), [vec![1; 100_000], vec![2; 100_000], vec![3; 100_000]]);
    assert_eq!(
        view.par_records::<Row>(5..50_000).unwrap_err().to_string(),
        "expected a range within 0..40000, found 5..50000"
    );
}

#[test]
fn the_error_is_that_of_the_first_record() {
    let mut rows = rows(40_000);
    for wrong in [39_999, 21_000, 20_999, 20_000] {
        rows[wrong].id = u32::MAX;
        let file = serde_npy::to_vec(&rows).unwrap();
        let view = View::new(&file).unwrap();
        #[derive(Deserialize, Debug)]
        #[allow(dead_code, reason = "only decoded")]
        struct Id {
            id: i32,
        }
        let expected = view.records::<Id>(..).unwrap_err();
        assert_eq!(expected.path(), Some(format!("[{wrong}].id")));
        assert_eq!(view.par_records::<Id>(..).unwrap_err().to_string(), expected.to_string());
    }
}

#[test]
fn the_limit_on_values_without_bytes_holds_for_all_parts_together() {
    let rows = rows(40_000);
    let file = serde_npy::to_vec(&rows).unwrap();
    for (limit, fits) in [(40_000, true), (39_999, false), (12_000, false), (0, false)] {
        let view =
            View::new_with(&file, &ReadOptions::default().limits(serde_npy::Limits::default().empty_items(limit)))
                .unwrap();
        let alone = view.records::<Row>(..).map_err(|error| error.to_string());
        assert_eq!(alone.is_ok(), fits, "{limit}");
        assert_eq!(view.par_records::<Row>(..).map_err(|error| error.to_string()), alone, "{limit}");
    }
}

#[cfg(feature = "npz")]
#[test]
fn members_come_in_the_order_of_the_names() {
    use serde_npy::npz;
    use std::collections::BTreeMap;
    let arrays: BTreeMap<String, Vec<u32>> = (0..50).map(|i| (format!("m{i:02}"), vec![i; 1000])).collect();
    for compression in [npz::Compression::Stored, npz::Compression::Deflated(1)] {
        let archive = npz::to_vec_with(&arrays, &npz::WriteOptions::default().compression(compression)).unwrap();
        let view = npz::View::new(&archive).unwrap();
        let names = ["m07", "m03", "m49", "m03"];
        let expected: Vec<Vec<u32>> = [7, 3, 49, 3].map(|i| vec![i; 1000]).into();
        assert_eq!(view.par_get::<Vec<u32>>(&names).unwrap(), expected);
        let error = view.par_get::<Vec<u8>>(&["m01", "none", "m300"]).unwrap_err().to_string();
        assert_eq!(error, view.get::<Vec<u8>>("none").unwrap_err().to_string());
    }
}
