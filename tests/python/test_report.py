"""`apsp report`: the page is well-formed, needs nothing else, and says what `apsp stats` says."""

import base64
import html.parser
import re
import struct
import xml.etree.ElementTree
import zlib

import numpy
import pytest

FIGURES = {"vertices": "vertices", "reachable-pairs": "reachable_pairs", "pairs": "pairs",
           "mean": "mean", "median": "median", "diameter": "diameter", "radius": "radius",
           "diameter-at-least": "diameter_at_least", "radius-at-most": "radius_at_most"}
MOST_BYTES = 3_000_000


class Checked(html.parser.HTMLParser):
    """Fails on a page that a browser would have to mend, or that asks for something else."""

    EMPTY = {"meta", "img"}

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.text = [], {}, []

    def handle_startendtag(self, tag, attributes):
        self.look_at(tag, dict(attributes))

    def handle_starttag(self, tag, attributes):
        self.look_at(tag, dict(attributes))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def look_at(self, tag, attributes):
        assert tag not in {"script", "link", "iframe", "object", "base", "form"}
        for name, value in attributes.items():
            assert not name.startswith("on"), name
            if name in {"src", "href", "srcset", "data", "action"}:
                within = tag == "use" and value[1:] in self.ids and value[0] == "#"
                assert within or value.startswith("data:image/png;base64,"), value[:60]
        if "id" in attributes:
            assert attributes["id"] not in self.ids, attributes["id"]
            self.ids[attributes["id"]] = attributes


@pytest.fixture
def page(run, tmp_path):
    """page("cities.zarr", …words): the page that apsp report makes of it, as XML, checked."""

    def make(result, *words, code=0):
        run("report", result, "-o", "page.html", *words, code=code)
        text = (tmp_path / "page.html").read_bytes().decode()
        assert len(text) < MOST_BYTES
        assert "://" not in text and "url(" not in text and "@import" not in text
        checked = Checked()
        checked.feed(text)
        checked.close()
        assert not checked.open
        assert text.startswith("<!DOCTYPE html>\n")
        return xml.etree.ElementTree.fromstring(text.split("\n", 1)[1])

    return make


def values(tree):
    return {data.get("id"): float(data.get("value")) for data in tree.iter("data") if data.get("id")}


def titles(tree):
    return [title.text for title in tree.iter("h2")]


def text_of(tree):
    return " ".join("".join(tree.itertext()).split())


def same_as_stats(run, tree, result, *words):
    statistics = run("stats", result, "--json", "--top", 10, *words).json()["statistics"]
    shown = values(tree)
    for here, there in FIGURES.items():
        assert shown.get(here) == statistics[there] or statistics[there] is None, here
    for id_, name in (("closeness", "closeness"), ("harmonic", "harmonic")):
        rows = tree.findall(f".//table[@id='{id_}']/tbody/tr")
        found = [(row[1].text, float(row[2][0].get("value"))) for row in rows]
        assert found == [(c["vertex"], c["value"]) for c in statistics["most_central"][name]]
    pairs = [int(re.search(r": ([\d,]+) pairs?", title.text)[1].replace(",", ""))
             for title in tree.findall(".//svg[@class='histogram']/rect/title")]
    assert pairs == [b["pairs"] for b in statistics["histogram"] if b["pairs"] > 0]


def pixels(tree):
    """(width, height, rows of pixels) of the matrix."""
    source = tree.find(".//img[@class='matrix']").get("src")
    data = base64.b64decode(source.split(",", 1)[1], validate=True)
    chunks, at = {}, 8
    while at < len(data):
        length, = struct.unpack_from(">I", data, at)
        content = data[at + 8:at + 8 + length]
        crc, = struct.unpack_from(">I", data, at + 8 + length)
        assert crc == zlib.crc32(data[at + 4:at + 8 + length])
        chunks[data[at + 4:at + 8]] = content
        at += length + 12
    width, height = struct.unpack_from(">II", chunks[b"IHDR"])
    rows = zlib.decompress(chunks[b"IDAT"])
    assert len(rows) == height * (width + 1)
    return width, height, [rows[y * (width + 1) + 1:(y + 1) * (width + 1)] for y in range(height)]


