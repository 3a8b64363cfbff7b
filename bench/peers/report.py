"""The measurements as Markdown: machine, the limits, Floyd-Warshall, the peers, and the bars that
must be reached. `python report.py performance.json [PAGE.md]` makes it again without measuring."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import bars_text, duration, kernel, matrix_of, table, write_into  # noqa: E402


def billions(row):
    rate = row["relaxations_per_second"] * 1e-9
    return f"{rate:,.0f}" if rate >= 1000 else f"{rate:.1f}"


def is_main(row):
    return row["kernel"]["value_type"] == "f32" and row["kernel"]["non_negative"]


# Cores that others keep busy: from here on, the clock measures them too.
BUSY = 0.3


def load_of(document):
    return document["busy_cores"]


def machine(document):
    facts = document["bench"]["machine"]
    busy = ""
    if load_of(document) > BUSY:
        busy = (f" **Measured under load**: others kept {load_of(document):.1f} cores busy "
                "before it began. Figures by the clock (all of Floyd-Warshall and of the peers) "
                "say little; those by CPU time still do.")
    command = "bench/peers/run" + (" --quick" if document["quick"] else "")
    return (f"{facts['cpu']}, {facts['threads']} threads, kernels in {facts['instruction_set']}; "
            f"{document['date']}; commit {document['commit']}; `{command}`.{busy}\n")


def limits(bench):
    peaks = table(["values", "instructions", "G/s"],
                  [[kernel(r), r["mix"], billions(r)] for r in bench["peaks"]], 2)
    products = table(
        ["values", "operands", "C", "G/s", "of peak"],
        [[kernel(r), r["configuration"], f"{r['m']:,} × {r['n']:,}", billions(r), f"{r['share_of_peak']:.2f}"]
         for r in bench["products"]], 2)
    return ("### The limits of the instructions\n\nOne thread, operands in registers and the "
            f"first-level cache.\n\n{peaks}\n### `multiply_add`\n\nOne thread, depth 192.\n\n"
            f"{products}")


def solves(bench):
    rows = []
    for r in bench["solves"]:
        speed = f"{r['speed_against_plain']:.2f}" if "speed_against_plain" in r else ""
        rows.append([kernel(r), matrix_of(r), f"{r['vertices']:,}", r["threads"], duration(min(r["seconds_solve"]), 1),
                     billions(r), f"{r['share_of_peak']:.2f}", f"{r['cpu_share_of_peak']:.2f}",
                     speed])
    return ("### Floyd-Warshall, end to end\n\nG/s counts n³. \"By CPU time\" is the share of the "
            "peak that each second of a core brought, whatever else the machine did. \"Speed-up\" "
            "is against the full f32 matrix of the same size.\n\n"
            + table(["values", "matrix", "n", "threads", "time", "G/s", "of threads × peak",
                     "by CPU time", "speed-up"], rows, 2))


def peers(document):
    text = ("### Peers\n\nThe same complete directed graph with integer weights from 1 to 16 for "
            "all, every distance compared with apsp's. The best of all repetitions counts. Making a peer's "
            "own graph is not counted.\n\n")
    for n in sorted({row["vertices"] for row in document["peers"]}):
        rows = [row for row in document["peers"] if row["vertices"] == n]
        fastest = {row["name"]: min(row["seconds"]) for row in rows if "seconds" in row}
        scipy = fastest.get("SciPy floyd_warshall, f64")
        lines = []
        for row in rows:
            if "skipped" in row:
                lines.append([row["name"], "", "left out: " + row["skipped"], "", "", "", ""])
                continue
            seconds = min(row["seconds"])
            name = row["name"] + (f" ({row['note']})" if row["note"] else "")
            against = f"{scipy / seconds:.1f} ×" if scipy else ""
            lines.append([name, row["threads"], duration(seconds, 1),
                          duration(min(row["cpu_seconds"]), 1), f"{n**3 / seconds * 1e-9:.2f}",
                          against, "yes" if row["equal"] else "**no**"])
        text += f"n = {n:,}\n\n" + table(
            ["program", "threads", "time", "CPU time", "G/s", "against SciPy", "equal"], lines, 1) + "\n"
    found = ", ".join(f"{name} {version}" for name, version in document["versions"].items()
                      if version)
    return text + f"Versions: {found}.\n"


def find(rows, **wanted):
    for row in rows:
        if is_main(row) and all(row.get(key) == value for key, value in wanted.items()):
            return row
    return None


def peer_seconds(document, name, threads):
    for row in document["peers"]:
        if (row["name"], row["vertices"], row.get("threads")) == (name, 2000, threads):
            return min(row["seconds"])
    return None


def bars(document):
    """(measure, bar, measured or None, whether larger is better)"""
    bench = document["bench"]["benchmark"]
    threads, rows = bench["threads"], bench["solves"]
    plain = {"shape": "full", "via": False, "threads": threads}
    found = []
    for name in ("f32 ≥ 0", "i32 ≥ 0", "u16", "f64 ≥ 0"):
        product = [r for r in bench["products"]
                   if kernel(r) == name and r["configuration"] == "in cache"]
        found.append((f"`multiply_add` in cache against the peak, {name}", 0.92,
                      product[0]["share_of_peak"] if product else None, True))
    for n, bar in ((4096, 0.80), (1024, 0.60)):
        row = find(rows, vertices=n, **plain)
        found.append((f"Floyd-Warshall n = {n:,}, all threads, against their peak", bar,
                      row and row["share_of_peak"], True))
    scipy = peer_seconds(document, "SciPy floyd_warshall, f64", 1)
    for name, bar in (("f64", 35), ("f32", 80)):
        ours = peer_seconds(document, f"apsp, {name}", threads)
        found.append((f"{name}, n = 2,000, all threads, against SciPy", bar,
                      scipy / ours if scipy and ours else None, True))
    row = find(rows, vertices=4096, shape="symmetric", threads=threads)
    found.append(("symmetric against full, n = 4,096", 1.75,
                  row and row["speed_against_plain"], True))
    row = find(rows, via=True)
    found.append(("via tracking, time against distances without via", 2.5,
                  row and 1 / row["speed_against_plain"], False))
    row = next((r for r in rows if r["kernel"]["value_type"] == "bool"
                and r["vertices"] == 16384), None)
    found.append(("closure against f32, n = 16,384", 25, row and row["speed_against_plain"], True))
    return found


def unsure(document, measure):
    under_load = load_of(document) > BUSY and not measure.startswith("`multiply_add`")
    return "cannot be said under load" if under_load else ""


def markdown(document):
    bench = document["bench"]["benchmark"]
    return "\n".join([machine(document), bars_text(bars(document), lambda measure: unsure(document, measure)),
                      limits(bench), solves(bench), peers(document)])


if __name__ == "__main__":
    document = json.loads(pathlib.Path(sys.argv[1]).read_text())
    if len(sys.argv) > 2:
        write_into(pathlib.Path(sys.argv[2]), "bench/peers/run", markdown(document))
    else:
        print(markdown(document))
