"""The measurements as Markdown: machine, the limits, Floyd-Warshall, the peers, and the bars that
must be reached. `python report.py performance.json [PAGE.md]` makes it again without measuring."""

import json
import pathlib
import sys


def table(header, rows, right):
    """`right`: the first column of numbers; those from there on are right-aligned."""
    rule = ["---" if i < right else "---:" for i in range(len(header))]
    lines = [header, rule] + rows
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def best(row):
    return min(sample["seconds"] for sample in row["samples"])


def duration(seconds):
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def billions(row):
    rate = row["relaxations_per_second"] * 1e-9
    return f"{rate:,.0f}" if rate >= 1000 else f"{rate:.1f}"


def kernel(row):
    k = row["kernel"]
    return k["value_type"] + (" ≥ 0" if k["non_negative"] and k["value_type"] != "u16" else "")


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
        [[kernel(r), r["operands"], f"{r['m']:,} × {r['n']:,}", billions(r), f"{r['share_of_peak']:.2f}"]
         for r in bench["products"]], 2)
    return ("### The limits of the instructions\n\nOne thread, operands in registers and the "
            f"first-level cache.\n\n{peaks}\n### `multiply_add`\n\nOne thread, depth 192.\n\n"
            f"{products}")


def solves(bench):
    rows = []
    for r in bench["solves"]:
        how = "full, via" if r["via"] else r["shape"]
        speed = f"{r['speed_against_plain']:.2f}" if "speed_against_plain" in r else ""
        rows.append([kernel(r), how, f"{r['vertices']:,}", r["threads"], duration(best(r)),
                     billions(r), f"{r['share_of_peak']:.2f}", f"{r['cpu_share_of_peak']:.2f}",
                     speed])
    return ("### Floyd-Warshall, end to end\n\nG/s counts n³. \"By CPU time\" is the share of the "
            "peak that each second of a core brought, whatever else the machine did. \"Speed-up\" "
            "is against the full f32 matrix of the same size.\n\n"
            + table(["values", "matrix", "n", "threads", "time", "G/s", "of threads × peak",
                     "by CPU time", "speed-up"], rows, 2))


def memory(bench):
    rows = []
    for r in bench["memory"]:
        grown = r["bytes_resident"]
        rows.append([kernel(r), f"{r['vertices']:,}", f"{r['bytes_matrix'] / 2**20:.0f}",
                     f"{r['bytes_panels'] / 2**20:.1f}",
                     f"{100 * r['bytes_panels'] / r['bytes_matrix']:.1f} %",
                     "" if grown is None else f"{grown / 2**20:.1f}"])
    return "### Memory in addition to the matrix, MiB\n\n" + table(
        ["values", "n", "matrix", "panels", "of matrix", "measured growth"], rows, 1)


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
            lines.append([name, row["threads"], duration(seconds),
                          duration(min(row["cpu_seconds"])), f"{n**3 / seconds * 1e-9:.2f}",
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
                   if kernel(r) == name and r["operands"] == "in cache, packed"]
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
    row = next((r for r in bench["memory"] if r["vertices"] == 16384), None)
    found.append(("memory in addition to the matrix, n = 16,384", 0.05,
                  row and max(row["bytes_panels"], row["bytes_resident"] or 0)
                  / row["bytes_matrix"], False))
    return found


def bars_text(document):
    rows = []
    for measure, bar, value, larger in bars(document):
        limit = f"{'≥' if larger else '≤'} {bar:g}"
        if value is None:
            rows.append([measure, limit, "not measured", ""])
        else:
            reached = value >= bar if larger else value <= bar
            by_clock = not measure.startswith(("`multiply_add`", "memory"))
            verdict = "yes" if reached else "no"
            if by_clock and load_of(document) > BUSY:
                verdict = "cannot be said under load"
            rows.append([measure, limit, f"{value:.3g}", verdict])
    return "### Bars\n\n" + table(["measure", "bar", "measured", "reached"], rows, 1)


def markdown(document):
    bench = document["bench"]["benchmark"]
    return "\n".join([machine(document), bars_text(document), limits(bench), solves(bench),
                      memory(bench), peers(document)])


def write_into(path, text):
    """Between the two marks of a page that has them, else as the whole file."""
    begin, end = "<!-- begin: bench/peers/run -->\n", "<!-- end: bench/peers/run -->"
    page = path.read_text() if path.exists() else ""
    if begin in page and end in page:
        text = page.split(begin)[0] + begin + "\n" + text + "\n" + end + page.split(end)[1]
    path.write_text(text)


if __name__ == "__main__":
    document = json.loads(pathlib.Path(sys.argv[1]).read_text())
    if len(sys.argv) > 2:
        write_into(pathlib.Path(sys.argv[2]), markdown(document))
    else:
        print(markdown(document))
