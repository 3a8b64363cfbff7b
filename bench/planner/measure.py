#!/usr/bin/env python3
"""What the planner picks and predicts, beside what every way to solve took (bench/planner/run).

--weights: greatest weights. --cache: a folder with measured rates; they are measured first without it."""

import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import asked, read_arcs, table  # noqa: E402

WORST, WITHIN, SHARE = 1.3, 1.5, 0.9
KINDS = "dense,rmat4,rmat8,rmat16,rmat32,gnp,grid,geometric"  # R-MAT: arcs a vertex, of Xia 2021
# Larger dense graphs are read as matrices: a text of all arcs takes longer to read than to solve.
LARGEST_TEXT, LARGEST_DENSE = 2000, 10_000
SMALL = 5000  # vertices: these sizes of all kinds come first, then given graphs, then larger sizes
MOST_ROUNDS, SHORT = 7, 0.3  # s
SLOWER = 3  # a way is not run that is predicted so many times slower than the pick


class LeftOut(Exception):
    """The message says why a graph is left out."""


class Apsp:
    def __init__(self, options, folder):
        self.program = os.path.abspath(options.apsp)
        self.threads = ["--threads", options.threads] if options.threads else []
        self.where = [*self.threads, "--device", options.device, "--json"]
        self.env = dict(os.environ, APSP_CACHE_DIR=options.cache or str(folder / "cache"))

    def answer(self, *arguments, timeout=None):
        """Its JSON, or None where it fails; raises where the time is over."""
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True,
                              env=self.env, timeout=timeout)
        if done.returncode != 0:
            return None
        return json.loads(done.stdout) if done.stdout.startswith("{") else {}

    def run(self, *arguments):
        answer = self.answer(*arguments)
        if answer is None:
            sys.exit(f"apsp {' '.join(map(str, arguments))} failed")
        return answer

    def plan(self, graph, timeout):
        answer = self.answer("plan", graph, *self.where, timeout=timeout)
        return answer and answer["plan"]

    def solve(self, graph, algorithm, timeout=None):
        answer = self.answer("solve", graph, *self.where, "--algorithm", algorithm, timeout=timeout)
        return answer and answer["report"]


def generate(apsp, folder, kind, n, greatest):
    as_matrix = kind == "dense" and n > LARGEST_TEXT
    path = folder / f"{kind}-{n}-{greatest}.{'npy' if as_matrix else 'gr'}"
    shape = {"dense": ["dense"], "grid": ["grid"], "geometric": ["geometric"],
             "gnp": ["gnp", "--probability", min(1.0, 6 / n)]}.get(kind)
    if shape is None:
        shape = ["rmat", "--edges", n * int(kind.removeprefix("rmat"))]
    apsp.run("generate", shape[0], path, *shape[1:], "--vertices", n, "--weights", f"1:{greatest}",
             "--quiet")
    return path


def reweighted(folder, apsp, graph, greatest):
    """The graph of a file with random weights, the same both ways of an edge."""
    plain = folder / (pathlib.Path(graph).name + ".gr")
    if apsp.answer("convert", graph, plain, "--quiet") is None:
        raise LeftOut("apsp does not read it as a graph")
    draw, weights = random.Random(1), {}
    path = folder / f"{pathlib.Path(graph).stem}-{greatest}.gr"
    with open(path, "w") as out:
        out.write(next(line for line in open(plain) if line.startswith("p ")))
        for u, v, _ in read_arcs(plain):
            out.write(f"a {u + 1} {v + 1} {weights.setdefault((min(u, v), max(u, v)), draw.randint(1, greatest))}\n")
    plain.unlink()
    return path


class Problem(typing.NamedTuple):
    """A size of a generated kind, or a file, with random weights up to `greatest` if that is not 0."""
    family: str
    greatest: int
    n: int | None = None
    path: pathlib.Path | None = None

    def file(self, apsp, folder):
        if self.path is None:
            return generate(apsp, folder, self.family, self.n, self.greatest)
        return reweighted(folder, apsp, self.path, self.greatest) if self.greatest else self.path


def given_graphs(options, apsp):
    """Files, and of folders whatever is a graph."""
    for word in options.graphs:
        name, _, greatest = word.partition(":")
        path = pathlib.Path(name)
        files = sorted(p for p in path.iterdir() if p.is_file()) if path.is_dir() else [path]
        for file in files:
            if not path.is_dir() or apsp.answer("info", file, "--json"):
                yield Problem(file.name, int(greatest or 0), path=file)


