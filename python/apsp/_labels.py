"""What vertices are called: a range of integers, or a list of anything that can be hashed.

The library numbers vertices from 0; what people give and get are labels.
"""

import numpy as np

from ._errors import UsageError


def counted(count, one, many):
    """"1 vertex", "1,024 vertices"."""
    return f"{count:,} {one if count == 1 else many}"


def number_ends(sources, targets):
    """Labels of the ends of edges, and their numbers.

    Integers of any type are sorted; other labels are in the order in which they come. Returns
    (labels, sources [m], targets [m]), the latter int64.
    """
    m = len(sources)
    both = _all_integers(sources, targets)
    if both is not None:
        if m == 0:
            return range(0), *np.zeros((2, 0), np.int64)
        distinct, numbers = np.unique(both, return_inverse=True)
        numbers = numbers.astype(np.int64, copy=False)
        return shortest(distinct.tolist()), numbers[:m], numbers[m:]
    index = {}
    numbers = np.fromiter((index.setdefault(label, len(index))
                           for ends in (sources, targets) for label in ends.tolist()),
                          dtype=np.int64, count=2 * m)
    return shortest(list(index)), numbers[:m], numbers[m:]


def _all_integers(sources, targets):
    """Both behind each other as integers of one type; None where they are no integers."""
    if sources.dtype.kind not in "iu" or targets.dtype.kind not in "iu":
        return None
    if np.result_type(sources, targets).kind == "f":  # of int64 and uint64
        sources, targets = sources.astype(object), targets.astype(object)
    return np.concatenate([sources, targets])


def shortest(labels):
    """A range where labels are one after the other from 0 or 1, else the list itself."""
    n = len(labels)
    for first in (0, 1):
        if (n == 0 or (type(labels[0]) is int and labels[0] == first and
                       type(labels[-1]) is int and labels[-1] == first + n - 1)):
            if all(type(label) is int and label == first + i for i, label in enumerate(labels)):
                return range(first, first + n)
    return labels


def of_file(names, first, n):
    """Labels of a graph that was read: integers where all names are written as such."""
    if not names:
        return range(first, first + n)
    if all(name.isdecimal() and name.isascii() and (name == "0" or name[0] != "0")
           for name in names):
        return shortest([int(name) for name in names])
    return names


def for_native(labels):
    """(names or None, first_id): what the library keeps of labels."""
    if isinstance(labels, range):
        return None, labels.start
    return [str(label) for label in labels], 0


class Index:
    """Numbers of labels."""

    def __init__(self, labels):
        self.labels = labels
        self._numbers = None

    def __call__(self, label):
        """The number of a vertex.

        Raises
        ------
        UsageError
            No vertex has that label.
        """
        labels = self.labels
        if isinstance(labels, range):
            try:
                number = label.__index__() - labels.start
            except AttributeError:
                number = -1
            if isinstance(label, str) and label.isdecimal():
                number = int(label) - labels.start
            if 0 <= number < len(labels):
                return number
        else:
            if self._numbers is None:
                self._numbers = {label: i for i, label in enumerate(labels)}
            try:
                return self._numbers[label]
            except (KeyError, TypeError):
                pass
        raise UsageError(f"unknown vertex {label!r} in this graph of "
                         + counted(len(labels), "vertex", "vertices")
                         + (f", which are {labels.start} to {labels[-1]}"
                            if isinstance(labels, range) and labels else ""))

    def all(self, chosen, what):
        """Numbers of distinct vertices, as a list."""
        numbers = [self(label) for label in chosen]
        if len(set(numbers)) < len(numbers):
            raise UsageError(f"{what}: a vertex comes twice")
        if not numbers:
            raise UsageError(f"{what}: name at least one vertex")
        return numbers
