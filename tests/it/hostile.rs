//! Inputs that break a fresh implementation.
