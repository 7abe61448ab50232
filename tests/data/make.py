#!/usr/bin/env python3
"""Writes every file under golden/, its MANIFEST.tsv, market_ticks.npy and labels.npy.

    python3 tests/data/make.py            writes the files and removes stale ones
    python3 tests/data/make.py --check    writes into a temporary folder and fails on any difference

NumPy 2 is all it needs. The same bytes come out of every run: values come from SHAKE-256 of the file's name, not from a
random generator whose stream may change with the version of NumPy.

MANIFEST.tsv (tab-separated, UTF-8, no quoting, one header line; one row per array) has these columns:

file           name in this folder
member         empty for the first array of a file, `[1]`, `[2]`... for those behind it
version        format version
descr          repr of numpy.lib.format.dtype_to_descr of the dtype that NumPy reads
fortran_order  as in the header
shape          as in the header
sha256         over the data in C order, in the file's byteorder, padding included; OBJECT for pickled data
itemsize       in bytes
canonical      yes if NumPy 2 prints the same header for what it read, so that writing it back gives the same bytes
reads          yes, or why a reader with default options refuses: object (pickled), long_double, bool (a byte that is
               neither 0 nor 1), text (no Unicode scalar value), utf-8 (`S` that is no UTF-8), limit (more
               elements without bytes than the default limit)
values         JSON of the values, where there are at most 64 and text can hold them: records as objects without their
               padding, axes as lists in C order, floats as repr of the double (or "nan", "inf", "-inf"), complex as
               [re, im], `S` as text (null if it is no UTF-8), `V` as a list of bytes, datetimes as
               numpy.datetime_as_string, timedeltas as ISO 8601 durations (an integer for the generic unit), NaT as null
"""

import hashlib
import io
import json
import struct
import sys
import tempfile
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np

try:
    # The private functions are the ones that know version 3.0 and any header size.
    from numpy.lib import _format_impl as npy
except ImportError:
    from numpy.lib import format as npy

HERE = Path(__file__).resolve().parent
UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]
COLUMNS = ["file", "member", "version", "descr", "fortran_order", "shape", "sha256", "itemsize", "canonical", "reads",
           "values"]
MAX_VALUES = 64

FILES = {}  # name -> bytes
ROWS = []


# Values that look like data and do not depend on a random generator.

class Source:
    """An endless stream of integers, determined by a name."""

    def __init__(self, name):
        self.name, self.block, self.bytes = name, 0, b""

    def take(self, count):
        while len(self.bytes) < count:
            self.bytes += hashlib.shake_256(f"{self.name}/{self.block}".encode()).digest(4096)
            self.block += 1
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def below(self, bound):
        return int.from_bytes(self.take(8), "little") % bound

    def between(self, low, high):
        return low + self.below(high - low + 1)


# So that a datetime stays where NumPy can print it.
TIME_RANGE = {"Y": 3000, "M": 30_000, "W": 150_000, "D": 10**6, "h": 10**7, "m": 10**9, "s": 10**11, "ms": 10**14,
              "us": 10**17}
WORDS = ["", "a", "ab", "bid", "café", "naïve", "Zürich", "Ωμέγα", "日本語", "𝄞 clef", "semi;colon", "it's", 'say "hi"',
         "back\\slash", "tab\tbed", "new\nline", "0", "ünï", "🦀", "e\u0301"]


