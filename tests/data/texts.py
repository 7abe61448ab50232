"""What NumPy makes of dtype strings and header texts: writes texts.json beside this file.

Run by hand with NumPy 2 on 64-bit little-endian Linux; never edit the result.
"""

import io
import itertools
import json
import pathlib
import struct
import warnings

import numpy as np
from numpy.lib import format as npy

warnings.simplefilter("ignore")


def descr(dtype):
    """The descr as NumPy prints it; of a subarray, as a pair."""
    if dtype.subdtype:
        base, shape = dtype.subdtype
        return f"({descr(base)}, {shape!r})"
    return repr(npy.dtype_to_descr(dtype))


def of_string(text):
    try:
        return descr(np.dtype(text))
    except Exception:
        return None


def typestrings():
    kinds = "?bBhHiIlLqQnNpPefdgFDGcSUVOMmaACEJKRTWXYZjkrstuvwxyz"
    texts = [mark + kind for mark in ["", "<", ">", "=", "|"] for kind in kinds if kind != "T"]
    sizes = {"b": "0 1 2", "i": "0 1 2 3 4 8 16", "u": "1 2 4 8", "f": "1 2 4 8 10 12 16 32", "c": "1 4 8 16 24 32",
             "O": "2 4 8", "S": "0 1 7", "U": "0 1 7", "V": "0 1 7", "a": "5", "m": "4 8", "M": "4 8", "?": "1"}
    texts += [mark + kind + size for kind in sizes for size in sizes[kind].split() for mark in ["", "<", ">", "|"]]
    texts += sorted(name for name in np.sctypeDict if isinstance(name, str))
    texts += [">float64", "Float64", "int128", "string", "float_", "float64 ", "void0", "", "<", "<<f8", " f8", "f8 "]
    texts += ["f 8", "f+8", "f08", "S-0", "S-1", "S2147483647", "S2147483648", "U536870911", "U536870912"]
    units = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "generic", "\u03bcs", "B", "min"]
    texts += [f"M8[{unit}]" for unit in units] + [f"timedelta64[25{unit}]" for unit in units]
    texts += [f"<m8[{unit}/{divisor}]" for unit, divisor in itertools.product(units, [1, 2, 3, 7, 12, 24, 1000])]
    texts += ["M8[2D/3]", ">M8[2D/3]", "=datetime64[ns]", "M8[+2ns]", "M8[ 2ns]", "M8[2 ns]", "M8[-1ns]", "M8[]", "M8[ns",
              "M8[ns]x", "M8x", "M8[D/]", "M8[/2]", "M8[2147483647s]", "M8[2147483648s]", "datetime6", "M8[D/ 24]",
              "M8[D/24 ]", "m8[fs/1000000]", "m8[ps/1000000]", "datetime64", "timedelta64"]
    texts += ["i4,f8", "f8,", "u2,u4", "i4,(2,)f8", "(2,3)f4", "(2,)f4", "()f4", "(2)f4", "2f4", "1f4", "0f4", "<2f4", "2,3f4",
              "3,f4", "03f4", "00f4", "3 f4", "3S0", "3S", "3U,i4", "(3,)S0", "(2,3", "2)f4", "(2,3)", "i4,(2,3)", " i4,f8",
              "i4 ,f8", "i4, f8 ", "i4,,f8", ",f8", "i4,>f8", ">i4,f8", "<2>f4", ">2>i4", "2>i4,i2", "( 2 , 3 )f4,i1", "=<i4,i2",
              "=>i4,i2", "||i4,i2", "|>i4,i2", "|2<i4,i2", "M8[ns],i4", ">M8[ns],i4", "2M8[2D],i1", "2M8[2D/3],i1", "?,?", "3?",
              "10000000000f4", "S5,U3", "i4,\x1ff8", "(2)float64,i2", "(2,)3f4", "3|i4,i4", "i4,f 8", "i4.,i2", "c,c",
              "float64,int8", "f4,(0,3)i2", "99999999999999999999f4", "i4,f8 x", "2 3f4", "(2,,3)f4", "(-1,)f4", "\xe9,i4"]
    rows = [[text, of_string(text)] for text in dict.fromkeys(texts)]
    # Weeks that a divisor does not divide: NumPy looks behind the end of its table and finds a count of 0.
    return [[text, answer] for text, answer in rows if "[0" not in (answer or "")]


