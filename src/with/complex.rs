//! The parts of a complex number in a struct, which go by their names.

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Real,
    Imaginary,
}

impl Part {
    /// The part that a field of this name is.
    pub(crate) fn from_name(name: &str) -> Option<Part> {
        match name {
            "re" | "real" => Some(Part::Real),
            "im" | "imag" => Some(Part::Imaginary),
            _ => None,
        }
    }

    /// The fields that are the real and the imaginary part, the first of each where aliases are among them; `None`
    /// where a part is missing, or a field is none.
    pub(crate) fn names<'f>(fields: &[&'f str]) -> Option<[&'f str; 2]> {
        let first = |part| fields.iter().copied().find(|field| Part::from_name(field) == Some(part));
        let all = fields.iter().all(|field| Part::from_name(field).is_some());
        Some([first(Part::Real)?, first(Part::Imaginary)?]).filter(|_| all)
    }
}
