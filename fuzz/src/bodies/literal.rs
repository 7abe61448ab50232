//! The parser of Python literals agrees with a slow one that was written apart from it.
//!
//! The first byte chooses between the grammar of Python 3 and that with the `L` of Python 2.

use super::reference;

pub(crate) fn check(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let python2 = first % 2 == 0;
    let ours = serde_npy::fuzzing::literal(text, python2);
    let expected = reference::parse(text, python2);
    match (&ours, &expected) {
        (Ok(ours), Some(expected)) => assert_eq!(ours, expected, "{text:?}"),
        (Err(error), None) => assert!(error.offset().is_some_and(|offset| offset <= text.len() as u64), "{text:?}"),
        _ => panic!("{text:?}: {ours:?}, expected {expected:?}"),
    }
}
