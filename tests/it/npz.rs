//! Archives: what becomes a member, what is read, what is refused, and NumPy's word on all of it.

#![cfg(feature = "npz")]

use crate::fuzz::bodies::append::unlocked;
use crate::python::python_with;
use crate::skip::has;
use serde::{Deserialize, Serialize};
use serde_npy::npz::{self, Compression, ReadOptions, WriteOptions};
use serde_npy::{Category, Header};
use std::collections::{BTreeMap, HashMap};
use std::io::{Cursor, Read as _, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Command;

type Json = serde_json::Value;

/// Names, dtypes and shapes, in file order.
#[track_caller]
fn layout(archive: &[u8]) -> Vec<(String, String, Vec<u64>)> {
    let mut reader = npz::Reader::from_slice(archive).unwrap();
    let names: Vec<String> = reader.names().map(str::to_owned).collect();
    let describe = |name: String| {
        let header = reader.header(&name).unwrap();
        (name, header.dtype().to_string(), header.shape().to_vec())
    };
    names.into_iter().map(describe).collect()
}

/// A value by every way of reading.
#[track_caller]
fn read_all_ways<T: serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(archive: &[u8]) -> Result<T, String> {
    let by_slice = npz::from_slice::<T>(archive).map_err(|error| error.to_string());
    let by_reader = npz::from_reader::<T>(Cursor::new(archive)).map_err(|error| error.to_string());
    let trickle = Trickle(Cursor::new(archive));
    let by_bytes = npz::from_reader::<T>(trickle).map_err(|error| error.to_string());
    assert_eq!(by_slice, by_reader);
    assert_eq!(by_slice, by_bytes);
    by_slice
}

/// Gives one byte at a time.
struct Trickle<'a>(Cursor<&'a [u8]>);

impl std::io::Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(1);
        self.0.read(&mut buffer[..most])
    }
}

impl Seek for Trickle<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

/// A member as an archive of the builder below has it; what is `None` is as it should be.
#[derive(Clone, Default)]
struct Raw {
    name: Vec<u8>,
    data: Vec<u8>,
    method: u16,
    flags: u16,
    packed: Option<Vec<u8>>,
    crc: Option<u32>,
    size: Option<u32>,
    local_extra: Vec<u8>,
}

fn stored(name: &str, data: &[u8]) -> Raw {
    Raw { name: name.as_bytes().to_vec(), data: data.to_vec(), ..Raw::default() }
}

fn deflated(name: &str, data: &[u8]) -> Raw {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(data).unwrap();
    Raw { method: 8, packed: Some(encoder.finish().unwrap()), ..stored(name, data) }
}

fn array(values: &[i32]) -> Vec<u8> {
    serde_npy::to_vec(values).unwrap()
}

