"""Random arrays of random dtypes, saved by NumPy; a line of JSON for each says what NumPy reads in it.

The input is JSON: the folder to write to, the folder of make.py, a seed and the number of arrays.
"""
import json
import random
import struct
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
task = json.load(sys.stdin)
sys.path.insert(0, task["data"])
import make

chance = random.Random(task["seed"])
NAMES = ["a", "b", "x", "price", "time", "Ünï", "λ", "日本", "a b", "1st", "it's", 'say "x"', "shape", "descr", "f0", "}", "\\n",
         "tab\t", "class", "e\u0301"]
CODES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def time_dtype(order):
    kind = chance.choice("Mm")
    if chance.random() < 0.1:
        return np.dtype(f"{order}{kind}8")
    count = chance.choice(["", "", "", str(chance.randint(2, 50))])
    return np.dtype(f"{order}{kind}8[{count}{chance.choice(make.UNITS)}]")


def scalar(empty):
    order = chance.choice("<>")
    least = 0 if empty and chance.random() < 0.2 else 1
    pick = chance.random()
    if pick < 0.55:
        return np.dtype(order + chance.choice(CODES))
    if pick < 0.7:
        return time_dtype(order)
    width = chance.randint(least, 6)
    return np.dtype(chance.choice([f"{order}U{width}", f"|S{width}", f"|V{width}"]))


def subarray(base):
    shape = tuple(chance.choice([1, 2, 3, 3, 0] if chance.random() < 0.1 else [1, 2, 3]) for _ in range(chance.randint(1, 3)))
    return np.dtype((base, shape))


def field(depth):
    if depth and chance.random() < 0.3:
        dtype = record(depth - 1)
        # A record without bytes is no base of a subarray that NumPy would load.
        if dtype.itemsize == 0:
            return dtype
    else:
        dtype = scalar(empty=True)
    if chance.random() < 0.3 and dtype.itemsize:
        dtype = subarray(dtype)
        if chance.random() < 0.15 and dtype.itemsize:
            dtype = np.dtype((dtype, (2,)))
    return dtype


def record(depth):
    count = chance.choice([0] + [1, 2, 3, 4, 5, 6] * 3)
    names = chance.sample(NAMES, count)
    formats = [field(depth) for _ in names]
    pick = chance.random()
    if pick < 0.4:
        return np.dtype(list(zip(names, formats)))
    if pick < 0.5:
        return np.dtype([((f"title of {name}", name), dtype) for name, dtype in zip(names, formats)])
    if pick < 0.6 and count:
        return np.dtype({"names": names, "formats": formats}, align=True)
    offsets, end = [], 0
    for dtype in formats:
        end += chance.choice([0, 0, 0, 1, 3, 8])
        offsets.append(end)
        end += dtype.itemsize
    itemsize = end + chance.choice([0, 0, 1, 5])
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": itemsize})


def integer(size):
    bits = 8 * size
    return chance.choice([0, 1, 2**bits - 1, 2 ** (bits - 1), 2 ** (bits - 1) - 1] + [chance.getrandbits(bits)] * 6)


def float_bits(size):
    if chance.random() < 0.5:
        return chance.getrandbits(8 * size)
    code = {2: "<e", 4: "<f", 8: "<d"}[size]
    value = chance.choice([0.0, -0.0, 1.5, float("nan"), float("inf"), float("-inf"), chance.uniform(-1000, 1000)])
    return int.from_bytes(struct.pack(code, value), "little")


def time(dtype):
    unit, count = np.datetime_data(dtype)
    if chance.random() < 0.15 or (dtype.kind == "M" and unit == "generic"):
        return 2**63
    if dtype.kind == "m":
        return integer(8)
    top = make.TIME_RANGE.get(unit, 2**62) // count
    return chance.randint(-top, top) % 2**64


def character():
    return chr(chance.choice([chance.randint(1, 127), chance.randint(128, 0xD7FF), chance.randint(0xE000, 0x10FFFF), 0]))


def element(dtype, utf8):
    """The bytes of one element; what no field has is 0xAA or 0."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return b"".join(element(base, utf8) for _ in range(int(np.prod(shape))))
    if dtype.names is not None:
        data = bytearray([padding]) * dtype.itemsize
        for name in dtype.names:
            part, offset = dtype.fields[name][:2]
            data[offset:offset + part.itemsize] = element(part, utf8)
        return bytes(data)
    kind, size = dtype.kind, dtype.itemsize
    order = "big" if dtype.str[0] == ">" else "little"
    if kind == "b":
        return bytes([chance.getrandbits(1)])
    if kind in "iu":
        return integer(size).to_bytes(size, order)
    if kind == "f":
        return float_bits(size).to_bytes(size, order)
    if kind == "c":
        return b"".join(float_bits(size // 2).to_bytes(size // 2, order) for _ in range(2))
    if kind in "Mm":
        return time(dtype).to_bytes(8, order)
    if kind == "U":
        text = "".join(character() for _ in range(chance.randint(0, size // 4)))
        return text.encode(f"utf-32-{order[0]}e").ljust(size, b"\0")
    if kind == "S" and utf8:
        text = "".join(character() for _ in range(size)).encode()[:size].decode(errors="ignore")
        return text.encode().ljust(size, b"\0")
    return chance.randbytes(size)


def plain(array):
    """As `make.plain`, but for bytes that are no UTF-8."""
    if array.ndim == 0 and array.dtype.names is None and array.dtype.kind == "S":
        return array.item().decode(encoding)
    return of_make(array)


of_make, make.plain = make.plain, plain

for position in range(task["count"]):
    dtype = scalar(empty=chance.random() < 0.3) if chance.random() < 0.35 else record(3)
    shape = tuple(chance.choice([1, 2, 3, 4, 0] if chance.random() < 0.2 else [1, 2, 3, 4]) for _ in range(chance.randint(0, 4)))
    while shape and np.prod(shape) * make.leaves(dtype) > 1000:
        shape = shape[1:]
    size = int(np.prod(shape))
    padding = chance.choice([0, 0xAA])
    encoding = chance.choice(["utf-8", "latin-1"])
    data = b"".join(element(dtype, encoding == "utf-8") for _ in range(size))
    array = np.ndarray(shape, dtype, bytearray(data or b"\0"), order=chance.choice("CF"))
    path = f"{task['folder']}/{position}.npy"
    # Not by `numpy.save`, which copies an array that is not contiguous, and its padding with it.
    with open(path, "wb") as file:
        np.lib.format.write_array(file, array)
    loaded = np.load(path, max_header_size=2**31)
    with open(path, "rb") as file:
        version = make.npy.read_magic(file)
        header = make.npy._read_array_header(file, version, max_header_size=2**31)
    print(json.dumps({
        "version": f"{version[0]}.{version[1]}",
        "descr": repr(np.lib.format.dtype_to_descr(loaded.dtype)),
        "shape": header[0],
        "fortran_order": header[1],
        "encoding": encoding,
        "values": plain(loaded),
    }, allow_nan=False))
