//! The deserializer that answers a type with made-up values and notes what it asks for.

use crate::error::{Error, Result};
use crate::nd;
use crate::trace::{Kind, Numbers};
use crate::with::{Adapter, Part};
use serde::de::value::SeqDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer as _, MapAccess, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};

use crate::de::dummy::{integer, text};
use crate::de::learnt::{Node, State, complex_number};
use serde::forward_to_deserialize_any;

/// More than any dtype nests; a type that holds itself gets there.
const MAX_DEPTH: usize = 100;

/// Answers a type that asks for a value.
pub(crate) struct Explorer<'n> {
    pub(crate) node: &'n mut Node,
    pub(crate) state: &'n State,
}

impl Explorer<'_> {
    fn leaf(&mut self, kind: Kind) -> usize {
        *self.node = Node::Leaf(kind);
        self.state.attempt()
    }

    /// What a helper makes of text and bytes.
    fn fixed(&self) -> Option<Kind> {
        match self.state.scope.get() {
            Some(Adapter::Characters(kind, width)) => Some(Kind::Fixed(kind, width)),
            _ => None,
        }
    }

    /// A made-up text, if a helper tells how wide it is.
    fn text(&mut self, no_width: &str) -> Result<&'static str> {
        let Some(kind) = self.fixed() else {
            return if self.state.open_text.get() { Ok("") } else { Err(self.state.hopeless(no_width)) };
        };
        let attempt = self.leaf(kind);
        text(attempt).ok_or_else(|| {
            self.state.hopeless("the type takes none of the texts that were made up; use `WriteOptions::dtype`")
        })
    }

    fn float(&mut self, numbers: Numbers) -> usize {
        let half = self.state.scope.get() == Some(Adapter::Half);
        self.leaf(if half { Kind::Half } else { Kind::Number(numbers) })
    }

    /// What a helper makes of the items that the type asked for: bytes, or the parts of a complex number.
    fn gather(scope: Option<Adapter>, node: &mut Node) {
        let items = match node {
            Node::Tuple(items) => items.as_slice(),
            Node::Sequence(item) => std::slice::from_ref(&**item),
            _ => return,
        };
        let is_byte =
            |node: &Node| matches!(node, Node::Leaf(Kind::Number(numbers)) if numbers.covers(&Numbers::u8(0)));
        let kind = match (scope, items) {
            (Some(Adapter::Characters(kind, width)), [_, ..]) if items.iter().all(is_byte) => Kind::Fixed(kind, width),
            (Some(Adapter::Complex), [_, _]) => match complex_number(items.iter()) {
                Some(kind) => kind,
                None => return,
            },
            _ => return,
        };
        *node = Node::Leaf(kind);
    }

    fn enter(&self) -> Result<()> {
        let depth = self.state.depth.get();
        self.state.depth.set(depth.saturating_add(1));
        if depth >= MAX_DEPTH {
            return Err(self.state.hopeless("the type holds itself; use a type that does not"));
        }
        Ok(())
    }

    fn leave(&self) {
        self.state.depth.set(self.state.depth.get().saturating_sub(1));
    }

    fn items<'de, V: Visitor<'de>>(mut self, length: usize, visitor: V) -> Result<V::Value> {
        self.enter()?;
        if !matches!(self.node, Node::Tuple(_)) {
            *self.node = Node::Tuple((0..length).map(|_| Node::default()).collect());
        }
        let value = match &mut self.node {
            Node::Tuple(nodes) => visitor.visit_seq(Items { nodes: nodes.iter_mut(), next: 0, state: self.state }),
            _ => Err(Error::data("no tuple")),
        }?;
        Self::gather(self.state.scope.get(), self.node);
        self.leave();
        Ok(value)
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ident;)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
            let kind = match self.state.scope.get() {
                Some(Adapter::Time(kind, unit)) => Kind::Time(kind, unit),
                _ => Kind::Number(Numbers::$type(Default::default())),
            };
            let attempt = self.leaf(kind);
            match $type::try_from(integer(attempt)) {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(serde::de::Error::invalid_value(Unexpected::Signed(integer(attempt)), &visitor)),
            }
        }
    )*};
}

