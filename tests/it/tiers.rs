//! The fast tiers of reading and writing mean what the slow ones do: the same values, the same bytes, the same errors.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_npy::fuzzing::slowly;
use serde_npy::{ByteOrder, DType, Header, ReadOptions, Result, WriteOptions};
use serde_npy::{from_slice_with, records_from_slice_with, records_to_vec_with, to_vec_with};
use std::collections::BTreeMap;
use std::fmt::Debug;

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
struct Tick {
    time: i64,
    price: f64,
    size: u32,
    flags: u16,
    side: u8,
    ok: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
struct Mixed {
    small: i8,
    name: String,
    wide: f32,
    position: [f32; 3],
    tag: char,
    pair: (u16, i16),
    inner: Inner,
    levels: [Inner; 2],
    list: Vec<i32>,
    grid: [[u8; 2]; 3],
    kind: Color,
    wrapped: Wrapper,
    maybe: Option<f64>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
struct Inner {
    x: f64,
    n: u8,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, PartialEq)]
enum Color {
    #[default]
    Red,
    Green,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
struct Wrapper(u64);

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
struct Helped {
    #[serde(with = "serde_npy::with::Datetime::<serde_npy::with::Ns>")]
    at: i64,
    #[serde(with = "serde_npy::with::Datetime::<serde_npy::with::Ms>", default)]
    maybe_at: Option<i64>,
    #[serde(with = "serde_npy::with::Timedelta::<serde_npy::with::Us>")]
    took: i64,
    #[serde(with = "serde_npy::with::Nan", default)]
    gap: Option<f64>,
    #[serde(with = "serde_npy::with::Nan", default)]
    gap4: Option<f32>,
    #[serde(with = "serde_npy::with::U::<6>")]
    code: String,
    #[serde(with = "serde_npy::with::S::<4>")]
    short: String,
    #[serde(with = "serde_bytes")]
    raw: Vec<u8>,
    #[serde(with = "serde_npy::with::Complex")]
    z: (f32, f32),
    #[serde(with = "serde_npy::with::F2")]
    half: f32,
}

/// The attributes of serde that make a plain list of fields a lie.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Picky {
    #[serde(alias = "price", alias = "p")]
    value: f64,
    #[serde(rename = "size")]
    count: u32,
    #[serde(default)]
    missing: Option<i32>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
struct Part {
    ok: bool,
    price: f64,
    #[serde(default)]
    extra: u8,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
struct Swapped {
    ok: bool,
    side: u8,
    flags: u16,
    size: u32,
    price: f64,
    time: i64,
}

/// A type that swallows errors, and one that looks at them.
#[derive(Clone, Debug, Default, Serialize, PartialEq)]
struct Lenient {
    a: Option<u8>,
    b: f64,
    why: String,
}

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Shadow {
            #[serde(deserialize_with = "lenient")]
            ok: std::result::Result<bool, String>,
            price: f64,
        }
        let Shadow { ok, price } = Shadow::deserialize(deserializer)?;
        let why = ok.as_ref().err().cloned().unwrap_or_default();
        Ok(Lenient { a: ok.ok().map(u8::from), b: price, why })
    }
}

fn lenient<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<std::result::Result<bool, String>, D::Error> {
    Ok(bool::deserialize(deserializer).map_err(|error| error.to_string()))
}

/// Leaves a record's first field alone every third time.
#[derive(Clone, Debug, PartialEq)]
struct Fickle(f64);

impl<'de> Deserialize<'de> for Fickle {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Fickle;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a record")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Fickle, A::Error> {
                let time: i64 = seq.next_element()?.unwrap_or_default();
                if time % 3 == 0 {
                    return Ok(Fickle(-1.0));
                }
                Ok(Fickle(seq.next_element()?.unwrap_or_default()))
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> std::result::Result<Fickle, A::Error> {
                let mut price = -2.0;
                while let Some(key) = map.next_key::<String>()? {
                    if key == "price" {
                        price = map.next_value()?;
                    } else {
                        map.next_value::<serde::de::IgnoredAny>()?;
                    }
                }
                Ok(Fickle(price))
            }
        }
        deserializer.deserialize_struct("Fickle", &["time", "price"], Visitor)
    }
}

