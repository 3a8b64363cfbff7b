"""Whole solves by one GPU, by N GPUs of one process, and by N processes with a GPU each:

  python3 bench/gpus_solves.py APSP --gpus N [--runs 2] [--only NAME]... [--output FILE]

Each row makes a random graph and solves it on 1 and on N GPUs, and with `mpirun` where there is one.
It shows the seconds on the devices, the share of N times one GPU's rate, the seconds of the whole
process by the clock and the plan's prediction of the solve. The best of --runs counts. Statistics
must be equal to those of one GPU. Exit 1 if they differ or a solve fails."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from harness import asked, timed

LIMIT = 240  # s, for one solve
# Name: words of `apsp generate`, then words of `apsp solve`.
ROWS = {
    "sweeps, roads": ("roads --vertices 1280000 --undirected", "--algorithm nested-dissection"),
    "sweeps, 90,000": ("grid --vertices 90000 --undirected", "--algorithm nested-dissection"),
    "near-far, R-MAT": ("rmat --vertices 80000 --edges 1024000", "--algorithm johnson"),
    "breadth-first, R-MAT": ("rmat --vertices 200000 --edges 2400000 --weights 1:1", "--algorithm bfs"),
    "closure": ("gnp --vertices 65536 --probability 0.00003", "--algorithm floyd-warshall --semiring or-and"),
    "matrix, f32": ("gnp --vertices 32768 --probability 0.002", "--algorithm floyd-warshall --dtype f32"),
    "matrix, via": ("gnp --vertices 32768 --probability 0.002", "--algorithm floyd-warshall --dtype f32 --via -o OUT.zarr"),
    "matrix, on disk": ("gnp --vertices 32768 --probability 0.002",
                        "--algorithm floyd-warshall --dtype f32 --memory 3GiB -o OUT.npy"),
}


def solved(command, folder):
    """(seconds of the process, its answer as a dictionary)."""
    for left in folder.glob("OUT.*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    run, (seconds, _) = timed(lambda: subprocess.run(["timeout", str(LIMIT), *command], cwd=folder, capture_output=True,
                                                     text=True))
    if run.returncode != 0:
        raise ValueError(f"exit {run.returncode}: {' '.join(command)}\n{run.stderr.strip()[-500:]}")
    return seconds, json.loads(run.stdout)


def on_devices(answer):
    """Seconds of the solve on the devices, or of the solve where the report does not tell them apart."""
    report = answer["report"]
    return (report.get("on_device") or {}).get("seconds") or report["seconds_solve"]


def best(command, folder, runs):
    """Of the run that took the devices least: their seconds, the process's, and its answer."""
    times = [solved(command, folder) for _ in range(runs)]
    seconds, answer = min(times, key=lambda timed: on_devices(timed[1]))
    return on_devices(answer), seconds, answer


def lines_of(name, made, words, options, folder, launch):
    """Yields a line of the table for each way to use the GPUs, and whether its statistics are those of one."""
    subprocess.run([options.apsp, "generate", *made.split()[:1], "g.gr", *made.split()[1:], "--quiet"], cwd=folder,
                   check=True)
    solve = [options.apsp, "solve", "g.gr", *words.split(), "--json", "--quiet"]
    all_gpus = ",".join(map(str, range(options.gpus)))
    ways = {"one GPU": solve + ["--device", "cuda:0"],
            f"{options.gpus} GPUs, one process": solve + ["--device", f"cuda:{all_gpus}"]}
    if launch and "--memory" not in words:  # the processes of a machine share --memory: each has a quarter
        ways[f"{options.gpus} processes"] = launch + solve + ["--device", "cuda"]
    first = None
    for way, command in ways.items():
        try:
            seconds, whole, answer = best(command, folder, options.runs)
        except (ValueError, KeyError) as error:
            print(f"{name}, {way}: {error}", file=sys.stderr, flush=True)
            yield f"| {name} | {way} | failed |", False
            continue
        first = first or (seconds, answer["statistics"])
        same = answer["statistics"] == first[1]
        share = first[0] / seconds / (1 if way == "one GPU" else options.gpus)
        predicted = answer["plan"]["predicted"]
        expected = predicted["solve"] + predicted["statistics"]
        yield (f"| {name} | {way} | {seconds:.3f} | {share:.1%} | {whole:.2f} | {expected:.3f} | "
               f"{'equal' if same else 'DIFFER'} |"), same


def main():
    options = asked(__doc__, "apsp", gpus=int, runs=2, only=[str], output=(pathlib.Path,))
    unknown = set(options.only) - set(ROWS)
    if unknown:
        sys.exit(f"no such rows: {', '.join(sorted(unknown))}; there are {', '.join(ROWS)}")
    options.apsp = str(pathlib.Path(options.apsp).resolve())
    launch = []
    if shutil.which("mpirun"):
        launch = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(options.gpus)]
    table = ["| solve | by | on the devices, s | share | whole process, s | predicted solve, s | statistics |",
             "|---|---|---:|---:|---:|---:|---|"]
    print("\n".join(table), flush=True)
    right = True
    for name in options.only or ROWS:
        with tempfile.TemporaryDirectory() as folder:
            for line, same in lines_of(name, *ROWS[name], options, pathlib.Path(folder), launch):
                table.append(line)
                right = right and same
                print(line, flush=True)
                if options.output:
                    options.output.write_text("\n".join(table) + "\n")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
