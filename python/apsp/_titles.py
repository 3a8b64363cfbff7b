"""Which columns of a table of edges are the ends and the weight, by their titles."""

from typing import NamedTuple

from ._errors import UsageError

_ENDS = (("source", "target"), ("from", "to"), ("src", "dst"), ("src", "dest"), ("u", "v"), ("origin", "destination"),
         ("o", "d"), ("start", "end"), ("node1", "node2"), ("node_1", "node_2"), ("id1", "id2"),
         ("fromnodeid", "tonodeid"))
_WEIGHTS = {"weight", "distance", "dist", "length", "len", "cost", "time", "travel_time", "minutes", "seconds", "w"}
_ONE_WAY = ("oneway", "reverse_cost")


class Columns(NamedTuple):
    source: int
    target: int
    weight: int | None
    remarks: list


def listed(names):
    """'a', 'b', 'c', … of up to twenty names."""
    names = list(names)
    return ", ".join(map(repr, names[:20])) + (", …" if len(names) > 20 else "") if names else "none"


def choose_columns(names, titled, ends, weight):
    """The columns of a table. `ends`: two places or None; `weight`: a place, None, or ... (by its title).

    Raises
    ------
    UsageError
        The titles can be read in two ways.
    """
    remarks = []
    words = [str(name).strip().lower() if titled else "" for name in names]
    if ends is None:
        ends = _ends(names, words, remarks)
    if weight is not ...:
        return Columns(*ends, weight, remarks)
    left = [i for i, word in enumerate(words)
            if i not in ends and word not in _ONE_WAY and not (titled and (not word or word.startswith("unnamed: ")))]
    named = [i for i in left if words[i] == "weight"]
    if len(named) == 1 or len(left) == 1:
        place = named[0] if len(named) == 1 else left[0]
        if titled and words[place] not in _WEIGHTS:
            remarks.append(f"the column {names[place]!r} is taken for the weights")
        return Columns(*ends, place, remarks)
    if left:
        raise UsageError(f"which column holds the weights, {listed(names[i] for i in left)}? Name it (weight=…), or "
                         "say weight=None to count edges")
    remarks.append("the table has no column of weights: every edge has the weight 1")
    return Columns(*ends, None, remarks)


def _ends(names, words, remarks):
    if len(names) < 2:
        raise UsageError(f"a table of edges has two columns of ends, and this one has {listed(names)}")
    pairs = [(words.index(one), words.index(other)) for one, other in _ENDS
             if words.count(one) == words.count(other) == 1]
    if len(pairs) > 1:
        raise UsageError("the ends of edges are " + " or ".join(f"{names[u]!r} and {names[v]!r}" for u, v in pairs)
                         + ": name them (source=…, target=…)")
    if pairs:
        return pairs[0]
    if "head" in words and "tail" in words:
        raise UsageError("edges lead from tail to head for some and from head to tail for others: name the ends "
                         "(source=…, target=…)")
    if words[0] or words[1]:
        remarks.append(f"no titles say which columns are the ends: the first two, {names[0]!r} and {names[1]!r}, are "
                       "taken")
    return 0, 1
