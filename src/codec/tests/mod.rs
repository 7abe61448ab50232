//! Tables of values that NumPy gave, and round trips.

mod datetime;
mod datetime_conversion;
mod datetime_text;
mod half;
mod long_double;
mod number;
mod text;
mod timedelta;