/// Xorshift: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn text(&mut self, most: u64) -> String {
        (0..self.below(most + 1))
            .map(|_| ['a', 'Z', '\u{e9}', '\u{4e2d}', '\u{1f600}'][self.below(5) as usize])
            .collect()
    }
}

fn text_of<T: Debug>(found: Result<T>) -> std::result::Result<String, String> {
    // As text, so that a NaN equals itself.
    found.map(|value| format!("{value:?}")).map_err(|error| error.to_string())
}

/// Reads the file by every way with both tiers.
#[track_caller]
fn same_values<T: DeserializeOwned + Debug>(file: &[u8]) {
    for options in [
        ReadOptions::default(),
        ReadOptions::default().round_floats(true).lossy_text(true).bytes_as(serde_npy::BytesAs::Latin1),
    ] {
        let ways: [&dyn Fn() -> std::result::Result<String, String>; 4] = [
            &|| text_of(records_from_slice_with::<T>(file, &options)),
            &|| text_of(from_slice_with::<Vec<T>>(file, &options)),
            &|| text_of(serde_npy::records_from_reader_with::<T>(file, &options)),
            &|| {
                let mut reader = serde_npy::Reader::new_with(file, &options).map_err(|error| error.to_string())?;
                text_of(reader.records::<T>().collect::<Result<Vec<_>>>())
            },
        ];
        for (way, read) in ways.iter().enumerate() {
            assert_eq!(read(), slowly(read), "way {way} of {:?}", Header::read(file).map(|h| h.dtype().to_string()));
        }
    }
}

/// Writes the records by every way with both tiers, and reads them back.
#[track_caller]
fn same_bytes<T: Serialize + DeserializeOwned + Debug>(records: &[T], options: &WriteOptions) -> Option<Vec<u8>> {
    let text = |found: Result<Vec<u8>>| found.map_err(|error| error.to_string());
    let fast = text(records_to_vec_with(records, options));
    assert_eq!(fast, text(slowly(|| records_to_vec_with(records, options))));
    assert_eq!(text(to_vec_with(records, options)), fast);
    let mut file = Vec::new();
    let written = serde_npy::records_to_writer_with(&mut file, records, options);
    assert_eq!(text(written.map(|()| file)), fast);
    fast.ok()
}

/// Writes records of a type in its own dtype and in others, reads them, and reads what is left after damage.
fn check<T: Serialize + DeserializeOwned + Debug + PartialEq>(records: &[T], random: &mut Random) {
    for options in [WriteOptions::default(), WriteOptions::default().byteorder(ByteOrder::Big)] {
        let Some(file) = same_bytes(records, &options) else { continue };
        same_values::<T>(&file);
        let offset = Header::read(&file[..]).unwrap().data_offset() as usize;
        for _ in 0..20 {
            let mut file = file.clone();
            for _ in 0..=random.below(3) {
                let at = offset + random.below((file.len() - offset) as u64) as usize;
                file[at] = [0, 1, 2, 0x7f, 0x80, 0xff][random.below(6) as usize];
            }
            same_values::<T>(&file);
        }
    }
}

fn tick(random: &mut Random) -> Tick {
    let [time, price, size, side] = [(); 4].map(|()| random.next());
    Tick {
        time: time as i64,
        price: f64::from_bits(price),
        size: size as u32,
        flags: size as u16,
        side: side as u8,
        ok: side % 2 == 0,
    }
}

fn inner(random: &mut Random) -> Inner {
    Inner { x: random.next() as f64, n: random.next() as u8 }
}

