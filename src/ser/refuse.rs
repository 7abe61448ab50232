//! The methods of a serializer that takes only few kinds of values.

/// Writes the named methods of [`serde::Serializer`], each of which returns the error of a function.
macro_rules! refuse_serialize {
    ($error:path: $($kind:tt)*) => {$(
        crate::ser::refuse::refuse_serialize! { @ $kind $error }
    )*};
    (@ bool $error:path) => { fn serialize_bool(self, _: bool) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ i8 $error:path) => { fn serialize_i8(self, _: i8) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ i16 $error:path) => { fn serialize_i16(self, _: i16) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ i32 $error:path) => { fn serialize_i32(self, _: i32) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ i64 $error:path) => { fn serialize_i64(self, _: i64) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ u8 $error:path) => { fn serialize_u8(self, _: u8) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ u16 $error:path) => { fn serialize_u16(self, _: u16) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ u32 $error:path) => { fn serialize_u32(self, _: u32) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ u64 $error:path) => { fn serialize_u64(self, _: u64) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ f32 $error:path) => { fn serialize_f32(self, _: f32) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ f64 $error:path) => { fn serialize_f64(self, _: f64) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ char $error:path) => { fn serialize_char(self, _: char) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ str $error:path) => {
        fn serialize_str(self, _: &str) -> Result<Self::Ok, Self::Error> { Err($error()) }
        fn collect_str<T: std::fmt::Display + ?Sized>(self, _: &T) -> Result<Self::Ok, Self::Error> { Err($error()) }
    };
    (@ bytes $error:path) => { fn serialize_bytes(self, _: &[u8]) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ none $error:path) => { fn serialize_none(self) -> Result<Self::Ok, Self::Error> { Err($error()) } };
    (@ some $error:path) => {
        fn serialize_some<T: serde::Serialize + ?Sized>(self, _: &T) -> Result<Self::Ok, Self::Error> { Err($error()) }
    };
    (@ unit $error:path) => {
        fn serialize_unit(self) -> Result<Self::Ok, Self::Error> { Err($error()) }
        fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok, Self::Error> { Err($error()) }
    };
    (@ unit_variant $error:path) => {
        fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<Self::Ok, Self::Error> {
            Err($error())
        }
    };
    (@ variants_with_data $error:path) => {
        fn serialize_newtype_variant<T: serde::Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<Self::Ok, Self::Error> {
            Err($error())
        }
        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant, Self::Error> {
            Err($error())
        }
        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant, Self::Error> {
            Err($error())
        }
    };
    (@ sequences $error:path) => {
        crate::ser::refuse::refuse_serialize! { $error: seq tuple tuple_struct }
    };
    (@ records $error:path) => {
        crate::ser::refuse::refuse_serialize! { $error: map struct }
    };
    (@ seq $error:path) => {
        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Self::Error> {
            Err($error())
        }
    };
    (@ tuple $error:path) => {
        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Self::Error> {
            Err($error())
        }
    };
    (@ tuple_struct $error:path) => {
        fn serialize_tuple_struct(
            self,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleStruct, Self::Error> {
            Err($error())
        }
    };
    (@ map $error:path) => {
        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Self::Error> {
            Err($error())
        }
    };
    (@ struct $error:path) => {
        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Self::Error> {
            Err($error())
        }
    };
    (@ newtype_struct $error:path) => {
        fn serialize_newtype_struct<T: serde::Serialize + ?Sized>(
            self,
            _: &'static str,
            _: &T,
        ) -> Result<Self::Ok, Self::Error> {
            Err($error())
        }
    };
}

pub(crate) use refuse_serialize;