/// Writes archives byte by byte, the bad ones too.
fn build(members: &[Raw]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for member in members {
        let packed = member.packed.as_ref().unwrap_or(&member.data);
        let start = u32::try_from(file.len()).unwrap();
        let mut common = Vec::new();
        common.extend(20u16.to_le_bytes());
        common.extend(member.flags.to_le_bytes());
        common.extend(member.method.to_le_bytes());
        common.extend([0, 0, 0x21, 0]);
        common.extend(member.crc.unwrap_or_else(|| crc32fast::hash(&member.data)).to_le_bytes());
        common.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
        common.extend(member.size.unwrap_or_else(|| u32::try_from(member.data.len()).unwrap()).to_le_bytes());
        common.extend(u16::try_from(member.name.len()).unwrap().to_le_bytes());
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(u16::try_from(member.local_extra.len()).unwrap().to_le_bytes());
        file.extend(&member.name);
        file.extend(&member.local_extra);
        file.extend(packed);
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&common);
        directory.extend([0; 12]); // extra, comment, disk, attributes inside and outside
        directory.extend(start.to_le_bytes());
        directory.extend(&member.name);
    }
    let start = u32::try_from(file.len()).unwrap();
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    let count = u16::try_from(members.len()).unwrap().to_le_bytes();
    file.extend(count);
    file.extend(count);
    file.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0, 0]);
    file
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Settings {
    step: f64,
    seed: u64,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Model {
    weights: Vec<[f32; 2]>,
    #[serde(rename = "b i/a\u{3bb}s")]
    bias: Vec<f64>,
    labels: Vec<String>,
    settings: Settings,
    note: Option<String>,
    rate: Option<f32>,
}

fn model() -> Model {
    Model {
        weights: vec![[0.5, 1.5], [2.5, 3.5], [4.5, 5.5]],
        bias: vec![-1.0, 0.25],
        labels: vec!["cat".into(), "h\u{fc}hnchen".into()],
        settings: Settings { step: 0.125, seed: 42 },
        note: None,
        rate: Some(0.1),
    }
}

fn every_option() -> Vec<WriteOptions> {
    let default = WriteOptions::default();
    vec![
        default.clone(),
        default.clone().compression(Compression::FAST),
        default.clone().compression(Compression::Deflated(9)),
        default.clone().alignment(1),
        default.clone().alignment(4096),
    ]
}

#[test]
fn each_kind_of_value_has_its_members() {
    let owned = |rows: &[(&str, &str, &[u64])]| -> Vec<(String, String, Vec<u64>)> {
        rows.iter().map(|(name, dtype, shape)| ((*name).into(), (*dtype).into(), shape.to_vec())).collect()
    };
    let archive = npz::to_vec(&model()).unwrap();
    assert_eq!(
        layout(&archive),
        owned(&[
            ("weights", "'<f4'", &[3, 2]),
            ("b i/a\u{3bb}s", "'<f8'", &[2]),
            ("labels", "'<U8'", &[2]),
            ("settings", "[('step', '<f8'), ('seed', '<u8')]", &[]),
            ("rate", "'<f4'", &[]),
        ])
    );
    let map = BTreeMap::from([("y", vec![1.5]), ("x", vec![])]);
    let error = npz::to_vec(&map).unwrap_err();
    assert_eq!(error.member(), Some("x"), "{error}");
    let map = BTreeMap::from([("y", vec![1u8]), ("x", vec![2])]);
    assert_eq!(layout(&npz::to_vec(&map).unwrap()), owned(&[("x", "'|u1'", &[1]), ("y", "'|u1'", &[1])]));
    assert_eq!(
        layout(&npz::to_vec(&(1i32, "two", vec![3.0f64; 3], None::<i32>)).unwrap()),
        owned(&[("arr_0", "'<i4'", &[]), ("arr_1", "'<U3'", &[]), ("arr_2", "'<f8'", &[3])])
    );
    assert_eq!(layout(&npz::to_vec(&vec![1i16, 2]).unwrap()), owned(&[("arr_0", "'<i2'", &[2])]));
    assert_eq!(layout(&npz::to_vec(&7u64).unwrap()), owned(&[("arr_0", "'<u8'", &[])]));
    assert_eq!(layout(&npz::to_vec(&Some(vec![1u8])).unwrap()), owned(&[("arr_0", "'|u1'", &[1])]));
    assert_eq!(layout(&npz::to_vec(&None::<i32>).unwrap()), owned(&[]));
    assert_eq!(layout(&npz::to_vec(&(serde_bytes::Bytes::new(b"raw"),)).unwrap()), owned(&[("arr_0", "'|u1'", &[3])]));
    #[derive(Serialize)]
    struct Wrapper(BTreeMap<String, Vec<u8>>);
    let wrapped = Wrapper(BTreeMap::from([("k".to_owned(), vec![1])]));
    assert_eq!(layout(&npz::to_vec(&wrapped).unwrap()), owned(&[("k", "'|u1'", &[1])]));
    let hashed = npz::to_vec(&HashMap::from([("x", 1.5)])).unwrap();
    assert_eq!(read_all_ways(&hashed), Ok(HashMap::from([("x".to_owned(), 1.5)])));
    let json = serde_json::json!({"a": [1, 2], "b": {"c": 1.5}, "d": null});
    let archive = npz::to_vec(&json).unwrap();
    assert_eq!(layout(&archive), owned(&[("a", "'<u8'", &[2]), ("b", "[('c', '<f8')]", &[]), ("d", "'|V0'", &[])]));
    let read: BTreeMap<String, serde::de::IgnoredAny> = npz::from_slice(&archive).unwrap();
    assert_eq!(read.keys().collect::<Vec<_>>(), ["a", "b", "d"]);
}

#[test]
fn what_is_written_is_read() {
    for options in every_option() {
        let archive = npz::to_vec_with(&model(), &options).unwrap();
        assert_eq!(read_all_ways(&archive), Ok(model()));
        assert_eq!(archive, npz::to_vec_with(&model(), &options).unwrap(), "the same bytes each time");
        let mut streamed = Vec::new();
        npz::to_writer_with(&mut streamed, &model(), &options).unwrap();
        assert_eq!(read_all_ways(&streamed), Ok(model()));
        let mut tuple = npz::to_vec_with(&(1, vec![2.5]), &options).unwrap();
        assert_eq!(read_all_ways(&tuple), Ok((1i64, vec![2.5f64])));
        tuple.splice(0..0, *b"#!/bin/sh junk in front\n");
        assert_eq!(read_all_ways(&tuple), Ok((1i64, vec![2.5f64])));
    }
}

#[test]
fn structs_take_what_they_ask_for() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Plain {
        a: Vec<i32>,
        #[serde(alias = "other")]
        b: Vec<i32>,
        #[serde(default)]
        c: Vec<i32>,
        d: Option<Vec<i32>>,
    }
    let archive = build(&[
        stored("z.npy", b"\x93NUMPY\x01\x00 no header at all"),
        stored("other.npy", &array(&[2])),
        stored("folder/", b""),
        stored("meta.json", b"{}"),
        Raw { method: 12, ..stored("bzip2.npy", b"BZh") },
        Raw { flags: 1, ..stored("secret.npy", b"????") },
        deflated("a.npy", &array(&[1])),
    ]);
    let expected = Plain { a: vec![1], b: vec![2], c: vec![], d: None };
    assert_eq!(read_all_ways(&archive), Ok(expected));

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        a: Vec<i32>,
    }
    let archive = build(&[stored("a.npy", &array(&[1])), stored("b.npy", &array(&[1])), stored("meta.json", b"{}")]);
    assert_eq!(read_all_ways::<Strict>(&archive), Err("unknown field `b`, expected `a`".to_owned()));
    let archive = build(&[stored("a.npy", &array(&[1])), stored("meta.json", b"{}")]);
    assert_eq!(read_all_ways(&archive), Ok(Strict { a: vec![1] }));

    #[derive(Deserialize, PartialEq, Debug)]
    struct Flat {
        a: Vec<i32>,
        #[serde(flatten)]
        rest: BTreeMap<String, Json>,
    }
    let archive = build(&[stored("a.npy", &array(&[1])), stored("b.npy", &array(&[2])), stored("meta.json", b"{}")]);
    let rest = BTreeMap::from([("b".to_owned(), serde_json::json!([2]))]);
    assert_eq!(read_all_ways(&archive), Ok(Flat { a: vec![1], rest }));
}

