//! A dtype that is parsed and printed is parsed as the same dtype, and printed as the same text.

use serde_npy::{DType, Scalar};

pub(crate) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(scalar) = text.parse::<Scalar>() {
        assert_eq!(scalar.to_string().parse::<Scalar>().unwrap(), scalar);
        assert_eq!(text.parse::<DType>().unwrap(), DType::Scalar(scalar));
    }
    let Ok(dtype) = text.parse::<DType>() else { return };
    let printed = dtype.to_string();
    let again: DType = printed.parse().unwrap();
    assert_eq!(again, dtype);
    assert_eq!(again.to_string(), printed);
}