def leaf(dtype, source, position):
    """One value for a scalar dtype; the first ones are the ends of its range."""
    kind, size = dtype.kind, dtype.itemsize
    if kind == "b":
        return bool(source.below(2))
    if kind in "iu":
        low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        ends = [high, low, 1, 0, high - 1, low + 1]
        return ends[position] if position < len(ends) else source.between(low, high)
    if kind == "f":
        return source.between(-4096, 4096) / 64 if size == 2 else source.between(-10**9, 10**9) / 1000
    if kind == "c":
        return complex(source.between(-10**6, 10**6) / 100, source.between(-10**6, 10**6) / 100)
    if kind == "S":
        word = WORDS[source.below(len(WORDS))].encode()
        # Cut between characters, since half a character is no UTF-8.
        return word[:size].decode(errors="ignore").encode()
    if kind == "U":
        return WORDS[source.below(len(WORDS))][: size // 4]
    if kind == "V":
        return source.take(size)
    if kind in "Mm":
        unit = np.datetime_data(dtype)[0]
        if position == 1:
            return "NaT"
        if kind == "M" and unit == "generic":
            return "NaT"
        top = TIME_RANGE.get(unit, 2**62) // max(np.datetime_data(dtype)[1], 1)
        # Zero only appears where every way to write a zero duration is PT0S.
        return source.between(-top, top) or 1
    raise TypeError(dtype)


def fill(view, source):
    """Sets every leaf of a view, and nothing of its padding."""
    if view.dtype.names is not None:
        for name in view.dtype.names:
            dtype, offset = view.dtype.fields[name][:2]
            # By offset, since NumPy refuses some names as an index.
            fill(view.getfield(dtype, offset), source)
        return
    if view.dtype.itemsize == 0:
        return
    for position, index in enumerate(np.ndindex(view.shape)):
        value = leaf(view.dtype, source, position)
        if view.dtype.kind in "Mm":
            integer = -2**63 if value == "NaT" else value
            # As an integer, since NumPy does not swap the bytes of a generic datetime that it assigns.
            view.view(view.dtype.str[0] + "i8")[index] = integer
        else:
            view[index] = value


def made(name, dtype, shape, order="C", padding=0):
    """An array of `dtype` with values from its name, and `padding` as every byte that belongs to no field."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    # A buffer of our own: NumPy's copies leave the padding as it was in memory.
    buffer = bytearray([padding]) * max(dtype.itemsize * count, 1)
    array = np.ndarray(shape, dtype, buffer, order=order)
    fill(array, Source(name))
    return array


# The columns of the manifest.

def duration(value, unit, count):
    value *= count
    sign = "-" if value < 0 else ""
    value = abs(value)
    if unit in ("Y", "M", "W", "D"):
        return f"{sign}P{value}{unit}"
    if unit in ("h", "m"):
        return f"{sign}PT{value}{unit.upper()}"
    digits = 3 * ["s", "ms", "us", "ns", "ps", "fs", "as"].index(unit)
    whole, part = divmod(value, 10**digits)
    fraction = f".{part:0{digits}}".rstrip("0") if part else ""
    return f"{sign}PT{whole}{fraction}S"


def real(value):
    value = float(value)
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return value


def plain(array):
    """The values as JSON has them."""
    if array.ndim:
        return [plain(array[i, ...]) for i in range(array.shape[0])]
    dtype = array.dtype
    if dtype.names is not None:
        return {name: plain(array.getfield(*dtype.fields[name][:2])) for name in dtype.names}
    if dtype.kind == "b":
        return bool(array)
    if dtype.kind in "iu":
        return int(array)
    if dtype.kind == "f":
        return real(array)
    if dtype.kind == "c":
        return [real(array.real), real(array.imag)]
    if dtype.kind == "S":
        try:
            return array.item().decode()
        except UnicodeDecodeError:
            return None
    if dtype.kind == "U":
        return array.item()
    if dtype.kind == "V":
        return list(array.tobytes())
    # Swapped as an integer: see `fill`.
    value = int(array.view(dtype.str[0] + "i8"))
    if value == -2**63:
        return None
    if dtype.kind == "M":
        return str(np.datetime_as_string(np.array(value, "i8").view(dtype.newbyteorder("="))))
    unit, count = np.datetime_data(dtype)
    return value if unit == "generic" else duration(value, unit, count)


def leaves(dtype):
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return int(np.prod(shape)) * leaves(base)
    if dtype.names is not None:
        return sum(leaves(dtype.fields[name][0]) for name in dtype.names)
    return 1


def c_order(data, dtype, shape, fortran_order):
    """The data in C order, as raw bytes, so that padding comes along."""
    if not fortran_order or dtype.itemsize == 0 or len(data) == 0:
        return data
    raw = np.frombuffer(data, np.dtype((np.void, dtype.itemsize)))
    return np.ascontiguousarray(raw.reshape(shape[::-1]).T).tobytes()


def describe(name, member, data, reads):
    """Adds the row of the array at the start of `data`, and returns how long it is."""
    stream = io.BytesIO(data)
    version = npy.read_magic(stream)
    shape, fortran_order, dtype = npy._read_array_header(stream, version, max_header_size=2**31)
    start = stream.tell()
    printed = io.BytesIO()
    try:
        npy._write_array_header(
            printed, {"descr": npy.dtype_to_descr(dtype), "fortran_order": fortran_order, "shape": shape}, version)
    except UnicodeEncodeError:
        pass  # escaped names that the version cannot hold without the escape
    row = {"file": name, "member": member, "version": f"{version[0]}.{version[1]}",
           "descr": repr(npy.dtype_to_descr(dtype)), "fortran_order": repr(fortran_order), "shape": repr(shape),
           "itemsize": str(dtype.itemsize), "canonical": "yes" if printed.getvalue() == data[:start] else "no",
           "reads": reads, "values": ""}
    size = int(np.prod(shape, dtype=np.int64))
    end = start + size * dtype.itemsize
    if dtype.hasobject:
        assert reads == "object", name
        row["sha256"] = "OBJECT"
        end = len(data)
    else:
        assert end <= len(data), name
        row["sha256"] = hashlib.sha256(c_order(data[start:end], dtype, shape, fortran_order)).hexdigest()
        loaded = npy.read_array(io.BytesIO(data), max_header_size=2**31)
        assert (loaded.dtype, loaded.shape) == (dtype, shape), name
        # NumPy's copies leave padding as it was in memory.
        if "('', '|V" not in row["descr"]:
            assert hashlib.sha256(np.ascontiguousarray(loaded).tobytes()).hexdigest() == row["sha256"], name
        # As text, a code point above U+10FFFF does not even get into Python.
        if size * leaves(dtype) <= MAX_VALUES and size <= MAX_VALUES and reads not in ("text", "bool"):
            array = np.ndarray(shape, dtype, bytearray(data[start:end] or b"\0"), order="F" if fortran_order else "C")
            row["values"] = json.dumps(plain(array), separators=(",", ":"), allow_nan=False)
    ROWS.append(row)
    return end


def put(name, data, reads="yes"):
    assert name not in FILES, name
    FILES[name] = data
    start, position = 0, 0
    while start < len(data):
        start += describe(name, f"[{position}]" if position else "", data[start:], reads)
        position += 1


def saved(array, version=None):
    """The bytes that NumPy's own writer gives."""
    stream = io.BytesIO()
    npy.write_array(stream, array, version)
    return stream.getvalue()


def save(name, array, version=None, reads="yes"):
    put(f"{name}.npy", saved(array, version), reads)


def make(name, dtype, shape=(3,), order="C", version=None, padding=0, reads="yes"):
    save(name, made(name, dtype, shape, order, padding), version, reads)


def preamble(text, version=(1, 0), align=64, end=b"\n"):
    """A header text with what stands before and behind it, aligned as old and new writers do."""
    text = text.encode("utf8" if version == (3, 0) else "latin1")
    before = 10 if version == (1, 0) else 12
    spaces = -(before + len(text) + len(end)) % align
    length = len(text) + spaces + len(end)
    packed = struct.pack("<H" if version == (1, 0) else "<I", length)
    return npy.magic(*version) + packed + text + b" " * spaces + end


def craft(name, text, data, reads="yes", **how):
    """A file with a header that NumPy reads but does not write."""
    put(f"{name}.npy", preamble(text, **how) + data, reads)


def header(descr, fortran_order, shape):
    return f"{{'descr': {descr}, 'fortran_order': {fortran_order}, 'shape': {shape}, }}"


def shape_name(shape):
    return "x".join(map(str, shape)) if shape else "0d"


# The files.

def scalars():
    one_byte = ["|b1", "|i1", "|u1"]
    wider = [f"{order}{code}" for code in ["i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
             for order in "<>"]
    for typestring in one_byte + wider:
        for shape, order in [((), "C"), ((7,), "C"), ((3, 2), "F")]:
            make(scalar_name(typestring, shape, order), typestring, shape, order)
        if not typestring.startswith(">"):
            make(scalar_name(typestring, (2, 3), "C"), typestring, (2, 3))
    for typestring in ["<i4", ">f8", "<U3", "|S2", "|V3", "<M8[s]"]:
        for shape, order in [((1,), "C"), ((0,), "C"), ((3, 0), "C"), ((0, 3), "F"), ((2, 0, 2), "C"), ((1, 1), "C"),
                             ((2, 3, 4), "C"), ((2, 2, 2, 3), "C"), ((3, 1, 2, 2), "F"), ((1, 4), "F")]:
            make(scalar_name(typestring, shape, order), typestring, shape, order)
    for typestring in ["|S0", "|S1", "|S5", "|S16", "<U0", "<U1", ">U1", "<U7", ">U7", "|V0", "|V1", "|V2", "|V16"]:
        for shape, order in [((), "C"), ((2, 2), "F")]:
            make(scalar_name(typestring, shape, order), typestring, shape, order)
    # More axes than anyone uses, up to NumPy's 64.
    make("i2-le-16-axes", "<i2", (1, 2) * 2 + (1,) * 12)
    make("u1-64-axes-F", "|u1", (1,) * 62 + (2, 3), "F")


def scalar_name(typestring, shape, order):
    mark = {"<": "-le", ">": "-be", "|": ""}[typestring[0]]
    code = typestring[1:].replace("[", "-").replace("]", "")
    return f"{code}{mark}-{shape_name(shape)}{'-F' if order == 'F' else ''}"


def times():
    for kind in "Mm":
        for position, unit in enumerate(UNITS):
            order = "<>"[position % 2]
            make(scalar_name(f"{order}{kind}8[{unit}]", (5,), "C"), f"{order}{kind}8[{unit}]", (5,))
        for data in ["25us", "7s", "10D", "3M", "2Y", "15m", "100ns", "2W"]:
            make(scalar_name(f"<{kind}8[{data}]", (5,), "C"), f"<{kind}8[{data}]", (5,))
        make(f"{kind}8-generic", f"<{kind}8", (3,))
        make(f"{kind}8-generic-be", f">{kind}8", (3,))
        save(f"{kind}8-ns-0d-NaT", np.array("NaT", f"<{kind}8[ns]"))
    # The calendar: leap days, years before 1 and after 9999, the instants around the epoch, the ends of the range.
    days = ["1970-01-01", "1969-12-31", "2000-02-29", "1900-02-28", "0000-01-01", "-0001-12-31", "12345-06-07", "NaT"]
    for unit in "YMD":
        save(f"M8-{unit}-calendar", np.array(days, f"<M8[{unit}]"))
    instants = ["1970-01-01T00:00:00", "1969-12-31T23:59:59", "2038-01-19T03:14:08", "2262-04-11T23:47:16", "NaT"]
    for unit in ["h", "s", "ms", "ns"]:
        save(f"M8-{unit}-instants", np.array(instants, f"<M8[{unit}]"))
    save("M8-ns-ends", np.array([-2**63 + 1, 2**63 - 1, -1, 1], "<i8").view("<M8[ns]"))
    save("M8-as-ends", np.array([-2**63 + 1, 2**63 - 1, -1, 1], "<i8").view("<M8[as]"))
    save("m8-ms-round", np.array([0, 5, -5, 1000, -1500, 90_061_001], "<i8").view("<m8[ms]"))
    save("m8-s-ends", np.array([-2**63 + 1, 2**63 - 1, -1, 0], "<i8").view("<m8[s]"))


def specials():
    bits = {"f2": [0x0000, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0xFE01, 0x0001, 0x8001, 0x03FF, 0x0400, 0x7BFF, 0x3555],
            "f4": [0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x00000001, 0x80000001,
                   0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x3DCCCCCD],
            "f8": [0x0000000000000000, 0x8000000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000,
                   0xFFF8000000000001, 0x0000000000000001, 0x8000000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000,
                   0x7FEFFFFFFFFFFFFF, 0x3FB999999999999A]}
    for code, patterns in bits.items():
        for order, mark in (("<", "le"), (">", "be")):
            array = np.array(patterns, f"{order}u{code[1]}").view(f"{order}{code}")
            save(f"special-{code}-{mark}", array)
    for code, base in (("c8", "f4"), ("c16", "f8")):
        array = np.array(bits[base], f"<u{base[1]}").view(f"<{code}")
        save(f"special-{code}", array)
    for code in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]:
        info = np.iinfo(code)
        save(f"extreme-{code}", np.array([info.min, info.max, 0, 1], f">{code}"))
    save("f8-exact-integers", np.array([2.0**53, 2.0**53 + 2, -2.0**53, 2.0**63, 1e308], "<f8"))
    save("i8-around-2-53", np.array([2**53 - 1, 2**53, 2**53 + 1, -2**53 - 1], "<i8"))

    save("S-interior-NUL", np.array([b"a\0b", b"\0", b"\0\0x", b"end\0"], "|S4"))
    save("U-interior-NUL", np.array(["a\0b", "\0", "\0\0x", "end\0"], "<U4"))
    save("U-non-BMP-le", np.array(["🦀", "𝄞𝄢", "\U0010ffff", "e\u0301", "\ufeff", "\ufffe"], "<U2"))
    save("U-non-BMP-be", np.array(["🦀", "𝄞𝄢", "\U0010ffff", "e\u0301", "\ufeff", "\ufffe"], ">U2"))
    save("S-UTF-8", np.array(["é".encode(), "日本".encode(), "🦀".encode(), b""], "|S6"))
    save("S-not-UTF-8", np.array([b"caf\xe9", b"ok", b"\xff\xfe", b"\xc3"], "|S4"), reads="utf-8")
    save("S-not-UTF-8-record", np.array([(1, b"\xe9")], [("id", "<i4"), ("name", "|S2")]), reads="utf-8")
    for mark, order in (("le", "<"), ("be", ">")):
        code_points = np.array([0x61, 0xD800, 0x62, 0x63], f"{order}u4").tobytes()
        put(f"U-lone-surrogate-{mark}.npy", saved(np.frombuffer(code_points, f"{order}U2")), reads="text")
    code_points = np.array([0x110000, 0x61], "<u4").tobytes()
    put("U-above-10FFFF.npy", saved(np.frombuffer(code_points, "<U2")), reads="text")
    put("b1-byte-2.npy", saved(np.frombuffer(b"\0\1\2\xff", "|b1")), reads="bool")


def records():
    tick = [("time", "<M8[ns]"), ("price", "<f8"), ("size", "<u4")]
    inner = [("x", "<f4"), ("y", "<f4")]
    make("record-packed", tick, (4,))
    make("record-0d", tick, ())
    make("record-zero-rows", tick, (0,))
    make("record-2d-C", tick, (2, 3))
    make("record-2d-F", tick, (2, 3), "F")
    make("record-one-field", [("only", "<i4")], (3,))
    make("record-one-row", [("a", "<i4"), ("b", "|u1")], (1,))
    make("record-3d-F-subarray", [("m", "<i2", (2, 2)), ("n", "|i1")], (2, 1, 2), "F")
    make("record-2d-F-subarray", [("v", "<f4", (3,)), ("label", "<U2"), ("n", "|u1")], (2, 2), "F")
    make("record-every-kind", [("b", "|b1"), ("i", "<i2"), ("u", ">u8"), ("f", "<f2"), ("c", "<c8"), ("s", "|S5"),
                               ("t", "<U3"), ("v", "|V3"), ("when", "<M8[ms]"), ("span", "<m8[m]")], (3,))
    make("record-mixed-byteorder", [("a", "<i4"), ("b", ">i4"), ("c", "<f8"), ("d", ">f8"), ("e", ">U2")], (3,))
    make("record-big-endian", [("a", ">i2"), ("b", ">f4"), ("c", ">c16"), ("d", ">M8[D]")], (3,))
    make("record-bool-and-text", [("ok", "|b1"), ("code", "|S4"), ("name", "<U6")], (5,))

    # Padding, poisoned so that a reader that takes it for data is found out.
    gaps = [("flag", "|u1"), ("value", "<f8"), ("count", "<i2"), ("end", "|b1")]
    aligned = np.dtype(gaps, align=True)
    for padding in (0x00, 0xAA):
        make(f"gap-aligned-{padding:02x}", aligned, (3,), padding=padding)
    make("gap-aligned-2d-F", aligned, (2, 2), "F", padding=0xAA)
    whole = made("gap-dropped-columns", [("a", "<i4"), ("b", "|S3"), ("c", "<f8"), ("d", "<i2")], (3,))
    save("gap-dropped-columns", whole[["a", "c"]])
    save("gap-dropped-first", whole[["b", "d"]])
    save("gap-dropped-to-the-end", whole[["b"]])
    # NumPy saves reordered columns under a descr that says another thing than what their offsets are; it refuses
    # to give one at all, so there is no file of that.
    make("gap-trailing", np.dtype({"names": ["a"], "formats": ["<i4"], "itemsize": 16}), (3,), padding=0xAA)
    make("gap-leading", np.dtype({"names": ["a"], "formats": ["<i4"], "offsets": [5], "itemsize": 9}), (3,),
         padding=0xAA)
    everywhere = np.dtype({"names": ["a", "b", "v", "c"], "formats": ["|u1", "<f4", "|V3", "<i2"],
                           "offsets": [0, 4, 9, 12], "itemsize": 19})
    make("gap-everywhere", everywhere, (3,), padding=0xAA)
    make("gap-in-nested", [("id", "<i4"), ("in", everywhere), ("m", everywhere, (2,))], (2,), padding=0xAA)
    make("gap-only", np.dtype({"names": [], "formats": [], "itemsize": 8}), (3,), padding=0xAA)

    make("nested-two", [("id", "<i4"), ("p", inner)], (3,))
    make("nested-three", [("a", [("b", [("c", "<i2"), ("d", "|S2")]), ("e", "|u1")]), ("f", "<f4")], (3,))
    make("nested-aligned", np.dtype([("flag", "|u1"), ("p", np.dtype([("k", "|i1"), ("x", "<f8")], align=True))],
                                    align=True), (2,), padding=0xAA)
    make("nested-list-of-records", [("points", inner, (3,)), ("n", "|u1")], (2,))
    make("nested-matrix-of-records", [("grid", inner, (2, 2))], (2,))
    deep = np.dtype("<i2")
    for _ in range(20):
        deep = np.dtype([("in", deep)])
    make("nested-twenty-deep", deep, (2,))

    make("subarray-1d", [("v", "<f8", (3,)), ("n", "<i4")], (2,))
    make("subarray-2d", [("m", ">i2", (2, 3))], (2,))
    make("subarray-3d", [("cube", "|u1", (2, 1, 3))], (2,))
    make("subarray-one", [("v", "<f8", (1,))], (2,))
    make("subarray-of-subarray", [("c", np.dtype(("<f8", (5,))), (2,))], (2,))
    make("subarray-of-zero", [("a", "<i4", (4, 0, 4)), ("b", "|u1")], (3,))
    make("subarray-of-zero-only", [("a", "<i4", (0,))], (3,))
    make("subarray-of-strings", [("names", "<U3", (2,)), ("codes", "|S2", (2, 2))], (2,))
    make("subarray-of-bools", [("mask", "|b1", (5,))], (3,))
    make("subarray-of-times", [("span", "<M8[s]", (2,))], (3,))

    make("title-some", np.dtype([(("the price", "px"), "<f8"), ("n", "<i4")]), (2,))
    make("title-all", np.dtype([(("T", "a"), "<u2"), (("größe", "b"), "<f4"), (("it's", "c"), "|S2")]), (2,))
    make("title-nested", np.dtype([(("outer", "o"), [(("inner", "i"), "<i4")])]), (2,))
    make("title-subarray", np.dtype([(("row", "r"), "<i2", (2,))]), (2,))

    for name, names in {
        "name-no-identifier": ["1st", "a b", "a-b", "class", "a.b", "x[0]", "%", " "],
        "name-header-keys": ["descr", "fortran_order", "shape"],
        "name-quotes": ["it's", 'say "x"', "both ' and \"", "back\\slash", "\\n"],
        "name-control": ["tab\t", "new\nline", "\r", "nul\0in", "\x7f"],
        "name-brackets": ["}", "{'a': 1}", "# no comment", "(", "', '"],
        "name-latin-1": ["é", "prix_€"[:4] + "_ü", "ÿ"],
        "name-unicode": ["λ", "日本", "🦀", "naïve"],
        "name-case": ["A", "a", "Aa", "aA"],
        "name-slash": ["blob/shape", "../up", "a:b"],
        "name-numeric": ["0", "1", "10"],
        "name-nbsp": ["a\xa0b", "\xad"],
    }.items():
        make(name, [(each, "<i2") for each in names], (2,))
    # repr escapes what is not printable even in version 3.
    make("name-escaped-unicode", [("\u200b", "<i2"), ("\ue000", "<i2"), ("λ", "<i2")], (1,))
    make("name-long", [("n" * 500, "<i2")], (2,))

    make("zero-width-strings", [("s", "|S0"), ("u", "<U0"), ("v", "|V0"), ("n", "|u1")], (3,))
    make("zero-width-record", [("s", "|S0"), ("u", "<U0")], (3,))
    make("no-fields", np.dtype([]), (3,))
    make("no-fields-nested", [("a", "<i4"), ("none", np.dtype([]))], (2,))


def versions():
    record = [("a", "<i4"), ("b", "|S2")]
    for version in [(1, 0), (2, 0), (3, 0)]:
        make(f"version-{version[0]}-f8", "<f8", (3,), version=version)
        make(f"version-{version[0]}-0d", "|u1", (), version=version)
        make(f"version-{version[0]}-record", record, (2,), version=version)
        make(f"version-{version[0]}-F", ">i2", (2, 3), "F", version=version)
    make("version-2-latin-1", [("é", "<i4")], (2,), version=(2, 0))
    make("version-3-latin-1", [("é", "<i4")], (2,), version=(3, 0))
    wide = [(f"column {number:04} of a table that is wider than one would like", "|u1") for number in range(1000)]
    make("version-2-forced", wide, (1,))
    make("version-3-forced", wide[:999] + [("λ", "|u1")], (1,))
    # The padding is 1 to 64 bytes, never 0: names of every length around a multiple of 64.
    for length in range(27, 33):
        make(f"padding-name-{length}", [("n" * length, "|u1")], (1,))
    make("shape-digits", "|V0", (12_345_678, 9, 1), reads="limit")
    make("shape-digits-F", "|V0", (9, 12_345_678), "F", reads="limit")


def crafted():
    four = np.arange(1, 5, dtype="<i4").tobytes()
    # Headers as other writers and older versions of NumPy and Python make them.
    craft("crafted-align-16", header("'<i4'", False, "(4,)"), four, align=16)
    craft("crafted-align-1-no-newline", header("'<i4'", False, "(4,)"), four, align=1, end=b"")
    craft("crafted-python-2-long", header("'<i4'", False, "(4L,)"), four)
    craft("crafted-python-2-unicode", header("[(u'a', '<i4')]", False, "(4,)"), four)
    craft("crafted-key-order", "{'shape': (4,), 'fortran_order': False, 'descr': '<i4'}", four)
    craft("crafted-double-quotes", '{"descr": "<i4", "fortran_order": False, "shape": (4,)}', four)
    craft("crafted-no-spaces", "{'descr':'<i4','fortran_order':False,'shape':(4,)}", four)
    craft("crafted-lines", "{\n 'descr': '<i4', # the type\n 'fortran_order': False,\r\n 'shape': (4,),\n}", four)
    craft("crafted-key-twice", "{'descr': '<f8', 'descr': '<i4', 'fortran_order': False, 'shape': (4,)}", four)
    craft("crafted-hex-shape", header("'<i4'", False, "(0x2, 0b10)"), four)
    craft("crafted-adjacent-strings", header("'<' 'i4'", False, "(4,)"), four)
    craft("crafted-F-one-axis", header("'<i4'", True, "(4,)"), four)
    craft("crafted-F-0d", header("'<i4'", True, "()"), four[:4])
    for name, typestring in {"no-mark": "i4", "equal-mark": "=i4", "bar-mark": "|i4", "name": "int32", "code": "i"}.items():
        craft(f"crafted-typestring-{name}", header(f"'{typestring}'", False, "(4,)"), four)
    craft("crafted-typestring-comma", header("'i2,(2,)u1'", False, "(4,)"), four)
    craft("crafted-time-default-unit", header("'<M8[1ns]'", False, "(2,)"), four)
    # The tab after the dict is not NumPy's, but it reads it.
    craft("crafted-tab", header("'<i4'", False, "(4,)") + "\t", four)

    craft("crafted-empty-name", header("[('a', '<i2'), ('', '<i2')]", False, "(4,)"), four)
    craft("crafted-empty-name-first", header("[('', '<i2'), ('b', '<i2')]", False, "(4,)"), four)
    craft("crafted-empty-name-record", header("[('', [('x', '<i2')]), ('b', '<i2')]", False, "(4,)"), four)
    craft("crafted-shape-integer", header("[('a', '|u1', 4)]", False, "(4,)"), four)
    craft("crafted-shape-list", header("[('a', '|u1', [2, 2])]", False, "(4,)"), four)
    craft("crafted-shape-none", header("[('a', '<i4', ())]", False, "(4,)"), four)
    craft("crafted-shape-one", header("[('a', '<i4', (1,))]", False, "(4,)"), four)
    craft("crafted-title-none", header("[((None, 'a'), '<i4')]", False, "(4,)"), four)
    craft("crafted-pad-in-middle", header("[('a', '|u1'), ('', '|V1'), ('', '|V1'), ('b', '|u1')]", False, "(4,)"), four)
    craft("crafted-void-subarray-pad", header("[('a', '|u1'), ('', '|V1', (3,))]", False, "(4,)"), four)
    craft("crafted-empty-name-subarray-pad", header("[('a', '<i2'), ('', '|i1', (2,))]", False, "(4,)"), four)
    craft("crafted-empty-name-record-array-pad", header("[('', [('x', '|i1')], (2,)), ('b', '<i2')]", False, "(4,)"), four)
    craft("crafted-name-escape", header(r"[('\u03bb\x41', '<i4')]", False, "(4,)"), four)

    # x87's 80 bits in 16 bytes: 1.0, -2.5, 0.0, 65536.125, infinity, NaN.
    long_doubles = b"".join(struct.pack("<QH6x", mantissa, exponent) for mantissa, exponent in [
        (1 << 63, 0x3FFF), (5 << 61, 0xC000), (0, 0), (0x8000100000000000, 0x400F), (1 << 63, 0x7FFF),
        (3 << 62, 0x7FFF)])
    craft("long-double", header("'<f16'", False, "(6,)"), long_doubles, reads="long_double")
    craft("long-double-complex", header("'<c32'", False, "(3,)"), long_doubles, reads="long_double")
    rows = b"".join(struct.pack("<i", row) + long_doubles[16 * row:][:16] for row in range(4))
    craft("long-double-record", header("[('id', '<i4'), ('x', '<f16')]", False, "(4,)"), rows, reads="long_double")
    # What the 8-byte extension types of other packages leave in a header.
    craft("bfloat16-as-void", header("'<V2'", False, "(4,)"), bytes.fromhex("803f0040c0bf0000"))


def objects():
    save("object-mixed", np.array([1, "two", None, [3.0]], dtype=object), reads="object")
    save("object-0d", np.array({"key": (1, 2)}, dtype=object), reads="object")
    save("object-record", np.array([(1, "a"), (2, None)], [("id", "<i4"), ("who", "|O")]), reads="object")
    save("object-nested", np.array([((1, "a"),)], [("in", [("id", "<i4"), ("who", "|O")])]), reads="object")
    save("object-F", np.asfortranarray(np.array([[1, "b"], ["c", 4]], dtype=object)), reads="object")
    save("object-StringDType", np.array(["short", "a much longer text", ""], dtype=np.dtypes.StringDType()),
         reads="object")


def back_to_back():
    parts = [made("part-0", "<f8", (3,)), made("part-1", [("a", "<i2"), ("b", "<U2")], (2,)),
             made("part-2", "|b1", ()), made("part-3", ">i4", (2, 2), "F"), made("part-4", "<i8", (0,))]
    put("several-arrays.npy", b"".join(map(saved, parts)))
    put("several-versions.npy", b"".join(saved(parts[0], version) for version in [(2, 0), (1, 0), (3, 0)]))


def market_ticks():
    """Half an hour of trades in two symbols, in the order of their times."""
    source = Source("market_ticks")
    count = 4000
    ticks = np.zeros(count, [("time", "<M8[ns]"), ("price", "<f8"), ("size", "<u4"), ("flags", "<u2"),
                             ("side", "|u1"), ("symbol", "<U8")])
    symbols = [["ACME", 18_742], ["GLOBEX", 5_310]]
    start = int(np.datetime64("2026-03-02T14:30:00", "ns").astype(np.int64))
    steps = []
    for _ in range(count):
        # Trades come in bursts: most gaps are short, a few are long.
        steps.append(source.between(1, 1000) ** 3 * (20 if source.below(12) == 0 else 1))
    scale = Fraction(30 * 60 * 10**9, sum(steps))
    elapsed = 0
    for position in range(count):
        elapsed += steps[position]
        quote = symbols[0 if source.below(10) < 7 else 1]
        side = source.below(2)
        # The price goes with the side that takes: 0 buys, 1 sells.
        quote[1] += (1, -1)[side] * max(source.between(-4, 3), 0)
        odd = source.below(5) == 0
        size = source.between(1, 99) if odd else 100 * source.between(1, 1 + source.below(12))
        flags = (1 if odd else 0) | (2 if source.below(40) == 0 else 0) | (4 if position < 2 else 0)
        ticks[position] = (start + int(elapsed * scale), quote[1] / 100, size, flags, side, quote[0])
    return saved(ticks)


def labels():
    return saved(np.array([["ask", "bid"], ["größe", "日本"]], dtype=object))


def everything():
    scalars()
    times()
    specials()
    records()
    versions()
    crafted()
    objects()
    back_to_back()
    ROWS.sort(key=lambda row: row["file"])
    lines = ["\t".join(COLUMNS)] + ["\t".join(row[column] for column in COLUMNS) for row in ROWS]
    assert all(line.count("\t") == len(COLUMNS) - 1 and "\n" not in line for line in lines)
    files = {f"golden/{name}": data for name, data in FILES.items()}
    files["golden/MANIFEST.tsv"] = ("\n".join(lines) + "\n").encode()
    files["market_ticks.npy"] = market_ticks()
    files["labels.npy"] = labels()
    return files


def write(files, folder):
    golden = folder / "golden"
    golden.mkdir(parents=True, exist_ok=True)
    for old in golden.iterdir():
        if f"golden/{old.name}" not in files:
            old.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)


