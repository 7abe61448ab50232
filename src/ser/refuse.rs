//! The methods of a serializer that takes only few kinds of values.

/// Writes the named methods of [`serde::Serializer`], each of which returns the error of a function.
macro_rules! refuse_serialize {
    ($error:path: $($kind:ident)*) => {$(
        crate::ser::refuse::refuse_serialize! { @ $kind $error }
    )*};
    (@ bool $error:path) => { fn serialize_bool(self, _: bool) -> Result<Self::Ok> { Err($error()) } };
    (@ i8 $error:path) => { fn serialize_i8(self, _: i8) -> Result<Self::Ok> { Err($error()) } };
    (@ i16 $error:path) => { fn serialize_i16(self, _: i16) -> Result<Self::Ok> { Err($error()) } };
    (@ i32 $error:path) => { fn serialize_i32(self, _: i32) -> Result<Self::Ok> { Err($error()) } };
    (@ i64 $error:path) => { fn serialize_i64(self, _: i64) -> Result<Self::Ok> { Err($error()) } };
    (@ u8 $error:path) => { fn serialize_u8(self, _: u8) -> Result<Self::Ok> { Err($error()) } };
    (@ u16 $error:path) => { fn serialize_u16(self, _: u16) -> Result<Self::Ok> { Err($error()) } };
    (@ u32 $error:path) => { fn serialize_u32(self, _: u32) -> Result<Self::Ok> { Err($error()) } };
    (@ u64 $error:path) => { fn serialize_u64(self, _: u64) -> Result<Self::Ok> { Err($error()) } };
    (@ f32 $error:path) => { fn serialize_f32(self, _: f32) -> Result<Self::Ok> { Err($error()) } };
    (@ f64 $error:path) => { fn serialize_f64(self, _: f64) -> Result<Self::Ok> { Err($error()) } };
    (@ char $error:path) => { fn serialize_char(self, _: char) -> Result<Self::Ok> { Err($error()) } };
    (@ str $error:path) => { fn serialize_str(self, _: &str) -> Result<Self::Ok> { Err($error()) } };
    (@ bytes $error:path) => { fn serialize_bytes(self, _: &[u8]) -> Result<Self::Ok> { Err($error()) } };
    (@ none $error:path) => { fn serialize_none(self) -> Result<Self::Ok> { Err($error()) } };
    (@ some $error:path) => {
        fn serialize_some<T: serde::Serialize + ?Sized>(self, _: &T) -> Result<Self::Ok> { Err($error()) }
    };
    (@ unit $error:path) => {
        fn serialize_unit(self) -> Result<Self::Ok> { Err($error()) }
        fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok> { Err($error()) }
    };
    (@ unit_variant $error:path) => {
        fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<Self::Ok> {
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
        ) -> Result<Self::Ok> {
            Err($error())
        }
        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant> {
            Err($error())
        }
        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant> {
            Err($error())
        }
    };
    (@ sequences $error:path) => {
        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> { Err($error()) }
        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> { Err($error()) }
        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
            Err($error())
        }
    };
    (@ records $error:path) => {
        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> { Err($error()) }
        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> { Err($error()) }
    };
}

pub(crate) use refuse_serialize;
