"""Times of NumPy on the files of a folder: `numpy_times.py FOLDER ROUNDS QUICK`, a line of name and seconds each."""

import os
import statistics
import sys
import time

import numpy as np

folder, rounds, quick = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "quick"
out = os.path.join(folder, "out.numpy.npy")
out_npz = os.path.join(folder, "out.numpy.npz")


def path(name):
    return os.path.join(folder, name)


def remove():
    for name in (out, out_npz):
        if os.path.exists(name):
            os.remove(name)


def timed(name, run, times=rounds):
    samples = []
    for i in range(times + 1):
        remove()
        begin = time.perf_counter()
        value = run()
        samples.append(time.perf_counter() - begin)
        del value
    print(name, statistics.median(samples[1:] or samples), sep="\t", flush=True)


# What NumPy makes of the files, before anything is timed.
f8, big = np.load(path("f8.npy")), np.load(path("f8_be.npy"))
assert f8.dtype == "<f8" and big.dtype == ">f8" and (f8 == big).all()
ticks = np.load(path("ticks_5000000.npy"))
assert ticks.dtype.itemsize == 24 and ticks["ok"].max() <= 1 and 90 < ticks["price"].mean() < 110
texts = np.load(path("texts.npy"))
assert texts.dtype.itemsize == 96 and all(5 <= len(name) <= 16 for name in texts["name"][:1000].tolist())
members = dict(np.load(path("u.npz")))
for name, member in np.load(path("c.npz")).items():
    assert (members[name] == member).all()

timed("read f8", lambda: np.load(path("f8.npy")))
timed("write f8", lambda: np.save(out, f8))
timed("read big-endian", lambda: np.load(path("f8_be.npy")).astype("<f8"))
for count in (10_000, 100_000, 1_000_000, 5_000_000):
    timed(f"read ticks {count}", lambda: np.load(path(f"ticks_{count}.npy")))
timed("write ticks", lambda: np.save(out, ticks))
timed("read texts", lambda: np.load(path("texts.npy")))
timed("read texts to lists", lambda: [np.load(path("texts.npy"))[name].tolist() for name in ("name", "tag")], 3)
timed("write texts", lambda: np.save(out, texts))
timed("read stored", lambda: list(np.load(path("u.npz")).values()))
timed("read deflated", lambda: list(np.load(path("c.npz")).values()), 3)
timed("write stored", lambda: np.savez(out_npz, **members))
timed("write deflated", lambda: np.savez_compressed(out_npz, **members), 1 if not quick else 2)
print("deflated size", os.path.getsize(out_npz) / 1e6, sep="\t")
