//! [`Tree`]: whatever `deserialize_any` gives, kept so exactly that it can be written again and compared bit by bit.

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;
use std::fmt;

/// A value of any dtype.
///
/// Unlike `serde_json::Value` it keeps NaN and infinity, the width of floats, bytes, and the order of fields.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    None,
    /// What `|V0` is.
    Unit,
    Bool(bool),
    Int(i64),
    UInt(u64),
    F32(f32),
    F64(f64),
    Text(String),
    Bytes(Vec<u8>),
    Seq(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

/// Floats are equal where their bits are.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Tree::None, Tree::None) | (Tree::Unit, Tree::Unit) => true,
            (Tree::Bool(a), Tree::Bool(b)) => a == b,
            (Tree::Int(a), Tree::Int(b)) => a == b,
            (Tree::UInt(a), Tree::UInt(b)) => a == b,
            (Tree::F32(a), Tree::F32(b)) => a.to_bits() == b.to_bits(),
            (Tree::F64(a), Tree::F64(b)) => a.to_bits() == b.to_bits(),
            (Tree::Text(a), Tree::Text(b)) => a == b,
            (Tree::Bytes(a), Tree::Bytes(b)) => a == b,
            (Tree::Seq(a), Tree::Seq(b)) => a == b,
            (Tree::Map(a), Tree::Map(b)) => a == b,
            _ => false,
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tree, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::UInt(value))
    }

    fn visit_f32<E>(self, value: f32) -> Result<Tree, E> {
        Ok(Tree::F32(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::F64(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Tree, E> {
        Ok(Tree::Bytes(value.to_owned()))
    }

    fn visit_none<E>(self) -> Result<Tree, E> {
        Ok(Tree::None)
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Unit)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Tree::Seq(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
        let mut all: Vec<(String, Tree)> = Vec::new();
        while let Some((name, value)) = entries.next_entry::<String, Tree>()? {
            if all.iter().any(|(other, _)| *other == name) {
                return Err(A::Error::custom(format!("the name `{name}` came twice")));
            }
            all.push((name, value));
        }
        Ok(Tree::Map(all))
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Tree::None => serializer.serialize_none(),
            Tree::Unit => serializer.serialize_unit(),
            Tree::Bool(value) => serializer.serialize_bool(*value),
            Tree::Int(value) => serializer.serialize_i64(*value),
            Tree::UInt(value) => serializer.serialize_u64(*value),
            Tree::F32(value) => serializer.serialize_f32(*value),
            Tree::F64(value) => serializer.serialize_f64(*value),
            Tree::Text(value) => serializer.serialize_str(value),
            Tree::Bytes(value) => serializer.serialize_bytes(value),
            Tree::Seq(items) => items.serialize(serializer),
            Tree::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (name, value) in entries {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl Tree {
    /// Where this differs from what Python wrote as JSON, in words; nothing where it does not.
    ///
    /// In that JSON, NaN and the infinities are text, bytes a list of numbers, NaT is null, and `float` gives every
    /// float as the double it is.
    pub(crate) fn differs_from(&self, json: &Value) -> Option<String> {
        let same = match (self, json) {
            (Tree::None, Value::Null) => true,
            (Tree::Unit, Value::Array(bytes)) => bytes.is_empty(),
            (Tree::Bool(a), Value::Bool(b)) => a == b,
            (Tree::Int(a), b) => b.as_i64() == Some(*a),
            (Tree::UInt(a), b) => b.as_u64() == Some(*a),
            (Tree::F32(a), b) => same_float((*a).into(), b),
            (Tree::F64(a), b) => same_float(*a, b),
            (Tree::Text(a), Value::String(b)) => a == b,
            (Tree::Bytes(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| b.as_u64() == Some((*a).into()))
            }
            (Tree::Seq(a), Value::Array(b)) if a.len() == b.len() => {
                let mut items = a.iter().zip(b).enumerate();
                return items.find_map(|(i, (a, b))| Some(format!("[{i}]{}", a.differs_from(b)?)));
            }
            (Tree::Map(a), Value::Object(b)) if a.len() == b.len() => {
                return a.iter().find_map(|(name, a)| match b.get(name) {
                    Some(b) => Some(format!(".{name:?}{}", a.differs_from(b)?)),
                    None => Some(format!(": no field {name:?} in {json}")),
                });
            }
            _ => false,
        };
        (!same).then(|| format!(": read {self:?}, NumPy has {json}"))
    }

    /// The JSON that `serde_json::Value` makes of this: no NaN, no infinity. `None` where there are bytes, of which it
    /// makes nothing.
    pub(crate) fn json(&self) -> Option<Value> {
        Some(match self {
            Tree::None | Tree::Unit => Value::Null,
            Tree::Bool(value) => (*value).into(),
            Tree::Int(value) => (*value).into(),
            Tree::UInt(value) => (*value).into(),
            Tree::F32(value) => f64::from(*value).into(),
            Tree::F64(value) => (*value).into(),
            Tree::Text(value) => value.as_str().into(),
            Tree::Bytes(_) => return None,
            Tree::Seq(items) => Value::Array(items.iter().map(Tree::json).collect::<Option<_>>()?),
            Tree::Map(entries) => {
                let entries = entries.iter().map(|(name, value)| Some((name.clone(), value.json()?)));
                Value::Object(entries.collect::<Option<_>>()?)
            }
        })
    }
}

fn same_float(float: f64, json: &Value) -> bool {
    match json {
        Value::Number(number) => number.as_f64().is_some_and(|number| number.to_bits() == float.to_bits()),
        Value::String(text) => match text.as_str() {
            "nan" => float.is_nan(),
            "inf" => float == f64::INFINITY,
            "-inf" => float == f64::NEG_INFINITY,
            _ => false,
        },
        _ => false,
    }
}

#[test]
fn trees_tell_floats_by_their_bits() {
    assert_ne!(Tree::F64(0.0), Tree::F64(-0.0));
    assert_eq!(Tree::F64(f64::NAN), Tree::F64(f64::NAN));
    assert_ne!(Tree::F32(f32::NAN), Tree::F32(-f32::NAN));
    assert_ne!(Tree::F32(1.0), Tree::F64(1.0));
    assert_eq!(Tree::F64(-0.0).differs_from(&"-0.0".parse().unwrap()), None);
    assert!(Tree::F64(0.0).differs_from(&"-0.0".parse().unwrap()).is_some());
    let map = Tree::Map(vec![("a".into(), Tree::Seq(vec![Tree::None, Tree::Int(-1)]))]);
    assert_eq!(map.differs_from(&r#"{"a": [null, -1]}"#.parse().unwrap()), None);
    assert_eq!(
        map.differs_from(&r#"{"a": [null, 1]}"#.parse().unwrap()).unwrap(),
        ".\"a\"[1]: read Int(-1), NumPy has 1"
    );
}
