//! Archives as other tools make them: Info-ZIP, Python's `zipfile`, Java, and, byte by byte, as Go's writer does.

use crate::python::python;
use crate::skip::{has, skipped};
use serde::Deserialize;
use serde_json::json;
use serde_npy::npz::{self, Compression, WriteOptions};
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::process::Command;

#[derive(Deserialize, PartialEq, Debug)]
struct Arrays {
    weights: Vec<[f32; 2]>,
    #[serde(rename = "größe/λ")]
    size: Vec<f64>,
    empty: Vec<u8>,
}

fn arrays() -> Arrays {
    Arrays { weights: vec![[0.5, 1.5]; 500], size: vec![-1.0, f64::MAX], empty: vec![] }
}

fn files() -> [(&'static str, Vec<u8>); 3] {
    let Arrays { weights, size, .. } = arrays();
    let empty = serde_npy::WriteOptions::default().dtype("|u1".parse().unwrap());
    [
        ("weights.npy", serde_npy::to_vec(&weights).unwrap()),
        ("größe/λ.npy", serde_npy::to_vec(&size).unwrap()),
        ("empty.npy", serde_npy::to_vec_with(&Vec::<u8>::new(), &empty).unwrap()),
    ]
}

/// The archive has these arrays, by every way of reading.
#[track_caller]
fn check(archive: &[u8], what: &str) {
    let fail = |error: serde_npy::Error| panic!("{what}: {error}");
    assert_eq!(npz::from_slice::<Arrays>(archive).unwrap_or_else(fail), arrays(), "{what}");
    assert_eq!(npz::from_reader::<Arrays>(Cursor::new(archive)).unwrap_or_else(fail), arrays(), "{what}");
    let mut reader = npz::Reader::from_slice(archive).unwrap();
    let names: Vec<_> = reader.names().map(str::to_owned).collect();
    for name in ["weights", "größe/λ", "empty"] {
        assert!(names.iter().any(|found| found == name), "{what}: {names:?}");
        assert!(reader.contains(name), "{what}");
    }
    let mut stream = serde_npy::Reader::new(reader.stream("weights").unwrap()).unwrap();
    let rows: Vec<[f32; 2]> = stream.records().collect::<serde_npy::Result<_>>().unwrap();
    assert_eq!(rows, arrays().weights, "{what}");
}

fn unpacked(folder: &Path) {
    for (name, bytes) in files() {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    fs::write(folder.join("notes.txt"), "measured twice").unwrap();
}

#[test]
fn archives_of_info_zip_are_read() {
    if !has("zip", "-v") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    unpacked(folder.path());
    let zip = |line: &str| {
        let output =
            Command::new("sh").args(["-c", line]).env("LC_ALL", "C.UTF-8").current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let all = "weights.npy empty.npy notes.txt größe";
    let rows = [
        ("deflated.npz", format!("zip -r deflated.npz {all}")),
        ("stored.npz", format!("zip -0 -r stored.npz {all}")),
        ("bare.npz", format!("zip -X -D -r bare.npz {all}")),
        // Written to a pipe: sizes and checksums stand behind the data.
        ("piped.npz", format!("zip -r - {all} | cat >piped.npz")),
        ("descriptors.npz", format!("zip -fd -r descriptors.npz {all}")),
        ("zip64.npz", format!("zip -fz -r zip64.npz {all}")),
        (
            "commented.npz",
            format!("zip -r commented.npz {all} && printf 'PK\\005\\006 a comment' | zip -z commented.npz"),
        ),
        ("prefixed.npz", format!("zip -r inner.zip {all} && cat notes.txt inner.zip >prefixed.npz")),
        ("adjusted.npz", "cat notes.txt inner.zip >adjusted.npz && zip -A adjusted.npz".to_owned()),
        // An older array of the same name is replaced.
        ("updated.npz", format!("cp notes.txt weights.bak; zip -r updated.npz {all} && zip updated.npz weights.npy")),
    ];
    for (name, line) in &rows {
        zip(line);
        let archive = fs::read(folder.path().join(name)).unwrap();
        check(&archive, name);
        let mut reader = npz::Reader::from_slice(&archive).unwrap();
        let mut notes = String::new();
        std::io::Read::read_to_string(&mut reader.raw("notes.txt").unwrap(), &mut notes).unwrap();
        assert_eq!(notes, "measured twice", "{name}");
    }

    if has("unzip", "-v") {
        let written = [
            ("ours.npz", WriteOptions::default()),
            ("ours-deflated.npz", WriteOptions::default().compression(Compression::FAST)),
        ];
        for (name, options) in written {
            let mut writer = npz::Writer::with_options(Cursor::new(Vec::new()), &options);
            for (name, bytes) in files() {
                writer.add_bytes(name, &bytes).unwrap();
            }
            let archive = writer.finish().unwrap().into_inner();
            check(&archive, name);
            fs::write(folder.path().join(name), archive).unwrap();
            let output = Command::new("unzip").args(["-t", name]).current_dir(folder.path()).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            zip(&format!("zip -T {name}"));
        }
    }
}

#[test]
fn archives_of_zipfile_are_read() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(folder.path());
    let script = r##"
import io, json, struct, sys, zipfile
folder = json.load(sys.stdin)["folder"]
members = {name: open(f"{folder}/{name}", "rb").read() for name in ["weights.npy", "größe/λ.npy", "empty.npy"]}


class Pipe(io.RawIOBase):
    """Cannot seek, so that sizes and checksums stand behind the data."""
    def __init__(self, file): self.file = file
    def writable(self): return True
    def write(self, data): return self.file.write(data)


def archive(name, method=zipfile.ZIP_DEFLATED, pipe=False, comment=b"", before=b"", extra=b"", behind=b"", zip64=False):
    with open(f"{folder}/{name}", "wb") as file:
        file.write(before)
        with zipfile.ZipFile(Pipe(file) if pipe else file, "w", method) as z:
            for member, data in members.items():
                info = zipfile.ZipInfo(member, (2026, 3, 2, 14, 30, 0))
                info.compress_type, info.extra, info.comment = method, extra, comment
                with z.open(info, "w", force_zip64=zip64) as target:
                    target.write(data)
            z.comment = comment
        file.write(behind)
    print(name)


# An extended timestamp, an Info-ZIP Unix field, and one that nobody knows.
extra = b"".join(struct.pack("<HH", tag, len(data)) + data for tag, data in [
    (0x5455, b"\x03" + struct.pack("<ll", 1, 2)), (0x7875, b"\x01\x04\xe8\x03\0\0\x04\xe8\x03\0\0"), (0x9999, b"anything")])
for method in [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]:
    archive(f"plain-{method}.npz", method)
    archive(f"pipe-{method}.npz", method, pipe=True)
    archive(f"comment-{method}.npz", method, comment=b"PK\x05\x06 " * 100)
    archive(f"junk-{method}.npz", method, before=b"#!/bin/sh\n" + bytes(1000))
    archive(f"extra-{method}.npz", method, extra=extra)
    archive(f"zip64-{method}.npz", method, zip64=True)
    archive(f"everything-{method}.npz", method, pipe=True, comment=b"x" * 65_535, extra=extra, zip64=True)
"##;
    let task = json!({"folder": folder.path()});
    let Some(printed) = python(script, task.to_string().as_bytes()) else { return };
    let printed = String::from_utf8(printed).unwrap();
    assert_eq!(printed.lines().count(), 14);
    for name in printed.lines() {
        check(&fs::read(folder.path().join(name)).unwrap(), name);
    }
}

/// Java's `ZipOutputStream` and `JarOutputStream`, whose first entry has an extra field 0xCAFE.
#[test]
fn archives_of_java_are_read() {
    if !has("java", "-version") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    unpacked(folder.path());
    let program = r#"
import java.io.*;
import java.nio.file.*;
import java.util.jar.JarOutputStream;
import java.util.zip.*;

class Pack {
    static final String[] NAMES = {"weights.npy", "gr\u00f6\u00dfe/\u03bb.npy", "empty.npy"};

    static void pack(ZipOutputStream zip, boolean stored, Path from) throws IOException {
        for (String name : NAMES) {
            byte[] data = Files.readAllBytes(from.resolve(name.startsWith("gr") ? "greek" : name));
            ZipEntry entry = new ZipEntry(name);
            if (stored) {
                CRC32 crc = new CRC32();
                crc.update(data);
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(data.length);
                entry.setCrc(crc.getValue());
            }
            zip.putNextEntry(entry);
            zip.write(data);
            zip.closeEntry();
        }
        zip.setComment("by Java");
        zip.close();
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        for (boolean stored : new boolean[] {false, true}) {
            String end = stored ? "stored" : "deflated";
            pack(new ZipOutputStream(Files.newOutputStream(folder.resolve("zip-" + end + ".npz"))), stored, folder);
            pack(new JarOutputStream(Files.newOutputStream(folder.resolve("jar-" + end + ".npz"))), stored, folder);
        }
    }
}
"#;
    // Names in a file system of another encoding are no affair of this test.
    fs::copy(folder.path().join("größe/λ.npy"), folder.path().join("greek")).unwrap();
    fs::write(folder.path().join("Pack.java"), program).unwrap();
    let output = Command::new("java").arg(folder.path().join("Pack.java")).arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("jdk.compiler") {
        skipped("a Java without a compiler");
        return;
    }
    assert!(output.status.success(), "{said}");
    for name in ["zip-deflated", "zip-stored", "jar-deflated", "jar-stored"] {
        let archive = fs::read(folder.path().join(format!("{name}.npz"))).unwrap();
        let cafe = archive.windows(4).position(|window| window == [0xfe, 0xca, 0, 0]);
        assert_eq!(cafe.is_some_and(|at| at < 60), name.starts_with("jar"), "{name}");
        check(&archive, name);
    }
}

/// How a writer sets the fields that are its choice.
#[derive(Clone, Copy)]
struct Manner {
    name: &'static str,
    /// In the flags of names that are not ASCII, or of all.
    utf8: fn(&str) -> bool,
    /// Sizes and checksum behind the data, zeros in front of it.
    descriptor: bool,
    /// Whether these begin with a signature of their own.
    signature: bool,
    local_extra: fn(usize) -> &'static [u8],
    central_extra: &'static [u8],
    version: u16,
}

const TIMESTAMP: &[u8] = b"UT\x05\0\x01\x00\x00\x00\x60";

const MANNERS: &[Manner] = &[
    // archive/zip's Writer.CreateHeader: a descriptor whatever the method, a timestamp of one time.
    Manner {
        name: "Go",
        utf8: |name| !name.is_ascii(),
        descriptor: true,
        signature: true,
        local_extra: |_| TIMESTAMP,
        central_extra: TIMESTAMP,
        version: 20,
    },
    // Writer.Create, without a time.
    Manner {
        name: "Go without times",
        utf8: |name| !name.is_ascii(),
        descriptor: true,
        signature: true,
        local_extra: |_| b"",
        central_extra: b"",
        version: 20,
    },
    // java.util.jar.JarOutputStream.
    Manner {
        name: "Java",
        utf8: |_| true,
        descriptor: true,
        signature: true,
        local_extra: |index| if index == 0 { b"\xfe\xca\0\0" } else { b"" },
        central_extra: b"",
        version: 10,
    },
    // What the format allows, and old writers did.
    Manner {
        name: "without signature",
        utf8: |_| true,
        descriptor: true,
        signature: false,
        local_extra: |_| b"",
        central_extra: b"",
        version: 20,
    },
    Manner {
        name: "plain",
        utf8: |_| true,
        descriptor: false,
        signature: false,
        local_extra: |_| b"",
        central_extra: b"",
        version: 20,
    },
];

/// An archive, byte by byte, and where in it the middle of the first member's data lies.
fn assembled(manner: Manner, deflate: bool) -> (Vec<u8>, usize) {
    let mut middle = 0;
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    let files = files();
    for (index, (name, data)) in files.iter().enumerate() {
        let packed = if deflate {
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(data).unwrap();
            encoder.finish().unwrap()
        } else {
            data.clone()
        };
        let start = u32::try_from(archive.len()).unwrap();
        let flags: u16 = if manner.descriptor { 8 } else { 0 } | if (manner.utf8)(name) { 0x800 } else { 0 };
        let sizes = |archive: &mut Vec<u8>| {
            archive.extend(crc32fast::hash(data).to_le_bytes());
            archive.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
            archive.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        };
        let front = |target: &mut Vec<u8>, known: bool| {
            target.extend(manner.version.to_le_bytes());
            target.extend(flags.to_le_bytes());
            target.extend((if deflate { 8u16 } else { 0 }).to_le_bytes());
            target.extend([0x00, 0x70, 0x62, 0x5c]);
            if known {
                sizes(target);
            } else {
                target.extend([0; 12]);
            }
            target.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        };
        let local_extra = (manner.local_extra)(index);
        archive.extend(b"PK\x03\x04");
        front(&mut archive, !manner.descriptor);
        archive.extend(u16::try_from(local_extra.len()).unwrap().to_le_bytes());
        archive.extend(name.as_bytes());
        archive.extend(local_extra);
        if index == 0 {
            middle = archive.len() + packed.len() / 2;
        }
        archive.extend(&packed);
        if manner.descriptor {
            if manner.signature {
                archive.extend(b"PK\x07\x08");
            }
            sizes(&mut archive);
        }
        directory.extend(b"PK\x01\x02\x14\x00");
        front(&mut directory, true);
        directory.extend(u16::try_from(manner.central_extra.len()).unwrap().to_le_bytes());
        directory.extend([0; 10]); // comment, disk, attributes inside and outside
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
        directory.extend(manner.central_extra);
    }
    let (start, length) = (archive.len(), directory.len());
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    archive.extend([count, count].concat());
    archive.extend(u32::try_from(length).unwrap().to_le_bytes());
    archive.extend(u32::try_from(start).unwrap().to_le_bytes());
    archive.extend([0, 0]);
    (archive, middle)
}

#[test]
fn archives_of_go_and_java_are_read_byte_by_byte() {
    let folder = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    for manner in MANNERS {
        for deflate in [false, true] {
            let (archive, middle) = assembled(*manner, deflate);
            check(&archive, manner.name);
            let path = folder.path().join(format!("{} {deflate}.npz", manner.name));
            fs::write(&path, &archive).unwrap();
            paths.push(path);
            // A bit that is wrong in the data is seen, although the sizes in front of it say nothing.
            let mut broken = archive.clone();
            broken[middle] ^= 0x10;
            let error = npz::from_slice::<Arrays>(&broken).unwrap_err();
            assert_eq!(error.member(), Some("weights"), "{}: {error}", manner.name);
        }
    }
    // They are archives to others as well, so that the test is not one of our own invention.
    let script = r#"
import json, sys, zipfile
import numpy as np
for path in json.load(sys.stdin)["paths"]:
    with zipfile.ZipFile(path) as z:
        assert z.testzip() is None, path
        assert z.namelist() == ["weights.npy", "größe/λ.npy", "empty.npy"], z.namelist()
    arrays = np.load(path)
    assert arrays["größe/λ"].tolist() == [-1.0, 1.7976931348623157e308] and arrays["empty"].shape == (0,)
    print(path)
"#;
    if let Some(printed) = python(script, json!({"paths": paths}).to_string().as_bytes()) {
        assert_eq!(String::from_utf8(printed).unwrap().lines().count(), paths.len());
    }
}
