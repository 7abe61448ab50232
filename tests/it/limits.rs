//! Every limit at its edge: what is on it is taken, what is one beyond it is refused by a message of its own.

use crate::routes::npy;
use serde::Deserialize as _;
use serde::de::IgnoredAny;
use serde_npy::{Array, Category, Deserializer, Header, Limits, ReadOptions, Reader, View};

/// What is within the limits is read by every route, and what is not is refused.
#[track_caller]
fn edge(file: &[u8], within: Limits, exceeded: Limits, message: &str) {
    type Route<'a> = (&'a str, &'a dyn Fn(&ReadOptions) -> serde_npy::Result<()>);
    let routes: [Route<'_>; 6] = [
        ("slice", &|options| serde_npy::from_slice_with::<IgnoredAny>(file, options).map(drop)),
        ("reader", &|options| serde_npy::from_reader_with::<IgnoredAny>(file, options).map(drop)),
        ("Deserializer", &|options| {
            IgnoredAny::deserialize(&mut Deserializer::from_slice_with(file, options)?).map(drop)
        }),
        ("Array", &|options| serde_npy::from_slice_with::<Array<IgnoredAny>>(file, options).map(drop)),
        ("Reader", &|options| {
            Reader::new_with(file, options)?.records::<IgnoredAny>().try_for_each(|record| record.map(drop))
        }),
        ("View", &|options| View::new_with(file, options)?.deserialize::<IgnoredAny>().map(drop)),
    ];
    let header = |limits: Limits| Header::read_with(file, &ReadOptions::default().limits(limits));
    header(within).unwrap();
    if message.contains("the limit `max_") {
        assert_eq!(beyond(header(exceeded)), message, "by Header::read_with");
    } else {
        header(exceeded).unwrap();
    }
    for (route, read) in routes {
        if let Err(error) = read(&ReadOptions::default().limits(within)) {
            panic!("within, by {route}: {error}");
        }
        match read(&ReadOptions::default().limits(exceeded)) {
            // An `Array` has no rows.
            Ok(()) => assert!(route == "Array" && file.ends_with(b" \n"), "beyond, by {route}"),
            Err(error) => {
                // The stream knows of rows without bytes at which byte they are.
                let text = error.to_string().replace(", byte 128)", ")");
                assert_eq!(text, message.replace(", byte 128)", ")"), "by {route}");
                assert_eq!(error.category(), Category::Limit, "by {route}");
            }
        }
    }
}

/// An error, which must be that of a limit.
#[track_caller]
fn beyond<T: std::fmt::Debug>(result: serde_npy::Result<T>) -> String {
    let error = result.unwrap_err();
    assert_eq!(error.category(), Category::Limit, "{error}");
    error.to_string()
}

#[test]
fn limits_of_an_array_hold_at_their_edges() {
    let limits = Limits::default();
    let numbers = npy("'<f8'", "(3,)", &[0; 24]);
    edge(
        &numbers,
        limits.max_header_size(118),
        limits.max_header_size(117),
        "a header of 118 bytes, over the limit `max_header_size` of 117 (byte 8)",
    );
    edge(
        &numbers,
        limits.max_data_size(24),
        limits.max_data_size(23),
        "data of 24 bytes, over the limit `max_data_size` of 23 (byte 60)",
    );
    edge(
        &npy("[('a', '<i4'), ('b', [('c', '|u1')])]", "(1,)", &[0; 5]),
        limits.max_fields(3),
        limits.max_fields(2),
        "a dtype of over 2 fields, the limit `max_fields` (byte 42)",
    );
    // Padding is counted, since it is written as a field.
    edge(
        &npy("[('', '|V1'), ('c', '|u1')]", "(1,)", &[0; 2]),
        limits.max_fields(2),
        limits.max_fields(1),
        "a dtype of over 1 field, the limit `max_fields` (byte 34)",
    );
    edge(
        &npy("'u1,(2,)u1,3u1'", "(1,)", &[0; 6]),
        limits.max_fields(3),
        limits.max_fields(2),
        "a dtype of over 2 fields, the limit `max_fields` (byte 20)",
    );
    edge(
        &npy("'3u1,'", "(1,)", &[0; 3]),
        limits.max_fields(1),
        limits.max_fields(0),
        "a dtype of over 0 fields, the limit `max_fields` (byte 20)",
    );
    // Of the axes of a subarray the first is the field's own.
    edge(
        &npy("[('a', '|u1', (1, 1, 1)), ('c', (('|u1', 1), 1))]", "(1,)", &[0; 2]),
        limits.max_fields(5),
        limits.max_fields(4),
        "a dtype of over 4 fields, the limit `max_fields` (byte 65)",
    );
    edge(
        &npy("'u1,(2,3)u1'", "(1,)", &[0; 7]),
        limits.max_fields(3),
        limits.max_fields(2),
        "a dtype of over 2 fields, the limit `max_fields` (byte 20)",
    );
    edge(
        &npy("'|S0'", "(5,)", &[]),
        limits.empty_items(5),
        limits.empty_items(4),
        "more than 4 values that take no bytes; raise `Limits::empty_items` if they are wanted (at `[4]`, byte 128)",
    );
    edge(
        &npy("'<i4'", "(5, 0)", &[]),
        limits.empty_items(5),
        limits.empty_items(4),
        "more than 4 values that take no bytes; raise `Limits::empty_items` if they are wanted (at `[4]`)",
    );
}

