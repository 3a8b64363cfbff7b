"""Tables of edges as people write them, drawn at random: each is read as pandas reads it, or refused.

`APSP_DRAWN_TABLES` sets how many files are drawn, `APSP_DRAWN_TABLES_SEED` the first seed. A file that a
reader cannot misunderstand must be read; the others may be refused, but never read as another graph."""

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
MISSING = ["", "NA", "NaN", "nan", "null", "None", "N/A", "<NA>"]
ENDS = [("source", "target"), ("from", "to"), ("Source", "Target"), ("FROM", "TO"), ("u", "v"), ("src", "dst"),
        ("origin", "destination"), ("node1", "node2"), ("start", "end"), ("O", "D")]
WEIGHTS = ["weight", "Weight", "length", "distance", "travel_time", "cost", "minutes", "influence", "nanometres", "infra",
           "strength"]
WORDS = ["Rome", "Oslo", "New York", "São Paulo", "Route 5", "Köln", "a", "B", "x-1", "node 3", "from", "weight", "Nantes",
         "info", "München", "Lake Shore 5", "São Tomé", "Zürich", "d'Ivoire"]


@dataclasses.dataclass
class Table:
    """A drawn file, and what it says."""

    rows: list  # (from, to, weight or None) as texts
    titles: list  # of all columns; empty: none
    order: list  # which of "from", "to", "weight", "index", "extra" each column is
    separator: str = ","
    line_end: str = "\n"
    encoding: str = "utf-8"
    quoting: bool = False
    comments: list = dataclasses.field(default_factory=list)
    ends_with_line_end: bool = True
    columns: tuple = None  # the option, if one is given
    integers: bool = False  # ids that are all integers
    missing_end: bool = False
    missing_weight: bool = False
    plain: bool = True  # cannot be misunderstood


def drawn_ids(draw):
    """(ids as texts, whether they are all integers, whether the texts are plain)."""
    kind = draw.choice(["from 0", "from 1", "sparse", "large", "float", "words", "words", "mixed", "zeros"])
    n = draw.randint(2, 7)
    if kind == "from 0":
        return [str(i) for i in range(n)], True, True
    if kind == "from 1":
        return [str(i + 1) for i in range(n)], True, True
    if kind == "sparse":
        return [str(draw.randint(0, 10**6)) for _ in range(n)], True, True
    if kind == "large":
        return [str(2**53 + draw.randint(0, 3)) for _ in range(n)], True, True
    if kind == "float":
        return [f"{draw.randint(0, 9)}{draw.choice(['', '.0'])}" for _ in range(n)], True, False
    if kind == "zeros":
        return [f"{draw.choice(['', '0', '00'])}{draw.randint(1, 9)}" for _ in range(n)], False, False
    if kind == "mixed":
        return [draw.choice(WORDS) for _ in range(n)] + [str(draw.randint(0, 20))], False, False
    return draw.sample(WORDS, n), False, True


def drawn_weight(draw, kind):
    if kind == "integer":
        return str(draw.randint(0, 200))
    if kind == "real":
        return repr(round(draw.uniform(0.01, 50), 3))
    return draw.choice(["1e-3", "2.5E+2", "+4", ".5", "7.", "12"])


def drawn_table(seed):
    draw = random.Random(seed)
    ids, integers, plain_ids = drawn_ids(draw)
    weighted = draw.random() < 0.75
    kind = draw.choice(["integer", "real", "odd"])
    rows = [[draw.choice(ids), draw.choice(ids), drawn_weight(draw, kind) if weighted else None]
            for _ in range(draw.randint(1, 9))]
    order = ["from", "to"] + ["weight"] * weighted
    ends, weight = draw.choice(ENDS), draw.choice(WEIGHTS)
    titles = {"from": ends[0], "to": ends[1], "weight": weight, "index": "", "extra": "colour"}
    table = Table(rows, [], order, separator=draw.choice(list(SEPARATORS)), integers=integers, plain=plain_ids)
    headed = draw.random() < 0.6
    if headed:
        if draw.random() < 0.5:
            draw.shuffle(table.order)
        if draw.random() < 0.2 and table.separator != " ":
            table.order.insert(0, "index")
        if draw.random() < 0.25:
            table.order.append("extra")
            if weighted and weight != "weight":
                if draw.random() < 0.5:
                    table.columns = (ends[0], ends[1], weight)
                else:
                    table.plain = False  # which of two columns is the weight
            elif not weighted:
                if draw.random() < 0.5:
                    table.columns = (ends[0], ends[1])
                else:
                    table.plain = False
        table.titles = [titles[what] for what in table.order]
        if draw.random() < 0.15:
            table.titles = [f"column_{i}" if what != "index" else "" for i, what in enumerate(table.order)]
            if table.order[:2] == ["from", "to"] and weighted and "extra" not in table.order:
                table.columns = None
                table.plain = False  # titles that say nothing
            else:
                name = {what: title for what, title in zip(table.order, table.titles)}
                table.columns = (name["from"], name["to"]) + ((name["weight"],) if weighted else ())
    if draw.random() < 0.1:
        draw.choice(rows)[draw.randint(0, 1)] = draw.choice(MISSING[1:] if table.separator == " " else MISSING)
        table.missing_end = True
    if weighted and draw.random() < 0.1:
        draw.choice(rows)[2] = draw.choice(MISSING[1:] if table.separator == " " else MISSING)
        table.missing_weight = True
    table.line_end = draw.choice(["\n", "\n", "\r\n", "\r"])
    table.encoding = draw.choice(["utf-8"] * 5 + ["utf-8-sig", "utf-16", "cp1252", "latin-1"])
    table.quoting = draw.random() < 0.3
    table.ends_with_line_end = draw.random() < 0.8
    if draw.random() < 0.2:
        table.comments = [draw.choice(["# made by hand", "# directed: false", "# undirected", "% roads of a town"])]
    return table


