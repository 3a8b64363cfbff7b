"""Two doors to one library: the command and the Python package.

A test that takes the fixture `door` runs once through each. Both read the files of the test's folder, take options by
the package's names, and answer in plain Python: labels as texts, distances as floats. What they refuse raises
`Refused`, whose kind is that of the library's error."""

import csv
import json
import math
import os
import subprocess

import pytest

from conftest import CACHE, binary, environment


class Refused(Exception):
    def __init__(self, kind, message, advice=()):
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.advice = kind, message, list(advice)


def refused(kind, ask, *given, **options):
    """The refusal of a question, which is of this kind."""
    with pytest.raises(Refused) as caught:
        ask(*given, **options)
    assert caught.value.kind == kind, caught.value
    return caught.value


def rows_of(path):
    """The rows of a table from and to vertices: texts but for numbers from the third column on."""
    with open(path, newline="") as file:
        return [(*row[:2], *map(float, row[2:])) for row in list(csv.reader(file))[1:]]


class Command:
    """`apsp`, asked for JSON where that has the answer, and for files elsewhere."""

    def __init__(self, folder):
        self.folder = folder

    def ask(self, verb, *words, input="", **options):
        done = subprocess.run([binary(), verb, *map(str, words), *self.words(options), "--json"], cwd=self.folder,
                              env=environment(), input=input, text=True, capture_output=True, timeout=60)
        document = json.loads(done.stdout)
        if "error" in document:
            error = document["error"]
            raise Refused(error["kind"], error["message"], error.get("advice", ()))
        assert done.returncode in (0, 1), done.stderr
        return document

    @staticmethod
    def words(options):
        words = []
        for name, value in options.items():
            name = {"value_type": "dtype"}.get(name, name).replace("_", "-")
            if name in ("directed", "statistics"):
                words += {"directed": ["--undirected", "--directed"], "statistics": ["--no-statistics", None]}[name][value:][:1]
            elif value is True:
                words.append(f"--{name}")
            elif value is not None and value is not False:
                words += [f"--{name}", ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)]
        return [word for word in words if word]

    def solve(self, graph, output=None, **options):
        return self.ask("solve", graph, **({"output": output} if output else {}), **options)

    def plan(self, graph, **options):
        return self.ask("plan", graph, **options)["plan"]

    def distance(self, of, source, target, **options):
        found = self.ask("distance", of, source, target, **options)["distances"][0]
        return found["distance"] if found["reachable"] else math.inf

    def pairs(self, of, pairs, **options):
        text = "".join(f"{source},{target}\n" for source, target in pairs)
        found = self.ask("distance", of, "--pairs", "-", input=text, **options)["distances"]
        return [one["distance"] if one["reachable"] else math.inf for one in found]

    def table(self, of, output="table.csv", **options):
        self.ask("distance", of, output=output, **options)
        return rows_of(self.folder / output) if output.endswith(".csv") else None

    def path(self, of, source, target, **options):
        return self.ask("path", of, source, target, **options)["path"]

    def verify(self, of, **options):
        return self.ask("verify", of, **options)["verification"]

    def statistics(self, of, **options):
        return self.ask("stats", of, **options)["statistics"]

    def nearest(self, of, places, k=1, towards="places", **options):
        self.ask("nearest", of, to=places, output="near.csv", from_places=towards == "vertices", **options,
                 count=k)
        with open(self.folder / "near.csv", newline="") as file:
            return [(row[0], int(row[1]), row[2], float(row[3])) for row in list(csv.reader(file))[1:]]

    def access(self, of, quantities, within, decay=None, **options):
        count = len(next(iter(quantities.values())))
        lines = [["vertex", *(f"q{i}" for i in range(count))], *([vertex, *sums] for vertex, sums in quantities.items())]
        (self.folder / "quantities.csv").write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
        decay = decay if isinstance(decay, str) or decay is None else "{}:{}".format(*decay)
        self.ask("access", of, weights="quantities.csv", within=within, decay=decay, output="access.csv", **options)
        with open(self.folder / "access.csv", newline="") as file:
            return {row[0]: list(map(float, row[1:])) for row in list(csv.reader(file))[1:]}

    def within(self, of, limit, **options):
        import scipy.sparse

        self.ask("solve", of, within=limit, output="within.npz", **options)
        return scipy.sparse.load_npz(self.folder / "within.npz").toarray()

    def betweenness(self, of, arcs=False, **options):
        self.ask("betweenness", of, arcs=arcs, output="between.csv", **options)
        with open(self.folder / "between.csv", newline="") as file:
            rows = list(csv.reader(file))[1:]
        return {tuple(row[:2]) if arcs else row[0]: float(row[-1]) for row in rows}

    def update(self, result, changes=None, weights=None, **options):
        if weights is not None:
            (self.folder / "weights.txt").write_text("".join(f"{weight:g}\n" for weight in weights))
            return self.ask("update", result, weights="weights.txt", **options)
        if changes is None:
            return self.ask("update", result, **options)
        text = "".join(",".join(map(str, change)) + "\n" for change in changes)
        return self.ask("update", result, "-", input=text, **options)

    def weights(self, result):
        """Of all edges, in the order in which an update takes them."""
        self.ask("convert", result, "edges.csv")
        lines = (line.split(",")[-1] for line in (self.folder / "edges.csv").read_text().splitlines() if line[0] not in "#%")
        return [float(word) for word in lines if word.replace(".", "").isdigit()]