def problems(options, apsp):
    generated = [Problem(kind, greatest, n)
                 for n in map(int, options.sizes.split(","))
                 for kind in filter(None, options.kinds.split(","))
                 for greatest in map(int, options.weights.split(","))
                 if not (kind == "dense" and (greatest == 1 or n > LARGEST_DENSE))]
    yield from (one for one in generated if one.n <= SMALL)
    yield from given_graphs(options, apsp)
    yield from (one for one in generated if one.n > SMALL)


def times(a, b):
    return max(a / b, b / a)


def ways_to_run(options, plan):
    """Names of algorithms, and of those that are not run why."""
    pick = plan["predicted"]["seconds"]
    run, left = [], {}
    for way in plan["candidates"]:
        name = way["algorithm"]
        if way["device"] != options.device or way["taken"]:
            continue
        if not way["known"]:
            # An algorithm that was not examined may have been the best one.
            if way["why_not"] == "not examined: small or dense":
                run.append(name)
        elif not way["fits"]:
            left[name] = "does not fit"
        elif way["seconds"] > max(options.cap, SLOWER * pick):
            left[name] = f"predicted {way['seconds']:.3g} s"
        else:
            run.append(name)
    return run, left


def beyond_bar(runs):
    """How many times beyond the bar the pick is, by the best of each way's runs."""
    best = {name: min(run["seconds_total"] for run in found) for name, found in runs.items()}
    return best["auto"] / (WORST * min(best.values()))


def measure(options, apsp, path):
    try:
        plan = apsp.plan(path, 2 * options.longest + 10)
    except subprocess.TimeoutExpired:
        raise LeftOut("planning takes too long") from None
    if plan is None:
        raise LeftOut("it cannot be planned, or does not fit")
    if plan["predicted"]["seconds"] > options.longest:
        raise LeftOut(f"predicted {plan['predicted']['seconds']:.3g} s")
    others, left = ways_to_run(options, plan)
    # Short solves are repeated more often, and all of them in turn: what disturbs one disturbs
    # the others.
    many = int(SHORT / plan["predicted"]["seconds"])
    least = options.repeat if plan["predicted"]["seconds"] < 1 else 1
    runs = {"auto": []}
    slowest = 0
    rounds = max(least, min(MOST_ROUNDS, many))
    for done in range(2 * rounds if rounds == MOST_ROUNDS else rounds):
        if done == rounds and beyond_bar(runs) <= 1:
            break  # of a few milliseconds, what looks like a wrong pick is asked once more
        begun = time.monotonic()
        solved = apsp.solve(path, "auto")
        if solved is None:
            raise LeftOut("it cannot be solved")
        runs["auto"].append(solved)
        slowest = max(slowest, time.monotonic() - begun)
        pick = runs["auto"][0]["algorithm"]
        for name in [pick, *others]:
            if name in left:
                continue
            try:  # what takes half as long again is not the best way, however long it takes
                report = apsp.solve(path, name, max(options.cap, 1.5 * slowest))
                if report is not None:
                    runs.setdefault(name, []).append(report)
            except subprocess.TimeoutExpired:
                left[name] = f"> {max(options.cap, 1.5 * slowest):.3g} s"
    best = {name: min(found, key=lambda run: run["seconds_total"]) for name, found in runs.items()}
    auto = best.pop("auto")
    took = auto["seconds_total"]
    ways = {name: run["seconds_total"] for name, run in best.items()}
    # The same algorithm ran twice as often: both tell how long it takes.
    ways[auto["algorithm"]] = min(took, ways.get(auto["algorithm"], took))
    return {"pick": auto["algorithm"], "type": auto["value_type"], "took": took,
            "predicted": auto["seconds_predicted"], "ways": ways, "not_run": left,
            "predictions": {w["algorithm"]: w["seconds"] for w in plan["candidates"]
                            if w["device"] == options.device and w["known"]},
            "ratio": took / min(ways.values()), "off": times(auto["seconds_predicted"], took),
            "ways_predicted": {name: r["seconds_predicted"] for name, r in best.items()},
            "ways_off": {name: times(r["seconds_predicted"], r["seconds_total"])
                         for name, r in best.items()}}


