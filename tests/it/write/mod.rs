//! From a value to a file: each rule of writing, by every route, with the whole header.

mod by_hand;
mod dtype;
mod files;
mod given;
mod merging;
mod refused;
mod shape;
mod whole;