#[test]
fn names_are_resolved_as_numpy_does() {
    let one = |name: &str, value: i32| stored(name, &serde_npy::to_vec(&value).unwrap());
    for (members, asked, value) in [
        (vec![one("a.npy", 1), one("a", 2)], "a", 2),
        (vec![one("a", 2), one("a.npy", 1)], "a", 2),
        (vec![one("a.npy", 1), one("a", 2)], "a.npy", 1),
        (vec![one("a.npy", 1), one("a.npy.npy", 2)], "a.npy", 2),
        (vec![one("a.npy", 1), one("a.npy.npy", 2)], "a", 1),
        (vec![one("a.npy", 1), one("b.npy", 2), one("a.npy", 3)], "a", 3),
        (vec![one("../../x.npy", 4)], "../../x", 4),
        (vec![one("/x.npy", 4)], "/x", 4),
        (vec![one("C:\\x.npy", 4)], "C:\\x", 4),
        (vec![one(".npy", 5)], "", 5),
        (vec![one("file.npy", 6)], "file", 6),
        (vec![Raw { flags: 0x800, ..one("\u{3bb}.npy", 7) }], "\u{3bb}", 7),
        // UTF-8 without the flag that says so, as Ruby writes it; and the old encoding of DOS.
        (vec![one("\u{3bb}.npy", 7)], "\u{3bb}", 7),
        (vec![Raw { name: b"caf\x82.npy".to_vec(), ..one("", 8) }], "caf\u{e9}", 8),
    ] {
        let archive = build(&members);
        let mut reader = npz::Reader::from_slice(&archive).unwrap();
        assert!(reader.contains(asked), "{asked}");
        assert_eq!(reader.get::<i32>(asked).unwrap(), value, "{asked}");
        assert_eq!(npz::View::new(&archive).unwrap().get::<i32>(asked).unwrap(), value, "{asked}");
        let map: BTreeMap<String, i32> = npz::from_slice(&archive).unwrap();
        if map.contains_key(asked) {
            assert_eq!(map[asked], value, "{asked}");
        }
    }
    let archive = build(&[one("b.npy", 1), one("a.npy", 2), one("b.npy", 3), one("c", 4), one("d/", 5)]);
    let reader = npz::Reader::from_slice(&archive).unwrap();
    assert_eq!(reader.names().collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(reader.members().collect::<Vec<_>>(), ["b.npy", "a.npy", "c", "d/"]);
    assert_eq!((reader.len(), reader.is_empty()), (2, false));
    assert!(npz::Reader::from_slice(&build(&[])).unwrap().is_empty());
}

#[test]
fn every_error_names_its_member() {
    let long = {
        let mut file = array(&[1, 2, 3]);
        file.extend([9; 100]);
        file
    };
    let short = {
        let mut file = array(&[1, 2, 3]);
        file.truncate(128 + 5);
        file
    };
    for (member, message, category) in [
        (
            Raw { crc: Some(0), ..stored("a.npy", &array(&[1])) },
            "expected checksum 00000000, found 4f1218a1: the member is damaged (member `a`)",
            Category::Syntax,
        ),
        (
            Raw { crc: Some(0), ..deflated("a.npy", &array(&[1])) },
            "expected checksum 00000000, found 4f1218a1: the member is damaged (member `a`)",
            Category::Syntax,
        ),
        (
            // Data behind the array is checked as well.
            Raw { crc: Some(1), ..stored("a.npy", &long) },
            "expected checksum 00000001, found e052a163: the member is damaged (member `a`)",
            Category::Syntax,
        ),
        (
            stored("a.npy", &short),
            "the array needs 12 bytes of data, found 5: element 1 is cut (byte 133, member `a`)",
            Category::Eof,
        ),
        (
            deflated("a.npy", &short),
            "the array needs 12 bytes of data, found 5: element 1 is cut (byte 133, member `a`)",
            Category::Eof,
        ),
        (
            Raw { size: Some(200), ..deflated("a.npy", &array(&[1])) },
            "expected a member of 200 bytes, as the archive declares, found 132 (member `a`)",
            Category::Eof,
        ),
        (
            Raw { size: Some(130), ..deflated("a.npy", &array(&[1])) },
            "the array needs 4 bytes of data, found 2: element 0 is cut (byte 130, member `a`)",
            Category::Eof,
        ),
        (
            Raw { size: Some(130), ..stored("a.npy", &array(&[1])) },
            "the archive declares 132 bytes in the file and 130 in all, but the member is stored as it is (member `a`)",
            Category::Syntax,
        ),
        (
            Raw { packed: Some(b"\xff\xff\xff\xff".to_vec()), ..deflated("a.npy", &array(&[1])) },
            "the deflated data of the member is damaged (byte 0, member `a`)",
            Category::Syntax,
        ),
        (
            Raw { method: 12, ..stored("a.npy", b"BZh") },
            "the member is packed with Bzip2, which is not supported; NumPy stores or deflates its members (member `a`)",
            Category::Unsupported,
        ),
        (
            Raw { flags: 1, ..stored("a.npy", b"????") },
            "the member is encrypted, which is not supported (member `a`)",
            Category::Unsupported,
        ),
        (
            stored("a.npy", b"no array"),
            "expected a .npy file, which starts with `\\x93NUMPY`, found `no array` (byte 0, member `a`)",
            Category::Syntax,
        ),
        (
            stored("a.npy", &serde_npy::to_vec(&["x"]).unwrap()),
            "expected i32, found string \"x\" (dtype `<U1`, at `[0]`, byte 128, member `a`)",
            Category::Data,
        ),
    ] {
        #[derive(Deserialize, PartialEq, Debug)]
        struct A {
            a: Vec<i32>,
        }
        let archive = build(&[stored("b.npy", &array(&[1])), member]);
        assert_eq!(read_all_ways::<A>(&archive), Err(message.to_owned()));
        let error = npz::from_slice::<A>(&archive).unwrap_err();
        assert_eq!((error.category(), error.member()), (category, Some("a")), "{message}");
    }
    let archive = build(&[stored("b.npy", &array(&[1])), stored("c.npy", &array(&[1]))]);
    let missing = "there is no member `arr_0`, there are `b`, `c`";
    assert_eq!(read_all_ways::<Vec<i32>>(&archive), Err(missing.to_owned()));
    assert_eq!(read_all_ways::<(i32, i32)>(&archive), Err(missing.to_owned()));
    #[derive(Deserialize, PartialEq, Debug)]
    struct Missing {
        b: Vec<i32>,
        x: Vec<i32>,
    }
    assert_eq!(read_all_ways::<Missing>(&archive), Err("there is no member `x`, there are `b`, `c`".to_owned()));
    assert_eq!(read_all_ways::<f64>(&build(&[])), Err("there is no member `arr_0`, there are no arrays".to_owned()));
    assert_eq!(
        read_all_ways::<f64>(&array(&[1])),
        Err("expected an archive of arrays, found a single one in a `.npy` file; read it with `serde_npy::from_*`"
            .to_owned())
    );
    assert_eq!(read_all_ways::<f64>(b""), Err("expected an archive, found an empty file".to_owned()));
    let cut = "expected an archive, found no list of its members at the end: the file is cut";
    let rows: &[(&[u8], &str)] = &[
        (archive.get(..archive.len() / 2).unwrap(), cut),
        (b"PK", cut),
        (b"PK\x05\x06", cut),
        (b"a,b,c\n1,2,3\n", "expected an archive, which starts with `PK`, found `a,b,c\\n1,`"),
        (b"x", "expected an archive, which starts with `PK`, found `x`"),
        (&[0; 1000], r"expected an archive, which starts with `PK`, found `\x00\x00\x00\x00\x00\x00\x00\x00`"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "expected an archive, found a gzip file"),
    ];
    for (bytes, message) in rows {
        assert_eq!(read_all_ways::<f64>(bytes), Err((*message).to_owned()));
        let category = if *message == cut { Category::Eof } else { Category::Syntax };
        assert_eq!(npz::from_slice::<f64>(bytes).unwrap_err().category(), category);
    }
    let error = npz::from_path::<f64>("/no/such.npz").unwrap_err();
    assert_eq!(error.io_error_kind(), Some(std::io::ErrorKind::NotFound));
    assert!(error.to_string().ends_with("(file `/no/such.npz`)"), "{error}");
}

#[test]
fn the_checksum_can_be_left_alone() {
    let archive = build(&[Raw { crc: Some(0), ..stored("arr_0.npy", &array(&[1])) }]);
    let options = ReadOptions::default().verify(false);
    assert_eq!(npz::from_slice_with::<Vec<i32>>(&archive, &options).unwrap(), [1]);
    assert_eq!(npz::from_reader_with::<Vec<i32>>(Cursor::new(&archive), &options).unwrap(), [1]);
    let view = npz::View::with_options(&archive, &options).unwrap();
    assert_eq!(view.bytes("arr_0").unwrap(), array(&[1]));
    assert_eq!(npz::View::new(&archive).unwrap().bytes("arr_0").unwrap_err().member(), Some("arr_0"));
    let mut content = Vec::new();
    let mut reader = npz::Reader::from_slice(&archive).unwrap();
    let error = reader.stream("arr_0").unwrap().read_to_end(&mut content).unwrap_err();
    assert_eq!(error.to_string(), "expected checksum 00000000, found 4f1218a1: the member is damaged");
}

#[test]
fn text_and_bytes_are_borrowed_from_stored_members() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Borrowed<'a> {
        name: &'a str,
        #[serde(with = "serde_bytes")]
        blob: &'a [u8],
    }
    let value = Borrowed { name: "abc", blob: b"\0\x01\x02" };
    let options = WriteOptions::default().dtype("name", "S3".parse().unwrap());
    let archive = npz::to_vec_with(&value, &options).unwrap();
    assert_eq!(npz::from_slice::<Borrowed<'_>>(&archive).unwrap(), value);
    let archive = npz::to_vec_with(&value, &options.compression(Compression::FAST)).unwrap();
    assert_eq!(
        npz::from_slice::<Borrowed<'_>>(&archive).unwrap_err().to_string(),
        "a `&str` cannot be borrowed out of a deflated member; use `String` or `Cow<str>` (dtype `|S3`, byte 128, member `name`)"
    );
    let view = npz::View::new(&archive).unwrap();
    assert_eq!(
        view.bytes("name").unwrap_err().to_string(),
        "the member is deflated, so it cannot be borrowed; use `get`, or save it with `numpy.savez` (member `name`)"
    );
}

