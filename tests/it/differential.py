"""Mutated headers, and what NumPy's reader makes of each.

Takes a seed and a number on the command line and known headers on stdin: JSON, a list of pairs of version and text.
Prints a line of JSON for each: the file in hexadecimal digits, and null or descr, shape, order and itemsize.
"""

import io
import json
import math
import random
import re
import struct
import sys
import warnings

import numpy as np
from numpy.lib import _format_impl as npy

warnings.simplefilter("ignore")

SEEDS = [
    "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }",
    "{'descr': '|S5', 'fortran_order': True, 'shape': (), }",
    "{'descr': '>M8[25us]', 'fortran_order': False, 'shape': (10,), }",
    "{'shape': (3L, 2L), 'fortran_order': False, 'descr': [(u'a', '<u2'), ('b', '|b1')]}",
    "{'descr': [('a', '<i4'), ('b', '<U3', (2,)), ('', '|V3'), ('c', [('x', '|i1'), ('y', '>c16')], (2, 1))], "
    "'fortran_order': False, 'shape': (5,), }",
    "{'descr': [(('T', 'a'), '<f4'), ((None, 'b'), ('<i2', (3,)), 2)], 'fortran_order': True, 'shape': (1, 1), }",
    "{'descr': [('\xe9', 'i4,(2,)f8'), ('x', '2u1, S3'), ('o', '|O')], 'fortran_order': False, 'shape': (0,), }\n",
    "{'descr': [('m', ('|S3', {'k': 'v'})), ('n', '<m8[2D/3]')], 'fortran_order': False, 'shape': (2,)}",
]

TYPES = [mark + kind for mark in ["", "<", ">", "|", "="] for kind in
         "b1 i1 i2 i4 i8 u1 u8 f2 f4 f8 f16 c8 c16 S S0 S7 U U0 U2 V V0 V4 O M8 m8 M8[D] m8[7ms] ? d L g a3 i3 f1 x4".split()]
TYPES += ["float64", "int", "bytes", "str", "datetime64[ns]", "timedelta64", "u2,u4", "3f4", "(2,3)i1", "i4,", ",i4", "()f4", "2S0",
          "M8[2D/3]", "M8[-1s]", "M8[0s]", "m8[generic]", "M8[3generic]", "M8[]", "f 8", "S-1", "S2147483648", "\x01", "\x0c", "T",
          "i4 ,f8", "O4", "", "|V2147483647", "f8\n", "u1,u1,u1", "<2>f4", "(2,)(3,)f4", "object", "void", "c", "\u03bcs"]
NUMBERS = ["0", "1", "2", "-1", "+3", "- 2", "0x10", "0b1", "0o7", "1_0", "007", "00", "3L", "2 L", "1LL", "1.5", "2j", "1+2j", "True",
           "9223372036854775807", "9223372036854775808", "4294967296", "1e3", "None", "-0", "(2)", "2147483648", "0_", "5l", "..."]
STRINGS = ["'a'", "'b'", '"a"', "u'a'", "b'a'", "r'a\\n'", "R'a'", "br'a'", "ur'a'", "f'a'", "'''a'''", "'a' 'b'", "''", "'T'", "'\\x41'",
           "'\\N{BULLET}'", "'\\ud800'", "'\\u03bb'", "'\\777'", "'it\\'s'", "'a\\\nb'", "'descr'", "'shape'", "'}'", "'#'", "'\xe9'", "'ab'"]
WORDS = ["'descr'", "'fortran_order'", "'shape'", "False", "True", "None", "...", "()", "[]", "{}", "{1}", "{'k': 'v'}", "(2,)", "[2]",
         "(1,) * 3", "dtype('f8')", "np.int64(3)", "\n", "\t", "\f", " ", "\\\n", "#c\n", "\r", "\r\n", "\x0b", ";", "*", "**{}", "\0", "L"]

TOKEN = re.compile(r"[A-Za-z]{0,2}(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")|\w+|\s+|.", re.DOTALL)


def quoted(text):
    return repr(text) if "\x00" not in text else "'a'"


def other(choose, token):
    """Another token in the place of one, of the same sort more often than not."""
    sort = choose.random()
    if sort < 0.2:
        return choose.choice(WORDS)
    if token[:1].isdigit() or sort < 0.35:
        return choose.choice(NUMBERS)
    if sort < 0.55:
        return choose.choice(STRINGS)
    if sort < 0.85:
        return quoted(choose.choice(TYPES))
    at = choose.randrange(len(token) + 1)
    return token[:at] + choose.choice("<>|=[](),'\"uUfVSM8012 \n\\\xe9L{}:-+.#/_") + token[at + choose.randrange(2):]


