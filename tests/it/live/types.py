"""Loads files that Rust types became, tells what NumPy sees in them and saves them again.

The input is JSON: the folder, the folder of make.py, and the stems of the files.
"""
import json
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
task = json.load(sys.stdin)
sys.path.insert(0, task["data"])
import make


def plain(array):
    """As `make.plain`, but for times, which are their counts here."""
    if array.ndim == 0 and array.dtype.names is None and array.dtype.kind in "mM":
        count = int(array.view("i8"))
        return None if count == -2**63 else count
    return of_make(array)


of_make, make.plain = make.plain, plain
for stem in task["stems"]:
    array = np.load(f"{task['folder']}/{stem}.npy")
    np.save(f"{task['folder']}/{stem}.again.npy", array)
    print(json.dumps({
        "descr": repr(np.lib.format.dtype_to_descr(array.dtype)),
        "shape": array.shape,
        "values": plain(array),
    }))
