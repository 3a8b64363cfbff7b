"""What scripts/gpu-check measured, as the Markdown of bench/results/gpu.md.

    python3 bench/gpu_report.py RESULTS [--output bench/results/gpu.md]

RESULTS holds bench.json (`apsp bench --device cuda --json`), run.json (date, commit, command) and,
if they were measured, offload.json (`apsp_offload_bench --json`) and baselines.json (`apsp_cuda_baselines
--json`)."""

import pathlib

from harness import asked, bars_text, duration, kernel, matrix_of, read_json, table, write_into

# Measured by others or on another day; here only to be named beside ours.
CUASR = 7.1
ELSEWHERE = [
    ("cuASR, product, f32, n = 16,384, depth 4,096, one H200", CUASR,
     "measured side by side with a first product of this project"),
    ("tiled Floyd-Warshall with DPX, i32, n = 24,000, one H200", 3.4, "public repository, published"),
    ("Sao et al. 2021, f32, each V100 of 256 Summit nodes", 2.65, "published"),
    ("COAST 2022, f32, a Frontier GCD", 6.8, "published"),
]


def best(seconds):
    return min(seconds) if seconds else None


def tera(rate):
    return f"{rate * 1e-12:,.0f}" if rate >= 1e14 else f"{rate * 1e-12:.2f}"


def ratio(value):
    return f"{value:.2f}" if value else ""


def size(count):
    for unit, name in ((2**30, "GiB"), (2**20, "MiB")):
        if count >= unit:
            return f"{count / unit:.4g} {name}"
    return f"{count / 2**10:.4g} KiB"


def result(row):
    if "error" in row:
        return "**" + row["error"].replace("|", "/") + "**"
    return "right" if row["correct"] else "**wrong**"


def product(bench, name):
    """T relaxations/s of the full-size product; None if it was not measured."""
    for row in bench["products"]:
        if (kernel(row), row["m"], row["depth"]) == (name, 16384, 2048) and row["seconds"]:
            return row["relaxations_per_second"] * 1e-12
    return None


def solve(bench, name, vertices, matrix="full"):
    for row in bench["solves"]:
        if (kernel(row), row["vertices"], matrix_of(row)) == (name, vertices, matrix):
            return row if row["seconds_solve"] else None
    return None


def of(row, key):
    return None if row is None else key(row)


def capped(offload, part):
    """The share of the resident speed with so many parts of the matrix's size; 65,536 vertices."""
    for row in offload["rows"] if offload and offload["vertices"] == 65536 else []:
        if row["part"] == "memory" and row["device_memory"] == offload["bytes_matrix"] // part:
            return row["share_of_resident"]
    return None


def bars(bench, offload):
    """(measure, bar, measured or None, whether larger is better)"""
    found = []
    names = (("f32 ≥ 0", 16.0), ("f32", 13.2), ("i32 ≥ 0", 17.0), ("u16", 34), ("f64", 4.7),
             ("bool", 450))
    for name, bar in names:
        found.append((f"product 16,384² × 2,048, {name}, T/s", bar, product(bench, name), True))
    main = product(bench, "f32 ≥ 0")
    found.append((f"the same, f32 ≥ 0, against cuASR's {CUASR}", 2.25, main and main / CUASR, True))

    def rate(row):
        return row["relaxations_per_second"] * 1e-12

    for name, n, bar in (("f32 ≥ 0", 32768, 15.3), ("f32 ≥ 0", 16384, 14.5), ("f32 ≥ 0", 8192, 12),
                         ("i32 ≥ 0", 32768, 16.2), ("u16", 32768, 31)):
        found.append((f"Floyd-Warshall, {name}, n = {n:,}, T/s", bar,
                      of(solve(bench, name, n), rate), True))
    for n, bar in ((2048, 2.0), (1024, 0.8)):
        found.append((f"Floyd-Warshall, f32 ≥ 0, n = {n:,}, ms", bar,
                      of(solve(bench, "f32 ≥ 0", n), lambda r: 1e3 * best(r["seconds_solve"])),
                      False))
    found.append(("symmetric against full, n = 32,768", 1.8,
                  of(solve(bench, "f32 ≥ 0", 32768, "symmetric"),
                     lambda r: r["speed_against_plain"]), True))
    vias = [row for row in bench["solves"] if row["via"] and "speed_against_plain" in row]
    found.append(("via tracking, time against distances without via", 2.5,
                  of(vias[0] if vias else None, lambda r: 1 / r["speed_against_plain"]), False))
    found.append(("n = 65,536, a quarter of the matrix on the device, against uncapped", 0.90,
                  capped(offload, 4), True))
    found.append(("n = 65,536, 2 GiB on the device, against uncapped", 0.80, capped(offload, 8), True))
    found.append(("the device's share of the time from host to host, n = 32,768", 0.93,
                  of(solve(bench, "f32 ≥ 0", 32768),
                     lambda r: best(r["seconds_solve"]) / best(r["seconds_host_to_host"])), True))
    return found


def machine(document, run):
    device = document["device_benchmark"]["device"]
    wrong = "" if document["device_benchmark"]["correct"] else " **Not every result was right.**"
    return (f"{device['name']}, {device['multiprocessors']} multiprocessors at up to "
            f"{device['clock_hz'] * 1e-6:.0f} MHz, {size(device['memory_total'])}, driver for CUDA "
            f"{device['driver']}; host {document['machine']['cpu']}, "
            f"{document['machine']['threads']} threads; {run['date']}; commit {run['commit']}; "
            f"`{run['command']}`.{wrong}\n")


