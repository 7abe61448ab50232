"""Halves and long doubles at all their edges, saved by NumPy, and the floats that they are.

The input is JSON: the folder to write to. Long doubles are put together out of bits and judged by exact fractions; where
this machine's long double is that of the x87, NumPy has to agree. The output is a line of JSON for each encoding.
"""
import json
import random
import sys
import warnings
from fractions import Fraction

import numpy as np

warnings.simplefilter("ignore")
folder = json.load(sys.stdin)["folder"]
chance = random.Random(20260302)


def halves():
    bits = np.arange(2**16, dtype="u2")
    half = bits.view("f2")
    np.save(f"{folder}/f2-le.npy", half)
    np.save(f"{folder}/f2-be.npy", half.astype(">f2"))
    np.save(f"{folder}/f2-f4.npy", half.astype("f4"))
    np.save(f"{folder}/f2-f8.npy", half.astype("f8"))
    # The doubles between two halves next to each other, the last one before infinity too, and what is next to these.
    finite = bits[:0x7c00].view("f2").astype("f8")
    above = np.append(finite[1:], 65536.0)
    ties = (finite + above) / 2
    for name, dtype in [("f4", "f4"), ("f8", "f8")]:
        tie = ties.astype(dtype)
        assert (tie == ties).all()
        near = [np.nextafter(tie, dtype_of(dtype, way)) for way in (-np.inf, np.inf)]
        size = np.dtype(dtype).itemsize
        anything = np.array([chance.getrandbits(8 * size) for _ in range(2_000)], f"u{size}").view(dtype)
        values = np.concatenate([finite.astype(dtype), tie, *near, anything[~np.isnan(anything)]])
        values = np.concatenate([values, -values])
        np.save(f"{folder}/{name}.npy", values)
        # Where a finite value becomes infinite, an error is expected.
        np.save(f"{folder}/{name}-f2.npy", values.astype("f2"))


def dtype_of(dtype, value):
    return np.dtype(dtype).type(value)


class X87:
    name, padding = "X87", 6

    def __init__(self):
        self.rows = []

    def bits(self, negative, field, significand):
        """The significand with its leading bit."""
        return negative << 79 | field << 64 | significand

    def value(self, bits):
        """A fraction, or a word, and a NaN's bits."""
        field, significand = bits >> 64 & 0x7fff, bits & (2**64 - 1)
        leading = significand >> 63
        if field == 0x7fff:
            if not leading:
                return "invalid"
            return "infinity" if significand == 2**63 else ("nan", (significand & (2**63 - 1)) << 49)
        if field and not leading:
            return "invalid"
        return Fraction(significand) * Fraction(2) ** (max(field, 1) - 16383 - 63)

    def normal(self, exponent, significand):
        """A number of 64 bits, the first of which is 1, times a power of two."""
        return exponent + 16383 << 64 | significand

    edges = [
        0, 1, 2**62, 2**63 - 1,  # zero and denormals
        2**63, 2**63 + 1, 2**64 - 1,  # pseudo-denormals
        1 << 64 | 2**63, 1 << 64 | 2**64 - 1, 0x7ffe << 64 | 2**64 - 1,  # the smallest and the largest
        1 << 64, 1 << 64 | 2**63 - 1, 0x3fff << 64 | 2**62, 0x7ffe << 64 | 1,  # unnormals
        0x7fff << 64, 0x7fff << 64 | 1, 0x7fff << 64 | 2**62,  # pseudo-infinity and pseudo-NaNs
        0x7fff << 64 | 2**63, *(0x7fff << 64 | 2**63 | payload for payload in (1, 2**10, 2**11, 2**61, 2**62, 2**62 + 1, 2**63 - 1)),
    ]
    sign = 79