fn mixed(random: &mut Random) -> Mixed {
    Mixed {
        small: random.next() as i8,
        name: random.text(9),
        wide: random.next() as f32,
        position: [(); 3].map(|()| random.next() as f32),
        tag: ['x', '\u{e9}'][random.below(2) as usize],
        pair: (random.next() as u16, random.next() as i16),
        inner: inner(random),
        levels: [(); 2].map(|()| inner(random)),
        list: vec![random.next() as i32; 4],
        grid: [[random.next() as u8; 2]; 3],
        kind: [Color::Red, Color::Green][random.below(2) as usize],
        wrapped: Wrapper(random.next()),
        maybe: (random.below(200) > 0).then(|| random.next() as f64),
    }
}

fn helped(random: &mut Random) -> Helped {
    let maybe = |value: f64, random: &mut Random| (random.below(3) > 0).then_some(value);
    Helped {
        at: random.next() as i64 >> 1,
        maybe_at: (random.below(3) > 0).then(|| random.next() as i64 >> 20),
        took: random.next() as i64 >> 4,
        gap: maybe(1.5, random),
        gap4: maybe(2.5, random).map(|value| value as f32),
        code: random.text(6),
        short: ["", "a", "abcd", "\u{e9}"][random.below(4) as usize].to_owned(),
        raw: vec![random.next() as u8; 5],
        z: (random.next() as f32, 0.5),
        half: random.below(100) as f32,
    }
}

#[test]
fn records_of_a_zoo_of_types() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for count in [0, 1, 7, 8, 9, 40, 700] {
        let ticks: Vec<Tick> = (0..count).map(|_| tick(&mut random)).collect();
        check(&ticks, &mut random);
        check(&(0..count).map(|_| mixed(&mut random)).collect::<Vec<_>>(), &mut random);
        check(&(0..count).map(|_| helped(&mut random)).collect::<Vec<_>>(), &mut random);
        check(&(0..count).map(|_| (random.next() as i32, random.next() as f64)).collect::<Vec<_>>(), &mut random);
        check(&(0..count).map(|_| random.next() as f64).collect::<Vec<_>>(), &mut random);
        check(&(0..count).map(|_| random.text(5)).collect::<Vec<_>>(), &mut random);
        check(&(0..count).map(|_| [random.next() as u16; 3]).collect::<Vec<_>>(), &mut random);
        let map = |random: &mut Random| BTreeMap::from([("a".to_owned(), random.next()), ("b".to_owned(), 1)]);
        check(&(0..count).map(|_| map(&mut random)).collect::<Vec<_>>(), &mut random);
    }
}

#[test]
fn one_file_as_other_types() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let ticks: Vec<Tick> = (0..100).map(|_| tick(&mut random)).collect();
    let aligned: DType = "{'names': ['time', 'ok', 'price', 'size', 'flags', 'side'], 'formats': ['<i8', '?', '>f8', '<u4', '<u2', 'u1'], 'offsets': [0, 8, 16, 24, 28, 30], 'itemsize': 40}"
        .parse()
        .unwrap_or_else(|_| "[('time', '<i8'), ('ok', '?'), ('', 'V7'), ('price', '>f8'), ('size', '<u4'), ('flags', '<u2'), ('side', 'u1')]".parse().unwrap());
    for options in [
        WriteOptions::default(),
        WriteOptions::default().byteorder(ByteOrder::Big),
        WriteOptions::default().dtype(aligned),
    ] {
        let mut file = same_bytes(&ticks, &options).unwrap();
        for damage in 0..30 {
            same_values::<Tick>(&file);
            same_values::<Swapped>(&file);
            same_values::<Part>(&file);
            same_values::<Picky>(&file);
            same_values::<Lenient>(&file);
            same_values::<Fickle>(&file);
            same_values::<(i64, f64, u32, u16, u8, bool)>(&file);
            same_values::<BTreeMap<String, serde_json::Value>>(&file);
            same_values::<serde::de::IgnoredAny>(&file);
            let at = file.len() - 1 - (damage * 37) % 2000;
            file[at] = random.next() as u8;
        }
    }
    // Without the other fields, which `deny_unknown_fields` refuses.
    let picky: DType = "[('size', '<u4'), ('p', '<f4')]".parse().unwrap();
    #[derive(Serialize)]
    struct Source {
        size: u32,
        p: f32,
    }
    let sources: Vec<Source> = (0..50).map(|size| Source { size, p: size as f32 }).collect();
    same_values::<Picky>(&records_to_vec_with(&sources, &WriteOptions::default().dtype(picky)).unwrap());
}

