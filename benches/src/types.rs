//! The record types, in a module of their own as a user's are: whether the loops of the library and the code that the
//! derive makes are put together by the compiler is the first thing to be measured.

/// The record of most workloads: 24 bytes, packed.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    serde::Serialize,
    serde::Deserialize,
    npyz::Serialize,
    npyz::Deserialize,
    npyz::AutoSerialize,
)]
pub struct Tick {
    pub time: i64,
    pub price: f64,
    pub size: u32,
    pub flags: u16,
    pub side: u8,
    pub ok: bool,
}

/// `Tick` in another order than the file's.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Reordered {
    pub ok: bool,
    pub size: u32,
    pub price: f64,
    pub side: u8,
    pub time: i64,
    pub flags: u16,
}

/// `Tick` with wider integers than the file's.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Widened {
    pub time: i64,
    pub price: f64,
    pub size: u64,
    pub flags: u32,
    pub side: u16,
    pub ok: bool,
}

/// `Tick` with fields that may be missing.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Optional {
    pub time: i64,
    pub price: Option<f64>,
    pub size: Option<u32>,
    pub flags: u16,
    pub side: u8,
    pub ok: bool,
}

/// Three of the fields of `Tick`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Part {
    pub time: i64,
    pub price: f64,
    pub ok: bool,
}

/// The columns of `Tick`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TickColumns {
    pub time: Vec<i64>,
    pub price: Vec<f64>,
    pub size: Vec<u32>,
    pub flags: Vec<u16>,
    pub side: Vec<u8>,
    pub ok: Vec<bool>,
}

#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    serde::Serialize,
    serde::Deserialize,
    npyz::Serialize,
    npyz::Deserialize,
    npyz::AutoSerialize,
)]
pub struct Xyz {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

/// Records within a record.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    serde::Serialize,
    serde::Deserialize,
    npyz::Serialize,
    npyz::Deserialize,
    npyz::AutoSerialize,
)]
pub struct Nested {
    pub id: u32,
    pub at: Xyz,
    pub speed: Xyz,
    pub mass: f32,
}

/// Eight fields of 32 bits.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    serde::Serialize,
    serde::Deserialize,
    npyz::Serialize,
    npyz::Deserialize,
    npyz::AutoSerialize,
)]
pub struct Flat {
    pub id: u32,
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub u: f32,
    pub v: f32,
    pub w: f32,
    pub m: f32,
}

/// Subarrays.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    serde::Serialize,
    serde::Deserialize,
    npyz::Serialize,
    npyz::Deserialize,
    npyz::AutoSerialize,
)]
pub struct Particle {
    pub id: u32,
    pub pos: [f32; 3],
    pub vel: [f32; 3],
    pub m: f32,
}

/// Twenty fields.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    serde::Serialize,
    serde::Deserialize,
    npyz::Serialize,
    npyz::Deserialize,
    npyz::AutoSerialize,
)]
pub struct Wide {
    pub a0: i32,
    pub b0: u16,
    pub c0: u8,
    pub d0: bool,
    pub e0: f32,
    pub a1: i32,
    pub b1: u16,
    pub c1: u8,
    pub d1: bool,
    pub e1: f32,
    pub a2: i32,
    pub b2: u16,
    pub c2: u8,
    pub d2: bool,
    pub e2: f32,
    pub a3: i32,
    pub b3: u16,
    pub c3: u8,
    pub d3: bool,
    pub e3: f32,
}

/// Five columns of a thousand, `f000` to `f999`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Five {
    pub f000: f64,
    pub f250: f64,
    pub f500: f64,
    pub f750: f64,
    pub f999: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Side {
    Buy,
    Sell,
}

/// An enum, which is text in the file.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Order {
    pub id: u32,
    pub side: Side,
    pub price: f64,
}

/// Text of both kinds, `<U16` and `|S8`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, npyz::Deserialize)]
pub struct Text {
    pub id: u64,
    pub name: String,
    pub tag: String,
    pub v: [f32; 4],
}

/// `Text` whose `|S8` stays in the file.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Borrowing<'a> {
    pub id: u64,
    pub name: String,
    pub tag: &'a str,
    pub v: [f32; 4],
}

/// `Text` as npyz writes it: its text fields for `|S` are bytes.
#[derive(Clone, Debug, PartialEq, npyz::Serialize)]
pub struct NpyzText {
    pub id: u64,
    pub name: String,
    pub tag: Vec<u8>,
    pub v: [f32; 4],
}