# --- what is on the page ------------------------------------------------------------------------


def test_figures_are_those_of_stats(run, page, solved):
    tree = page(solved)
    same_as_stats(run, tree, solved)
    assert titles(tree) == ["How far apart", "Map", "Longest shortest path",
                            "Most central vertices", "Matrix of distances", "Graph",
                            "Plan and run", "Not on this page"]


def test_the_longest_path_is_that_of_path(run, page, solved):
    tree = page(solved)
    told = run("path", solved, "Aachen", "Dortmund", "--json").json()
    rows = tree.findall(".//table[@id='path']/tbody/tr")
    assert [row[1].text for row in rows] == told["path"]
    assert [float(row[3].text) for row in rows[1:]] == [hop["so_far"] for hop in told["hops"]]
    assert values(tree)["longest"] == told["distance"]
    assert tree.find(".//svg[@role='img']/path[@class='way']") is not None


def test_the_matrix_has_a_pixel_a_pair(page, solved):
    width, height, rows = pixels(page(solved))
    assert (width, height) == (5, 5)
    # Emden stands apart: no path to and from the four others, in its row and its column.
    assert sum(row.count(0) for row in rows) == 8
    assert all(rows[i][i] == 1 for i in range(5))


def test_plan_stands_beside_what_it_took(run, page, cities):
    report = run("solve", cities, "-o", "c.zarr", "--json").json()["report"]
    tree = page("c.zarr")
    assert values(tree)["seconds-planned"] == report["seconds_predicted"]
    assert values(tree)["seconds-actual"] > 0
    assert report["bytes_resident"] > 0 and report["plan"] in text_of(tree)


def test_verification_is_shown_where_it_was_done(run, page, cities, tmp_path):
    run("solve", cities, "--undirected", "-o", "c.npy", "--quiet")
    words = ("c.npy", "--graph", cities, "--undirected")
    assert "Passed: proof" in text_of(page(*words, "--verify"))
    assert "Verification: not asked for" in text_of(page(*words))
    distances = numpy.load(tmp_path / "c.npy")
    distances[0, 1] -= 1
    numpy.save(tmp_path / "c.npy", distances)
    tree = page(*words, "--verify", code=1)
    assert tree.find(".//p[@id='verdict']").text.startswith("FAILED")


def test_title_and_number_of_central_vertices(page, solved):
    tree = page(solved, "--title", "Trains & <trams>", "--top", 2)
    assert tree.find(".//h1").text == tree.find("head/title").text == "Trains & <trams>"
    assert len(tree.findall(".//table[@id='closeness']/tbody/tr")) == 2
    assert "Most central vertices" not in titles(page(solved, "--top", 0))


def test_a_map_by_coordinates(page, solved, tmp_path):
    (tmp_path / "map.csv").write_text("town,lat,lon\nEmden,53.4,7.2\nAachen,50.8,6.1\n"
                                      "Bonn,50.7,7.1\nCologne,50.9,7.0\nDortmund,51.5,7.5\n")
    tree = page(solved, "--coordinates", "map.csv")
    circles = tree.findall(".//svg[@role='img'][@aria-label='Eccentricity']")[0].findall("circle")
    places = {c[0].text.split(":")[0]: (int(c.get("cx")), int(c.get("cy"))) for c in circles}
    assert min(places, key=lambda town: places[town][1]) == "Emden"  # the northernmost is on top
    assert min(places, key=lambda town: places[town][0]) == "Aachen"
    assert "where their coordinates say" in text_of(tree)


