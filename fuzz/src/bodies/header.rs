//! A header that is read and printed is read as the same header, and printed as the same bytes.

use super::reluctant::Reluctant;
use serde_npy::Header;

pub(crate) fn check(data: &[u8]) {
    let mut rest = data;
    let Ok(header) = Header::read(&mut rest) else { return };
    assert_eq!((data.len() - rest.len()) as u64, header.data_offset());
    assert_eq!(Header::read(Reluctant::new(data, 1)).unwrap(), header);
    // A version that was read may be too small for our spelling; then there is nothing to compare.
    let Ok(printed) = header.to_bytes() else { return };
    let again = Header::read(&printed[..]).unwrap();
    assert_eq!(again, header);
    assert!(again.is_canonical());
    assert_eq!(again.to_bytes().unwrap(), printed);
    assert_eq!(header.is_canonical(), data.starts_with(&printed));
    // What NumPy loads can be made anew; the rest (metadata, say) is gone after printing.
    let made = Header::new(header.dtype().clone(), header.shape().to_vec()).unwrap();
    let made = made.with_fortran_order(header.fortran_order()).with_version(header.version()).unwrap();
    assert_eq!(made.to_bytes().unwrap(), printed);
}