def text_of(table, draw):
    """The file's text."""
    def field(text):
        text = "" if text is None else text
        must = table.separator in text or '"' in text or (table.separator == " " and not text)
        quote = must or (table.quoting and draw.random() < 0.5 and text not in MISSING)
        return '"' + text.replace('"', '""') + '"' if quote else text

    lines = list(table.comments)
    if table.titles:
        lines.append(table.separator.join(field(title) for title in table.titles))
    for i, (u, v, weight) in enumerate(table.rows):
        values = {"from": u, "to": v, "weight": weight, "index": str(i), "extra": draw.choice(["red", "blue"])}
        lines.append(table.separator.join(field(values[what]) for what in table.order))
    return table.line_end.join(lines) + (table.line_end if table.ends_with_line_end else "")


def by_pandas(text, table):
    """The rows as pandas reads them, told how the file is written: (from, to, weight) with ids as texts."""
    frame = pandas.read_csv(io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n")), sep=table.separator,
                            header=0 if table.titles else None, skiprows=len(table.comments), dtype=str,
                            names=table.order, keep_default_na=False, skip_blank_lines=False)
    weights = frame["weight"].astype(float) if "weight" in table.order else [1.0] * len(frame)
    return list(zip(frame["from"], frame["to"], weights))


def label_of(text, integers):
    return int(float(text)) if integers and ("." in text or "e" in text) else int(text) if integers else text


def edges_of(rows, directed):
    """A sorted list of (from, to, weight); undirected edges with the lesser text first."""
    found = []
    for u, v, weight in rows:
        u, v = str(u), str(v)
        found.append((u, v, weight) if directed or u <= v else (v, u, weight))
    return sorted(found)


def read_edges(graph):
    sources, targets, weights = graph.edges()
    labels = graph.labels
    return edges_of([(labels[u], labels[v], float(w)) for u, v, w in zip(sources, targets, weights)], graph.directed)


def is_open(table):
    """Whether a reader may ask, as the file alone does not say what is meant."""
    return (not table.plain or table.missing_end or table.missing_weight or table.encoding in ("cp1252", "latin-1") or
            (table.separator == " " and any(" " in text for row in table.rows for text in row[:2])) or
            not table.titles and any(text in {"from", "weight"} for row in table.rows for text in row[:2]) or
            not table.titles and len(table.rows) < 2)


def outcome_of(table, text, folder):
    """The graph, or the error."""
    path = folder / "drawn.csv"
    path.write_bytes(text.encode(table.encoding))
    try:
        return apsp.read(path, columns=table.columns)
    except apsp.Error as error:
        return error


@pytest.mark.parametrize("part", range(10))
def test_each_is_read_as_pandas_reads_it_or_refused(part, tmp_path):
    refused = 0
    for seed in range(SEED + part, SEED + COUNT, 10):
        table = drawn_table(seed)
        draw = random.Random(-seed)
        text = text_of(table, draw)
        try:
            text.encode(table.encoding)
        except UnicodeEncodeError:
            table.encoding = "utf-8"
        outcome = outcome_of(table, text, tmp_path)
        if isinstance(outcome, apsp.Error):
            refused += 1
            assert is_open(table), f"seed {seed}: {outcome}\n{text!r}"
            assert str(outcome).strip(), seed
            continue
        assert not table.missing_end, f"seed {seed}: a missing end was read\n{text!r}"
        assert not table.missing_weight, f"seed {seed}: a missing weight was read\n{text!r}"
        expected = [(label_of(u, table.integers), label_of(v, table.integers), weight)
                    for u, v, weight in by_pandas(text, table)]
        assert not outcome.directed, f"seed {seed}"
        if read_edges(outcome) != edges_of(expected, False):  # few rows of names and numbers, said to be titles
            said = " ".join(outcome.facts["remarks"])
            assert not table.plain and not table.titles and "taken as titles" in said, f"seed {seed}: {text!r}"
    assert refused < COUNT / 10


def test_distances_are_those_of_networkx(tmp_path):
    for seed in range(SEED, SEED + min(COUNT, 300)):
        table = drawn_table(seed)
        text = text_of(table, random.Random(-seed))
        if is_open(table) or table.encoding != "utf-8":
            continue
        graph = outcome_of(table, text, tmp_path)
        assert not isinstance(graph, apsp.Error), (seed, graph)
        peer = nx.MultiGraph()
        for u, v, weight in by_pandas(text, table):
            peer.add_edge(label_of(u, table.integers), label_of(v, table.integers), weight=weight)
        result = apsp.solve(graph)
        for u, distances in nx.all_pairs_dijkstra_path_length(peer):
            for v in peer:
                assert result.distance(u, v) == pytest.approx(distances.get(v, float("inf")), rel=1e-5), (seed, u, v)
