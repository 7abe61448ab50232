//! From a value to a file.
