"""Random graphs as Matrix Market files, for tests/gpu/differential.py."""

import pathlib

GENERATED = {  # by `apsp generate`
    "grid": lambda r: ["--vertices", str(r.choice([36, 400, 900]))],
    "roads": lambda r: ["--vertices", str(r.choice([60, 700, 1500]))],
    "rmat": lambda r: ["--vertices", str(r.choice([64, 600])), "--edges", str(r.choice([500, 3000]))],
    "geometric": lambda r: ["--vertices", str(r.choice([80, 800]))],
}
WEIGHTS = ["ones", "small", "zeros", "long", "negative", "real", "tiny and huge", "real of both signs"]
REAL = ["real", "tiny and huge", "real of both signs"]


def weight_of(r, weights):
    if weights == "ones":
        return 1
    if weights == "zeros":
        return r.choice([0, 0, r.randrange(40)])
    if weights == "long":
        return r.randrange(1, 900_000)
    if weights == "real":
        return r.choice([0.0, r.uniform(1, 100), r.uniform(1, 2)])
    if weights == "tiny and huge":
        return r.uniform(1, 2) * 2.0 ** r.randrange(-9, 9)
    if weights == "real of both signs":
        return r.uniform(1, 100)
    if weights == "small" and r.random() < 0.03:  # integers of 16 bits do not hold these
        return r.choice([32_767, 65_536, 65_537, 1_000_000])
    return r.randrange(1, 100)  # small; negative: before potentials


def arcs_of(r, n, acyclic):
    """Some vertices have many arcs, some have none."""
    hubs = r.choice([0, 0, 3])
    for _ in range(int(n * r.choice([0.5, 1.5, 3, 6]))):
        a, b = r.randrange(n), r.randrange(n)
        if hubs and r.random() < 0.6:
            b = r.randrange(min(hubs, n))
        if acyclic:
            if a == b:
                continue
            a, b = min(a, b), max(a, b)
        yield a, b


def write_drawn(r, path, weights, acyclic):
    """Returns the vertices. Potentials make weights negative, and no cycle; an acyclic graph takes any."""
    n = r.choice([1, 2, 17, 60, 300, 700])
    both = weights in ("negative", "real of both signs")
    potential = [r.uniform(0, 60) if weights in REAL else r.randrange(60) for _ in range(n)] if both else [0] * n
    lines = []
    for a, b in arcs_of(r, n, acyclic):
        weight = weight_of(r, weights) + (0 if a == b else potential[a] - potential[b])
        lines.append(f"{a + 1} {b + 1} {weight!r}")
    field = "real" if weights in REAL else "integer"
    head = f"%%MatrixMarket matrix coordinate {field} general\n{n} {n} {len(lines)}\n"
    pathlib.Path(path).write_text(head + "".join(line + "\n" for line in lines))


def words_to_generate(r, kind, weights):
    """The words behind `apsp generate KIND OUT`."""
    words = [*GENERATED[kind](r), "--seed", str(r.randrange(1 << 30))]
    words += [r.choice(["--directed", "--undirected"])]
    ranges = {"ones": "1:1", "zeros": "0:40", "long": "1:900000"}
    if weights in ranges:
        words += ["--weights", ranges[weights]]
    if weights in REAL:
        words += ["--real"]
    return words


def vertices_of(path):
    with open(path) as lines:
        return next(int(line.split()[0]) for line in lines if not line.startswith("%"))
