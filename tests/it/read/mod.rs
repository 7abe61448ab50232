//! From a file to a value: each rule of reading, by every route.

mod any;
mod borrow;
mod bytes;
mod enums;
mod numbers;
mod records;
mod shapes;
mod stream;
mod text;
mod time;