/// A list of names is a hint: what a type written by hand does not list it may take all the same, from every record; and
/// what it does with a sequence may be another thing than what it does with a map.
#[test]
fn types_written_by_hand_take_what_they_take_from_every_record() {
    use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

    struct Names(&'static [&'static str]);

    #[derive(Debug, PartialEq)]
    struct Lazy<const LIST: usize>(i32, i32);

    const LISTS: [Names; 4] = [Names(&[]), Names(&["X"]), Names(&["x"]), Names(&["x", "y"])];

    struct Take<const LIST: usize>;

    impl<'de, const LIST: usize> Visitor<'de> for Take<LIST> {
        type Value = Lazy<LIST>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a point")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Lazy<LIST>, A::Error> {
            let (mut x, mut y) = (-7, -7);
            while let Some(key) = map.next_key::<String>()? {
                match key.as_str() {
                    "x" => x = map.next_value()?,
                    "y" | "z" => y = map.next_value()?,
                    _ => drop(map.next_value::<IgnoredAny>()?),
                }
            }
            if x == 99 { Err(A::Error::custom("x may not be 99")) } else { Ok(Lazy(x, y)) }
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Lazy<LIST>, A::Error> {
            let y = seq.next_element()?.unwrap_or(-8);
            Ok(Lazy(seq.next_element()?.unwrap_or(-8), y))
        }
    }

    impl<'de, const LIST: usize> Deserialize<'de> for Lazy<LIST> {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
            deserializer.deserialize_struct("Lazy", LISTS[LIST].0, Take::<LIST>)
        }
    }

    fn check<const LIST: usize>() {
        for names in ["x,y", "y,x", "x,z", "a,x,y", "x,a,y,b"] {
            let fields = names.split(',').map(|name| format!("('{name}', '<i4')")).collect::<Vec<_>>().join(", ");
            let options = WriteOptions::default().dtype(format!("[{fields}]").parse().unwrap());
            let records = |last: i32| -> Vec<BTreeMap<&str, i32>> {
                (0..last)
                    .map(|i| names.split(',').map(|name| (name, if name == "x" { i } else { 1000 + i })).collect())
                    .collect()
            };
            let file = records_to_vec_with(&records(50), &options).unwrap();
            let expected: Vec<Lazy<LIST>> = (0..50).map(|i| Lazy(i, 1000 + i)).collect();
            let read = records_from_slice_with::<Lazy<LIST>>(&file, &ReadOptions::default()).unwrap();
            assert_eq!(read, expected, "{names} {LIST}");
            same_values::<Lazy<LIST>>(&file);
            let file = records_to_vec_with(&records(120), &options).unwrap();
            let error = records_from_slice_with::<Lazy<LIST>>(&file, &ReadOptions::default()).unwrap_err();
            assert!(error.to_string().starts_with("x may not be 99 (at `[99]`"), "{error}");
            same_values::<Lazy<LIST>>(&file);
        }
    }
    check::<0>();
    check::<1>();
    check::<2>();
    check::<3>();
}