class Ieee128:
    name, padding = "Ieee128", 0

    def value(self, bits):
        field, fraction = bits >> 112 & 0x7fff, bits & (2**112 - 1)
        if field == 0x7fff:
            return ("nan", fraction) if fraction else "infinity"
        return Fraction(fraction + (2**112 if field else 0)) * Fraction(2) ** (max(field, 1) - 16383 - 112)

    def normal(self, exponent, significand):
        low = chance.choice([0, 0, 0, 1, 2**48, chance.getrandbits(49)])
        return exponent + 16383 << 112 | (significand & (2**63 - 1)) << 49 | low

    edges = [
        0, 1, 2**111, 2**112 - 1, 1 << 112, 0x7ffe << 112 | 2**112 - 1,
        0x7fff << 112, *(0x7fff << 112 | payload for payload in (1, 2**59, 2**60, 2**110, 2**111, 2**111 + 1, 2**112 - 1)),
    ]
    sign = 127


def around(encoding):
    """Numbers in and around the range of doubles, with ties between two doubles and what is next to them."""
    for exponent in [*range(-1080, -1015), *range(-3, 4), *range(1018, 1026), *(chance.randint(-1090, 1030) for _ in range(100))]:
        # Where a double of this exponent ends within 64 bits.
        dropped = 11 if exponent >= -1022 else min(63, 11 - 1022 - exponent)
        kept = 64 - dropped
        for head in {1 << kept - 1, 2**kept - 1, 1 << kept - 1 | chance.getrandbits(kept - 1), 1 << kept - 1 | 1 if kept > 1 else 1}:
            for tail in {0, 1, (1 << dropped - 1) - 1, 1 << dropped - 1, (1 << dropped - 1) + 1, (1 << dropped) - 1}:
                yield encoding.normal(exponent, head << dropped | tail & (1 << dropped) - 1)
    for exponent in [-16382, -5000, -1100, 1024, 5000, 16383]:
        yield encoding.normal(exponent, 2**63 | chance.getrandbits(63))


def double_bits(value, negative):
    """The nearest double, even at a tie, as its bits, and whether it is the value; none if it is infinite."""
    sign = negative << 63
    if value == "infinity":
        return sign | 0x7ff << 52, True
    if isinstance(value, tuple):
        # A NaN with the upper bits of its payload, made quiet.
        return sign | 0x7ff << 52 | 1 << 51 | value[1] >> 60, True
    try:
        nearest = value.numerator / value.denominator
    except OverflowError:
        return None, False
    return sign | int(np.array(nearest, "f8").view("u8")), Fraction(nearest) == value


def long_doubles(encoding):
    all_bits = encoding.edges + list(around(encoding))
    all_bits = all_bits + [bits | 1 << encoding.sign for bits in all_bits]
    expected, values = [], []
    for bits in all_bits:
        negative, value = bits >> encoding.sign, encoding.value(bits)
        values.append(value)
        expected.append("invalid" if value == "invalid" else double_bits(value, negative))
    padding = chance.getrandbits(8 * encoding.padding) if encoding.padding else 0
    raw = b"".join((padding << 80 | bits if encoding.padding else bits).to_bytes(16, "little") for bits in all_bits)
    if encoding.padding and np.finfo(np.longdouble).nmant == 63 and np.dtype("g").itemsize == 16:
        cast = np.frombuffer(raw, np.longdouble).astype("f8").view("u8").tolist()
        for i, bits in enumerate(all_bits):
            if expected[i] == "invalid":
                # The processor makes a NaN of it.
                assert np.isnan(np.array(cast[i], "u8").view("f8")), hex(bits)
            elif expected[i][0] is None:
                assert cast[i] & (2**63 - 1) == 0x7ff << 52, hex(bits)
            else:
                assert cast[i] == expected[i][0], (hex(bits), hex(cast[i]), hex(expected[i][0]))
    for order in "<>":
        swapped = b"".join(raw[i:i + 16][::-1] for i in range(0, len(raw), 16)) if order == ">" else raw
        for kind, count in [("f16", len(all_bits)), ("c32", len(all_bits) // 2)]:
            with open(f"{folder}/{encoding.name}-{order}{kind}.npy", "wb") as file:
                header = {"descr": f"{order}{kind}", "fortran_order": False, "shape": (count,)}
                np.lib.format.write_array_header_1_0(file, header)
                file.write(swapped)
    print(json.dumps(expected))


halves()
long_doubles(X87())
long_doubles(Ieee128())
