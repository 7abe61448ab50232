//! Writers that fail at a byte, take one at a time, or are interrupted: their own error comes out, and what has been
//! written is never taken for more than it is.

use crate::damage::faulty::{Failure, Fault, Faulty};
use serde::Serialize;
use serde_npy::{Columns, Header, Serializer, WriteOptions, Writer};
use std::io::{self, ErrorKind, Write};

type Sink = Faulty<Vec<u8>>;

/// A way out of the crate.
type Route = (&'static str, fn(&mut Sink) -> Result<(), Failure>);

#[derive(Serialize, Clone, Copy)]
struct Tick {
    time: u8,
    price: f64,
    sizes: [i16; 2],
}

const TICKS: [Tick; 3] = [Tick { time: 1, price: 0.5, sizes: [1, -2] }; 3];

#[derive(Serialize)]
struct Table {
    a: [u8; 2],
    b: [f64; 2],
}

/// What a route writes, and how many bytes it writes for that.
fn unhindered(route: Route, halting: bool) -> (Vec<u8>, usize) {
    let mut sink = Faulty::writer(Fault::none(halting));
    route.1(&mut sink).unwrap();
    (sink.bytes.into_inner(), sink.taken)
}

/// A route with a fault before every byte that it writes; `left` judges what it leaves behind.
fn every_fault(route: Route, left: impl Fn(&[u8], &[u8], &str)) {
    let name = route.0;
    let (expected, taken) = unhindered(route, false);
    assert_eq!(unhindered(route, true).0, expected, "{name}");
    for at in 0..=taken {
        for fault in Fault::each(at) {
            let mut sink = Faulty::writer(fault);
            let result = route.1(&mut sink);
            // Nothing follows an error, though the writer would take it.
            assert_eq!(sink.taken, at, "{name}, {fault:?}");
            if at < taken {
                fault.assert_is(&result.unwrap_err(), name);
                left(sink.bytes.get_ref(), &expected, &format!("{name}, {fault:?}"));
            } else {
                result.unwrap();
                assert_eq!(*sink.bytes.get_ref(), expected, "{name}, {fault:?}");
            }
        }
    }
}

#[test]
fn a_writer_that_fails_is_the_error_at_every_byte() {
    let routes: &[Route] = &[
        ("to_writer", |sink| Ok(serde_npy::to_writer(sink, &TICKS)?)),
        ("to_writer, a number", |sink| Ok(serde_npy::to_writer(sink, &1.5)?)),
        ("to_writer, numbers", |sink| Ok(serde_npy::to_writer(sink, &vec![1.5, 2.5])?)),
        ("to_writer, columns", |sink| Ok(serde_npy::to_writer(sink, &Columns(Table { a: [1, 2], b: [0.5, 1.5] }))?)),
        ("to_writer, Fortran order", |sink| {
            let options = WriteOptions::default().fortran_order(true);
            Ok(serde_npy::to_writer_with(sink, &[[1u16, 2, 3], [4, 5, 6]], &options)?)
        }),
        ("records_to_writer", |sink| Ok(serde_npy::records_to_writer(sink, &TICKS)?)),
        ("records_to_writer, rows", |sink| Ok(serde_npy::records_to_writer(sink, &[[1, 2], [3, 4]])?)),
        ("Serializer", |sink| Ok(TICKS.serialize(&mut Serializer::new(sink))?)),
        ("Header::write", |sink| Ok(Header::new("<f8,<f4".parse()?, vec![3])?.write(sink)?)),
        ("Writer::write_all", |sink| {
            let mut writer = Writer::new(sink, 3);
            writer.write_all(TICKS)?;
            writer.finish()?;
            Ok(())
        }),
        ("Writer::write_block", |sink| {
            let mut writer = Writer::new(sink, 3);
            writer.write_block(&TICKS)?;
            writer.flush()?;
            writer.finish()?;
            Ok(())
        }),
    ];
    for &route in routes {
        every_fault(route, |left, expected, what| assert!(expected.starts_with(left), "{what}"));
    }
}

/// The header of an array of open length is blank until the end, so that a part of it is no array.
#[test]
fn an_array_of_open_length_is_whole_or_none() {
    let routes: &[Route] = &[
        ("Writer::open_length", |sink| {
            let mut writer = Writer::open_length(sink)?;
            writer.write_block(&TICKS)?;
            writer.finish()?;
            Ok(())
        }),
        ("Writer::spool", |sink| {
            let mut writer = Writer::open_length(sink)?.spool(2);
            writer.write_all(["a", "bcd", "ef"])?;
            writer.finish()?;
            Ok(())
        }),
    ];
    for &route in routes {
        every_fault(route, |left, expected, what| {
            // What fails last are the spaces behind the header, which are there already.
            if Header::read(left).is_ok() {
                assert_eq!(left, expected, "{what}");
            }
        });
    }
}

/// Takes so many bytes and then none, without an error.
struct Stuck(usize);

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.0);
        self.0 -= count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for Stuck {
    fn seek(&mut self, _to: io::SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}

#[test]
fn a_writer_that_takes_no_more_is_an_error() {
    let length = serde_npy::to_vec(&TICKS).unwrap().len();
    for room in 0..length {
        let results = [
            serde_npy::to_writer(Stuck(room), &TICKS),
            serde_npy::records_to_writer(Stuck(room), &TICKS),
            TICKS.serialize(&mut Serializer::new(Stuck(room))),
            Writer::open_length(Stuck(room)).and_then(|mut writer| {
                writer.write_block(&TICKS)?;
                writer.finish().map(drop)
            }),
        ];
        for result in results {
            assert_eq!(result.unwrap_err().io_error_kind(), Some(ErrorKind::WriteZero), "{room}");
        }
        #[cfg(feature = "npz")]
        {
            let result = serde_npy::npz::to_writer(Stuck(room), &(&TICKS[..],));
            assert_eq!(result.unwrap_err().io_error_kind(), Some(ErrorKind::WriteZero), "{room}");
        }
    }
}

#[cfg(feature = "npz")]
mod archives {
    use super::{Route, Sink, TICKS, every_fault, unhindered};
    use crate::damage::faulty::{Fault, Faulty};
    use serde_npy::npz::{self, Compression, WriteOptions, Writer};
    use serde_npy::{Header, Result};
    use std::io::{ErrorKind, Write};

    fn deflated() -> WriteOptions {
        WriteOptions::default().compression(Compression::Deflated(6))
    }

    /// Every kind of member, until the first error.
    fn fill<W: Write>(mut writer: Writer<W>) -> Result<W> {
        writer.add("text", "ab")?;
        writer.add_records("records", &TICKS[..2])?;
        let mut known = writer.stream("known", Header::new("<u2".parse()?, vec![2])?)?;
        known.push(&1)?;
        known.extend(&[2])?;
        known.finish()?;
        let mut spooled = writer.spool("spooled", "<U3".parse()?)?;
        spooled.push(&"abc")?;
        spooled.finish()?;
        writer.add_bytes("notes.txt", b"measured twice")?;
        writer.finish()
    }

    #[test]
    fn a_sink_that_fails_is_the_error_and_leaves_no_archive() {
        let routes: &[Route] = &[
            ("to_writer", |sink| Ok(npz::to_writer(sink, &(&TICKS[..], "text"))?)),
            ("to_writer, deflated", |sink| Ok(npz::to_writer_with(sink, &(&TICKS[..], "text"), &deflated())?)),
            ("Writer", |sink: &mut Sink| Ok(fill(Writer::new(sink)).map(drop)?)),
            ("Writer, deflated", |sink| Ok(fill(Writer::with_options(sink, &deflated())).map(drop)?)),
            ("Writer::streaming", |sink| Ok(fill(Writer::streaming(sink, &WriteOptions::default())).map(drop)?)),
        ];
        for &route in routes {
            let (whole, _) = unhindered(route, false);
            npz::Reader::from_slice(&whole).unwrap();
            every_fault(route, |left, _, what| {
                npz::Reader::from_slice(left).expect_err(what);
            });
        }
    }

    /// After the sink's own error the archive is lost, and says so.
    #[test]
    fn a_writer_whose_sink_has_failed_is_lost() {
        let mut sink = Faulty::writer(Fault { at: 100, kind: ErrorKind::StorageFull, once: true, halting: false });
        let mut writer = Writer::new(&mut sink);
        let error = writer.add("a", &vec![1; 100]).unwrap_err();
        assert_eq!(error.to_string(), "byte 100 is out of order (member `a`)");
        let lost = "the archive cannot be finished, since writing a member to it failed before";
        assert_eq!(writer.add("b", &1).unwrap_err().to_string(), lost);
        assert_eq!(writer.finish().unwrap_err().to_string(), lost);
        assert_eq!(sink.taken, 100);
    }
}