/// What a type written by hand makes of a field that it does not list may depend on the record.
#[test]
fn types_written_by_hand_are_shown_every_field_of_every_record() {
    use serde::de::{IgnoredAny, MapAccess, Visitor};

    #[derive(Debug, PartialEq)]
    struct Sum {
        names: Vec<String>,
        sum: i64,
    }

    struct Take;

    impl<'de> Visitor<'de> for Take {
        type Value = Sum;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a sum")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Sum, A::Error> {
            let (mut names, mut sum, mut odd) = (Vec::new(), 0, false);
            while let Some(name) = map.next_key::<String>()? {
                if name == "f0" {
                    sum += map.next_value::<i64>()?;
                    odd = sum % 2 == 1;
                } else if odd {
                    sum += map.next_value::<i64>()?;
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
                names.push(name);
            }
            Ok(Sum { names, sum })
        }
    }

    impl<'de> Deserialize<'de> for Sum {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
            deserializer.deserialize_struct("Sum", &["f0"], Take)
        }
    }

    for width in [1, 2, 3, 40] {
        let names: Vec<String> = (0..width).map(|index| format!("f{index}")).collect();
        let records: Vec<BTreeMap<&str, i64>> =
            (0..60).map(|i| names.iter().map(|name| (&**name, i)).collect()).collect();
        let file = serde_npy::records_to_vec(&records).unwrap();
        let expected: Vec<Sum> =
            (0..60).map(|i| Sum { names: names.clone(), sum: if i % 2 == 1 { i * width } else { i } }).collect();
        // A map is written in the order of its keys, in which `f0` is the first.
        let sorted = |mut sums: Vec<Sum>| {
            sums.iter_mut().for_each(|sum| sum.names.sort_by_key(|name| name[1..].parse::<u32>().unwrap()));
            sums
        };
        assert_eq!(sorted(serde_npy::records_from_slice(&file).unwrap()), expected, "{width}");
        assert_eq!(sorted(serde_npy::from_slice(&file).unwrap()), expected, "{width}");
        let view = serde_npy::View::new(&file).unwrap();
        assert_eq!(sorted(view.records(..).unwrap()), expected, "{width}");
        same_values::<Sum>(&file);
    }
}

/// Numbers that are wider in the type than in the file, and narrower.
#[test]
fn numbers_of_other_widths() {
    #[derive(Serialize, Deserialize, Debug)]
    struct Source {
        a: i64,
        b: i64,
        c: [i64; 2],
        d: i64,
    }
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "shown")]
    struct Wide {
        a: i64,
        b: f64,
        c: [f64; 2],
        d: u32,
    }
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "shown")]
    struct Narrow {
        d: u8,
        b: f32,
        a: i16,
        c: Vec<f32>,
    }
    for dtype in [
        "[('a', 'i1'), ('b', '<f4'), ('c', '>f4', (2,)), ('d', 'u1')]",
        "[('d', '>u2'), ('c', '<f2', (2,)), ('b', '<u4'), ('a', '>i4')]",
        "[('a', '<u4'), ('b', '<i8'), ('c', 'u1', (2,)), ('d', '<i4')]",
        "[('a', '<f8'), ('b', '<f2'), ('c', '<f8', (2,)), ('d', '<u8')]",
    ] {
        let records: Vec<Source> = (0..60).map(|i| Source { a: i, b: i + 1, c: [i, 2], d: i }).collect();
        let options = WriteOptions::default().dtype(dtype.parse().unwrap());
        let Some(mut file) = same_bytes(&records, &options) else { panic!("{dtype}") };
        for _ in 0..10 {
            same_values::<Wide>(&file);
            same_values::<Narrow>(&file);
            let at = file.len() - 100;
            file[at] ^= 0x80;
        }
    }
}