macro_rules! hopeless {
    ($($method:ident($($argument:ident: $type:ty),*) $message:literal;)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* _visitor: V) -> Result<V::Value> {
            Err(self.state.hopeless($message))
        }
    )*};
}

impl<'de> Deserializer<'de> for Explorer<'_> {
    type Error = Error;

    numbers! {
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
    }

    hopeless! {
        deserialize_any() "the type takes any value; use one that asks for a type";
        deserialize_i128() "there is no dtype for `i128`; use `i64`";
        deserialize_u128() "there is no dtype for `u128`; use `u64`";
        deserialize_map() "a map, or `#[serde(flatten)]`, has no fields of its own; use a struct without";
    }

    fn deserialize_str<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let text = self.text("text has no width of its own; use `with::U`")?;
        visitor.visit_borrowed_str(text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let text = self.text("bytes have no width of their own; use `with::V` or `with::S`")?;
        visitor.visit_borrowed_bytes(text.as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let attempt = self.float(Numbers::f32(0.0));
        visitor.visit_f32(if attempt == 0 { 1.0 } else { 0.0 })
    }

    fn deserialize_f64<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let attempt = self.float(Numbers::f64(0.0));
        visitor.visit_f64(if attempt == 0 { 1.0 } else { 0.0 })
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let attempt = self.leaf(Kind::Bool);
        visitor.visit_bool(attempt > 0)
    }

    fn deserialize_char<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.leaf(self.fixed().unwrap_or(Kind::Text(1)));
        visitor.visit_char('a')
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.leaf(Kind::Unit);
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(mut self, name: &'static str, visitor: V) -> Result<V::Value> {
        match (Adapter::from_name(name), name) {
            (Some(Adapter::Text), _) => Err(self.state.hopeless("text has no width of its own; use `with::TextN`")),
            (Some(adapter), _) if adapter != Adapter::Of => {
                let state = self.state;
                let before = state.scope.replace(Some(adapter));
                let value = visitor.visit_newtype_struct(self);
                state.scope.set(before);
                value
            }
            (None, nd::COLUMNS) => {
                let state = self.state;
                if !matches!(self.node, Node::Columns(_)) {
                    *self.node = Node::Columns(Box::default());
                }
                match self.node {
                    Node::Columns(node) => visitor.visit_newtype_struct(Explorer { node, state }),
                    _ => Err(Error::data("no columns")),
                }
            }
            (None, "f16") => {
                self.leaf(Kind::Half);
                visitor.visit_newtype_struct(0u16.into_deserializer())
            }
            (None, "bf16") => {
                self.leaf(Kind::Bfloat);
                visitor.visit_newtype_struct(0u16.into_deserializer())
            }
            _ => {
                self.enter()?;
                let state = self.state;
                let value = visitor.visit_newtype_struct(self)?;
                state.depth.set(state.depth.get().saturating_sub(1));
                Ok(value)
            }
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.enter()?;
        if !matches!(self.node, Node::Sequence(_)) {
            *self.node = Node::Sequence(Box::default());
        }
        let state = self.state;
        let value = match &mut *self.node {
            Node::Sequence(item) => {
                visitor.visit_seq(Items { nodes: std::slice::from_mut(&mut **item).iter_mut(), next: 0, state })
            }
            _ => Err(Error::data("no sequence")),
        }?;
        Self::gather(state.scope.get(), self.node);
        state.depth.set(state.depth.get().saturating_sub(1));
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        self.items(length, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.items(length, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if nd::asked_for(name, names).is_some() {
            return visitor.visit_map(Shaped { names: names.iter(), next: "", explorer: Some(self) });
        }
        self.enter()?;
        if !matches!(self.node, Node::Struct { .. }) {
            let fields = names.iter().map(|name| (*name, Node::default())).collect();
            let complex = self.state.scope.get() == Some(Adapter::Complex) && Part::names(names).is_some();
            *self.node = Node::Struct { fields, aliases: Vec::new(), complex };
        }
        let Node::Struct { fields, aliases, .. } = self.node else { return Err(Error::data("no struct")) };
        let mut access = Fields { fields: fields.iter_mut(), current: None, last: [""; 2], state: self.state };
        let value = visitor.visit_map(&mut access);
        let [before, last] = access.last;
        // The names of a derive contain the aliases, those of one field side by side; the second that is fed betrays
        // which of them is the name.
        if let Err(error) = &value
            && let Some(name) = error.duplicate_field()
            && !self.state.again.get()
        {
            let alias = if name == last { before } else { last };
            aliases.push(alias);
            fields.retain(|(field, _)| *field != alias);
            self.state.again.set(true);
        }
        let value = value?;
        self.state.depth.set(self.state.depth.get().saturating_sub(1));
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if !matches!(self.node, Node::Enum { .. }) {
            *self.node = Node::Enum { variants, tried: 0, kind: self.fixed() };
        }
        let Node::Enum { tried, .. } = self.node else { return Err(Error::data("no enum")) };
        let position = (*tried).min(variants.len().saturating_sub(1));
        let variant = variants.get(position).copied().unwrap_or("");
        let value = visitor.visit_enum(Variant { name, variant, state: self.state })?;
        if *tried < variants.len() {
            *tried = tried.saturating_add(1);
            self.state.again.set(true);
        }
        Ok(value)
    }

    fn is_human_readable(&self) -> bool {
        self.state.scope.get().is_some_and(Adapter::is_readable)
    }
}

/// The items of a tuple, or the one of a sequence.
struct Items<'n> {
    nodes: std::slice::IterMut<'n, Node>,
    next: u64,
    state: &'n State,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(node) = self.nodes.next() else { return Ok(None) };
        let index = self.next;
        self.next = index.saturating_add(1);
        let value = seed.deserialize(Explorer { node, state: self.state });
        value.map(Some).map_err(|error| error.at_index(index))
    }
}