class Series:
    """What a kind took so far: larger sizes take longer, and are left out beyond what may be."""

    def __init__(self, options):
        self.options, self.last, self.begun = options, {}, time.monotonic()

    def require_time(self, problem):
        left = self.options.budget - (time.monotonic() - self.begun)
        if left < 3 * self.options.longest:
            raise LeftOut("no time left")
        smaller, took = self.last.get(problem[:2], (0, 0)) if problem.n else (0, 0)
        if not smaller:
            return
        if took * (problem.n / smaller) ** 1.5 > 2 * self.options.longest:
            raise LeftOut(f"n = {smaller:,} was left out" if math.isinf(took) else
                          f"n = {smaller:,} took {took:.3g} s")

    def note(self, problem, seconds):
        if problem.n is not None:
            self.last[problem[:2]] = (problem.n, seconds)


def measured(options, apsp, folder):
    """(problem, row or why there is none)"""
    series = Series(options)
    for problem in problems(options, apsp):
        path = None
        try:
            series.require_time(problem)
            path = problem.file(apsp, folder)
            row = measure(options, apsp, path)
            series.note(problem, row["took"])
            yield problem, dict(row, family=problem.family, greatest=problem.greatest, n=problem.n)
        except LeftOut as why:
            series.note(problem, math.inf)
            yield problem, str(why)
        finally:
            if path is not None and folder in path.parents:
                path.unlink()


def exponent(points):
    """The slope of log seconds over log n, by least squares."""
    xs, ys = ([math.log(value) for value in column] for column in zip(*points))
    return statistics.linear_regression(xs, ys).slope


def growth(rows):
    """(family, algorithm) -> points measured and predicted, of the larger sizes."""
    families = {}
    for row in rows:
        if row["n"] is None:
            continue
        predictions = row.get("ways_predicted", row["predictions"])
        for name, seconds in row["ways"].items():
            if name in predictions:
                key = (row["family"], row["greatest"], name)
                families.setdefault(key, []).append((row["n"], seconds, predictions[name]))
    return {key: points for key, points in families.items() if len(points) >= 3}


