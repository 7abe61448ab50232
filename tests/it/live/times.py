"""Random datetimes and timedeltas of every unit, saved by NumPy, and what becomes of them in every other unit.

The input is JSON: the folder to write to, and how many counts of each dtype. The output is a line of JSON for each dtype
that has text and for each pair of dtypes. What should come out is computed here with Python's integers, which neither
wrap nor round, and compared with what NumPy makes of it.
"""
import json
import random
import sys

import numpy as np

UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]
MULTIPLES = ["2Y", "3M", "10D", "15m", "25us", "100ns", "3fs"]
NAT = -(2**63)
SECOND = 10**18
LENGTH = {
    "W": 7 * 86400 * SECOND, "D": 86400 * SECOND, "h": 3600 * SECOND, "m": 60 * SECOND, "s": SECOND, "ms": 10**15,
    "us": 10**12, "ns": 10**9, "ps": 10**6, "fs": 10**3, "as": 1,
}
MONTHS = {"Y": 12, "M": 1}

task = json.load(sys.stdin)
chance = random.Random(20260301)


def parts(step):
    digits = step.rstrip("YMWDhmsunpfa")
    return step[len(digits):], int(digits or 1)


def first_day(months):
    """The days from 1970-01-01 to the first day of the month so many months after it."""
    year, month = 1970 + months // 12, months % 12 + 1
    # Years that start in March end in the leap day.
    year -= month <= 2
    era = year * 365 + year // 4 - year // 100 + year // 400
    return era + (153 * ((month + 9) % 12) + 2) // 5 - 719468


def month_of(days):
    """How many months after January 1970 the day lies."""
    months = days * 4800 // 146097
    while first_day(months) > days:
        months -= 1
    while first_day(months + 1) <= days:
        months += 1
    return months


def instant(count, step):
    """Attoseconds since the epoch."""
    unit, multiple = parts(step)
    if unit in MONTHS:
        return first_day(count * multiple * MONTHS[unit]) * LENGTH["D"]
    return count * multiple * LENGTH[unit]


def counted(count, exact):
    fits = -(2**63) < count < 2**63
    return count if fits and exact else "lost" if fits else "range" if exact else "either"


