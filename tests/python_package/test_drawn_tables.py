"""Tables of edges as people write them, drawn at random: each is read as pandas reads it, or refused.

`APSP_DRAWN_TABLES` sets how many files are drawn, `APSP_DRAWN_TABLES_SEED` the first seed. Whatever a file holds,
it is never read as another graph. A plain file, which no reader can misunderstand, is read. All differences of a
part are told at once."""

import dataclasses
import io
import os
import random

import networkx as nx
import pandas
import pytest

import apsp

COUNT = int(os.environ.get("APSP_DRAWN_TABLES", 1500))
SEED = int(os.environ.get("APSP_DRAWN_TABLES_SEED", 1))
SEPARATORS = {",": "comma", "\t": "tab", ";": "semicolon", " ": "blank"}
MOST_ASKED = 0.01  # of the plain files
MISSING = ["", "NA", "NaN", "nan", "null", "None", "N/A", "<NA>"]
ENDS = [("source", "target"), ("from", "to"), ("Source", "Target"), ("FROM", "TO"), ("u", "v"), ("src", "dst"),
        ("origin", "destination"), ("node1", "node2"), ("start", "end"), ("O", "D"), ("SoUrCe", "tArGeT"),
        ("From_Node", "To_Node"), ("fromNodeId", "toNodeId"), ("from node", "to node"), ("source id", "target id")]
WEIGHTS = ["weight", "Weight", "WEIGHT", "length", "distance", "travel_time", "cost", "minutes", "influence",
           "nanometres", "infra", "strength", "travel time", "length (km)"]
WORDS = ["Rome", "Oslo", "New York", "São Paulo", "Route 5", "Köln", "a", "B", "x-1", "node 3", "from", "weight", "Nantes",
         "info", "München", "Lake Shore 5", "São Tomé", "Zürich", "d'Ivoire", "Rio de Janeiro", "5th Avenue", "42nd", "E1",
         "e2", "3M", "Infinity Road", "1st", "None Street"]
# Names of one table are often of one kind.
FAMILIES = {
    "people": ["Ada Byron", "Max Born", "Lise Meitner", "Emmy Noether", "Ernst Mach", "Marie Curie", "Paul Dirac"],
    "numbered": [f"node {i}" for i in range(1, 9)],
    "rooms": ["Room 5", "Room 12", "Hall 7", "Lake Shore 5", "Area 1", "Area 2"],
    "streets": ["5 Main St", "12 Oak Ave", "1 Elm Way", "33 Pine Rd", "7 Hill"],
    "commas": ["Paris,TX", "Rome", "Doe,J", "Oslo", "Austin,TX", "Bern,CH", "1,2-diol"],
    "spaced commas": ["Paris, France", "Rome", "Bern, Bern", "Oslo", "Washington, D.C.", "New York"],
    "semicolons": ["a;b", "Rome", "c;d;e", "Oslo", "x;y", "K;L"],
    "both": ["a;b", "c,d", "New York", "Rome", "e;f,g", "Max Born"],
    "grid": [f"{i},{j}" for i in range(3) for j in range(2)],
    "lettered grid": ["x,1", "x,2", "y,1", "y,2", "z,7"],
    "tuples": [f"({i}, {j})" for i in range(3) for j in range(2)],
    "quotes": ['Bar "El Sol"', 'the 5" pipe', "Rome", "Oslo", 'a"b', "L'Aquila"],
    "signs": ["A#1", "B%", "#C", "%d", "Rome", "x/y", "a:b", "a|b"],
    "tabs": ["a\tb", "Rome", "Oslo", "c\td"],
}


@dataclasses.dataclass
class Table:
    """A drawn file, and what it says."""

    rows: list  # (from, to, weight or None) as texts
    titles: list  # of all columns; empty: none
    order: list  # which of "from", "to", "weight", "index", "extra" each column is
    separator: str = ","
    line_end: str = "\n"
    encoding: str = "utf-8"
    quoting: str = "needed"  # or "some", "texts"
    padding: str = ""  # after separators, or between blanks
    indent: str = ""  # before rows
    comments: list = dataclasses.field(default_factory=list)
    between: dict = dataclasses.field(default_factory=dict)  # a line that comes before a row
    trailing: bool = False  # each line ends in a separator
    ends_with_line_end: bool = True
    columns: tuple = None  # the option, if one is given
    integers: bool = False  # ids that are all integers
    broken: str = ""  # why no reader may take it
    plain: bool = True  # cannot be misunderstood


