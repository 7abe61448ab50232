//! Big-endian numbers and Fortran order: read as if they were not, written where they are wanted.

use serde_npy::{ByteOrder, Header, WriteOptions};

fn main() -> serde_npy::Result<()> {
    let matrix = [[1u16, 2, 3], [4, 5, 6]];

    let options = WriteOptions::default().byteorder(ByteOrder::Big).fortran_order(true);
    let file = serde_npy::to_vec_with(&matrix, &options)?;

    let header = Header::read(&file[..])?;
    println!("dtype {}, fortran_order {}, shape {:?}", header.dtype(), header.fortran_order(), header.shape());
    assert_eq!(header.dtype().to_string(), "'>u2'");
    assert!(header.fortran_order());
    assert!(file.ends_with(&[0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6]));

    // The order of the file does not matter to the reader: axes come in their logical order.
    assert_eq!(serde_npy::from_slice::<[[u16; 3]; 2]>(&file)?, matrix);
    Ok(())
}
