/// A struct of twenty fields, with what is to be derived.
macro_rules! twenty {
    ($name:ident, $(#[$derive:meta])*) => {
        $(#[$derive])*
        #[derive(Clone, Copy)]
        pub struct $name {
            pub a0: i32, pub b0: u16, pub c0: u8, pub d0: bool, pub e0: f32,
            pub a1: i64, pub b1: u16, pub c1: u8, pub d1: bool, pub e1: f64,
            pub a2: i32, pub b2: u32, pub c2: u8, pub d2: bool, pub e2: f32,
            pub a3: i64, pub b3: u16, pub c3: i8, pub d3: bool, pub e3: f64,
        }
    };
}