def file(text, version):
    encoded = text.encode("latin1" if version < 3 else "utf8")
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(encoded)) + encoded


def of_header(text, version):
    stream = io.BytesIO(file(text, version))
    try:
        npy.read_magic(stream)
        read = npy._read_array_header if hasattr(npy, "_read_array_header") else np.lib._format_impl._read_array_header
        shape, fortran_order, dtype = read(stream, (version, 0), 1 << 30)
        if any(isinstance(length, bool) or length < 0 for length in shape) or len(shape) > 64:
            return None
    except Exception:
        return None
    stream = io.BytesIO()
    fields = {"descr": npy.dtype_to_descr(dtype), "fortran_order": fortran_order, "shape": shape}
    np.lib._format_impl._write_array_header(stream, fields, (version, 0))
    return {"descr": descr(dtype), "itemsize": dtype.itemsize, "shape": list(shape), "fortran_order": fortran_order,
            "bytes": stream.getvalue().decode("latin1")}


def headers():
    plain = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }"
    texts = [plain]
    texts += [before + plain for before in ["\n", "\n ", " ", "\t", "\f", "#c\n", "#c\n ", " #c\n", "\\\n", "\\\n ", "\r", "\r\n",
                                             "\x0b", "(", "1"]]
    texts += [plain + behind for behind in ["\n\n", "\n  \n", "\\\n", "\\\n\n", "\\", "#c", "\n #c\n", "\0", ",", ";", " L", "\n1", ")"]]
    texts += [f"({plain})", f"({plain},)", "  ", "", "[]", "1", "'a'", "{}", plain[:-1], plain.replace("{", "{,")]
    texts += [plain.replace(" ", blank) for blank in ["\n", "\f", "\x0b", "\\\n", "#\n", "#\r", "\\\r", "\r\n", "\\ \n", ""]]
    shapes = ["(3L, 2L)", "(2 L L,)", "(2LL,)", "(2l,)", "(0x2L,)", "(02L,)", "(02,)", "(00,)", "(0_0,)", "(0_2,)", "(0o2,)", "(0b1_0,)",
              "(0x_2,)", "(0x2_,)", "(1__0,)", "(+2,)", "(+ 2,)", "(+(2),)", "(++2,)", "((2),)", "((2,))", "(2\nL,)", "(2\\\nL,)", "(2,,)",
              "(,)", "( )", "(2+0j,)", "(-2,)", "(-0,)", "(0 2,)", "(2.,)", "(1e0,)", "[2, 3]", "(184)", "(np.int64(3),)", "(True, 2)",
              "('2',)", "(2 if 1 else 3,)", "(2**3,)", "None", "(1,) * 3", "(10, 4,)", "(123456789,)", str((1,) * 64), str((1,) * 65)]
    texts += [plain.replace("(2,)", shape) for shape in shapes]
    names = ["'a' 'b'", "'a'\n'b'", "'a'b'b'", r"r'a\n'", "b'a'", "u'a'", "ur'a'", "R'a'", "U'a'", "'''a\nb'''", "'''a\r\nb'''",
             "'''a\rb'''", "'a\\\nb'", "'a\\\r\nb'", "'a\nb'", r"'\q'", r"'\377'", r"'\x4'", r"'\u12'", r"'\U00110000'", "f'a'",
             "('a')", "('a' 'b')", "'a'+'b'", '"a"', '"""a"""', "''''''", "'' ''", "'a'''", r"r'\''", r"r'\'", r"'\8'", r"'\0'", "'\xe9'",
             "'\x7f'", "'\t'", "'\0'", "'a' u'b' r'c'", "\"it's\"", "'it\"s'", r"""'it\'s"'""", r"'\x85\xa0\xad'", r"'a\\'", "'}'",
             "'# no'", "'DEPTH:0:1'", "'blob/shape'", "'shape'", "1", "None", "('T', 'a')", "(None, 'a')", "('T', None)", "('a', 'a')",
             "('', 'a')", "('T', '')", "('T', 'a', 'b')", "['T', 'a']"]
    texts += [plain.replace("'<i4'", f"[({name}, '<i4')]") for name in names]
    descrs = ["[('c', ('<f8', (5,)), (2,))]", "[('a', '<i4', 3)]", "[('a', '<i4', [3])]", "[('a', '<i4', ())]", "[('a', '<i4', [])]",
              "[('a', '<i4', (1,))]", "[('a', '<i4', 1)]", "[('a', '<i4', (True,))]", "[('a', '<i4', (0, 4))]", "[('a', '<i4', -1)]",
              "[('a', '<i4'), ('a', '<i4')]", "[(('T', 'a'), '<i4'), ('T', '<i4')]", "[('', '<i4')]", "[('', '<i4'), ('', '<i2')]",
              "[('', '|V4')]", "[('', '<f4', (3,))]", "[('', [])]", "[('', [('a', '|V2')])]", "[]", "[[]]", "[['a', '<i4']]", "[('a',)]",
              "{'names': ['a'], 'formats': ['<i4'], 'offsets': [0]}", "'<M8[25us]'", "'<M8'", "'f8'", "'=f8'", "'|u4'", "'float64'",
              "'u2,u4'", "'|O8'", "'|V2'", "'<f16'", "'zz'", "''", "None", "('S', 5)", "('<i4', ())", "(('<i4', ()), ())", "('<i4',)",
              "[('a', '|u1'), ('', '|V3'), ('b', '<f4'), ('', '|V1'), ('c', '<i2'), ('', '|V5')]", "[('a', 'S0', 3)]",
              "[('a', 'S0', (3,))]", "[('a', '>U0', 3)]", "[('a', '2f4', (3,))]", "[('a', 'i4,(2,)f8')]", "[(('T', ''), '|V2')]",
              "[('a', [('x', '|S0')], (2,))]", "[('a', '|V2147483647', (65536, 65536))]", "[('a', '|V2147483647'), ('b', '|u1')]",
              "[('fortran_order', '<i4'), ('shape', '<i2'), ('descr', '|b1')]", "[('p', '<i4', (3,)), ('q', [('r', '<i4', (10,))])]",
              "'<i4', 'descr': '<i2'"]
    texts += [plain.replace("'<i4'", text) for text in descrs]
    texts += [plain.replace("False", text) for text in ["True", "0", "(False)", "not True", "'False'", "None"]]
    texts += [plain.replace("'descr'", text) for text in ["('descr')", "'d' 'escr'", "b'descr'", "1", "'dtype'", "'descr': 1, 'descr'"]]
    texts += [plain.replace(", 'shape': (2,)", ""), plain.replace("(2,)", "(2,), 'x': 1"), plain.replace("(2,)", "(2,), **{}")]
    texts += [plain.replace("'<i4'", "[('y', " * depth + "'<i4'" + ")]" * depth) for depth in [1, 98, 99, 100]]
    rows = [[version, text, of_header(text, version)] for text in texts for version in ([1] if "L" not in text else [1, 3])]
    text = plain.replace("'<i4'", "[('\u03bb\u200b', '<i4')]")
    return rows + [[3, text, of_header(text, 3)], [2, plain, of_header(plain, 2)]]


TABLES = {"numpy": np.__version__, "typestring": typestrings(), "header": headers()}
path = pathlib.Path(__file__).with_name("texts.json")
lines = [f'"numpy": {json.dumps(TABLES["numpy"])}']
lines += [f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in TABLES[name]) + "\n]" for name in ["typestring", "header"]]
path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
