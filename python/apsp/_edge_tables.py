"""Edges from tables with one row per edge."""

from typing import Any, NamedTuple

import numpy as np

from ._arrays import as_weights
from ._errors import UsageError
from ._labels import counted, number_ends, require_distinct_numbers
from ._titles import choose_columns, ends_have_titles, is_counter_title, listed

_BOTH_WAYS, _ONE_WAY, _REVERSED = 0, 1, -1
_DIRECTIONS = {word: way for way, words in (  # as in files
    (_ONE_WAY, ("true", "yes", "1", "t", "y", "ft", "f-t", "directed")),
    (_REVERSED, ("-1", "reverse", "reversed", "tf", "t-f")),
    (_BOTH_WAYS, ("false", "no", "0", "f", "n", "b", "undirected", ""))) for word in words}


class Edges(NamedTuple):
    """Numbered edges [m] and what was assumed about them."""

    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray | None
    labels: Any
    directed: bool
    remarks: list


class Ways(NamedTuple):
    """Arguments for the direction of edges. `directed`: None means undirected, as for files."""

    directed: bool | None = None
    oneway: Any = None
    reverse_cost: Any = None


def edges_of(table, source, target, weight, ways, ids):
    """The `Edges` of a `Table`.

    Raises
    ------
    UsageError
        A column is missing or ambiguous, a value is missing, or ids can be read in two ways.
    """
    ends = [table.place(name, role) for name, role in ((source, "source"), (target, "target")) if name is not None]
    if len(ends) == 1:
        raise UsageError("name both columns of ends, source= and target=, or none")
    weight = weight if weight is None or weight is ... else table.place(weight, "weight")
    directions = [None if name is None else table.place(name, "direction") for name in (ways.oneway, ways.reverse_cost)]
    try:
        chosen = choose_columns(table.names, table.titled, ends or None, weight, *directions)
    except UsageError as error:
        raise UsageError(f"{error}{table.hint()}") from None
    remarks = chosen.remarks
    _require_one_direction(chosen, ways)
    sources, targets = _ends(table, chosen.source, "source"), _ends(table, chosen.target, "target")
    labels, sources, targets = number_ends(sources, targets, ids)
    if ids is None:
        require_distinct_numbers(labels, 'say ids="number" or ids="text"')
    weights = None if chosen.weight is None else _weights(table, chosen.weight)
    title, types = _types_of_edges(table) if ways == Ways() else (None, set())
    oneway = title if len(types) > 1 else ways.oneway
    if oneway is not None:
        sources, targets, weights = _one_way(table, oneway, sources, targets, weights)
    elif ways.reverse_cost is not None:
        sources, targets, weights = _both_costs(table, ways.reverse_cost, sources, targets, weights)
    elif ways.directed is None and weights is not None:
        remarks += _pairs_that_differ(labels, sources, targets, weights)
    directed = bool(ways.directed or oneway is not None or ways.reverse_cost is not None or types == {"directed"})
    if types:
        remarks.append(f"the column {title!r} says which edges are directed")
    return Edges(sources, targets, weights, labels, directed, remarks)


def ends_of_pairs(table):
    """(sources [k], targets [k]), labels, from a table of pairs: two columns, or columns with known titles.

    Raises
    ------
    UsageError
        More than two columns without titles of ends, or a missing value.
    """
    chosen = choose_columns(table.names, table.titled, weight=None)
    if len(table.names) > 2 and not ends_have_titles(table.names):
        raise UsageError(f"which columns hold the ends of pairs, of {listed(table.names)}? Give these two, as source "
                         "and target")
    return _ends(table, chosen.source, "source"), _ends(table, chosen.target, "target")


def changes_of(table):
    """(sources [k], targets [k], weights [k], old weights [k]) from a table of edges, by the titles of its columns.
    An old weight that is not given is NaN.

    Raises
    ------
    UsageError
        See `edges_of`.
    """
    place = next((i for i, name in enumerate(table.names) if str(name).lower() == "old"), None)
    chosen = choose_columns([None if i == place else name for i, name in enumerate(table.names)], table.titled)
    if chosen.weight is None:
        raise UsageError("a change is (source, target, weight), and the table has no column of weights")
    values, missing = table.column(chosen.weight)
    if missing is not None:
        raise UsageError(f"the weight in row {missing} of column {table.names[chosen.weight]!r} is missing")
    old = np.full(table.rows, np.nan)
    if place is not None:
        there, known = table.present(place)
        old[there] = as_weights(known, int(there.sum()), "old weights")
    return (_ends(table, chosen.source, "source").tolist(), _ends(table, chosen.target, "target").tolist(),
            as_weights(values, table.rows), old)


def trips_of(table):
    """(titles of volumes, (sources, targets), volumes [column][k]) from a table of trips. Columns that number the rows
    (id, index) are no volumes.

    Raises
    ------
    UsageError
        Other columns than the ends are missing or no numbers, or the ends are ambiguous.
    """
    chosen = choose_columns(table.names, table.titled, weight=None)
    others = [i for i, name in enumerate(table.names) if i not in (chosen.source, chosen.target)
              and not (table.titled and is_counter_title(name))]
    if not others:
        raise UsageError("a demand has columns of volumes in addition to its ends")
    ends = _ends(table, chosen.source, "source").tolist(), _ends(table, chosen.target, "target").tolist()
    return ([table.names[i] for i in others], ends,
            [as_weights(table.column(i)[0], table.rows, f"volumes of {table.names[i]!r}") for i in others])