/// Text that grows, and records that turn out to be of another kind after many alike.
#[test]
fn what_comes_late_counts() {
    #[derive(Serialize, Debug)]
    #[serde(untagged)]
    enum Number {
        Int(i64),
        UInt(u64),
        Float(f64),
        Text(&'static str),
    }
    #[derive(Serialize, Debug)]
    struct Record {
        value: Number,
        label: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        sometimes: Option<u8>,
    }
    let record = |value, label: &str| Record { value, label: label.to_owned(), sometimes: None };
    type Change = Box<dyn Fn(&mut Vec<Record>)>;
    let late: Vec<Change> = vec![
        Box::new(|_| {}),
        Box::new(move |records| records.push(record(Number::UInt(3), "x"))),
        Box::new(move |records| records.push(record(Number::UInt(u64::MAX), "x"))),
        Box::new(move |records| records.push(record(Number::Float(0.5), "x"))),
        Box::new(move |records| records.push(record(Number::Text("t"), "x"))),
        Box::new(move |records| records.push(record(Number::Int(1), "a longer label"))),
        Box::new(move |records| records.push(record(Number::Int(1), "ends in NUL\0"))),
        Box::new(|records| records.push(Record { value: Number::Int(1), label: String::new(), sometimes: Some(1) })),
    ];
    for early in [-7, i64::MAX] {
        for change in &late {
            let mut records: Vec<Record> = (0..30).map(|_| record(Number::Int(5), "label")).collect();
            // Where the first ones are no longer looked at closely.
            records.push(record(Number::Int(early), "label"));
            records.extend((0..30).map(|i| record(Number::Int(i), "label")));
            change(&mut records);
            let text = |found: Result<Vec<u8>>| found.map_err(|error| error.to_string());
            for options in [WriteOptions::default(), WriteOptions::default().dtype("i8,U5".parse().unwrap())] {
                let expected = text(slowly(|| to_vec_with(&records, &options)));
                assert_eq!(text(to_vec_with(&records, &options)), expected);
                assert_eq!(text(records_to_vec_with(&records, &options)), expected);
            }
        }
    }
}

/// Names are told apart though they are as many fields from each other as an unmindful fold takes to come round.
#[test]
fn names_in_another_order_are_noticed() {
    struct Turned(bool);
    impl Serialize for Turned {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            use serde::ser::SerializeStruct as _;
            let names: Vec<&'static str> = NAMES.to_vec();
            let mut order: Vec<usize> = (0..names.len()).collect();
            if self.0 {
                order.swap(1, 65);
                order.swap(0, 2);
            }
            let mut fields = serializer.serialize_struct("Turned", names.len())?;
            for index in order {
                fields.serialize_field(names[index], &(index as f64))?;
            }
            fields.end()
        }
    }
    static NAMES: std::sync::LazyLock<Vec<&'static str>> = std::sync::LazyLock::new(|| {
        (0..70).map(|index| &*Box::leak(format!("field_{index}").into_boxed_str())).collect()
    });
    let records: Vec<Turned> = (0..40).map(|index| Turned(index > 20 && index % 2 == 0)).collect();
    let file = serde_npy::records_to_vec(&records).unwrap();
    assert_eq!(slowly(|| serde_npy::records_to_vec(&records)).unwrap(), file);
    let read: Vec<BTreeMap<String, f64>> = serde_npy::records_from_slice(&file).unwrap();
    for record in read {
        for (index, name) in NAMES.iter().enumerate() {
            assert_eq!(record[*name], index as f64);
        }
    }
}

