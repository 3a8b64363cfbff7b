"""Labels of vertices: a range of integers, or a list of hashable objects.

The library numbers vertices from 0; users pass and receive labels.
"""

import decimal
import math
import re
import unicodedata

import numpy as np

from ._errors import UsageError

_NUMBERS = (int, float, np.integer, np.floating, decimal.Decimal)
_INTEGER = re.compile(r"[+-]?[0-9]+")
_AS_WRITTEN = re.compile(r"0|-?[1-9][0-9]*")
_BEGIN_NUMBERS = frozenset("+-.0123456789")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|[0-9]*\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")


def counted(count, one, many):
    """"1 vertex", "1,024 vertices"."""
    return f"{count:,} {one if count == 1 else many}"


def number_ends(sources, targets, ids=None):
    """Labels of the ends of edges, and their numbers.

    If all ends have integer values (2 or 2.0), labels are integers in rising order. Other labels stay
    unchanged, in order of appearance. Returns (labels, sources [m], targets [m]); the numbers are int64.

    Parameters
    ----------
    sources, targets : arrays [m] without missing values
    ids : "number", "text" or None
        Converts labels to integers or texts. None: an integer and a text, or two texts, of the same number
        (7, "7", "007") are an error.

    Raises
    ------
    UsageError
        A float is 2^53 or more, two ids are the same number, or an id is no number (with `ids`).
    """
    m = len(sources)
    if ids not in (None, "number", "text"):
        raise UsageError(f'ids is "number", "text" or None, not {ids!r}')
    both = None if ids == "text" else _all_integers(sources, targets)
    if both is None and ids == "number":
        both = _as_integers([_integer_of_text(value) for ends in (sources, targets) for value in ends.tolist()])
    if both is not None:
        if m == 0:
            return range(0), *np.zeros((2, 0), np.int64)
        distinct, numbers = np.unique(both, return_inverse=True)
        numbers = numbers.astype(np.int64, copy=False)
        return shortest(distinct.tolist()), numbers[:m], numbers[m:]
    index = {}
    as_text = str if ids == "text" else None
    try:
        numbers = np.fromiter((index.setdefault(as_text(label) if as_text else label, len(index))
                               for ends in (sources, targets) for label in ends.tolist()),
                              dtype=np.int64, count=2 * m)
    except TypeError as error:
        raise UsageError(f"a vertex has a label that can be hashed: {error}") from error
    return shortest(list(index)), numbers[:m], numbers[m:]


def require_distinct_numbers(labels, way_out):
    """Raises `UsageError` if two labels are one number (7, "7", "007"), or differ only by blanks at an end."""
    if isinstance(labels, range):
        return
    texts = [label for label in labels if isinstance(label, str)]
    known, padded = set(texts), [text for text in texts if text != text.strip()]
    if twin := next((text for text in padded if text.strip() in known), None):
        raise UsageError(f"the vertices {twin!r} and {twin.strip()!r} differ only by blanks at an end: take these out "
                         "(str.strip of pandas)")
    if not texts or (len(texts) == len(labels) and not any(
            text[:1] in _BEGIN_NUMBERS and not _AS_WRITTEN.fullmatch(text) for text in texts)):
        return  # distinct texts of integers without signs and leading zeros are distinct numbers
    first = {}
    for label in labels:
        number = _number_of(label)
        if number is None:
            continue
        other = first.setdefault(number, label)
        if other is not label and (isinstance(other, str) or isinstance(label, str)):
            raise UsageError(f"the vertices {other!r} and {label!r} are one number, or two names: {way_out}")


def _number_of(label):
    """The integer value of a number or text; None if it has none."""
    if isinstance(label, str):
        try:
            if _INTEGER.fullmatch(label):
                return int(label)
            return _integral(float(label)) if _FLOAT.fullmatch(label) else None
        except ValueError:  # more digits than Python converts
            return None
    if isinstance(label, (int, np.integer)) and not isinstance(label, bool):
        return int(label)
    return _integral(float(label)) if isinstance(label, (float, np.floating, decimal.Decimal)) else None


def _integral(value):
    return int(value) if value.is_integer() else None


def _integer_of_text(value):
    number = _number_of(value)
    if number is None:
        raise UsageError(f'ids="number": {value!r} is no integer')
    if isinstance(value, float) or (isinstance(value, str) and not _INTEGER.fullmatch(value)):
        _require_exact_float(float(value))
    return number


def _all_integers(sources, targets):
    """Sources, then targets, as integers of one type; None if a value is no integer."""
    parts = [_integers(ends) for ends in (sources, targets)]
    if any(part is None for part in parts):
        return None
    if np.result_type(*parts).kind == "f":  # of int64 and uint64
        parts = [part.astype(object) for part in parts]
    return np.concatenate(parts)


def _integers(ends):
    """Ends [m] as an array of integers; None if a value is no integer."""
    kind = ends.dtype.kind
    if kind in "iu":
        return ends
    if kind == "O":
        if not all(isinstance(end, _NUMBERS) and not isinstance(end, bool) for end in ends):
            return None
        for end in ends:
            if not isinstance(end, (int, np.integer)):
                if not math.isfinite(end) or end != int(end):
                    return None
                if not isinstance(end, decimal.Decimal):
                    _require_exact_float(float(end))
        return _as_integers([int(end) for end in ends])
    if kind != "f" or not np.all(ends == np.floor(ends)) or not np.isfinite(ends).all():
        return None
    if len(ends):
        _require_exact_float(float(np.abs(ends).max()), np.finfo(ends.dtype).nmant + 1)
    return ends.astype(np.int64)


