//! The checks of the fuzz targets, compiled once for all of them.

mod bodies;

macro_rules! targets {
    ($($target:ident)*) => {$(
        #[doc = concat!("The body of the target `", stringify!($target), "`.")]
        pub fn $target(data: &[u8]) {
            bodies::$target::check(data);
        }
    )*};
}

targets! { append descr from_slice header literal npz roundtrip slice_vs_reader }