def test_units_and_maps_of_own_values(run, page, solved, tmp_path):
    (tmp_path / "jobs.csv").write_text("vertex,jobs,schools\nAachen,30,1\nBonn,10,2\nDortmund,50,3\n")
    tree = page(solved, "--unit", "min", "--map", "jobs.csv")
    labels = [svg.get("aria-label") for svg in tree.findall(".//svg[@role='img']")]
    assert {"Eccentricity (min)", "jobs", "schools"} <= set(labels)
    jobs = tree.findall(".//svg[@aria-label='jobs']")[0].findall("circle")
    shown = {c[0].text.split(": ")[0]: c.get("class") for c in jobs}
    assert shown["Bonn"] != shown["Dortmund"] and shown["Cologne"] == "fnone"
    assert tree.find(".//data[@id='diameter']").tail == " min"
    assert [th.text for th in tree.findall(".//table[@id='path']/thead/tr/th")][2:] == ["edge (min)", "so far (min)"]
    (tmp_path / "wrong.csv").write_text("vertex,jobs\nNowhere,1\n")
    run("report", solved, "-o", "r.html", "--map", "wrong.csv", code=3)


# --- results of every kind ----------------------------------------------------------------------


@pytest.mark.parametrize("keep", ["matrix", "factor"])
def test_a_thousand_vertices(run, page, tmp_path, keep):
    run("generate", "geometric", "g.gr", "--vertices", 1000, "--undirected", "--quiet")
    run("solve", "g.gr", "-o", "g.zarr", "--keep", keep, "--quiet")
    tree = page("g.zarr")
    same_as_stats(run, tree, "g.zarr")
    width, height, rows = pixels(tree)
    assert width == height == 400
    # Near ones stand together: pixels differ little from the next ones.
    step = sum(abs(a - b) for row in rows for a, b in zip(row, row[1:])) / (height * width)
    assert step < 6


@pytest.mark.parametrize("graph", [
    "p sp 1 0\n", "p sp 1 1\na 1 1 5\n", "p sp 2 0\n", "p sp 2 1\na 1 2 3\n",
    "p sp 2 2\na 1 2 3\na 2 1 3\n", "p sp 3 2\na 1 2 0\na 2 3 0\n", "p sp 9 0\n",
    "p sp 6 4\na 1 2 3\na 2 1 3\na 3 4 -1\na 4 5 2\n", "p sp 0 0\n"])
def test_tiny_graphs(run, page, tmp_path, graph):
    (tmp_path / "tiny.gr").write_text(graph)
    run("solve", "tiny.gr", "-o", "tiny.zarr", "--quiet")
    tree = page("tiny.zarr", "--verify")
    same_as_stats(run, tree, "tiny.zarr")
    assert "nan" not in text_of(tree)


@pytest.mark.parametrize("semiring", ["max-min", "min-max", "max-plus", "or-and"])
def test_other_semirings(run, page, tmp_path, semiring):
    (tmp_path / "a.csv").write_text("a,b,2\nb,c,3\na,c,9\n")
    run("solve", "a.csv", "--directed", "--semiring", semiring, "-o", "a.zarr", "--quiet")
    tree = page("a.zarr")
    assert "Longest shortest path" not in titles(tree)
    assert sum(row.count(0) for row in pixels(tree)[2]) == 3  # pairs without a path


def test_some_rows_and_columns(run, page, cities):
    run("solve", cities, "--undirected", "--sources", "Aachen,Bonn", "-o", "rows.zarr", "--quiet")
    tree = page("rows.zarr")
    same_as_stats(run, tree, "rows.zarr")
    assert "Longest shortest path" in titles(tree)
    assert pixels(tree)[:2] == (5, 2)
    run("solve", cities, "--undirected", "--targets", "Emden,Bonn", "-o", "columns.zarr", "--quiet")
    tree = page("columns.zarr")
    assert "Longest shortest path" not in titles(tree)
    assert pixels(tree)[:2] == (2, 5)


def test_an_npy_with_its_graph(run, page, cities):
    run("solve", cities, "--undirected", "-o", "c.npy", "--quiet")
    tree = page("c.npy", "--graph", cities, "--undirected")
    same_as_stats(run, tree, "c.npy", "--graph", cities, "--undirected")
    assert "does not tell how it was solved" in text_of(tree)


# --- manners ------------------------------------------------------------------------------------


