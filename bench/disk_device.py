#!/usr/bin/env python3
"""A dense matrix on the disk, larger than the memory that it may take: `apsp solve`, the disk alone and the devices alone.

    bench/disk_device.py APSP FOLDER [--n N] [--memory SIZE] [--device cuda:0,1] [--device-memory SIZE] [--cached]

FOLDER, on the disk to measure, takes a random matrix, the result and scratch files: 16 n² bytes. The disk: dd of a quarter of
the matrix, written and synced, and read past the system's cache. The devices: n³ at the rate of the largest product of `apsp
bench`, by as many as there are. The solve is in f32, and begins with an empty cache (--cached: with what the system has kept).
Printed are the seconds of its steps, those predicted by measured rates, and the whole solve as a multiple of the longer of two:
the bytes that it moved at the disk's rates, and the devices alone. Four rows of the result are verified. Exit 1 if one is wrong.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from harness import answer, asked, copy_seconds, kernel, run, timed


def disk_rates(folder, size):
    """Bytes a second of so many, written and read."""
    written = size / copy_seconds(folder, size, keep=True)
    _, (seconds, _) = timed(lambda: run("dd", f"if={folder}/copy", "of=/dev/null", "bs=4M", "iflag=direct"))
    os.unlink(f"{folder}/copy")
    return written, size / seconds


def random_matrix(path, n):
    """A file of n × n weights in f32, made row by row."""
    matrix, random = np.lib.format.open_memmap(path, "w+", np.float32, (n, n)), np.random.default_rng(1)
    for row in matrix:
        random.random(out=row, dtype=np.float32)
    matrix.flush()


def device_rate(apsp, device):
    """Relaxations a second of one GPU's product, or of all threads'."""
    found = answer(apsp, "bench", "--quick", "--json", "--device", device.split(",")[0])
    bench = found.get("device_benchmark") or found["benchmark"]
    best = max(row["relaxations_per_second"] for row in bench["products"] if kernel(row) == "f32 ≥ 0")
    return best * (device.count(",") + 1 if "device" in bench else bench["threads"])


def solve(words):
    """What it answers, and the bytes that it wrote to the disk and read from it."""
    child = subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE, text=True)
    told = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"apsp solve: exit {os.waitstatus_to_exitcode(status)}")
    return json.loads(told), 512 * usage.ru_oublock, 512 * usage.ru_inblock


def main():
    options = asked(__doc__, "apsp", "folder", n=32_768, memory="1GiB", device="cuda:0", device_memory=None, cached=False)
    apsp, n = os.path.abspath(options.apsp), options.n
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        graph, out = folder / "in.npy", folder / "out.npy"
        written, read = disk_rates(folder, n * n)
        print(f"disk alone: {written / 1e9:.2f} GB/s written, {read / 1e9:.2f} GB/s read", flush=True)
        alone = n**3 / device_rate(apsp, options.device)
        print(f"devices alone: {alone:.2f} s", flush=True)
        random_matrix(graph, n)
        run(apsp, "plan", "--measure", "--quiet")
        with open(graph, "rb") as file:
            os.fsync(file.fileno())
            if not options.cached:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        words = ["--device", options.device, "--memory", options.memory]
        words += ["--device-memory", options.device_memory] if options.device_memory else []
        told, out_bytes, in_bytes = solve([apsp, "solve", graph, "-o", out, "--algorithm", "floyd-warshall", "--dtype", "f32",
                                           "--no-statistics", "--json", "--quiet", *words])
        report, moved = told["report"], out_bytes / written + in_bytes / read
        whole = told["seconds_read"] + report["seconds_total"]
        print(f"{told['plan']['line']}\nsteps {report['seconds_solve']:.2f} s, predicted {told['plan']['predicted']['solve']:.2f} s; "
              f"weights written in {report['seconds_prepare']:.2f} s; all {whole:.2f} s: {whole / max(moved, alone):.2f} times the longer of "
              f"disk {moved:.2f} s ({out_bytes / 2**30:.2f} GiB written, {in_bytes / 2**30:.2f} read) and devices {alone:.2f} s")
        print(run(apsp, "verify", out, graph, "--sample", 4, "--tolerance", 1e-5).splitlines()[0])


if __name__ == "__main__":
    main()