def drawn_ids(draw):
    """(ids as texts, whether they are all integers, whether the texts are plain)."""
    kind = draw.choice(["from 0", "from 1", "sparse", "large", "negative", "float", "words", "words", "mixed", "zeros",
                        "family", "family", "family"])
    n = draw.randint(2, 7)
    if kind == "from 0":
        return [str(i) for i in range(n)], True, True
    if kind == "from 1":
        return [str(i + 1) for i in range(n)], True, True
    if kind == "sparse":
        return [str(draw.randint(0, 10**6)) for _ in range(n)], True, True
    if kind == "large":
        return [str(2**53 + draw.randint(0, 3)) for _ in range(n)], True, True
    if kind == "negative":
        return [str(draw.randint(-9, 9)) for _ in range(n)], True, True
    if kind == "float":
        return [f"{draw.randint(0, 9)}{draw.choice(['', '.0'])}" for _ in range(n)], True, False
    if kind == "zeros":
        return [f"{draw.choice(['', '0', '00'])}{draw.randint(1, 9)}" for _ in range(n)], False, False
    if kind == "mixed":
        return [draw.choice(WORDS) for _ in range(n)] + [str(draw.randint(0, 20))], False, False
    if kind == "family":
        family = FAMILIES[draw.choice(list(FAMILIES))]
        return draw.sample(family, min(n, len(family))), False, True
    return draw.sample(WORDS, n), False, True


def drawn_weight(draw, kind):
    if kind == "integer":
        return str(draw.randint(0, 200))
    if kind == "real":
        return repr(round(draw.uniform(0.01, 50), 3))
    if kind == "decimal comma":
        return f"{draw.randint(0, 99)},{draw.randint(1, 99)}"
    if kind == "thousands":
        return draw.choice(["1,234", "12,500.5", "1.234,5", "1,234,567", "7"])
    return draw.choice(["1e-3", "2.5E+2", "+4", ".5", "7.", "12"])


def take_titles(table, draw, weighted):
    """Titles, and other columns than ends and weight."""
    ends, weight = draw.choice(ENDS), draw.choice(WEIGHTS)
    titles = {"from": ends[0], "to": ends[1], "weight": weight, "index": "", "extra": "colour"}
    if draw.random() < 0.5:
        draw.shuffle(table.order)
    if draw.random() < 0.2 and table.separator != " ":
        table.order.insert(0, "index")
    if draw.random() < 0.25:
        table.order.append("extra")
        if weighted and weight.lower() != "weight" or not weighted:
            if draw.random() < 0.5:
                table.columns = (ends[0], ends[1]) + (weight,) * weighted
            else:
                table.plain = False  # which of two columns is the weight
    table.titles = [titles[what] for what in table.order]
    if draw.random() < 0.15:
        table.titles = [f"column_{i}" if what != "index" else "" for i, what in enumerate(table.order)]
        if table.order[:2] == ["from", "to"] and weighted and "extra" not in table.order:
            table.columns = None
            table.plain = False  # titles that say nothing
        else:
            name = dict(zip(table.order, table.titles))
            table.columns = (name["from"], name["to"]) + ((name["weight"],) if weighted else ())