/// The defaults, which nothing but a real file tells.
#[test]
fn default_limits_hold_at_their_edges() {
    let limits = Limits::default();
    let header = |descr: &str, shape: &str| {
        let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
        let length = u32::try_from(text.len()).unwrap().to_le_bytes();
        Header::read(&[b"\x93NUMPY\x02\0", &length[..], text.as_bytes()].concat()[..])
    };
    let fields = |count: usize| header(&format!("'{}b'", "b,".repeat(count - 1)), "(1,)");
    assert_eq!(fields(limits.max_fields).unwrap().dtype().itemsize(), limits.max_fields);
    assert_eq!(
        beyond(fields(limits.max_fields + 1)),
        "a dtype of over 131072 fields, the limit `max_fields` (byte 22)"
    );

    let blanks = |length: usize| {
        let mut file = b"\x93NUMPY\x02\0".to_vec();
        file.extend(u32::try_from(length).unwrap().to_le_bytes());
        file.extend(b"{'descr': '<i4', 'fortran_order': False, 'shape': (), }");
        file.resize(12 + length, b' ');
        Header::read(&file[..])
    };
    assert_eq!(blanks(limits.max_header_size).unwrap().data_offset(), 12 + (16 << 20));
    assert_eq!(
        beyond(blanks(limits.max_header_size + 1)),
        "a header of 16777217 bytes, over the limit `max_header_size` of 16777216 (byte 8)"
    );

    let empty = |rows: u64| {
        let file = npy("'|V0'", &format!("({rows},)"), &[]);
        assert_eq!(
            Reader::new(&file[..]).unwrap().records::<IgnoredAny>().filter(Result::is_ok).count() as u64,
            rows.min(limits.empty_items)
        );
        serde_npy::from_slice::<IgnoredAny>(&file)
    };
    empty(limits.empty_items).unwrap();
    assert_eq!(
        beyond(empty(limits.empty_items + 1)),
        "more than 1048576 values that take no bytes; raise `Limits::empty_items` if they are wanted (at `[1048576]`, \
         byte 128)"
    );

    // Those that are NumPy's own.
    let nested = |depth: usize| header(&format!("{}'<i4'{}", "(".repeat(depth), ")".repeat(depth)), "(1,)");
    assert_eq!(nested(199).unwrap().dtype().itemsize(), 4);
    assert_eq!(beyond(nested(200)), "over 200 brackets inside each other (byte 221)");
    let axes = |count: usize| header("'<i4'", &format!("({})", "1,".repeat(count)));
    assert_eq!(axes(64).unwrap().ndim(), 64);
    assert_eq!(beyond(axes(65)), "an array of over 64 axes (byte 191)");
    assert_eq!(header("'|V2147483647'", "(1,)").unwrap().data_len(), (1 << 31) - 1);
    assert_eq!(header("'<i1'", "(9223372036854775807,)").unwrap().data_len(), i64::MAX as u64);
    assert_eq!(
        beyond(header("'<i1'", "(2, 4611686018427387904)")),
        "an array over 9223372036854775807 bytes (byte 62)"
    );
}