def _as_integers(values):
    """Python integers as an array of int64, or of objects if int64 is too small."""
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)


def _require_exact_float(value, bits=53):
    if abs(value) >= 2.0**bits:
        raise UsageError(f"the vertex {value!r} is a float beyond 2^{bits}, where such floats no longer hold every "
                         "integer: give integers, or texts")


def shortest(labels):
    """A range if labels are consecutive integers from 0 or 1, else the list itself."""
    n = len(labels)
    for first in (0, 1):
        if (n == 0 or (type(labels[0]) is int and labels[0] == first and
                       type(labels[-1]) is int and labels[-1] == first + n - 1)):
            if all(type(label) is int and label == first + i for i, label in enumerate(labels)):
                return range(first, first + n)
    return labels


def of_file(names, first, n):
    """Labels of a graph from a file: integers if all names are written as such."""
    if not names:
        return range(first, first + n)
    if all(map(_AS_WRITTEN.fullmatch, names)):
        return shortest([int(name) for name in names])
    return names


def for_native(labels):
    """(names or None, first_id): the labels in the form of the library."""
    if isinstance(labels, range):
        return None, labels.start
    if all(type(label) is str for label in labels):
        return list(labels), 0
    names = [label.decode(errors="backslashreplace") if isinstance(label, bytes) else str(label) for label in labels]
    if len(set(names)) < len(names):
        first = {}
        for name, label in zip(names, labels):
            if (other := first.setdefault(name, label)) != label:
                raise UsageError(f"two vertices, {other!r} and {label!r}, are both written {name!r}: give one another "
                                 "name, or labels of one type")
    return names, 0


def _note_on_twin(labels, name):
    """The end of a message that no label is `name`: the label that is this text in another Unicode normal form."""
    def composed(text):
        return unicodedata.normalize("NFC", text) if isinstance(text, str) and not text.isascii() else None

    wanted = composed(name)
    twin = next((label for label in labels if wanted and composed(label) == wanted), None)
    return f"; {ascii(twin)} is the same text in another Unicode normal form" if twin else ""


class Index:
    """Maps labels to numbers of vertices.

    `ends` [n]: where paths to each vertex end, and `places` [all vertices]: the vertex of each state, in a graph
    with turns (`Graph.with_turns`); else None.
    """

    def __init__(self, labels, ends=None, places=None):
        self.labels = labels
        self.ends, self.places = ends, places
        self._numbers = None

    def end(self, label):
        """The number of the vertex at which paths to this one end."""
        number = self(label)
        return number if self.ends is None or number >= len(self.ends) else int(self.ends[number])

    def ends_of(self, numbers):
        """Numbers at which paths to these vertices end."""
        return numbers if self.ends is None else np.where(numbers < len(self.ends), self.ends[numbers % len(self.ends)], numbers)

    def label_of(self, number):
        return self.labels[number if self.places is None else int(self.places[number])]

    def path_of(self, numbers):
        """Labels of a path without the end of its last vertex."""
        if self.ends is not None and len(numbers) > 1 and numbers[-1] >= len(self.ends):
            if self.ends[self.places[numbers[-1]]] == numbers[-1]:
                numbers = numbers[:-1]
        return [self.label_of(number) for number in numbers]

    def require_no_turns(self, what):
        if self.ends is not None:
            raise UsageError(f"{what} does not take turn costs: use the graph without them")

    def __call__(self, label):
        """The number of a vertex.

        Raises
        ------
        UsageError
            No vertex has that label.
        """
        labels = self.labels
        if isinstance(labels, range):
            number = -1
            if hasattr(label, "__index__"):
                number = label.__index__() - labels.start
            elif isinstance(label, _NUMBERS) and math.isfinite(label) and label == int(label):
                number = int(label) - labels.start  # 2.0 is 2, as in a dictionary
            if isinstance(label, str) and label.isdecimal():
                number = int(label) - labels.start
            if 0 <= number < len(labels):
                return number
        else:
            if self._numbers is None:
                self._numbers = {label: i for i, label in enumerate(labels)}
            try:
                if label not in self._numbers and isinstance(label, str) and _AS_WRITTEN.fullmatch(label):
                    label = int(label)
                return self._numbers[label]
            except (KeyError, TypeError, ValueError):
                pass
        raise UsageError(f"unknown vertex {label!r} in this graph of "
                         + counted(len(labels), "vertex", "vertices")
                         + (f", which are {labels.start} to {labels[-1]}"
                            if isinstance(labels, range) and labels else _note_on_twin(labels, label)))

    def all(self, chosen, what):
        """Numbers of distinct vertices, as a list."""
        from ._frames import vertices_of

        number = self.end if what == "targets" else self
        numbers = [number(label) for label in vertices_of(chosen, what)]
        if len(set(numbers)) < len(numbers):
            raise UsageError(f"{what}: a vertex comes twice")
        if not numbers:
            raise UsageError(f"{what}: name at least one vertex")
        return numbers
