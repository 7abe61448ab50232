//! Arrays of numbers: vectors, matrices, single values.

fn main() -> serde_npy::Result<()> {
    // A sequence is an axis, a sequence of sequences are two.
    let vector = vec![0.5, 1.5, 2.5];
    let matrix = vec![[1i32, 2, 3], [4, 5, 6]];

    let file = serde_npy::to_vec(&matrix)?;
    let header = serde_npy::Header::read(&file[..])?;
    println!("dtype {}, shape {:?}", header.dtype(), header.shape());
    assert_eq!(header.shape(), [2, 3]);

    // Any Rust type of the same structure can be read, and numbers widen without loss.
    assert_eq!(serde_npy::from_slice::<Vec<Vec<i64>>>(&file)?, [[1, 2, 3], [4, 5, 6]]);
    assert_eq!(serde_npy::from_slice::<[[f64; 3]; 2]>(&file)?, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);

    // What would lose something is an error that says where.
    if let Err(error) = serde_npy::from_slice::<Vec<i32>>(&serde_npy::to_vec(&vector)?) {
        println!("{error}");
        assert_eq!(error.path().as_deref(), Some("[0]"));
    }

    // A value without any sequence is an array without axes.
    let file = serde_npy::to_vec(&42u8)?;
    assert_eq!(serde_npy::from_slice::<u8>(&file)?, 42);

    // Arrays may follow each other in one file or stream.
    let mut stream = Vec::new();
    serde_npy::to_writer(&mut stream, &vector)?;
    serde_npy::to_writer(&mut stream, &matrix)?;
    let mut reader = &stream[..];
    assert_eq!(serde_npy::from_reader::<Vec<f64>>(&mut reader)?, vector);
    assert_eq!(serde_npy::from_reader::<Vec<[i32; 3]>>(&mut reader)?, matrix);
    Ok(())
}