class Package:
    """`import apsp`, on the same files."""

    READING = ("directed", "columns", "separator", "ids", "encoding", "oneway")
    KINDS = {"UsageError": "usage", "InputError": "input", "NegativeCycleError": "negative_cycle",
             "DoesNotFitError": "does_not_fit", "InputOutputError": "input_output", "DeviceError": "device"}

    def __init__(self, folder):
        os.environ.setdefault("APSP_CACHE_DIR", CACHE)
        os.environ.setdefault("APSP_MEASURE", "never")
        self.folder, self.apsp = folder, pytest.importorskip("apsp")

    def __getattribute__(self, name):
        """Methods whose errors are told by their kinds."""
        member = object.__getattribute__(self, name)
        if name.startswith("_") or not callable(member):
            return member

        def asked(*given, **options):
            try:
                return member(*given, **options)
            except self.apsp.Error as error:
                kind = next(kind for name, kind in Package.KINDS.items() if isinstance(error, getattr(self.apsp, name)))
                raise Refused(kind, str(error), error.advice) from error

        return asked

    def _graph(self, name, options):
        reading = {key: options.pop(key) for key in Package.READING if key in options}
        return self.apsp.read(self.folder / name, keep_order=True, **reading)

    def _of(self, name, options):
        """A result that is stored, or a graph."""
        if name.endswith(".zarr"):
            return self.apsp.open(self.folder / name, metric=options.pop("metric", None))
        return self._graph(name, options)

    def _result(self, name, options):
        of = self._of(name, options)
        return of if isinstance(of, self.apsp.Result) else self.apsp.solve(of, **options)

    @staticmethod
    def _labels(of, wanted):
        graph = getattr(of, "graph", of)
        known = {str(label): label for label in graph.labels}
        return [known.get(str(label), label) for label in wanted]

    def _ends(self, of, options):
        return {name: self._labels(of, options.pop(name)) for name in ("sources", "targets") if options.get(name)}

    def solve(self, graph, output=None, **options):
        of = self._graph(graph, options)
        output = output and self.folder / output
        result = self.apsp.solve(of, output=output, **self._ends(of, options), **options)
        return {"plan": result.plan, "statistics": result.statistics if options.get("statistics", True) else None,
                "report": result.figures}

    def plan(self, graph, **options):
        return self.apsp.plan(self._graph(graph, options), **options)

    def distance(self, of, source, target, **options):
        result = self._result(of, options)
        return result.distance(*self._labels(result, (source, target)))

    def pairs(self, of, pairs, **options):
        result = self._result(of, options)
        return result.distances_of([self._labels(result, pair) for pair in pairs]).tolist()

    def table(self, of, output="table.csv", second=None, second_columns=None, **options):
        of = self._of(of, options)
        if second:
            options["second"] = self._graph(second, {"columns": second_columns, "directed": getattr(of, "graph", of).directed})
        self.apsp.write_table(of, self.folder / output, **self._ends(of, options), **options)
        return rows_of(self.folder / output) if output.endswith(".csv") else None

    def path(self, of, source, target, **options):
        result = self._result(of, options)
        return list(map(str, result.path(*self._labels(result, (source, target)))))

    def verify(self, of, **options):
        return self.apsp.open(self.folder / of, metric=options.pop("metric", None)).verify(**options)

    def statistics(self, of):
        return self.apsp.open(self.folder / of).statistics

    def nearest(self, of, places, k=1, **options):
        of = self._of(of, options)
        indices, distances = self.apsp.nearest(of, self._labels(of, places), k, **options)
        labels = getattr(of, "graph", of).labels
        return [(str(labels[v]), rank + 1, str(places[place]), float(distance))
                for v, (row, lengths) in enumerate(zip(indices.tolist(), distances.tolist()))
                for rank, (place, distance) in enumerate(zip(row, lengths)) if place >= 0]

    def access(self, of, quantities, within, **options):
        import numpy as np

        of = self._of(of, options)
        graph = getattr(of, "graph", of)
        values = np.zeros((len(graph), len(next(iter(quantities.values())))))
        for vertex, sums in zip(self._labels(graph, quantities), quantities.values()):
            values[graph.index(vertex)] = sums
        sources = self._ends(of, options)
        found = self.apsp.access(of, values, within if isinstance(within, list) else [within], **sources, **options)
        return {str(vertex): row.ravel().tolist() for vertex, row in zip(sources.get("sources", graph.labels), found)}

    def within(self, of, limit, **options):
        of = self._of(of, options)
        return self.apsp.within(of, limit, **self._ends(of, options), **options).toarray()

    def betweenness(self, of, arcs=False, normalized=False, **options):
        of = self._of(of, options)
        graph = getattr(of, "graph", of)
        options.update(self._ends(of, options), scale="normalized" if normalized else "pairs")
        if not arcs:
            return dict(zip(map(str, graph.labels), self.apsp.betweenness(of, **options).tolist()))
        label = lambda v: str(graph.labels[v])
        return {(label(u), label(v)): float(value) for u, v, value in zip(*self.apsp.edge_betweenness(of, **options))}

    def update(self, result, changes=None, graph=None, before=None, output=None, **options):
        path = self.folder / result
        reading = {name: options.pop(name) for name in Package.READING if name in options}
        if changes is not None:
            of = before and self._graph(before, dict(reading)) or self.apsp.open(path)
            changes = [(*self._labels(of, change[:2]), *map(float, change[2:])) for change in changes]
        for name, given in (("graph", graph), ("before", before)):
            if given:
                options[name] = self._graph(given, dict(reading))
        self.apsp.update(path, changes, output=output and self.folder / output, **options)

    def weights(self, result):
        return self.apsp.open(self.folder / result).graph.edges()[2].tolist()


DOORS = {"command": Command, "package": Package}


@pytest.fixture(params=DOORS)
def door(request, tmp_path):
    return DOORS[request.param](tmp_path)