def limits(bench, offload):
    peaks = table(["values", "instructions of two relaxations", "T/s"],
                  [[kernel(r), r["mix"], tera(r["relaxations_per_second"])] for r in bench["peaks"]],
                  2)
    text = f"### The limits of the device\n\nThe loop of the product on operands in shared memory.\n\n{peaks}"
    if offload:
        copies = table(["bytes", "GB/s"], [[way, f"{rate * 1e-9:,.1f}"] for way, rate in offload["copies"].items()], 1)
        text += f"\nCopies from and to pinned memory:\n\n{copies}"
    return text


def configurations(bench):
    """How the kernels shared C out, and for which values."""
    found = {}
    for r in bench["products"]:
        if "configuration" in r:
            found.setdefault(r["configuration"], []).append(kernel(r))
    return "".join(f"\n{', '.join(values)}: {how}.\n" for how, values in found.items())


def products(bench):
    rows = [[kernel(r), f"{r['m']:,}² × {r['depth']:,}", duration(best(r["seconds"])),
             tera(r["relaxations_per_second"]), ratio(r["share_of_peak"]), result(r)]
            for r in bench["products"]]
    return ("### `multiply_add`\n\nFrom row-major operands in device memory, packing included.\n\n"
            + table(["values", "C × depth", "time", "T/s", "of peak", "result"], rows, 2)
            + configurations(bench))


def solves(bench):
    rows = []
    for r in bench["solves"]:
        alone, whole = best(r["seconds_solve"]), best(r["seconds_host_to_host"])
        rows.append([kernel(r), matrix_of(r), f"{r['vertices']:,}", r["tile"], duration(alone),
                     tera(r["relaxations_per_second"]), ratio(r["share_of_peak"]),
                     ratio(r.get("speed_against_plain")), duration(whole),
                     ratio(alone and whole and alone / whole), result(r)])
    return ("### Floyd-Warshall\n\nT/s counts n³ of the time on the device. \"Speed-up\" is against "
            "the full f32 ≥ 0 matrix of the same size. \"Share\" is the time on the device of the "
            "time from host to host, both copies included.\n\n"
            + table(["values", "matrix", "n", "tile", "on the device", "T/s", "of peak", "speed-up",
                     "host to host", "share", "result"], rows, 2))


def streamed(offload):
    kept = [r for r in offload["rows"] if r["part"] in ("resident", "memory")] if offload else []
    if len(kept) < 2:
        return ""
    rows = [[size(r["device_memory"]) if r["device_memory"] else "not capped",
             f"{r['width']:,}" if r["width"] else "", f"{r['resident_rows']:,}" if r["width"] else "all",
             duration(r["seconds_predicted"] or None), duration(r["seconds"]), ratio(r["share_of_resident"]),
             "right" if r["right"] else "**wrong**"] for r in kept]
    return (f"### Larger than the device's memory\n\nn = {offload['vertices']:,}, f32 ≥ 0, a matrix of "
            f"{size(offload['bytes_matrix'])} in host memory, host to host. Predictions are the "
            "plan's, by the rates of this run. All results are the same, bit for bit.\n\n"
            + table(["device memory", "panel", "resident rows", "predicted", "time", "of uncapped",
                     "result"], rows, 1))


def baselines(document):
    if document is None:
        return ""
    text = ("### The papers' kernels\n\nOn the same device and matrices, without copies: the plain "
            "kernel, one launch a vertex (Schiff), three phases in shared memory with one value "
            "a thread (Katz 2008; Lee), by the side of a block, and apsp. All results are equal, "
            "and equal to the CPU engine's up to n = 2,048.\n\n")
    rows = []
    fastest = {(r["value_type"], r["vertices"]): min(r["seconds"])
               for r in document["baselines"] if r["name"] == "apsp"}
    for r in document["baselines"]:
        seconds = min(r["seconds"])
        ours = fastest.get((r["value_type"], r["vertices"]))
        phases = " + ".join(f"{1e3 * s:.1f}" for s in r["seconds_phases"])
        rows.append([r["value_type"], r["name"], f"{r['vertices']:,}", duration(seconds),
                     f"{r['relaxations_per_second'] * 1e-12:.3f}", phases,
                     f"{seconds / ours:.1f} ×" if ours else "",
                     "equal" if r["equal"] else "**differs**"])
    return text + table(["values", "kernel", "n", "time", "T/s", "ms of phases 1 + 2 + 3",
                         "apsp is faster", "result"], rows, 2)


def elsewhere():
    rows = [[name, f"{rate:g}", where] for name, rate, where in ELSEWHERE]
    return ("### Measured elsewhere\n\nNot in this run.\n\n"
            + table(["what", "T/s", "where from"], rows, 1))


def markdown(bench_document, offload, baselines_document, run):
    bench = bench_document["device_benchmark"]
    parts = [machine(bench_document, run), bars_text(bars(bench, offload)), limits(bench, offload), products(bench),
             solves(bench), streamed(offload), baselines(baselines_document), elsewhere()]
    return "\n".join(part for part in parts if part)


def main():
    options = asked(__doc__, "results", output=(pathlib.Path,))

    def read(name):
        return read_json(f"{options.results}/{name}")

    bench = read("bench.json")
    if bench is None:
        raise SystemExit(f"{options.results}/bench.json is not there")
    if "device_benchmark" not in bench:
        why = bench.get("error", {}).get("message", "no device was measured")
        raise SystemExit(f"{options.results}/bench.json has no figures: {why}")
    run = read("run.json") or {"date": "unknown", "commit": "unknown", "command": "unknown"}
    text = markdown(bench, read("offload.json"), read("baselines.json"), run)
    if options.output:
        write_into(options.output, "scripts/gpu-check", text)
    else:
        print(text)


if __name__ == "__main__":
    main()