def drawn_table(seed):
    draw = random.Random(seed)
    ids, integers, plain_ids = drawn_ids(draw)
    weighted = draw.random() < 0.75
    kind = draw.choice(["integer", "integer", "real", "real", "odd", "odd", draw.choice(["decimal comma", "thousands"])])
    size = draw.choice([draw.randint(1, 9), draw.randint(1, 9), draw.randint(10, 40)])
    rows = [[draw.choice(ids), draw.choice(ids), drawn_weight(draw, kind) if weighted else None] for _ in range(size)]
    table = Table(rows, [], ["from", "to"] + ["weight"] * weighted, separator=draw.choice(list(SEPARATORS)),
                  integers=integers, plain=plain_ids)
    if draw.random() < 0.6:
        take_titles(table, draw, weighted)
    elif weighted and integers and draw.random() < 0.1:
        table.order.insert(0, "index")
    missing = MISSING[1:] if table.separator == " " else MISSING
    if draw.random() < 0.1:
        draw.choice(rows)[draw.randint(0, 1)] = draw.choice(missing)
        table.broken = "an end is missing"
    if weighted and draw.random() < 0.1:
        draw.choice(rows)[2] = draw.choice(missing)
        table.broken = "a weight is missing"
    if weighted and any("," in row[2] for row in rows):
        table.broken = "a number has a comma"
    table.line_end = draw.choice(["\n", "\n", "\r\n", "\r"])
    table.encoding = draw.choice(["utf-8"] * 5 + ["utf-8-sig", "utf-16", "cp1252", "latin-1"])
    table.quoting = draw.choice(["needed", "needed", "some", "texts"])
    table.padding = draw.choice(["", "", "", "", " ", "   ", "\t"])
    table.indent = draw.choice(["", "", "", "", " ", "    "])
    table.ends_with_line_end = draw.random() < 0.8
    if draw.random() < 0.2:
        table.comments = [draw.choice(["# made by hand", "# directed: false", "# undirected", "% roads of a town", "#",
                                       "# a, b; c"])]
    if draw.random() < 0.03:
        table.comments = [draw.choice(["// made by hand", "! roads", "-- a, b", "c a map of roads"])]
        table.plain = False
    if draw.random() < 0.1:
        table.between = {draw.randrange(size): draw.choice(["", "  ", "# more", "", ""])}
    table.trailing = table.separator != " " and draw.random() < 0.04
    if table.trailing:
        table.plain = False
    return table


def text_of(table, draw):
    """The file's text."""
    def field(text, number):
        text = "" if text is None else text
        must = (table.separator in text or '"' in text or text[:1] in ("#", "%") or "\t" in text or
                table.separator == " " and not text)
        quote = must or text not in MISSING and (
            table.quoting == "some" and draw.random() < 0.5 or table.quoting == "texts" and not number)
        return '"' + text.replace('"', '""') + '"' if quote else text

    def line(values, numbers):
        fields = [field(value, number) for value, number in zip(values, numbers)]
        between = table.separator + (table.padding if table.separator != "\t" else "")
        return table.indent * (table.separator != "\t") + between.join(fields) + table.separator * table.trailing

    lines = list(table.comments)
    if table.titles:
        lines.append(line(table.titles, [False] * len(table.titles)))
    for i, (u, v, weight) in enumerate(table.rows):
        if i in table.between:
            lines.append(table.between[i])
        values = {"from": u, "to": v, "weight": weight, "index": str(i), "extra": draw.choice(["red", "dark blue"])}
        lines.append(line([values[what] for what in table.order],
                          [what in ("weight", "index") or table.integers and what != "extra" for what in table.order]))
    return table.line_end.join(lines) + table.line_end * table.ends_with_line_end


