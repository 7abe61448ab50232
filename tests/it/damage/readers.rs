//! Readers that fail at a byte, give one at a time, or are interrupted: their own error comes out, or the value.

use crate::damage::faulty::{Failure, Fault, Faulty, KINDS};
use crate::tree::Tree;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_npy::{Array, Deserializer, Header, ReadOptions, Reader, WriteOptions};
use std::fmt::Debug;
use std::io::ErrorKind;

type Source<'a> = Faulty<&'a [u8]>;

/// A way into the crate, which gives the value as text.
type Route = (&'static str, fn(Source<'_>) -> Result<String, Failure>);

#[derive(Serialize, Deserialize, Debug)]
struct Tick {
    time: u8,
    price: f64,
    sizes: [i16; 2],
    name: String,
}

fn ticks() -> Vec<Tick> {
    (0..3).map(|n| Tick { time: n, price: 0.5, sizes: [1, -2], name: "ab".to_owned() }).collect()
}

/// A whole value.
fn whole<T: DeserializeOwned + Debug>() -> Vec<Route> {
    vec![
        ("from_reader", |source| Ok(format!("{:?}", serde_npy::from_reader::<T>(source)?))),
        ("from_reader, any", |source| Ok(format!("{:?}", serde_npy::from_reader::<Tree>(source)?))),
        ("Deserializer", |source| {
            let mut deserializer = Deserializer::from_reader(source)?;
            let value = T::deserialize(&mut deserializer)?;
            deserializer.end()?;
            Ok(format!("{value:?}"))
        }),
    ]
}

/// Record by record.
fn records<T: DeserializeOwned + Debug>() -> Vec<Route> {
    vec![
        ("records_from_reader", |source| Ok(format!("{:?}", serde_npy::records_from_reader::<T>(source)?))),
        ("records_into", |source| {
            let mut records = Vec::new();
            serde_npy::records_into::<T>(source, &mut records)?;
            Ok(format!("{records:?}"))
        }),
        ("Reader::records", |source| {
            let records: serde_npy::Result<Vec<T>> = Reader::new(source)?.records().collect();
            Ok(format!("{:?}", records?))
        }),
        ("Records::next_block", |source| {
            let mut reader = Reader::new(source)?;
            let (mut records, mut texts) = (reader.records::<T>(), Vec::new());
            while let Some(block) = records.next_block()? {
                texts.extend(block.iter().map(|record| format!("{record:?}")));
            }
            Ok(texts.join(","))
        }),
    ]
}

/// Every route with a fault at every byte of a file; it needs the first `needed` of them.
fn every_fault(file: &[u8], needed: usize, routes: &[Route]) {
    for (name, route) in routes {
        let expected = route(Faulty::reader(file, Fault::none(false))).unwrap();
        assert_eq!(route(Faulty::reader(file, Fault::none(true))).unwrap(), expected, "{name}");
        for at in 0..=file.len() {
            for fault in Fault::each(at) {
                let found = route(Faulty::reader(file, fault));
                if at < needed {
                    fault.assert_is(&found.unwrap_err(), name);
                } else {
                    assert_eq!(found.unwrap(), expected, "{name}, {fault:?}");
                }
            }
        }
    }
}

#[test]
fn a_reader_that_fails_is_the_error_at_every_byte() {
    let file = serde_npy::to_vec(&ticks()).unwrap();
    every_fault(&file, file.len(), &[whole::<Vec<Tick>>(), records::<Tick>()].concat());
    let numbers = serde_npy::to_vec(&[0.5, 1.5, 2.5]).unwrap();
    let routes = [whole::<Vec<f64>>(), whole::<Array<f64>>(), records::<f64>()].concat();
    every_fault(&numbers, numbers.len(), &routes);
    every_fault(&serde_npy::to_vec(&7i32).unwrap(), 132, &whole::<i32>());
    // All of it is held in memory.
    let options = WriteOptions::default().fortran_order(true);
    let fortran = serde_npy::to_vec_with(&[[1u16, 2, 3], [4, 5, 6]], &options).unwrap();
    every_fault(&fortran, fortran.len(), &[whole::<[[u16; 3]; 2]>(), whole::<Array<u16>>()].concat());
}

#[test]
fn a_header_needs_no_byte_behind_it() {
    let header: Route = ("Header::read", |source| Ok(format!("{:?}", Header::read(source)?)));
    let file = serde_npy::to_vec(&ticks()).unwrap();
    let needed = usize::try_from(Header::read(&file[..]).unwrap().data_offset()).unwrap();
    assert!(needed < file.len());
    every_fault(&file, needed, &[header]);
}