#[test]
fn values_without_bytes_count_over_all_members() {
    let file = {
        let mut file = Vec::new();
        Header::new("|V0".parse().unwrap(), vec![600]).unwrap().write(&mut file).unwrap();
        file
    };
    let archive = build(&[stored("a.npy", &file), stored("b.npy", &file)]);
    let limits = serde_npy::Limits::default().empty_items(1000);
    let options = serde_npy::ReadOptions::default().limits(limits).into();
    let error = npz::from_slice_with::<BTreeMap<String, Vec<()>>>(&archive, &options).unwrap_err();
    assert_eq!((error.category(), error.member()), (Category::Limit, Some("b")));
}

#[test]
fn stored_members_are_aligned() {
    #[track_caller]
    fn check(archive: &[u8], alignment: usize) {
        let view = npz::View::new(archive).unwrap();
        let names: Vec<_> = view.names().collect();
        assert!(!names.is_empty());
        for name in names {
            let start = view.bytes(name).unwrap().as_ptr() as usize - archive.as_ptr() as usize;
            assert_eq!(start % alignment, 0, "{name} at {start}");
        }
    }
    for alignment in [1u16, 16, 64, 4096] {
        let options = WriteOptions::default().alignment(alignment);
        check(&npz::to_vec_with(&model(), &options).unwrap(), alignment.into());
        let mut streamed = Vec::new();
        npz::to_writer_with(&mut streamed, &model(), &options).unwrap();
        check(&streamed, alignment.into());
    }
    for length in 0..200 {
        let name = "n".repeat(length);
        check(&npz::to_vec(&BTreeMap::from([(name, 1), ("second".to_owned(), 2)])).unwrap(), 64);
    }
}

