"""Loads pairs of files, NumPy's own and ours, and compares them; the input is JSON: the folder, and the stems of the files."""
import json, sys
import numpy as np


def same(a, b):
    if a.dtype.names is None:
        return a.tobytes() == b.tobytes()
    # Field by field: what padding holds is not compared.
    fields = [a.dtype.fields[name][:2] for name in a.dtype.names]
    return all(same(a.getfield(*field), b.getfield(*field)) for field in fields)


task = json.load(sys.stdin)
for stem in task["stems"]:
    theirs, ours = (np.load(f"{task['folder']}/{stem}.{kind}", max_header_size=2**31) for kind in ("npy", "back.npy"))
    assert theirs.dtype == ours.dtype, (stem, theirs.dtype, ours.dtype)
    descr = [repr(np.lib.format.dtype_to_descr(array.dtype)) for array in (theirs, ours)]
    assert descr[0] == descr[1], (stem, descr)
    assert theirs.shape == ours.shape, (stem, theirs.shape, ours.shape)
    assert theirs.flags.f_contiguous == ours.flags.f_contiguous, stem
    assert same(theirs, ours), (stem, theirs, ours)
print(len(task["stems"]), end="")
