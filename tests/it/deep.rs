//! What is nested as deep as it can be is read, shown, copied, compared, written and dropped on a small stack.

use crate::routes::npy;
use crate::tree::Tree;
use serde::de::IgnoredAny;
use serde_npy::{Array, DType, Header, Reader, View, WriteOptions};

/// A main thread has 8 MiB, others 2 MiB unless they are asked for less. What is not optimized takes up to three times as
/// much as what is.
const STACK: usize = if cfg!(debug_assertions) { 1 << 20 } else { 256 << 10 };

fn on_a_small_stack(case: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(case).unwrap().join().unwrap();
}

/// The deepest dtypes that a header can have.
fn deepest() -> Vec<String> {
    vec![
        format!("{}'<i4'{}", "[('y', ".repeat(99), ")]".repeat(99)),
        format!("[('y', {}'<i4'{})]", "(".repeat(60), ", (1,))".repeat(60)),
        format!("[('y', {}'<i4'{}, (1,))]", "(".repeat(196), ")".repeat(196)),
        // By turns.
        format!("{}'<i4'{}", "[('y', (".repeat(60), ", (1,)))]".repeat(60)),
    ]
}

#[test]
fn the_deepest_dtypes_are_handled() {
    for descr in deepest() {
        on_a_small_stack(move || {
            let dtype: DType = descr.parse().unwrap();
            let copy = dtype.clone();
            assert_eq!(copy, dtype);
            assert!(!format!("{dtype:?}{dtype:#?}").is_empty());
            assert_eq!(dtype.to_string().parse::<DType>().unwrap(), copy);
            let header = Header::new(dtype, vec![1; 64]).unwrap();
            assert_eq!(Header::read(&header.to_bytes().unwrap()[..]).unwrap(), header);
            assert_eq!(header.clone(), header);
            assert!(!format!("{header:?}").is_empty());
            drop((header, copy));
        });
    }
}

#[test]
fn the_deepest_values_are_read_and_written() {
    for descr in deepest() {
        for axes in [0, 64] {
            let descr = descr.clone();
            on_a_small_stack(move || {
                let shape = format!("({})", ["1"; 64][..axes].join(", "));
                let file = npy(&descr, &shape, &[1, 0, 0, 0]);
                let tree: Tree = serde_npy::from_slice(&file).unwrap();
                assert_eq!(serde_npy::from_reader::<Tree>(&file[..]).unwrap(), tree);
                serde_npy::from_slice::<IgnoredAny>(&file).unwrap();
                serde_npy::from_slice::<serde_json::Value>(&file).unwrap();
                let view = View::new(&file).unwrap();
                assert_eq!(view.deserialize::<Tree>().unwrap(), tree);
                assert_eq!(view.iter::<Tree>().count(), 1);
                let mut reader = Reader::new(&file[..]).unwrap();
                assert_eq!(reader.records::<Tree>().filter(Result::is_ok).count(), 1);
                assert_eq!(serde_npy::from_slice::<Array<Tree>>(&file).unwrap().data().len(), 1);
                let options = WriteOptions::default().dtype(descr.parse().unwrap());
                let written = serde_npy::to_vec_with(&tree, &options).unwrap();
                assert_eq!(serde_npy::from_slice::<Tree>(&written).unwrap(), tree);
            });
        }
    }
}

#[test]
fn texts_beyond_any_depth_are_refused() {
    for (open, close) in [("[", "]"), ("(", ")"), ("[('y', ", ")]"), ("{1: ", "}"), ("(-(", "))"), ("f(", ")")] {
        on_a_small_stack(move || {
            for depth in [199, 10_000, 1_000_000] {
                let text = format!("{}{}", open.repeat(depth), close.repeat(depth));
                assert!(text.parse::<DType>().is_err());
                let text = format!("('<i4', {{1: {text}}})");
                assert!(depth < 200 || text.parse::<DType>().is_err());
            }
        });
    }
}

/// A value is refused where its dtype would be too deep for a header that can be read.
#[test]
fn values_beyond_the_depth_of_a_header_are_refused() {
    let nested = |depth: usize| (0..depth).fold(Tree::Int(1), |inner, _| Tree::Map(vec![("y".to_owned(), inner)]));
    let written = serde_npy::to_vec(&nested(99)).unwrap();
    assert_eq!(serde_npy::from_slice::<Tree>(&written).unwrap(), nested(99));
    assert_eq!(serde_npy::to_vec(&nested(100)).unwrap_err().to_string(), "a dtype nested over 199 brackets deep");
}