#[cfg(feature = "npz")]
#[test]
fn limits_of_an_archive_hold_at_their_edges() {
    use serde_npy::npz::{self, Compression, ReadOptions, WriteOptions};
    use std::io::{Cursor, Read as _};

    let archive =
        npz::to_vec_with(&([1u8; 8], [2u8; 9]), &WriteOptions::default().compression(Compression::FAST)).unwrap();
    let options = |limits: Limits| ReadOptions::default().array(serde_npy::ReadOptions::default().limits(limits));
    let limits = Limits::default();

    for (limit, taken) in [(2, true), (1, false)] {
        let options = options(limits.max_members(limit));
        let message = "an archive of 2 members, over the limit `max_members` of 1";
        let results = [
            npz::from_slice_with::<(IgnoredAny, IgnoredAny)>(&archive, &options).map(|_| ()),
            npz::from_reader_with::<(IgnoredAny, IgnoredAny)>(Cursor::new(&archive), &options).map(|_| ()),
            npz::View::with_options(&archive, &options).map(|_| ()),
            npz::Reader::with_options(Cursor::new(&archive), &options).map(|_| ()),
        ];
        for result in results {
            match result {
                Ok(()) => assert!(taken),
                Err(error) => {
                    assert!(!taken);
                    assert_eq!((error.to_string().as_str(), error.category()), (message, Category::Limit));
                }
            }
        }
    }

    let options = options(limits.max_inflated_size(136));
    let mut reader = npz::Reader::with_options(Cursor::new(&archive), &options).unwrap();
    assert_eq!(reader.get::<Vec<u8>>("arr_0").unwrap(), [1; 8]);
    let message = "a member of 137 bytes, over the limit `max_inflated_size` of 136 (member `arr_1`)";
    assert_eq!(beyond(reader.get::<Vec<u8>>("arr_1")), message);
    assert_eq!(beyond(reader.records::<u8>("arr_1").map(drop)), message);
    assert_eq!(beyond(reader.stream("arr_1").map(drop)), message);
    assert_eq!(reader.header("arr_1").unwrap().shape(), [9]);
    let view = npz::View::with_options(&archive, &options).unwrap();
    assert_eq!(beyond(view.get::<Vec<u8>>("arr_1")), message);
    assert_eq!(beyond(npz::from_slice_with::<(Vec<u8>, Vec<u8>)>(&archive, &options)), message);

    // Stored members are as long as they are.
    let stored = npz::to_vec(&([1u8; 8], [2u8; 9])).unwrap();
    let mut reader = npz::Reader::with_options(Cursor::new(&stored), &options).unwrap();
    assert_eq!(reader.get::<Vec<u8>>("arr_1").unwrap(), [2; 9]);
    let mut bytes = Vec::new();
    reader.stream("arr_1").unwrap().read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes.len(), 137);
}

/// The default of `max_members`: an archive of over a million, by hand, since each takes 56 bytes.
#[cfg(feature = "npz")]
#[test]
fn the_default_limit_of_members_holds_at_its_edge() {
    use serde_npy::npz;

    let archive = |count: u64| {
        let array = npy("'|u1'", "(0,)", &[]);
        let size = u32::try_from(array.len()).unwrap().to_le_bytes();
        let sum = crc32fast::hash(&array).to_le_bytes();
        let entry = [&[45, 0, 0, 8, 0, 0, 0, 0, 0, 0][..], &sum, &size, &size, &[10, 0, 0, 0]].concat();
        let mut file = [b"PK\x03\x04", &entry[..], b"000000.npy", &array].concat();
        let start = file.len() as u64;
        for position in 0..count {
            let name = format!("{position:06x}.npy");
            file.extend([b"PK\x01\x02\x2d\0", &entry[..], &[0; 14], name.as_bytes()].concat());
        }
        let end = file.len() as u64;
        // More than 65,535 are counted by the end of ZIP64.
        file.extend(b"PK\x06\x06\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0\0\0\0\0\0\0\0\0");
        file.extend([count, count, end - start, start].map(u64::to_le_bytes).concat());
        file.extend([&b"PK\x06\x07\0\0\0\0"[..], &end.to_le_bytes(), &[1, 0, 0, 0]].concat());
        file.extend([&b"PK\x05\x06\0\0\0\0"[..], &[0xff; 12], &[0; 2]].concat());
        file
    };
    let most = Limits::default().max_members as u64;
    assert_eq!(npz::View::new(&archive(most)).unwrap().len() as u64, most);
    let message = "an archive of 1048577 members, over the limit `max_members` of 1048576";
    assert_eq!(beyond(npz::View::new(&archive(most + 1)).map(drop)), message);
}
