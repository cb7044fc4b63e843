"""What the extension does not read by itself: lists, tables, sparse rows. Called by it alone."""
from typing import Any, NamedTuple

import numpy as np

from bandolier._core import Error


class Decisions(NamedTuple):
    """Many decisions with their probabilities, from ``choose(X, probabilities=True)``."""

    actions: np.ndarray  #: (n,) int64
    propensities: np.ndarray  #: (n,) float64, of the actions taken
    probabilities: np.ndarray  #: (n, actions) float64


def decisions(actions, probabilities):
    return Decisions(actions, probabilities[np.arange(len(actions)), actions], probabilities)


def numbers(values: Any, name: str) -> np.ndarray:
    """Anything that NumPy can make numbers of, in a type that the extension reads."""
    try:
        if hasattr(values, "dtypes") or hasattr(values, "iloc"):  # pandas, without importing it
            array = values.to_numpy(dtype="float32", na_value=np.nan)
        else:
            array = np.asarray(values)
    except Exception as error:
        raise Error(f"{name} holds what is no number ({error}): expected numbers") from None
    if array.dtype.kind not in "biuf":
        raise Error(f"{name} has the type {array.dtype}: expected numbers")
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        with np.errstate(over="ignore"):
            array = array.astype(np.float32 if array.dtype.itemsize == 2 else np.float64)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def sparse_rows(values: Any, name: str):
    """SciPy's sparse rows as (values float32, indices int32, starts int64, rows, columns)."""
    try:
        rows = values.tocsr()
        rows.sum_duplicates()
        rows.sort_indices()
        data = numbers(rows.data, name).astype(np.float32, copy=False)
        shape = rows.shape if len(rows.shape) == 2 else (1, rows.shape[0])
        return (
            data,
            rows.indices.astype(np.int32, copy=False),
            rows.indptr.astype(np.int64, copy=False),
            int(shape[0]),
            int(shape[1]),
        )
    except Error:
        raise
    except Exception as error:
        raise Error(f"{name} holds no sparse rows ({error}): expected what has tocsr()") from None


def is_table(values: Any) -> bool:
    return hasattr(values, "columns") and hasattr(values, "to_dict") and hasattr(values, "iloc")


def records(values: Any) -> list:
    """Rows of a table as dictionaries; what is missing is left out."""
    rows = values.to_dict("records")
    return [{str(k): v for k, v in row.items() if v == v and v is not None} for row in rows]


def names_to_places(actions: Any, places: dict, name: str) -> Any:
    """Actions by name as places, int64; what holds no names as it is."""
    if not isinstance(actions, (list, tuple)) and getattr(getattr(actions, "dtype", None), "kind", "i") not in "UOT":
        return actions
    if not any(isinstance(action, str) for action in actions):
        return actions
    found = []
    for i, action in enumerate(actions):
        if not isinstance(action, str) or action not in places:
            raise Error(f"{name}[{i}] is {action!r}: expected one of {', '.join(places)}")
        found.append(places[action])
    return np.asarray(found, dtype=np.int64)