def datetime_in(count, old, new):
    """The count in the new unit, or why there is none."""
    unit, multiple = parts(new)
    attos = instant(count, old)
    if unit not in MONTHS:
        step = multiple * LENGTH[unit]
        return counted(attos // step, attos % step == 0)
    step = multiple * MONTHS[unit]
    whole = month_of(attos // LENGTH["D"]) // step
    return counted(whole, first_day(whole * step) * LENGTH["D"] == attos)


def timedelta_in(count, old, new):
    (old, multiple), (new, step) = parts(old), parts(new)
    scale = MONTHS if old in MONTHS else LENGTH
    if new not in scale:
        return "length"
    length, step = count * multiple * scale[old], step * scale[new]
    return counted(length // step, length % step == 0)


def datetime_text(count, step):
    """As ISO 8601, with as many parts as the unit has."""
    unit, _ = parts(step)
    days, attos = divmod(instant(count, step), LENGTH["D"])
    months = month_of(days)
    year, month = 1970 + months // 12, months % 12 + 1
    text = f"{year:04}"
    place = UNITS.index(unit)
    if place >= 1:
        text += f"-{month:02}"
    if place >= 2:
        text += f"-{days - first_day(months) + 1:02}"
    for i, (separator, length, modulus) in enumerate([("T", "h", 24), (":", "m", 60), (":", "s", 60)]):
        if place >= 4 + i:
            text += f"{separator}{attos // LENGTH[length] % modulus:02}"
    if place >= 7:
        digits = 3 * (place - 6)
        text += f".{attos % SECOND // LENGTH[unit]:0{digits}}"
    return text


def timedelta_text(count, step):
    """As an ISO 8601 duration in the unit; what is shorter than a second as its fraction."""
    unit, multiple = parts(step)
    sign, units = "-" * (count < 0), abs(count) * multiple
    if unit in "YMWD":
        return f"{sign}P{units}{unit}"
    if unit in "hm":
        return f"{sign}PT{units}{unit.upper()}"
    whole, rest = divmod(units * LENGTH[unit], SECOND)
    fraction = f".{rest:018}".rstrip("0") if rest else ""
    return f"{sign}PT{whole}{fraction}S"


def some_counts(number):
    """Of every magnitude, the ends of the range among them."""
    ends = [NAT, NAT + 1, 2**63 - 1, 0, 1, -1]
    return ends + [chance.choice([1, -1]) * chance.getrandbits(chance.randint(1, 63)) for _ in range(number - len(ends))]


def numpy_texts(array):
    try:
        return np.datetime_as_string(array).tolist()
    except (OverflowError, ValueError):
        # It has a value whose text overflows, which is found one by one.
        return [numpy_texts(array[i:i + 1])[0] for i in range(len(array))] if len(array) > 1 else [None]


def texts(kind, step):
    counts = some_counts(task["counts"])
    array = np.array(counts, "<i8").view(f"<{kind}8[{step}]")
    values = []
    for i, count in enumerate(counts):
        if count == NAT:
            values.append(None)
        elif kind == "m":
            values.append(timedelta_text(count, step))
        else:
            values.append(datetime_text(count, step))
    wrong = []
    if kind == "M":
        # What NumPy itself prints wrongly, since its arithmetic wraps, is refused.
        for i, (mine, numpys) in enumerate(zip(values, numpy_texts(array))):
            if mine is not None and mine != numpys:
                wrong.append(i)
        back = np.array([text or "NaT" for i, text in enumerate(values) if i not in set(wrong)], f"<M8[{step}]")
        right = np.delete(array, wrong)
        # As far as it does not wrap there too.
        assert (back.view("i8") == right.view("i8")).mean() > 0.5, step
    stem = f"{kind}8-{step}"
    np.save(f"{task['folder']}/{stem}.npy", array)
    return {"stem": stem, "dtype": array.dtype.str, "counts": counts, "texts": values, "wrong": wrong}


def candidates(old, new):
    """Counts of every magnitude, and some that are whole counts of the other unit."""
    counts = some_counts(16)[1:]
    for count in some_counts(16)[1:]:
        back = convert[0](count, new, old)
        if isinstance(back, int):
            counts += [back] + [near for near in (back - 1, back + 1) if NAT < near < 2**63]
    return counts


def pair(kind, old, new):
    counts = candidates(old, new)
    values = [convert[0](count, old, new) for count in counts]
    array = np.array(counts, "<i8").view(f"<{kind}8[{old}]")
    exact = [i for i, value in enumerate(values) if isinstance(value, int)]
    try:
        cast = array.astype(f"<{kind}8[{new}]").view("i8").tolist()
    except OverflowError:
        # The factor between the units is beyond 64 bits, and NumPy has no say.
        cast = values
    for i in exact:
        # NumPy counts in single units, years by way of days, which wrap before the result would; near their ends its
        # division does.
        wraps = max(abs(counts[i] * parts(old)[1]), abs(values[i] * parts(new)[1])) >= 2**63 - 1000
        wraps |= kind == "M" and abs(instant(counts[i], old)) // LENGTH["D"] >= 2**63 - 20_000
        assert cast[i] == values[i] or wraps, (kind, old, new, counts[i], values[i], cast[i])
    stem = f"{kind}8-{old}-{new}"
    np.save(f"{task['folder']}/{stem}.npy", array.astype(array.dtype.str).view([("x", array.dtype.str)]))
    return {
        "stem": stem, "kind": kind, "old": old, "new": new, "dtype": f"<{kind}8[{new}]", "counts": counts,
        "values": values,
    }


for step in UNITS + MULTIPLES:
    print(json.dumps(texts("M", step)))
    print(json.dumps(texts("m", step)))
print("pairs")
for kind, function in [("M", datetime_in), ("m", timedelta_in)]:
    convert = [function]
    for old in UNITS + MULTIPLES:
        for new in UNITS + MULTIPLES:
            if old in UNITS or new in UNITS:
                print(json.dumps(pair(kind, old, new)))