/// Fails after so many bytes.
struct Failing {
    sink: Cursor<Vec<u8>>,
    left: usize,
}

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        let count = bytes.len().min(self.left);
        self.left -= count;
        self.sink.write(&bytes[..count])
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Seek for Failing {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.sink.seek(to)
    }
}

#[test]
fn only_a_finished_archive_looks_whole() {
    for options in every_option().into_iter().take(2) {
        let whole = npz::to_vec_with(&model(), &options).unwrap().len() + 200;
        for left in (0..whole + 600).step_by(5) {
            let mut failing = Failing { sink: Cursor::new(Vec::new()), left };
            let mut writer = npz::Writer::with_options(&mut failing, &options);
            let added = (|| {
                writer.add("a", &model().weights)?;
                writer.add("b", &model().labels)?;
                writer.add("c", &model().settings)
            })();
            let finished = writer.finish().map(drop);
            let sound = npz::from_slice::<Json>(failing.sink.get_ref());
            match finished {
                Ok(()) => {
                    added.unwrap();
                    sound.unwrap();
                }
                Err(error) => {
                    if added.is_ok() {
                        assert_eq!(error.io_error_kind(), Some(std::io::ErrorKind::StorageFull));
                    } else {
                        let lost = "the archive cannot be finished, since writing a member to it failed before";
                        assert_eq!(error.to_string(), lost);
                    }
                    sound.unwrap_err();
                }
            }
            // Streaming.
            let mut failing = Failing { sink: Cursor::new(Vec::new()), left };
            let result = npz::to_writer_with(&mut failing, &(1, "two"), &options);
            assert_eq!(result.is_ok(), npz::from_slice::<Json>(failing.sink.get_ref()).is_ok());
        }
        let mut sink = Cursor::new(Vec::new());
        let mut dropped = npz::Writer::with_options(&mut sink, &options);
        dropped.add("a", &model().weights).unwrap();
        drop(dropped);
        assert!(!sink.get_ref().is_empty());
        npz::Reader::new(&mut sink).unwrap_err();
    }
}

#[test]
fn a_value_that_cannot_be_written_leaves_the_archive_as_it_was() {
    let mut writer = npz::Writer::new(Cursor::new(Vec::new()));
    writer.add("a", &1).unwrap();
    for (error, message) in [
        (writer.add("b", &vec![vec![1], vec![2, 3]]), "`[0]`, member `b`)"),
        (writer.add("b", &None::<i32>), "(member `b`)"),
        (writer.add("a", &2), "the archive has a member `a.npy` already (member `a`)"),
        (
            writer.add_with("b", &[1000], &serde_npy::WriteOptions::default().dtype("u1".parse().unwrap())),
            "expected `|u1`, found integer `1000`, which is beyond its range (at `[0]`, member `b`)",
        ),
        (
            writer.add_with(
                "b",
                &[[1, 2], [3, 1000]],
                &serde_npy::WriteOptions::default().dtype("u1".parse().unwrap()).fortran_order(true),
            ),
            "expected `|u1`, found integer `1000`, which is beyond its range (at `[1][1]`, member `b`)",
        ),
    ] {
        let error = error.unwrap_err().to_string();
        assert!(error.ends_with(message), "{error}");
    }
    writer.add("b", &3).unwrap();
    let archive = writer.finish().unwrap().into_inner();
    assert_eq!(npz::from_slice::<Json>(&archive).unwrap(), serde_json::json!({"a": 1, "b": 3}));
}

#[test]
fn elements_are_counted() {
    let mut writer = npz::Writer::new(Cursor::new(Vec::new()));
    let mut known = writer.stream("known", Header::new("<i2".parse().unwrap(), vec![3]).unwrap()).unwrap();
    known.push(&1).unwrap();
    assert_eq!(
        known.push(&70_000).unwrap_err().to_string(),
        "expected `<i2`, found integer `70000`, which is beyond its range (at `[1]`, member `known`)"
    );
    known.extend(&[2, 3]).unwrap();
    assert_eq!(known.push(&4).unwrap_err().to_string(), "expected 3 elements, found more (member `known`)");
    known.finish().unwrap();
    drop(writer.spool("forgotten", "<i4".parse().unwrap()).unwrap());
    let mut spooled = writer.spool("spooled", "<i4".parse().unwrap()).unwrap();
    let many: Vec<i32> = (0..300_000).collect();
    spooled.extend(&many).unwrap();
    spooled.finish().unwrap();
    writer.spool("none", "<f8,<f4".parse().unwrap()).unwrap().finish().unwrap();
    assert!(writer.spool("objects", "O".parse().unwrap()).is_err());
    writer.add_records("records", &[(1u8, 2.5f32)]).unwrap();
    let archive = writer.finish().unwrap().into_inner();
    let mut reader = npz::Reader::from_slice(&archive).unwrap();
    assert_eq!(reader.get::<Vec<i64>>("known").unwrap(), [1, 2, 3]);
    assert_eq!(reader.records::<i32>("spooled").unwrap(), many);
    assert_eq!(reader.records::<(u8, f32)>("records").unwrap(), [(1, 2.5)]);
    assert_eq!(reader.header("none").unwrap().shape(), [0]);
    assert!(!reader.contains("forgotten"));

    let header = || Header::new("<i2".parse().unwrap(), vec![3]).unwrap();
    let mut sink = Cursor::new(Vec::new());
    let mut writer = npz::Writer::new(&mut sink);
    let few = writer.stream("few", header()).unwrap();
    assert_eq!(few.finish().unwrap_err().to_string(), "expected 3 elements, found 0 (member `few`)");
    writer.finish().unwrap_err();
    let mut writer = npz::Writer::new(&mut sink);
    drop(writer.stream("few", header()).unwrap());
    writer.finish().unwrap_err();
    npz::Reader::new(&mut sink).unwrap_err();
}