def comparable(name, data):
    """A pickle's bytes belong to the version of Python that wrote it; of those files the header counts."""
    if name.startswith("golden/object-") or name == "labels.npy":
        return data[: 10 + struct.unpack("<H", data[8:10])[0]]
    return data


def check(files, folder):
    there = {f"golden/{path.name}" for path in (folder / "golden").iterdir()} | {"market_ticks.npy", "labels.npy"}
    wrong = [f"{name}: not written by this script" for name in sorted(there - files.keys())]
    for name, data in sorted(files.items()):
        path = folder / name
        if not path.exists():
            wrong.append(f"{name}: missing")
        elif comparable(name, path.read_bytes()) != comparable(name, data):
            wrong.append(f"{name}: differs")
    return wrong


def main(arguments):
    if int(np.__version__.split(".")[0]) < 2:
        sys.exit(f"expected NumPy 2 or newer, found {np.__version__}")
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    warnings.simplefilter("ignore")
    files = everything()
    if not arguments:
        write(files, HERE)
        print(f"{len(files)} files, {sum(map(len, files.values()))} bytes")
        return
    with tempfile.TemporaryDirectory() as folder:
        write(files, Path(folder))
        again = {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
    wrong = check(again, HERE)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(files)} files are as this script writes them")


if __name__ == "__main__":
    main(sys.argv[1:])