struct Fields<'n> {
    fields: std::slice::IterMut<'n, (&'static str, Node)>,
    current: Option<(&'static str, &'n mut Node)>,
    /// The names fed before last and last.
    last: [&'static str; 2],
    state: &'n State,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((name, node)) = self.fields.next() else { return Ok(None) };
        self.last = [self.last[1], name];
        self.current = Some((name, node));
        seed.deserialize((*name).into_deserializer()).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let Some((name, node)) = self.current.take() else { return Err(Error::data("a value without a key")) };
        seed.deserialize(Explorer { node, state: self.state }).map_err(|error| error.at_field(name))
    }
}

/// An array that brings its shape: of one element, whatever the number of its axes.
struct Shaped<'n> {
    names: std::slice::Iter<'static, &'static str>,
    /// The name of the next value.
    next: &'static str,
    explorer: Option<Explorer<'n>>,
}

impl<'de> MapAccess<'de> for Shaped<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(name) = self.names.next() else { return Ok(None) };
        self.next = name;
        seed.deserialize((*name).into_deserializer()).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match (self.next, self.explorer.take()) {
            ("data", Some(explorer)) => seed.deserialize(explorer),
            (name, kept) => {
                self.explorer = kept;
                match name {
                    "v" => seed.deserialize(nd::NDARRAY_VERSION.into_deserializer()),
                    "fortran_order" => seed.deserialize(false.into_deserializer()),
                    _ => seed.deserialize(Ones),
                }
            }
        }
    }
}

/// The shape of an array of one element, of as many axes as are asked for.
struct Ones;

impl<'de> Deserializer<'de> for Ones {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(1, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(SeqDeserializer::<_, Error>::new(std::iter::repeat_n(1u64, length)))
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple_struct map struct enum identifier ignored_any
    }
}

/// A variant, which must carry no data.
struct Variant<'n> {
    name: &'static str,
    variant: &'static str,
    state: &'n State,
}

impl<'de, 'n> EnumAccess<'de> for Variant<'n> {
    type Error = Error;
    type Variant = Variant<'n>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant)> {
        let value = seed.deserialize(self.variant.into_deserializer())?;
        Ok((value, self))
    }
}

impl Variant<'_> {
    fn with_data(&self) -> Error {
        self.state.hopeless.set(true);
        Error::data(format!("variant `{}` of `{}` carries data, for which there is no dtype", self.variant, self.name))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _seed: S) -> Result<S::Value> {
        Err(self.with_data())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, _visitor: V) -> Result<V::Value> {
        Err(self.with_data())
    }

    fn struct_variant<V: Visitor<'de>>(self, _fields: &'static [&'static str], _visitor: V) -> Result<V::Value> {
        Err(self.with_data())
    }
}
