//! The name of an array and of its member: NumPy adds `.npy`.

const SUFFIX: &str = ".npy";

/// The member that holds the array of a name.
pub(crate) fn member_name(name: &str) -> String {
    format!("{name}{SUFFIX}")
}

/// The name of the array that a member holds, if it is named as one.
pub(crate) fn array_name(member: &str) -> Option<&str> {
    member.strip_suffix(SUFFIX)
}

/// The name of the array at a position, where they have no names of their own.
pub(crate) fn positional(index: usize) -> String {
    format!("arr_{index}")
}