def turns_of(table):
    """(from [k], via [k], to [k], cost [k]) from a table of turns with these titles.

    Raises
    ------
    UsageError
        A column or a value is missing.
    """
    names = [str(name).lower() for name in table.names]
    titles = ("from", "via", "to", "cost")
    if absent := [title for title in titles if title not in names]:
        raise UsageError(f"a table of turns has the columns from, via, to and cost, and this one lacks {absent[0]!r}")
    ends = [_ends(table, names.index(title), title).tolist() for title in titles[:3]]
    return *ends, as_weights(table.column(names.index("cost"))[0], table.rows, "costs of turns").tolist()


def _types_of_edges(table):
    """(title, words) of Gephi's column Type, if it has the word "directed" or "undirected"; else (None, set())."""
    place = next((i for i, name in enumerate(table.names) if str(name).lower() == "type"), None)
    words = set() if place is None else {str(value).lower() for value in table.present(place)[1].tolist()}
    return (table.names[place], words) if words & {"directed", "undirected"} else (None, set())


def _require_one_direction(chosen, ways):
    if ways.oneway is None and ways.reverse_cost is None:
        return
    if ways.oneway is not None and ways.reverse_cost is not None:
        raise UsageError("oneway= and reverse_cost= both say which way edges lead: give one")
    if ways.directed is False:
        raise UsageError("directed=False contradicts oneway= and reverse_cost=, which make a directed graph")
    if ways.reverse_cost is not None and chosen.weight is None:
        raise UsageError("reverse_cost= needs the column of costs: name it (weight=…)")


def _ends(table, place, role):
    """The ends [m] of edges in a column, without missing values."""
    values, missing = table.column(place)
    if missing is not None:
        raise UsageError(f"row {missing} of column {table.names[place]!r} has no value, and the {role} of an edge is a "
                         "vertex: drop such rows, or fill them (rows count from 0)")
    return values


def _weights(table, place):
    """float64 [m] of a column."""
    name = table.names[place]
    values, missing = table.column(place)
    if missing is not None:
        raise UsageError(f"the weight in row {missing} of column {name!r} is missing: drop such rows, or fill them "
                         "(rows count from 0); weight=None counts edges")
    return as_weights(values, table.rows, f"weights of column {name!r}",
                      lambda row: f"the weight in row {row} of column {name!r}", truth=False)


def _one_way(table, name, sources, targets, weights):
    """Arcs (sources, targets, weights) by a column such as OpenStreetMap's `oneway`."""
    there, values = table.present(table.place(name, "direction"))
    rows, values = np.flatnonzero(there), values.tolist()
    words = [value if value in ("T", "F") else str(value).strip().lower().removesuffix(".0") for value in values]
    both = str(name).lower().replace("_", "").endswith("bidirectional")  # as in pathways of GTFS
    if both and len(rows) < table.rows:
        raise UsageError(f"row {int(np.argmin(there))} of column {name!r} has no value (rows count from 0): fill it")
    for row, value, word in zip(rows, values, words):
        if _DIRECTIONS.get(word, _REVERSED if both else None) is (_REVERSED if both else None):
            raise UsageError(f"row {row} of column {name!r} is {value!r}: True, yes or 1 is one way, -1 one way "
                             "backwards, False, no or 0 both ways")
    ways = np.full(table.rows, _BOTH_WAYS, np.int8)  # of missing values, as in OpenStreetMap
    ways[there] = [_DIRECTIONS[word] for word in words]
    if both:
        ways = 1 - ways
    return _joined(sources, targets, weights, weights, ways != _REVERSED, ways != _ONE_WAY)


def _both_costs(table, name, sources, targets, costs):
    """Arcs (sources, targets, weights) by costs of both directions; a negative cost is no arc (pgRouting)."""
    back = _weights(table, table.place(name, "cost of the way back"))
    return _joined(sources, targets, costs, back, costs >= 0, back >= 0)


def _joined(sources, targets, there, back, goes, returns):
    """Arcs source → target where `goes`, and target → source where `returns`; a loop is one arc."""
    returns = returns & (sources != targets)
    weights = None if there is None else np.concatenate([there[goes], back[returns]])
    return (np.concatenate([sources[goes], targets[returns]]), np.concatenate([targets[goes], sources[returns]]),
            weights)


def _pairs_that_differ(labels, sources, targets, weights):
    """[remark] if two rows of one pair of ends have different weights, else []. O(m log m)."""
    if len(weights) == 0:
        return []
    least, greatest = np.minimum(sources, targets), np.maximum(sources, targets)
    pairs = least * len(labels) + greatest
    order = np.argsort(pairs, kind="stable")
    pairs, weights = pairs[order], weights[order]
    differ = (pairs[1:] == pairs[:-1]) & (weights[1:] != weights[:-1])
    if not differ.any():
        return []
    count = len(np.unique(pairs[1:][differ]))
    row = order[int(np.argmax(differ))]
    more = "" if count == 1 else f" and of {counted(count - 1, 'other pair', 'other pairs')}"
    return [f"read as undirected, so that the least weight counts, though rows of {labels[sources[row]]!r} and "
            f"{labels[targets[row]]!r}{more} have different weights: directed=True makes a row one way"]