def test_standard_output_json_and_quiet(run, solved, tmp_path):
    assert run("report", solved, "-o", "-").out.startswith("<!DOCTYPE html>")
    answer = run("report", solved, "-o", "a.html", "--verify", "--json").json()
    assert answer["output"] == {"path": "a.html", "bytes": (tmp_path / "a.html").stat().st_size}
    assert answer["verified"] is True
    done = run("report", solved, "-o", "a.html")  # in the place of the old one
    assert not done.out and done.err.startswith("a.html: ")
    done = run("report", solved, "-o", "a.html", "--quiet")
    assert not done.out and not done.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.html", "cities.csv", "cities.zarr"]


def test_words_that_do_not_do(run, solved):
    run("report", solved, code=2)
    run("report", solved, "-o", "-", "--json", code=2)
    run("report", solved, "-o", "a.zarr", code=2)
    run("report", "a.npy", "-o", "a.html", code=2)
    run("report", "none.zarr", "-o", "a.html", code=6)
    run("report", solved, "-o", "none/a.html", code=6)
    run("report", solved, "-o", "a.html", "--coordinates", "none.csv", code=6)


@pytest.mark.parametrize("text,message", [
    ("Aachen,1,1\nTrier,2,2\n", "map.csv:2:1: unknown vertex 'Trier'"),
    ("Aachen,1,1\nBonn,2\n", "map.csv:2:1: 2 of 3 columns"),
    ("Aachen,1,1\nBonn,east,2\n", "map.csv:2:6: 'east'"),
    ("Aachen,1,1\nBonn,2,inf\n", "map.csv:2:8: 'inf'"),
    ("Aachen,1,1\nAachen,2,2\n", "map.csv:2:1: the vertex 'Aachen' comes twice"),
    ("Aachen,1,1\n", "the place is missing for 4 of 5 vertices, such as 'Bonn'"),
    ("", "map.csv: the file is empty"),
    ("%%MatrixMarket matrix array real general\n4 2\n" + "1\n" * 8, "4 coordinates for 5 vertices"),
    ("%%MatrixMarket matrix array real general\n5 3\n" + "1\n" * 15, "map.csv:2:1: coordinates are"),
    ("%%MatrixMarket matrix array real general\n5 2\n" + "1\n" * 9 + "91\n", "91 degrees"),
])
def test_coordinates_with_a_fault(run, solved, tmp_path, text, message):
    (tmp_path / "map.csv").write_text(text)
    failed = run("report", solved, "-o", "a.html", "--coordinates", "map.csv", code=3)
    assert message in failed.err
    assert not (tmp_path / "a.html").exists()


# Names that break out of what browsers parse, where anything forgets to escape them.
HOSTILE = ["<script>alert(1)</script>", "\"onmouseover=\"alert(1)", "'><img/src=x/onerror=alert(1)>",
           "</title><script>alert(1)</script>", "--><script>alert(1)</script>", "]]><svg/onload=alert(1)>",
           "</style><script>alert(1)</script>", "javascript:alert(1)", "&lt;script&gt;", "&#60;b&#62;",
           "{{constructor}}", "\u202egnorw", "<!--", "a\x07b"]


def test_names_of_strangers_are_shown_and_never_run(run, page, tmp_path):
    arcs = [(a, b) for a, b in zip(HOSTILE, HOSTILE[1:] + HOSTILE[:1])]
    quoted = {name: '"' + name.replace('"', '""') + '"' for name in HOSTILE}
    (tmp_path / "strange.csv").write_text(
        "".join(f"{quoted[a]},{quoted[b]},{i + 1}\n" for i, (a, b) in enumerate(arcs)))
    (tmp_path / "places.csv").write_text("".join(f"{quoted[name]},{i},{i * i % 7}\n" for i, name in enumerate(HOSTILE)))
    run("solve", "strange.csv", "-o", "strange.zarr", "--quiet")
    for words in ([], ["--title", HOSTILE[3]], ["--coordinates", "places.csv", "--verify"]):
        tree = page("strange.zarr", *words)  # checked: nothing that runs, no attribute on…
        shown = text_of(tree)
        assert HOSTILE[0] in shown and HOSTILE[8] in shown  # as it was written, not as markup
        assert tree.find(".//img[@src='x']") is None and tree.find(".//b[.='']") is None