/// What asks for the byte behind the array is told why there is none.
#[test]
fn a_reader_that_fails_behind_the_array() {
    let file = serde_npy::to_vec(&[1u8, 2]).unwrap();
    for kind in KINDS {
        for halting in [false, true] {
            let fault = Fault { at: file.len(), kind, once: false, halting };
            let exact = ReadOptions::default().trailing(false);
            let whole = serde_npy::from_reader_with::<Vec<u8>>(Faulty::reader(&file, fault), &exact);
            fault.assert_is(&whole.unwrap_err().into(), "from_reader");
            let mut reader = Reader::new_with(Faulty::reader(&file, fault), &exact).unwrap();
            assert_eq!(reader.records::<u8>().map(serde_npy::Result::unwrap).collect::<Vec<_>>(), [1, 2]);
            fault.assert_is(&reader.end().unwrap_err().into(), "Reader::end");
            fault.assert_is(&reader.next_array().unwrap_err().into(), "Reader::next_array");
        }
    }
}

/// A record that is whole comes before the error, and nothing comes after it.
#[test]
fn records_before_the_fault_come_first() {
    let file = serde_npy::to_vec(&ticks()).unwrap();
    let header = Header::read(&file[..]).unwrap();
    let (start, itemsize) = (usize::try_from(header.data_offset()).unwrap(), header.dtype().itemsize());
    for at in start..file.len() {
        let fault = Fault { at, kind: ErrorKind::WouldBlock, once: true, halting: at % 2 == 0 };
        let mut reader = Reader::new(Faulty::reader(&file, fault)).unwrap();
        let found: Vec<_> = reader.records::<Tick>().collect();
        assert_eq!(found.len(), (at - start) / itemsize + 1);
        assert_eq!(found.iter().filter(|record| record.is_ok()).count(), found.len() - 1);
        fault.assert_is(&found.into_iter().next_back().unwrap().unwrap_err().into(), "Reader::records");
    }
}

/// Takes what comes, and keeps errors to itself.
#[derive(Debug)]
struct Lenient;

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Lenient;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("numbers")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut numbers: A) -> Result<Lenient, A::Error> {
                while !matches!(numbers.next_element::<u16>(), Ok(None)) {}
                Ok(Lenient)
            }
        }
        deserializer.deserialize_seq(Visitor)
    }
}

/// A type that passes over the error of a reader does not make a part of the array the whole of it.
#[test]
fn a_swallowed_error_is_one_all_the_same() {
    let file = serde_npy::to_vec(&[1u16, 2, 3, 4]).unwrap();
    serde_npy::from_reader::<Lenient>(&file[..]).unwrap();
    for at in 0..file.len() {
        for fault in Fault::each(at) {
            let found = serde_npy::from_reader::<Lenient>(Faulty::reader(&file, fault)).unwrap_err().to_string();
            let message = match at {
                ..128 => format!("byte {at} is out of order"),
                _ => "the data could not be read to its end, an error that the type has passed over (byte ".to_owned(),
            };
            assert!(found.starts_with(&message), "{fault:?}: {found}");
        }
        let cut = serde_npy::from_reader::<Lenient>(&file[..at]).unwrap_err();
        assert_eq!(cut.category(), serde_npy::Category::Eof, "{at} bytes: {cut}");
        serde_npy::from_slice::<Lenient>(&file[..at]).expect_err(&format!("{at} bytes"));
    }
}

#[cfg(feature = "npz")]
mod archives {
    use super::{Lenient, Route, Tick, ticks};
    use crate::damage::faulty::{Failure, Fault, Faulty, KINDS};
    use crate::random::Random;
    use serde::{Deserialize, Serialize};
    use serde_npy::npz::{self, Compression, WriteOptions};
    use std::io::Read as _;
    use std::ops::Range;

    #[derive(Serialize, Deserialize, Debug)]
    struct Run {
        ticks: Vec<Tick>,
        noise: Vec<u16>,
        labels: Vec<String>,
    }

    /// Archives stored and deflated, longer than what is read to find the list of members.
    fn archives() -> [Vec<u8>; 2] {
        let mut random = Random::new(1);
        let noise = (0..500).map(|_| u16::try_from(random.below(1 << 16)).unwrap()).collect();
        let run = Run { ticks: ticks(), noise, labels: vec!["one".to_owned(), "two".to_owned()] };
        let deflated = WriteOptions::default().compression(Compression::Deflated(6));
        [npz::to_vec(&run).unwrap(), npz::to_vec_with(&run, &deflated).unwrap()]
    }