/// Two keys that begin at one address, keys that are too long to be compared at once, and a struct twice under keys that
/// take turns.
#[test]
fn keys_are_told_apart_exactly() {
    static LONG: std::sync::LazyLock<&'static str> = std::sync::LazyLock::new(|| "k".repeat(3000).leak());
    #[derive(Clone, Copy)]
    struct Pair([&'static str; 2], [f64; 2]);
    impl Serialize for Pair {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            use serde::ser::SerializeStruct as _;
            let mut fields = serializer.serialize_struct("Pair", 2)?;
            fields.serialize_field(self.0[0], &self.1[0])?;
            fields.serialize_field(self.0[1], &self.1[1])?;
            fields.end()
        }
    }
    #[derive(Serialize)]
    struct Twice {
        first: Pair,
        second: Pair,
    }
    for [a, b] in [[1, 2], [1023, 1024], [1024, 1025], [1, 1025], [2048, 1024]].map(|pair| pair.map(|n| &LONG[..n])) {
        let pair = |turned: bool| if turned { Pair([b, a], [2.0, 1.0]) } else { Pair([a, b], [1.0, 2.0]) };
        let records: Vec<Pair> = (0..40).map(|index| pair(index > 20 && index % 3 == 0)).collect();
        let twice: Vec<Twice> = (0..40)
            .map(|index| Twice {
                first: pair(index > 25 && index % 2 == 0),
                second: pair(index > 20 && index % 3 == 0),
            })
            .collect();
        let file = serde_npy::records_to_vec(&records).unwrap();
        let read: Vec<BTreeMap<String, f64>> = serde_npy::records_from_slice(&file).unwrap();
        let expected = BTreeMap::from([(a.to_owned(), 1.0), (b.to_owned(), 2.0)]);
        assert!(read.iter().all(|record| *record == expected), "{} and {}", a.len(), b.len());
        let file = serde_npy::records_to_vec(&twice).unwrap();
        let read: Vec<BTreeMap<String, BTreeMap<String, f64>>> = serde_npy::records_from_slice(&file).unwrap();
        assert!(read.iter().all(|record| record["first"] == expected && record["second"] == expected));
    }
}

/// Every number type as every other, with values about the edges of both: what has no equal is an error at its place.
#[test]
fn numbers_at_the_edges_of_every_type() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "shown")]
    struct Of<T> {
        x: T,
        rest: (T, T),
    }
    fn bytes_of(type_name: &str, value: i128) -> Option<Vec<u8>> {
        macro_rules! integer {
            ($type:ty) => {
                <$type>::try_from(value).ok()?.to_be_bytes().to_vec()
            };
        }
        Some(match type_name {
            "i1" => integer!(i8),
            "i2" => integer!(i16),
            "i4" => integer!(i32),
            "i8" => integer!(i64),
            "u1" => integer!(u8),
            "u2" => integer!(u16),
            "u4" => integer!(u32),
            "u8" => integer!(u64),
            "f4" => (value as f32).to_be_bytes().to_vec(),
            _ => (value as f64).to_be_bytes().to_vec(),
        })
    }
    fn compare<T: DeserializeOwned + Debug>(file: &[u8], what: &str, seen: &mut [usize; 2]) {
        for rounds in [false, true] {
            let options = ReadOptions::default().round_floats(rounds);
            let read = || text_of(records_from_slice_with::<Of<T>>(file, &options));
            let found = read();
            seen[usize::from(found.is_ok())] += 1;
            assert_eq!(found, slowly(read), "{what} as {}", std::any::type_name::<T>());
        }
    }
    let edges = [7, 8, 15, 16, 24, 31, 32, 53, 63, 64].map(|bits| 1i128 << bits);
    let values: Vec<i128> =
        edges.iter().flat_map(|edge| [edge - 1, *edge, edge + 1, -edge - 1, -edge, 1 - edge]).chain([-1]).collect();
    let mut seen = [0; 2];
    for type_name in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"] {
        for (value, place) in values.iter().zip([61, 62].into_iter().cycle()) {
            let (Some(mut odd), Some(mut common)) = (bytes_of(type_name, *value), bytes_of(type_name, 1)) else {
                continue;
            };
            for order in ['>', '<'] {
                let dtype = format!("[('rest', '{order}{type_name}', (2,)), ('x', '{order}{type_name}')]");
                let mut file = Header::new(dtype.parse().unwrap(), vec![30]).unwrap().to_bytes().unwrap();
                for index in 0..90 {
                    file.extend_from_slice(if index == place { &odd } else { &common });
                }
                let what = format!("{value} in {dtype}");
                compare::<i8>(&file, &what, &mut seen);
                compare::<i16>(&file, &what, &mut seen);
                compare::<i32>(&file, &what, &mut seen);
                compare::<i64>(&file, &what, &mut seen);
                compare::<u8>(&file, &what, &mut seen);
                compare::<u16>(&file, &what, &mut seen);
                compare::<u32>(&file, &what, &mut seen);
                compare::<u64>(&file, &what, &mut seen);
                compare::<f32>(&file, &what, &mut seen);
                compare::<f64>(&file, &what, &mut seen);
                odd.reverse();
                common.reverse();
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 3000), "{seen:?}");
}