def draw(families, path):
    import matplotlib
    import matplotlib.ticker
    matplotlib.use("svg")
    from matplotlib import pyplot
    matplotlib.rcParams.update({"svg.hashsalt": "apsp", "svg.fonttype": "none"})
    names = sorted({key[:2] for key in families})
    rows = -(-len(names) // 3)
    figure, axes = pyplot.subplots(rows, 3, figsize=(10, 2.6 * rows), squeeze=False)
    colours = {"floyd-warshall": "C0", "nested-dissection": "C1", "johnson": "C2", "bfs": "C3", "boundary": "C4"}
    for (family, greatest), axis in zip(names, axes.flat):
        for (*of, name), points in sorted(families.items()):
            if tuple(of) != (family, greatest):
                continue
            ns, took, predicted = zip(*points)
            axis.loglog(ns, took, "o-", color=colours.get(name, "C5"), markersize=3, label=name)
            axis.loglog(ns, predicted, "--", color=colours.get(name, "C5"))
        axis.set_title(f"{family}, weights 1" + (f" … {greatest}" if greatest > 1 else ""), fontsize=9)
        axis.tick_params(labelsize=7)
        for along in (axis.xaxis, axis.yaxis):
            along.set_minor_formatter(matplotlib.ticker.NullFormatter())
    for axis in axes.flat[len(names):]:
        axis.axis("off")
    handles = [pyplot.Line2D([], [], color=c, marker="o", markersize=3, label=name)
               for name, c in colours.items() if any(key[2] == name for key in families)]
    handles.append(pyplot.Line2D([], [], color="grey", linestyle="--", label="predicted"))
    figure.legend(handles=handles, loc="lower center", ncol=len(handles), fontsize=8)
    figure.supxlabel("vertices", fontsize=9, y=0.035)
    figure.supylabel("seconds", fontsize=9)
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def line(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def title(row):
    greatest = row["greatest"]
    return row["family"] + (", hops" if greatest == 1 else f", 1 … {greatest}" if greatest else "")


def sized(row):
    return title(row) + (f", n = {row['n']:,}" if row["n"] else "")


def row_line(row):
    others = [f"{name} {s:.3g} (predicted {row['ways_predicted'].get(name, 0):.3g})"
              for name, s in row["ways"].items() if name != row["pick"]]
    others += [f"{name} {why}" for name, why in row["not_run"].items()]
    line([title(row), f"{row['n'] or ''}", row["type"], row["pick"], f"{row['predicted']:.3g}",
          f"{row['took']:.3g}", f"{row['off']:.2f}", ", ".join(others), f"{row['ratio']:.2f}"])


def head(machine):
    print(f"{machine}\n")
    line(["graph", "n", "type", "picked", "predicted s", "took s", "off", "others s", "pick / best"])
    line(["---"] * 9)


def print_summary(rows):
    """Returns whether both bars are reached."""
    worst = max(rows, key=lambda row: row["ratio"])
    within = statistics.mean(row["off"] <= WITHIN for row in rows)
    every = [off for row in rows for off in row["ways_off"].values()]
    print(f"\nworst pick / best {worst['ratio']:.2f} ({sized(worst)}; bar {WORST}); "
          f"{sum(row['ratio'] > WORST for row in rows)} of {len(rows)} beyond the bar; predictions "
          f"within {WITHIN} times: {within:.0%} of {len(rows)} picks (bar {SHARE:.0%}), "
          f"{statistics.mean(off <= WITHIN for off in every):.0%} of {len(every)} ways\n")
    lines = []
    for given, kind in sorted({(row["n"] is None, row["family"] if row["n"] else "given graphs") for row in rows}):
        of = [r for r in rows if (r["n"] is None) == given and (given or r["family"] == kind)]
        lines.append([kind, len(of), sum(r["off"] <= WITHIN for r in of), f"{max(r['off'] for r in of):.2f}",
                      f"{max(r['ratio'] for r in of):.2f}"])
    print(table(["what", "picks", "within 1.5", "worst off", "worst pick / best"], lines, 1))
    return worst["ratio"] <= WORST and within >= SHARE


def print_growth(families):
    lines = [[family + (", hops" if greatest == 1 else ""), name, f"{points[0][0]} … {points[-1][0]}",
              f"{exponent([(n, s) for n, s, _ in points]):.2f}", f"{exponent([(n, p) for n, _, p in points]):.2f}"]
             for (family, greatest, name), points in sorted(families.items())]
    print(table(["family", "algorithm", "sizes", "exponent measured", "by the model"], lines, 5))


def rows_now(options):
    """Measures, and prints every row as it comes."""
    rows, left_out = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        apsp = Apsp(options, folder)
        if not options.cache:
            apsp.run("plan", "--measure", *apsp.threads, "--quiet")
        machine = apsp.run("info", "--json")["machine"]
        head(f"{machine['cpu']}, {options.threads or machine['threads']} threads, load {os.getloadavg()[0]:.1f}")
        for problem, row in measured(options, apsp, folder):
            if isinstance(row, str):
                left_out.append({"family": problem.family, "greatest": problem.greatest,
                                 "n": problem.n, "why": row})
                continue
            rows.append(row)
            row_line(row)
            if options.output:
                kept = {"machine": machine["cpu"], "rows": rows, "left_out": left_out}
                options.output.write_text(json.dumps(kept, indent=1) + "\n")
    return rows, left_out


def rows_of(earlier):
    """Of a file that --output wrote."""
    kept = json.loads(earlier.read_text())
    head(kept["machine"])
    for row in kept["rows"]:
        row_line(row)
    return kept["rows"], kept["left_out"]


def main():
    options = asked(__doc__, "graphs*", apsp=None, threads=0, device="cpu", longest=6.0, cap=2.0, budget=math.inf, repeat=2,
                    sizes="500,1000,2000,5000,10000,20000,50000", kinds=KINDS, weights="100,1", cache=None,
                    output=(pathlib.Path,), picture=(pathlib.Path,), **{"from": (pathlib.Path,)})
    earlier = vars(options)["from"]
    rows, left_out = rows_of(earlier) if earlier else rows_now(options)
    if not rows:
        sys.exit("nothing was measured")
    good = print_summary(rows)
    families = growth(rows)
    print_growth(families)
    if left_out:
        print("\nleft out: " + "; ".join(f"{sized(one)} ({one['why']})" for one in left_out))
    if options.picture:
        draw(families, options.picture)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
