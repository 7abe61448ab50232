//! Programs to start from, one idea each.
//!
//! Each page is a file of the folder `derive-examples` and runs with `cargo run --example NAME`.

macro_rules! pages {
    ($($name:ident $summary:literal;)*) => {$(
        #[doc = $summary]
        #[doc = ""]
        #[doc = "```"]
        #[doc = include_str!(concat!("../derive-examples/", stringify!($name), ".rs"))]
        #[doc = "```"]
        pub mod $name {}
    )*};
}

pages! {
    market_data "From ticks that NumPy saved to one-minute bars that NumPy loads.";
    plain "Arrays of numbers: vectors, matrices, single values.";
    nested "Records within records, arrays within records, some of the fields.";
    strings "Text and bytes: `U`, `S` and `V` fields.";
    orders "Big-endian numbers and Fortran order.";
    unknown_file "A file that nobody told you about: its header, then its values as JSON.";
    choose_dtype "Saying which dtype is written.";
    stream_write "Records written one by one, in constant memory.";
    stream_read "Records read one by one, out of a compressed stream.";
    append_log "A log that grows, and survives being killed.";
    columns "Some columns of a wide table.";
    ranges "One file read by many, each its own range of bytes.";
    follow "Reading a file while another process appends to it.";
}

#[cfg(feature = "npz")]
pages! {
    npz_struct "An archive of arrays into a struct and out of it.";
    npz_sparse "Sparse matrices as SciPy saves them.";
    objects "Text that NumPy saved as Python objects, whose pickle is read on purpose.";
}

#[cfg(all(feature = "npz", feature = "bytemuck"))]
pages! {
    memory_map "A file larger than memory, mapped.";
}