def gently(choose, tokens):
    """Other types, names and numbers in their places, most of which NumPy takes."""
    for _ in range(choose.choice([1, 2, 3])):
        at = choose.randrange(len(tokens))
        token = tokens[at]
        if not token or token.isspace():
            tokens[at] = choose.choice(["", " ", "\t", "\n", "#c\n", "\\\n", "\f", "\r\n"])
        elif token[0].isdigit():
            tokens[at] = choose.choice(NUMBERS)
        elif re.search("[<>|][a-zA-Z]|,", token) and len(token) > 3:
            tokens[at] = quoted(choose.choice(TYPES))
        elif token[-1] in "'\"" and len(token) < 6:
            tokens[at] = choose.choice(STRINGS)
    return "".join(tokens)


def mutated(choose):
    tokens = TOKEN.findall(choose.choice(SEEDS))
    if choose.random() < 0.5:
        return gently(choose, tokens)
    for _ in range(choose.choice([1, 1, 1, 2, 2, 3, 5])):
        at = choose.randrange(len(tokens))
        to = choose.randrange(len(tokens))
        operation = choose.randrange(10)
        if operation == 0:
            tokens[at], tokens[to] = tokens[to], tokens[at]
        elif operation == 1:
            del tokens[at]
        elif operation == 2:
            tokens.insert(at, tokens[at])
        elif operation == 3:
            tokens.insert(at, tokens[to])
        elif operation == 4:
            around = choose.choice(["()", "[]", "{}", ("(", ",)"), ("[", ",]"), ("((", "))"), ("('x', ", ")"), ("(", ", (2,))"), ("[('y', ", ")]")])
            tokens[at] = around[0] + tokens[at] + around[1]
        elif operation == 5:
            tokens.insert(at, other(choose, tokens[at]))
        elif operation == 6:
            # A part in the place of another.
            first, last = sorted([at, choose.randrange(len(tokens))])
            tokens[to:to + choose.randrange(3)] = tokens[first:min(last, first + 8)]
        else:
            tokens[at] = other(choose, tokens[at])
        if not tokens:
            break
    return "".join(tokens) + choose.choice(["", "\n", "  \n"])


def file(text, version):
    encoded = text.encode("latin1" if version < 3 else "utf8")
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(encoded)) + encoded


def descr(dtype):
    if dtype.subdtype:
        base, shape = dtype.subdtype
        return f"({descr(base)}, {shape!r})"
    return repr(npy.dtype_to_descr(dtype))


def numpy_reads(data):
    stream = io.BytesIO(data)
    try:
        version = npy.read_magic(stream)
        shape, fortran_order, dtype = npy._read_array_header(stream, version)
        answer = [descr(dtype), [int(length) for length in shape], fortran_order, dtype.itemsize]
        if any(length < 0 for length in shape):
            # Of a file, `fromfile` takes what is left, and the shape is worked out from that.
            return answer if sorted(shape)[0] == -1 and shape.count(-1) == 1 and 0 not in shape and not dtype.subdtype else None
        # Whether there can be such an array, without the memory for it: every element is the same.
        if dtype.itemsize <= 1 << 20:
            plain = np.dtype(f"V{dtype.itemsize}") if dtype.hasobject else dtype
            np.ndarray(shape, plain, buffer=bytes(dtype.itemsize), strides=(0,) * len(shape))
        # It loads as many elements as the shape has, and each is an array.
        if dtype.subdtype and 0 not in shape and math.prod(dtype.shape) != 1:
            return None
        return answer
    except Exception:
        return None


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    choose = random.Random(seed)
    known = [file(text, version) for version, text in json.load(sys.stdin)]
    for data in known:
        print(json.dumps([data.hex(), numpy_reads(data)]))
    while count:
        text, version = mutated(choose), choose.choice([1, 1, 2, 3])
        if choose.random() < 0.2:
            rows = ["".join(choose.choices(" \n\t\f\\#\r", k=choose.randrange(6))) for _ in range(2)]
            text = rows[0] + text + rows[1]
        # A divisor of 0 ends the process.
        if re.search(r"/[\s+-]*0*\D", text):
            continue
        try:
            data = file(text, version)
        except UnicodeEncodeError:
            continue
        print(json.dumps([data.hex(), numpy_reads(data)]))
        count -= 1


main()
