"""What the scripts of bench share: tables in Markdown, bars, pages with marks, stopwatches and apsp's JSON."""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time


def asked(doc, *words, **options):
    """The words of the command line. `words`: "graph"; "graphs*" are any number, "graphs+" one at least. `options`: each with its default.
    False is a flag, None a text or nothing, a function makes the value that must be given, [function] of any number, (function,) of one or none."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for word in words:
        parser.add_argument(word.rstrip("*+"), nargs=word[-1] if word[-1] in "*+" else None)
    for name, default in options.items():
        option = "--" + name.replace("_", "-")
        if default is False:
            parser.add_argument(option, action="store_true")
        elif isinstance(default, (list, tuple)):
            parser.add_argument(option, type=default[0], **({"action": "append", "default": []} if isinstance(default, list) else {}))
        elif callable(default):
            parser.add_argument(option, type=default, required=True)
        else:
            parser.add_argument(option, type=str if default is None else type(default), default=default)
    return parser.parse_args()


def table(header, rows, right=1000):
    """`right`: the first column of numbers; those from there on are right-aligned."""
    rule = ["---" if i < right else "---:" for i in range(len(header))]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in [header, rule, *rows]) + "\n"


def bars_text(bars, unsure=lambda measure: ""):
    """`bars`: (measure, bar, measured or None, whether larger is better). `unsure`: why nothing can be said."""
    rows = []
    for measure, bar, value, larger in bars:
        limit = f"{'≥' if larger else '≤'} {bar:g}"
        if value is None:
            rows.append([measure, limit, "not measured", ""])
        else:
            reached = "yes" if (value >= bar if larger else value <= bar) else "no"
            rows.append([measure, limit, f"{value:.3g}", unsure(measure) or reached])
    return "### Bars\n\n" + table(["measure", "bar", "measured", "reached"], rows, 1)


def kernel(row):
    """"f32 ≥ 0" of a row of `apsp bench`."""
    k = row["kernel"]
    return k["value_type"] + (" ≥ 0" if k["non_negative"] and k["value_type"] != "u16" else "")


def matrix_of(row):
    return "full, via" if row["via"] else row["shape"]


def duration(seconds, digits=2):
    if seconds is None:
        return ""
    return f"{seconds * 1e3:.{digits}f} ms" if seconds < 1 else f"{seconds:.2f} s"


def write_into(path, program, text):
    """Between the two marks of a page that has them, else as the whole file."""
    begin, end = f"<!-- begin: {program} -->\n", f"<!-- end: {program} -->"
    page = path.read_text() if path.exists() else ""
    if begin in page and end in page:
        text = page.split(begin)[0] + begin + "\n" + text + "\n" + end + page.split(end)[1]
    path.write_text(text)


def run(*command, **more):
    """What a command prints; ends the program with its words where it fails."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def answer(*command, **more):
    """The JSON object that a command prints."""
    return json.loads(run(*command, **more))


def commit():
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def cpu_seconds():
    """Of all threads, and of child processes that have ended."""
    return sum(use.ru_utime + use.ru_stime for use in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def timed(call):
    """(result, (seconds by the clock, CPU seconds))."""
    clock, cpu = time.perf_counter(), cpu_seconds()
    result = call()
    return result, (time.perf_counter() - clock, cpu_seconds() - cpu)


def copy_seconds(folder, size, keep=False):
    """Seconds to write so many random bytes, until they are on the disk. `keep`: in FOLDER/copy."""
    path, block = pathlib.Path(folder) / "copy", os.urandom(1 << 22)
    os.sync()
    begun = time.perf_counter()
    with open(path, "wb", buffering=0) as file:
        for begin in range(0, size, len(block)):
            file.write(block[:size - begin])
        os.fsync(file.fileno())
    seconds = time.perf_counter() - begun
    if not keep:
        path.unlink()
    return seconds


def least_of(rounds, calls):
    """Name → (least CPU seconds, the clock's then, last result) of a dictionary of functions; a round is a call of each in turn."""
    found = {}
    for _ in range(rounds):
        for name, call in calls.items():
            result, (clock, cpu) = timed(call)
            found[name] = (*min((cpu, clock), found.get(name, (cpu, clock))[:2]), result)
    return found


def read_arcs(path):
    """(tail, head, weight) of a .gr, vertices from 0, weights whole or real."""
    with open(path) as file:
        for line in file:
            if line.startswith("a "):
                _, u, v, weight = line.split()
                yield int(u) - 1, int(v) - 1, float(weight) if "." in weight or "e" in weight else int(weight)


def read_json(path):
    """None: not measured, or it failed."""
    path = pathlib.Path(path)
    return json.loads(path.read_text()) if path.exists() and path.stat().st_size else None