    const WHOLE: [Route; 2] = [
        ("from_reader", |source| Ok(format!("{:?}", npz::from_reader::<Run>(source)?))),
        ("Reader::get", |source| {
            let mut reader = npz::Reader::new(source)?;
            let (ticks, noise, labels) = (reader.records("ticks")?, reader.get("noise")?, reader.get("labels")?);
            Ok(format!("{:?}", Run { ticks, noise, labels }))
        }),
    ];

    const PARTS: [Route; 4] = [
        ("Reader::header", |source| Ok(format!("{:?}", npz::Reader::new(source)?.header("noise")?))),
        ("Reader::stream", |source| {
            let mut archive = npz::Reader::new(source)?;
            let records: serde_npy::Result<Vec<u16>> =
                serde_npy::Reader::new(archive.stream("noise")?)?.records().collect();
            Ok(format!("{:?}", records?))
        }),
        ("Reader::raw", |source| {
            let (mut archive, mut bytes) = (npz::Reader::new(source)?, Vec::new());
            archive.raw("noise.npy")?.read_to_end(&mut bytes)?;
            Ok(format!("{bytes:?}"))
        }),
        // Whoever reads on after an error must not find an end there, as if all were well.
        ("Reader::raw, read on", |source| {
            let (mut archive, mut bytes) = (npz::Reader::new(source)?, Vec::new());
            let mut member = archive.raw("noise.npy")?;
            let error = match member.read_to_end(&mut bytes) {
                Ok(_) => return Ok(format!("{bytes:?}")),
                Err(error) => Failure::from(error),
            };
            let again = member.read(&mut [0]).unwrap_err();
            assert_eq!(again.to_string(), "the member could not be read before");
            Err(error)
        }),
    ];

    /// The names and extra fields before members, which are asked for in the list of members only.
    fn passed_over(archive: &[u8]) -> Vec<Range<usize>> {
        let starts = archive.windows(4).enumerate().filter(|(_, window)| *window == b"PK\x03\x04");
        let length = |at: usize| usize::from(u16::from_le_bytes([archive[at], archive[at + 1]]));
        starts.map(|(start, _)| start + 30..start + 30 + length(start + 26) + length(start + 28)).collect()
    }

    #[test]
    fn a_reader_that_fails_is_the_error_at_every_byte() {
        for archive in archives() {
            let passed_over = passed_over(&archive);
            assert_eq!(passed_over.len(), 3);
            for (index, (name, route)) in WHOLE.iter().chain(&PARTS).enumerate() {
                let expected = route(Faulty::reader(&archive, Fault::none(false))).unwrap();
                assert_eq!(route(Faulty::reader(&archive, Fault::none(true))).unwrap(), expected, "{name}");
                let mut errors = 0;
                for at in 0..=archive.len() {
                    let (kind, once, halting) = (KINDS[at % KINDS.len()], at % 2 == 0, at % 7 == 0);
                    let fault = Fault { at, kind, once, halting };
                    match route(Faulty::reader(&archive, fault)) {
                        Ok(found) => {
                            assert_eq!(found, expected, "{name}, {fault:?}");
                            let part = index >= WHOLE.len() || at == archive.len();
                            assert!(part || passed_over.iter().any(|range| range.contains(&at)), "{name}, {fault:?}");
                        }
                        Err(error) => {
                            fault.assert_is(&error, name);
                            errors += 1;
                        }
                    }
                }
                // The list of members at least, and what precedes it within what is read at a time.
                assert!(errors > 1024, "{name}: {errors}");
            }
        }
    }

    /// Nor does one that passes over the damage.
    #[test]
    fn a_swallowed_error_is_one_all_the_same() {
        for archive in archives() {
            let (mut errors, passed_over) = (0, passed_over(&archive));
            let mut bytes = archive.clone();
            for (at, byte) in archive.iter().enumerate() {
                bytes[at] = !byte;
                // The values of the second member, which is the longest by far.
                if passed_over[1].end <= at && at < passed_over[2].start - 30 {
                    let fault = Fault { at, kind: KINDS[at % KINDS.len()], once: at % 2 == 0, halting: false };
                    if let Ok(mut reader) = npz::Reader::new(Faulty::reader(&archive, fault)) {
                        reader.get::<Lenient>("noise").expect_err(&format!("{fault:?}"));
                        errors += 1;
                    }
                    let mut reader = npz::Reader::from_slice(&bytes).unwrap();
                    reader.get::<Lenient>("noise").expect_err(&format!("byte {at} changed"));
                }
                bytes[at] = *byte;
            }
            assert!(errors > 100, "{errors}");
        }
    }
}
