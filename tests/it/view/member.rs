//! Members of archives as views.
#![cfg(feature = "npz")]

use serde_npy::npz;
use std::collections::BTreeMap;

#[test]
fn a_stored_member_is_seen_in_place() {
    let arrays = BTreeMap::from([("x", vec![0.5f32, 1.5, 300.0]), ("y", vec![2.5])]);
    let archive = npz::to_vec(&arrays).unwrap();
    for options in [npz::ReadOptions::default(), npz::ReadOptions::default().verify(false)] {
        let view = npz::View::with_options(&archive, &options).unwrap();
        let member = view.member("x").unwrap();
        assert_eq!(member.shape(), [3]);
        assert_eq!(member.records::<f32>(1..).unwrap(), [1.5, 300.0]);
        let error = member.get::<u8>(0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid type: floating point `0.5`, expected u8 (dtype `<f4`, at `[0]`, byte 128, member `x`)"
                .replace("invalid type: floating point `0.5`, expected u8", &first_words(&archive))
        );
        assert_eq!(error.member(), Some("x"));
        assert_eq!(member.slice(1..).unwrap().get::<u8>(9).unwrap_err().member(), Some("x"));
        assert_eq!(member.iter::<u8>().to_vec().unwrap_err().member(), Some("x"));
        assert_eq!(member.column::<u8>(&["z"]).unwrap_err().member(), Some("x"));
        #[cfg(feature = "bytemuck")]
        assert_eq!(member.as_slice::<f64>().unwrap_err().member(), Some("x"));
        let error = view.member("z").unwrap_err();
        assert_eq!(error.to_string(), "there is no member `z`, there are `x`, `y`");
    }
}

/// What the whole array says of the same value.
fn first_words(archive: &[u8]) -> String {
    let error = npz::View::new(archive).unwrap().get::<Vec<u8>>("x").unwrap_err().to_string();
    error.split(" (dtype").next().unwrap().to_owned()
}

#[test]
fn a_member_that_cannot_be_seen_in_place_says_why() {
    let deflated = npz::WriteOptions::default().compression(npz::Compression::Deflated(1));
    let archive = npz::to_vec_with(&(vec![0u8; 1000],), &deflated).unwrap();
    let error = npz::View::new(&archive).unwrap().member("arr_0").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the member is deflated, so it cannot be borrowed; use `get`, or save it with `numpy.savez` (member `arr_0`)"
    );
    let mut archive = npz::to_vec(&(vec![7u8; 1000],)).unwrap();
    let place = archive.windows(8).position(|bytes| bytes == [7; 8]).unwrap();
    archive[place] = 8;
    let view = npz::View::new(&archive).unwrap();
    let error = view.member("arr_0").unwrap_err().to_string();
    assert!(error.ends_with(": the member is damaged (member `arr_0`)"), "{error}");
    let trusting = npz::View::with_options(&archive, &npz::ReadOptions::default().verify(false)).unwrap();
    assert_eq!(trusting.member("arr_0").unwrap().get::<u8>(0).unwrap(), 8);
}