#[test]
fn no_prefix_is_an_archive_and_no_change_goes_unseen() {
    for options in every_option().into_iter().take(2) {
        let archive = npz::to_vec_with(&(vec![1i32, 2, 3], "text"), &options).unwrap();
        let expected: Json = npz::from_slice(&archive).unwrap();
        for length in 0..archive.len() {
            npz::from_slice::<Json>(&archive[..length]).unwrap_err();
        }
        for position in 0..archive.len() {
            for change in [1u8, 0x80, 0xff] {
                let mut bytes = archive.clone();
                bytes[position] ^= change;
                // It may hit what nobody reads, or a name; never a value.
                if let Ok(value) = npz::from_slice::<BTreeMap<String, Json>>(&bytes) {
                    for value in value.values() {
                        assert!(expected.as_object().unwrap().values().any(|known| known == value), "{position}");
                    }
                }
                _ = npz::from_reader::<Json>(Cursor::new(bytes));
            }
        }
    }
}

#[test]
fn ten_thousand_members_are_found_at_once() {
    let mut writer = npz::Writer::new(Cursor::new(Vec::new()));
    for index in 0..10_000u32 {
        writer.add(&format!("member/{index}"), &index).unwrap();
    }
    let archive = writer.finish().unwrap().into_inner();
    let start = std::time::Instant::now();
    let mut reader = npz::Reader::from_slice(&archive).unwrap();
    assert_eq!(reader.len(), 10_000);
    for index in (0..10_000u32).rev() {
        assert_eq!(reader.get::<u32>(&format!("member/{index}")).unwrap(), index);
    }
    // A search through all for each would take minutes.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn more_members_than_fit_in_sixteen_bits() {
    let mut writer = npz::Writer::streaming(Vec::new(), &WriteOptions::default().alignment(1));
    let file = serde_npy::to_vec(&1u8).unwrap();
    for index in 0..65_540u32 {
        writer.add_bytes(&format!("{index}.npy"), &file).unwrap();
    }
    let archive = writer.finish().unwrap();
    let mut reader = npz::Reader::from_slice(&archive).unwrap();
    assert_eq!(reader.len(), 65_540);
    assert_eq!(reader.get::<u8>("65539").unwrap(), 1);
    assert_eq!(reader.names().last(), Some("65539"));
}

/// A file in which zeros are holes.
struct Sparse(std::fs::File);

