"""Chooses columns of tables by their titles, with the same rules as for files."""

from typing import NamedTuple

from . import _apsp
from ._errors import Error, UsageError

_CHOOSE = "source=, target= and weight= name columns, and weight=None counts edges"


class Columns(NamedTuple):
    """Indices of columns. `weight` None: every edge has the weight 1."""

    source: int
    target: int
    weight: int | None
    remarks: list


def listed(names):
    """'a', 'b', 'c', …: up to twenty names as a text."""
    names = list(names)
    return ", ".join(map(repr, names[:20])) + (", …" if len(names) > 20 else "") if names else "none"


def choose_columns(names, titled, ends=None, weight=..., oneway=None, reverse_cost=None):
    """The `Columns` of a table. `ends`: two indices or None. `weight`: an index, None, or ... (by title).
    `oneway`, `reverse_cost`: an index or None.

    Raises
    ------
    UsageError
        The titles are ambiguous.
    """
    chosen = [place for place in (*(ends or ()), weight, oneway, reverse_cost) if place not in (None, ...)]
    if len(set(chosen)) < len(chosen):
        raise UsageError("ends, weight and directions are in different columns")
    titles = _titles(names, titled, ends, weight)
    directions = [0 if place is None else place + 1 for place in (oneway, reverse_cost)]
    try:
        source, target, place, remarks = _by_titles(titles, ends, directions)
    except Error as error:
        raise UsageError(f"{str(error).partition('columns=')[0].rstrip(' ;:')}; {_CHOOSE}") from None
    place = place if 0 <= place < len(names) else None
    if weight is ... and place is None:
        remarks.append("the table has no column of weights: every edge has the weight 1")
    return Columns(source, target, place, remarks)


def is_weight_title(name):
    """Whether a column of this title is used as the weight without a remark."""
    place, remarks = _third_column(name)
    return place == 2 and not remarks


def is_counter_title(name):
    """Whether a column of this title only numbers the rows, such as id and index, and holds no quantity."""
    place, remarks = _third_column(name)
    return place < 0 and any("is not used" in remark for remark in remarks)


def _third_column(name):
    """(2 or −1, remarks): whether a column of this title is taken as the weight."""
    try:
        return _apsp.choose_columns(["source", "target", str(name)], 0, 0)[2:]
    except Error:
        return -1, []


def ends_have_titles(names):
    """Whether titles identify the columns of ends."""
    try:
        _apsp.choose_columns(["", *map(str, names), "weight"], 0, 0)  # without a title, positions do not decide
    except Error:
        return False
    return True


def _titles(names, titled, ends, weight):
    """The titles, with known titles for the columns that are already chosen."""
    titles = ["" if name is None or name != name else f"column {name}" if isinstance(name, int) else str(name) for name in names]
    if not titled:
        if ends is None:  # the third of three columns is the weight, as in a file without titles
            titles[:2] = ["source", "target"]
            titles[2:] = ["weight"] if len(titles) == 3 else titles[2:]
    for place, title in zip(ends or (), ("source", "target")):
        titles[place] = title
    if weight is not ...:
        titles = ["another weight" if title.lower() == "weight" else title for title in titles] + ["weight"]
        if weight is not None:
            titles[weight] = titles.pop()
    return titles


def _by_titles(titles, ends, directions):
    try:
        return _apsp.choose_columns(titles, *directions)
    except Error:
        if ends is None:
            raise
    known = {"weight", "oneway", "reverse_cost", "is_bidirectional"}  # other columns may have titles of ends too
    return _apsp.choose_columns([title if place in ends or title.lower() in known else f"column {title}"
                                 for place, title in enumerate(titles)], *directions)
