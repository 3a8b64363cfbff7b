"""What scripts/gpu-check --gpus N measured of several GPUs, as a table with the bars beside.

    python3 bench/gpus_report.py RESULTS --gpus N [--output FILE]

RESULTS holds gpus.txt and, of the large parts, gpus-131072.txt, gpus-symmetric.txt, gpus-u16.txt,
gpus-streamed.txt (`apsp_gpus_bench`) and gpus-sweeps.txt (`apsp_device_sweep_bench --gpus N`); what
is not there is left out. Exit 1 if an answer differs or a bar is missed."""

import pathlib
import re
import sys

from harness import asked

HEAD = re.compile(r"^(\w+), n = (\d+), tile (\d+)")
SOLVED = re.compile(r"^(\d+ GPU|\d+ x \d+ GPUs) +on the devices +([\d.]+) ms, +([\d.]+) T/s; "
                    r"host to host +([\d.]+) ms(?:, ([\d.]+) %)?")
STREAMED = re.compile(r"^(\d+) GPUs, (\d+) MiB of each, streamed: host to host +([\d.]+) ms, +([\d.]+) T/s")
ALONE = re.compile(r"^  sweeps alone +([\d.]+) ms")
# Seconds on the devices: GPUs, part, values, n -> at most.
SECONDS = {(4, "full", "f32", 131072): 34, (4, "full", "f32", 32768): 0.55, (4, "full", "f32", 16384): 0.076,
           (4, "symmetric", "f32", 131072): 19, (4, "full", "u16", 131072): 17.5}
SHARE = {(2, "f32", 32768): 95}  # % of so many × one
COPIED, STREAM, SWEEPS = 1.1, 0.85, {4: 3.6, 2: 1.8}
PARTS = {"gpus.txt": "full", "gpus-131072.txt": "full", "gpus-u16.txt": "full", "gpus-streamed.txt": "full",
         "gpus-symmetric.txt": "symmetric"}


def solves_of(text, matrix):
    """A dictionary for each solve of a file, and the rates of one GPU by values and n."""
    found, values, n = [], "", 0
    for line in text.splitlines():
        if head := HEAD.match(line):
            values, n = head[1], int(head[2])
        elif solved := SOLVED.match(line):
            found.append({"who": solved[1], "values": values, "n": n, "matrix": matrix, "seconds": float(solved[2]) / 1e3,
                          "rate": float(solved[3]), "copied": float(solved[4]) / 1e3,
                          "share": float(solved[5]) if solved[5] else None})
        elif streamed := STREAMED.match(line):
            found.append({"who": f"{streamed[1]} GPUs, {int(streamed[2]) / 1024:g} GiB of each", "values": values, "n": n,
                          "matrix": "streamed", "seconds": None, "rate": float(streamed[4]),
                          "copied": float(streamed[3]) / 1e3, "share": None})
    return found


def bars_of(solve, gpus, one):
    """[(bar, measured, whether it is reached)] of a solve by all GPUs."""
    found = []
    n, values = solve["n"], solve["values"]
    bar = SECONDS.get((gpus, solve["matrix"], values, n))
    if bar and solve["seconds"]:
        found.append((f"≤ {bar:g} s", f"{solve['seconds']:.3g} s", solve["seconds"] <= bar))
    share = SHARE.get((gpus, values, n))
    if share and solve["share"]:
        found.append((f"≥ {share} % of {gpus} × one", f"{solve['share']:.1f} %", solve["share"] >= share))
    if n == 131072 and solve["seconds"] and solve["matrix"] == "full":
        times = solve["copied"] / solve["seconds"]
        found.append((f"host to host ≤ {COPIED} ×", f"{times:.3f}", times <= COPIED))
    if solve["matrix"] == "streamed" and n >= 32768 and one.get(values):
        part = solve["rate"] / (gpus * one[values])
        found.append((f"≥ {STREAM:.0%} of {gpus} × one", f"{part:.1%}", part >= STREAM))
    return found


def cells(solve, bars):
    seconds = f"{solve['seconds']:.4g} s" if solve["seconds"] else "–"
    share = f"{solve['share']:.1f} %" if solve["share"] else "–"
    told = ("; ".join(text for text, _, _ in bars), "; ".join(text for _, text, _ in bars),
            "" if not bars else "yes" if all(ok for _, _, ok in bars) else "no")
    return [f"{solve['values']}, {solve['n']:,}", solve["matrix"], solve["who"], seconds, f"{solve['rate']:.2f}",
            f"{solve['copied']:.4g} s", share, *told]


def report(folder, gpus):
    """The page, and whether all is right and reached."""
    texts = {name: (folder / name).read_text() for name in PARTS if (folder / name).exists()}
    solves = [solve for name, text in texts.items() for solve in solves_of(text, PARTS[name]) if solve["n"] >= 8192]
    one = {s["values"]: s["rate"] for s in solves if s["who"] == "1 GPU" and s["n"] <= 32768}  # the largest
    lines = ["| values, n | matrix | on | on the devices | T/s | host to host | share | bar | measured | reached |",
             "|---|---|---|---:|---:|---:|---:|---|---|---|"]
    reached = not any(": NO" in text or "DIFFERS" in text for text in texts.values())
    for solve in solves:
        bars = [] if solve["who"] == "1 GPU" else bars_of(solve, gpus, one)
        reached = reached and all(ok for _, _, ok in bars)
        lines.append("| " + " | ".join(cells(solve, bars)) + " |")
    sweeps = folder / "gpus-sweeps.txt"
    alone = [float(found[1]) for line in sweeps.read_text().splitlines() if (found := ALONE.match(line))] \
        if sweeps.exists() else []
    if len(alone) == 2:
        times, bar = alone[0] / alone[1], SWEEPS.get(gpus, 0)
        reached = reached and times >= bar
        lines.append(f"| sweeps | | 1 and {gpus} GPUs | {alone[0]:.1f} and {alone[1]:.1f} ms | | | | ≥ {bar} × | "
                     f"{times:.2f} × | {'yes' if times >= bar else 'no'} |")
    return "\n".join(lines) + "\n", reached


def main():
    options = asked(__doc__, "results", gpus=int, output=(pathlib.Path,))
    page, reached = report(pathlib.Path(options.results), options.gpus)
    if options.output:
        options.output.write_text(page)
    else:
        print(page)
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