impl Write for Sparse {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if bytes.len() > 4096 && bytes.iter().all(|byte| *byte == 0) {
            self.0.seek(SeekFrom::Current(i64::try_from(bytes.len()).unwrap()))?;
            return Ok(bytes.len());
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl Seek for Sparse {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
#[ignore = "takes minutes: for the `long` script"]
fn members_and_archives_over_four_gibibytes() {
    const LENGTH: usize = (4 << 30) + (1 << 20);
    let folder = tempfile::tempdir().unwrap();
    let zeros = vec![0u8; 8 << 20];
    for (name, options) in [
        ("stored.npz", WriteOptions::default()),
        ("deflated.npz", WriteOptions::default().compression(Compression::FAST)),
    ] {
        let path = folder.path().join(name);
        let file = std::fs::File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
        let mut writer = npz::Writer::with_options(Sparse(file), &options);
        let mut big = writer.stream("big", Header::new("|u1".parse().unwrap(), vec![LENGTH as u64]).unwrap()).unwrap();
        let mut left = LENGTH - 1;
        while left > 0 {
            let count = left.min(zeros.len());
            big.extend(&zeros[..count]).unwrap();
            left -= count;
        }
        big.push(&7u8).unwrap();
        big.finish().unwrap();
        writer.add("behind", &"small").unwrap();
        writer.finish().unwrap();

        let mut reader = npz::Reader::open(&path).unwrap();
        assert_eq!(reader.get::<String>("behind").unwrap(), "small");
        assert_eq!(reader.header("big").unwrap().shape(), [LENGTH as u64]);
        let mut big = reader.stream("big").unwrap();
        let (mut buffer, mut total, mut last) = (vec![0; 1 << 20], 0u64, 0);
        loop {
            match big.read(&mut buffer).unwrap() {
                0 => break,
                count => {
                    total += count as u64;
                    last = buffer[count - 1];
                }
            }
        }
        assert_eq!((total, last), (LENGTH as u64 + 128, 7));
        python(
            "import sys, numpy as np, zipfile
z = np.load(sys.argv[1])
assert z.files == ['big', 'behind'], z.files
assert str(z['behind']) == 'small'
with z.zip.open('big.npy') as f:
    f.seek(0)
    assert f.read(6) == b'\\x93NUMPY'
i = z.zip.getinfo('big.npy')
assert i.file_size == (4 << 30) + (1 << 20) + 128, i.file_size
assert z.zip.testzip() is None
print('ok')",
            &[path.to_str().unwrap()],
        );
    }
}

/// What a script prints.
#[track_caller]
fn python(script: &str, arguments: &[&str]) -> Option<String> {
    Some(String::from_utf8(python_with(script, arguments, b"")?).unwrap())
}

fn path_text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn numpy_and_others_take_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (index, options) in every_option().into_iter().enumerate() {
        let path = folder.path().join(format!("{index}.npz"));
        npz::to_path_with(&path, &model(), &options).unwrap();
        files.push(path);
        let path = folder.path().join(format!("{index}s.npz"));
        npz::to_writer_with(std::fs::File::create(&path).unwrap(), &model(), &options).unwrap();
        files.push(path);
        let path = folder.path().join(format!("{index}a.npz"));
        unlocked(|| npz::append_with(&path, &options, |archive| archive.add("weights", &model().weights))).unwrap();
        let rest = |archive: &mut npz::Writer<&mut std::fs::File>| {
            archive.add("b i/a\u{3bb}s", &model().bias)?;
            archive.add("labels", &model().labels)?;
            archive.add("settings", &model().settings)?;
            archive.add("rate", &model().rate)
        };
        unlocked(|| npz::append_with(&path, &options, rest)).unwrap();
        files.push(path);
    }
    let script = "import sys, zipfile, numpy as np
for path in sys.argv[1:]:
    z = np.load(path)
    print([(k, z[k].dtype.str if z[k].dtype.names is None else z[k].dtype.descr, z[k].shape, z[k].tolist()) for k in z.files])
    assert zipfile.ZipFile(path).testzip() is None
    assert all(i.date_time == (1980, 1, 1, 0, 0, 0) for i in z.zip.infolist())";
    let arguments: Vec<&str> = files.iter().map(|path| path_text(path)).collect();
    let Some(answer) = python(script, &arguments) else { return };
    let expected = "[('weights', '<f4', (3, 2), [[0.5, 1.5], [2.5, 3.5], [4.5, 5.5]]), \
                    ('b i/a\u{3bb}s', '<f8', (2,), [-1.0, 0.25]), \
                    ('labels', '<U8', (2,), ['cat', 'h\u{fc}hnchen']), \
                    ('settings', [('step', '<f8'), ('seed', '<u8')], (), (0.125, 42)), \
                    ('rate', '<f4', (), 0.10000000149011612)]";
    for line in answer.lines() {
        assert_eq!(line, expected);
    }
    assert_eq!(answer.lines().count(), files.len());
    if !has("unzip", "-v") {
        return;
    }
    for path in &files {
        let output = Command::new("unzip").arg("-t").arg(path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn what_numpy_writes_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let script = "import sys, io, zipfile, numpy as np
folder = sys.argv[1]
weights = np.arange(6, dtype='<f4').reshape(3, 2)
arrays = dict(weights=weights, bias=np.array([1.5, 2.5]), labels=np.array(['cat', 'h\\u00fchnchen']), junk=np.array([{1: 2}, None], dtype=object))
np.savez(folder + '/stored.npz', **arrays)
np.savez_compressed(folder + '/deflated.npz', **arrays)
np.savez(folder + '/fortran.npz', **dict(arrays, weights=np.asfortranarray(weights)))
np.savez(folder + '/big.npz', **dict(arrays, weights=weights.astype('>f4'), bias=np.array([1.5, 2.5], '>f8'), labels=np.array(['cat', 'h\\u00fchnchen'], '>U9')))
with zipfile.ZipFile(folder + '/odd.npz', 'w', zipfile.ZIP_DEFLATED) as z:
    z.comment = b'a comment'
    z.writestr('readme.txt', 'hello')
    z.mkdir('folder') if hasattr(z, 'mkdir') else z.writestr('folder/', '')
    for name, a in arrays.items():
        with z.open(name + '.npy', 'w', force_zip64=True) as f:
            np.lib.format.write_array(f, a, allow_pickle=True)
with zipfile.ZipFile(folder + '/nasty.npz', 'w') as z:
    z.comment = b'PK\\x05\\x06 a comment that looks like an end'
    for name, a in arrays.items():
        with z.open(name + '.npy', 'w') as f:
            np.lib.format.write_array(f, a, allow_pickle=True)
class Pipe(io.RawIOBase):
    def __init__(self, f): self.f = f
    def writable(self): return True
    def write(self, b): return self.f.write(b)
with open(folder + '/pipe.npz', 'wb') as f:
    f.write(b'')
    with zipfile.ZipFile(Pipe(f), 'w') as z:
        for name, a in arrays.items():
            with z.open(name + '.npy', 'w') as m:
                np.lib.format.write_array(m, a, allow_pickle=True)
with zipfile.ZipFile(folder + '/many.npz', 'w') as z:
    f = io.BytesIO(); np.save(f, np.int32(5))
    for i in range(65_600): z.writestr(f'{i}.npy', f.getvalue())
np.savez(folder + '/positional.npz', weights, np.array([1.5]), empty=np.array([]), like=4)
with zipfile.ZipFile(folder + '/bzip2.npz', 'w', zipfile.ZIP_BZIP2) as z:
    z.writestr('x.npy', f.getvalue())
    z.writestr('y.npy', f.getvalue(), zipfile.ZIP_STORED)
import datetime
np.savez(folder + '/zero.npz', fmt=np.array(b'csr'), fmt2=np.array('csr'), t=np.datetime64('2024-01-02'))";
    let Some(_) = python(script, &[path_text(folder.path())]) else { return };

    #[derive(Deserialize, PartialEq, Debug)]
    struct Model {
        weights: Vec<[f32; 2]>,
        bias: Vec<f64>,
        labels: Vec<String>,
        #[serde(default)]
        epoch: u32,
    }
    let expected = || Model {
        weights: vec![[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]],
        bias: vec![1.5, 2.5],
        labels: vec!["cat".into(), "h\u{fc}hnchen".into()],
        epoch: 0,
    };
    for name in ["stored", "deflated", "fortran", "big", "odd", "nasty", "pipe"] {
        let path = folder.path().join(format!("{name}.npz"));
        assert_eq!(read_all_ways(&std::fs::read(&path).unwrap()), Ok(expected()), "{name}");
        assert_eq!(npz::from_path::<Model>(&path).unwrap(), expected(), "{name}");
        let error = npz::from_path::<BTreeMap<String, Json>>(&path).unwrap_err();
        assert_eq!((error.category(), error.member()), (Category::Unsupported, Some("junk")), "{name}");
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Shaped {
        weights: ndarray::Array2<f32>,
        bias: serde_npy::Array<f64>,
        #[serde(default)]
        epoch: u32,
    }
    let shaped: Shaped = npz::from_path(folder.path().join("deflated.npz")).unwrap();
    assert_eq!((shaped.weights.clone(), shaped.epoch), (ndarray::arr2(&expected().weights), 0));
    let written = npz::to_vec(&shaped).unwrap();
    assert_eq!(read_all_ways(&written), Ok(shaped));
    let alone = npz::to_vec(&ndarray::arr2(&[[1.5, 2.5]])).unwrap();
    assert_eq!(read_all_ways(&alone), Ok(ndarray::arr2(&[[1.5, 2.5]])));
    let odd = npz::Reader::open(folder.path().join("odd.npz")).unwrap();
    assert_eq!(odd.names().collect::<Vec<_>>(), ["weights", "bias", "labels", "junk"]);
    let mut many = npz::Reader::open(folder.path().join("many.npz")).unwrap();
    assert_eq!((many.len(), many.get::<i32>("65599").unwrap()), (65_600, 5));
    let positional = npz::from_path::<(Vec<[f32; 2]>, [f64; 1])>(folder.path().join("positional.npz")).unwrap();
    assert_eq!(positional, (expected().weights, [1.5]));
    #[derive(Deserialize, PartialEq, Debug)]
    struct Names {
        like: i64,
        empty: Vec<f64>,
    }
    let names: Names = npz::from_path(folder.path().join("positional.npz")).unwrap();
    assert_eq!(names, Names { like: 4, empty: vec![] });
    let mut packed = npz::Reader::open(folder.path().join("bzip2.npz")).unwrap();
    assert_eq!(packed.get::<i32>("y").unwrap(), 5);
    assert_eq!(packed.get::<i32>("x").unwrap_err().category(), Category::Unsupported);
    #[derive(Deserialize, PartialEq, Debug)]
    struct Zero {
        fmt: String,
        fmt2: String,
        t: String,
    }
    let zero: Zero = npz::from_path(folder.path().join("zero.npz")).unwrap();
    assert_eq!(zero, Zero { fmt: "csr".into(), fmt2: "csr".into(), t: "2024-01-02".into() });
    // What NumPy wrote takes new members, and NumPy takes the whole.
    for name in ["stored", "deflated", "odd", "pipe", "many"] {
        let path = folder.path().join(format!("{name}.npz"));
        npz::append(&path, |archive| archive.add("new", &vec![1.5, 2.5])).unwrap();
        let script = "import sys, numpy as np
z = np.load(sys.argv[1])
assert z['new'].tolist() == [1.5, 2.5] and z.files[-1] == 'new' and z.zip.testzip() is None
if 'weights' in z: assert z['weights'].tolist() == [[0, 1], [2, 3], [4, 5]]
print(len(z.files))";
        python(script, &[path_text(&path)]);
    }
}

#[test]
fn names_that_numpy_would_mistake_are_refused() {
    let mut writer = npz::Writer::new(Cursor::new(Vec::new()));
    writer.add("a", &1).unwrap();
    assert_eq!(
        writer.add("a\0b", &2).unwrap_err().to_string(),
        "a name of a member with a NUL, which other readers cut (member `a\0b`)"
    );
    let twins = "NumPy cannot tell arrays apart of which one is named as the member of the other";
    assert_eq!(writer.add("a.npy", &2).unwrap_err().to_string(), format!("{twins} (member `a.npy`)"));
    writer.add("b.npy", &2).unwrap();
    assert_eq!(writer.add("b", &2).unwrap_err().to_string(), format!("{twins} (member `b`)"));
    let archive = writer.finish().unwrap().into_inner();
    assert_eq!(npz::from_slice::<Json>(&archive).unwrap(), serde_json::json!({"a": 1, "b.npy": 2}));
}

/// A header that promises more than its member has is refused before the member is inflated.
#[test]
fn a_deflated_member_that_is_too_short_is_not_inflated() {
    let header = Header::new("<i4".parse().unwrap(), vec![2_000_000_000]).unwrap();
    let mut member = header.to_bytes().unwrap();
    member.resize(50_000_000, 0);
    let mut archive = Cursor::new(Vec::new());
    let options = WriteOptions::default().compression(Compression::FAST);
    let mut writer = npz::Writer::with_options(&mut archive, &options);
    writer.add_bytes("x.npy", &member).unwrap();
    writer.finish().unwrap();
    let archive = archive.into_inner();
    assert!(archive.len() < 1_000_000);
    let start = std::time::Instant::now();
    let error = npz::from_slice::<Json>(&archive).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the array needs 8000000000 bytes of data, found 49999872: element 12499968 is missing (byte 50000000, member `x`)"
    );
    assert!(start.elapsed() < std::time::Duration::from_millis(500), "{:?}", start.elapsed());
}