def by_pandas(text, table):
    """The rows as pandas reads them, told how the file is written: (from, to, weight) with ids as texts."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    between = set(table.between.values())
    text = "\n".join(line for line in lines[len(table.comments):] if line.strip() and line not in between)
    if table.separator != "\t" and table.padding == "\t":
        text = text.replace(table.separator + "\t", table.separator)
    frame = pandas.read_csv(io.StringIO(text), sep=table.separator, header=0 if table.titles else None, dtype=str,
                            names=table.order + ["rest"] * table.trailing, keep_default_na=False, skipinitialspace=True,
                            index_col=False)
    weights = frame["weight"].astype(float) if "weight" in table.order else [1.0] * len(frame)
    return list(zip(frame["from"], frame["to"], weights))


def label_of(text, integers):
    return int(float(text)) if integers and ("." in text or "e" in text) else int(text) if integers else text


def edges_of(rows):
    """A sorted list of (from, to, weight) with the lesser text first."""
    return sorted((*sorted((str(u), str(v))), weight) for u, v, weight in rows)


def read_edges(graph):
    sources, targets, weights = graph.edges()
    labels = graph.labels
    return edges_of([(labels[u], labels[v], float(w)) for u, v, w in zip(sources, targets, weights)])


def names_in(table):
    return [text for row in table.rows for text in row[:2]]


def is_square_of_numbers(table):
    """Whether the rows, without titles, are also a matrix with zeros on its diagonal."""
    sides = len(table.order)
    if table.titles or not table.integers or table.broken or len(table.rows) != sides or "index" in table.order:
        return False
    return all(float(table.rows[i][i]) == 0 for i in range(sides))


def is_open(table):
    """Whether a reader may ask, as the file alone does not say what is meant."""
    names = names_in(table)
    return (not table.plain or bool(table.broken) or table.encoding in ("cp1252", "latin-1") or
            (table.separator == " " and any(mark in text for text in names for mark in " ,;")) or
            any("\t" in text for text in names) or
            is_square_of_numbers(table) or
            not table.titles and any(text in {"from", "weight"} for text in names) or
            any(text.startswith("node ") for text in names) and (
                "node1" in table.titles or {"node 1", "node 2"} == set(table.rows[0][:2])) or
            not table.titles and len(table.rows) < 2)


def outcome_of(table, text, folder):
    """The graph, or the error."""
    path = folder / "drawn.csv"
    path.write_bytes(text.encode(table.encoding))
    try:
        return apsp.read(path, columns=table.columns)
    except apsp.Error as error:
        return error


def drawn(seed):
    """(table, text) of a seed."""
    table = drawn_table(seed)
    text = text_of(table, random.Random(-seed))
    try:
        text.encode(table.encoding)
    except UnicodeEncodeError:
        table.encoding = "utf-8"
    return table, text


def fault_of(table, text, outcome):
    """What is wrong with the outcome of a file; empty: nothing."""
    if isinstance(outcome, apsp.Error):
        return "" if str(outcome).strip() else "no message"
    if table.broken:
        return f"read, though {table.broken}"
    expected = [(label_of(u, table.integers), label_of(v, table.integers), weight)
                for u, v, weight in by_pandas(text, table)]
    if not outcome.directed and read_edges(outcome) == edges_of(expected):
        return ""
    said = " ".join(outcome.facts["remarks"])  # few rows of names and numbers, said to be titles
    if not table.plain and not table.titles and "taken as titles" in said:
        return ""
    return f"read as {read_edges(outcome)[:3]} with {said!r}"


@pytest.mark.parametrize("part", range(10))
def test_each_is_read_as_pandas_reads_it_or_refused(part, tmp_path):
    seeds = range(SEED + part, SEED + COUNT, 10)
    refused, plain, faults, asked = 0, 0, [], []
    for seed in seeds:
        table, text = drawn(seed)
        outcome = outcome_of(table, text, tmp_path)
        if fault := fault_of(table, text, outcome):
            faults.append(f"seed {seed}: {fault}\n    {text[:300]!r}")
        if is_open(table):
            continue
        plain += 1
        if isinstance(outcome, apsp.Error):
            refused += 1
            asked.append(f"seed {seed}: {str(outcome).split('drawn.csv')[-1]}\n    {text[:300]!r}")
    assert not faults, f"{len(faults)} of {len(seeds)} are read in another way:\n" + "\n".join(faults)
    assert refused <= 1 + plain * MOST_ASKED, f"{refused} of {plain} plain files are refused:\n" + "\n".join(asked)


def test_distances_are_those_of_networkx(tmp_path):
    for seed in range(SEED, SEED + min(COUNT, 300)):
        table, text = drawn(seed)
        graph = outcome_of(table, text, tmp_path)
        if is_open(table) or isinstance(graph, apsp.Error):
            continue
        peer = nx.MultiGraph()
        for u, v, weight in by_pandas(text, table):
            peer.add_edge(label_of(u, table.integers), label_of(v, table.integers), weight=weight)
        result = apsp.solve(graph)
        for u, distances in nx.all_pairs_dijkstra_path_length(peer):
            for v in peer:
                assert result.distance(u, v) == pytest.approx(distances.get(v, float("inf")), rel=1e-5), (seed, u, v)
