#!/usr/bin/env python3
"""Describes a machine and holds predictions against it.

Measures this machine's rates once (an empty cache folder, APSP_MEASURE=always), then runs
`apsp solve` on sparse random graphs of growing size, one process each, and compares what the plan
predicted with what the solve took. Prints a table in Markdown; --output writes a description with
the measured times beside it, as tests/machines holds them.

    python3 bench/machine.py --apsp build/gpu/bin/apsp --device cuda --sizes 1024-65536 \\
        --output tests/machines/h200-whole.json

The graph is small, so reading does not count; the matrix is full whatever the graph. Sizes are a
list, or "a-b": a, 2a, 4a … up to b. Of --repeat runs the median counts, or with --best the shortest,
where other processes share the machine. --measure-at: vertices of the solve that measures, else those
of the smallest size. --machine: the machine in words.
"""

import json
import os
import statistics
import sys
import tempfile

from harness import answer, asked, run, timed

BAR = 1.25


def sizes_of(text):
    if "-" not in text:
        return [int(word) for word in text.split(",")]
    first, last = map(int, text.split("-"))
    return [first << i for i in range((last // first).bit_length())]


def graph_of(apsp, folder, n, env):
    path = os.path.join(folder, f"{n}.txt.zst")
    if not os.path.exists(path):
        run(apsp, "generate", "gnp", path, "--vertices", n, "--probability", min(1, 4 / n), "--weights", "1:100",
            "--real", "--quiet", env=env)
    return path


def solve(apsp, path, options, env):
    told, (seconds, _) = timed(lambda: answer(apsp, "solve", path, *options, "--json", "--quiet", env=env))
    return {**told, "seconds_process": seconds}


def main():
    arguments = asked(__doc__, apsp=str, device="cpu", dtype="f32", threads=0, sizes="1000,1500,2000,3000,4000,6000,8000", repeat=3,
                      best=False, measure_at=0, machine="", output=None)
    apsp = os.path.abspath(arguments.apsp)
    sizes = sizes_of(arguments.sizes)
    counts = min if arguments.best else statistics.median
    options = ["--device", arguments.device, "--dtype", arguments.dtype]
    if arguments.threads:
        options += ["--threads", arguments.threads]

    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, APSP_CACHE_DIR=os.path.join(folder, "cache"))
        first = graph_of(apsp, folder, arguments.measure_at or sizes[0], env)
        _, (measuring, _) = timed(lambda: solve(apsp, first, options, dict(env, APSP_MEASURE="always")))
        machine = answer(apsp, "info", "--json", env=env)["machine"]
        print(f"{machine['cpu']}, {machine['threads']} threads; the process that measured took "
              f"{measuring:.2f} s\n")
        print("| n | predicted | measured | factor | solve predicted | solve | start | process |")
        print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        rows, worst = [], 1
        env["APSP_MEASURE"] = "never"
        for n in sizes:
            path = graph_of(apsp, folder, n, env)
            answers = [solve(apsp, path, options, env) for _ in range(arguments.repeat)]
            took = counts(a["report"]["seconds_total"] for a in answers)
            middle = min(answers, key=lambda a: abs(a["report"]["seconds_total"] - took))
            predicted = middle["plan"]["predicted"]
            if predicted["rough"]:
                sys.exit(f"n = {n}: the prediction is rough, not by the rates of this machine")
            ratio = max(predicted["seconds"] / took, took / predicted["seconds"])
            worst = max(worst, ratio)
            rows.append({"n": n, "arcs": middle["graph"]["arcs"], "seconds": took, "of": "whole"})
            print(f"| {n:,} | {predicted['seconds']:.4f} | {took:.4f} | {ratio:.2f} "
                  f"| {predicted['solve']:.4f} | {middle['report']['seconds_solve']:.4f} "
                  f"| {predicted['start']:.4f} | {middle['seconds_process']:.4f} |", flush=True)
        print(f"\nworst factor {worst:.2f}; the bar is {BAR}")

        if arguments.output:
            what = "gpu" if arguments.device.startswith("cuda") else "cpu"
            with open(os.path.join(folder, "cache/rates.json"), encoding="utf-8") as file:
                entries = [e for e in json.load(file)["entries"] if e["key"]["what"] == what]
            entry = entries[-1] if entries else sys.exit(f"no rates of a {what} were measured")
            block = {"kind": entry["key"]["kind"], "threads": entry["key"]["threads"],
                     "figures": entry["figures"], "measured": rows}
            name = machine["cpu"]
            if what == "gpu":
                block["gpu"] = name = entry["key"]["gpu"]
            description = {
                "machine": arguments.machine or f"{name}, host of {machine['threads']} threads",
                "source": f"bench/machine.py --device {arguments.device} --sizes {arguments.sizes}, "
                          f"{entry['measured']}: {'the best' if arguments.best else 'medians'} of "
                          f"{arguments.repeat} processes, from the "
                          "graph in memory to the result; figures as measured beforehand",
                "devices" if what == "gpu" else "host": [block]}
            with open(arguments.output, "w", encoding="utf-8") as file:
                json.dump(description, file, indent=1)
                file.write("\n")
    return 0 if worst <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
