#!/usr/bin/env python3
"""Puts figures of the papers' experiments on a GPU into docs/papers.md and bench/results/papers-gpu.md.

    bench/papers_report.py DIR --machine NAME --date DATE [--page docs/papers.md] [--results bench/results/papers-gpu.md]

DIR holds what these commands print; files that are not there leave their rows as they are:

    baselines*.json   apsp_cuda_baselines --all-blocks --overheads LIST --json
    caida*.json       apsp_cuda_baselines --graph CAIDA_FILE --vertices 1000,2000,4000,8000 --json
    stages*.json      apsp_cuda_baselines --vertices 64 --stages 6000 --gpus 0,1 --json
    offload*.json     apsp_offload_bench --json
    directives*.json  bench/peers/directives.py

A section of the page of results is replaced if something of it was measured, and others stay. Only the cells `ours` and `from` of known rows are replaced. A row that is known here but absent from the page is an error.
"""

import json
import pathlib
import re
import sys

from harness import asked, duration, table


def read(folder):
    """All measurements of a folder, in one dictionary of lists."""
    data = {"baselines": [], "caida": [], "overheads": [], "stages": [], "offload": [], "directives": []}
    for path in sorted(folder.glob("*.json")):
        text = path.read_text()
        if path.name.startswith("directives"):
            data["directives"] += [json.loads(line) for line in text.splitlines()]
        elif path.name.startswith("caida"):
            data["caida"] += json.loads(text)["baselines"]
        elif path.name.startswith("offload"):
            document = json.loads(text)
            data["offload"] += [{"vertices": document["vertices"], **row} for row in document["rows"]]
        else:
            document = json.loads(text)
            for part in ("baselines", "overheads", "stages"):
                data[part] += document.get(part, [])
    wrong = [row for rows in data.values() for row in rows if not row.get("equal", row.get("right"))]
    if wrong:
        sys.exit(f"papers_report.py: results differ: {wrong[0]}")
    return data


class Figures:
    """Cells of the page, from the measurements. A cell is None where its measurement is missing."""

    def __init__(self, data):
        self.data = data

    def kernel(self, value, name, n, part="baselines"):
        for row in self.data[part]:
            if (row["value_type"], row["name"], row["vertices"]) == (value, name, n):
                return row
        return None

    def times(self, value, names, n):
        rows = [self.kernel(value, name, n) for name in names]
        if None in rows:
            return None
        return "n = {:,}, {}: {}".format(n, value, "; ".join(
            f"{name} {duration(min(row['seconds']))}" for name, row in zip(names, rows)))

    def caida(self, name, sizes):
        rows = [self.kernel("f32", name, n, "caida") for n in sizes]
        if None in rows:
            return None
        return "; ".join(f"n = {row['vertices']:,}: {duration(min(row['seconds']))}" for row in rows)

    def growth(self, sizes=(2000, 4000, 8000)):
        found = []
        for name in ("plain", "tiled 32", "apsp"):
            rows = [self.kernel("f32", name, n, "caida") for n in sizes]
            if None in rows:
                return None
            found.append(f"{name} " + ", ".join(duration(min(row["seconds"])) for row in rows))
        return f"n = {', '.join(f'{n:,}' for n in sizes)}: " + "; ".join(found)

    def phases(self, block, n=6000):
        row = self.kernel("f32", f"tiled {block}", n)
        return row and "n = {:,}: {} ms".format(n, " + ".join(f"{1e3 * s:.2f}" for s in row["seconds_phases"]))

    def overhead(self, parts):
        rows = {row["vertices"]: row for row in self.data["overheads"]}
        chosen = [rows[n] for n in (1000, 3000, 5000) if n in rows]
        return "; ".join(f"n = {row['vertices']:,}: {1e3 * sum(row[p] for p in parts):.2f} ms, kernels "
                         f"{1e3 * row['seconds_kernels']:.2f} ms" for row in chosen) or None

    def managed(self):
        rows = [row for row in self.data["overheads"] if row["vertices"] == 5000]
        return rows and ("n = 5,000: {:.1f} ms in managed memory, {:.1f} ms with copies".format(
            1e3 * rows[0]["seconds_managed"],
            1e3 * sum(rows[0][f"seconds_{p}"] for p in ("allocation", "copy_in", "kernels", "copy_out")))) or None

    def stage(self, name, block=32):
        for row in self.data["stages"]:
            if (row["name"], row["block"]) == (name, block):
                return (f"{1e-6 * row['bytes_per_step']:.2f} MB, {1e-9 * row['copied_bytes_per_second']:.1f} GB/s, "
                        f"kernels {duration(row['seconds_kernels'])}, in all {duration(row['seconds'])}")
        return None

    def copy_rates(self):
        rows = [row for row in self.data["stages"] if row["name"] == "row"]
        return rows and "blocks of {}: {} GB/s".format(
            ", ".join(str(row["block"]) for row in rows),
            ", ".join(f"{1e-9 * row['copied_bytes_per_second']:.1f}" for row in rows)) or None

    def offload(self, part, key, unit):
        rows = [row for row in self.data["offload"] if row["part"] == part]
        return rows and "n = {:,}, share of the resident rate: {}".format(
            rows[0]["vertices"], ", ".join(f"{row['share_of_resident']:.2f} with {row[key]}{unit}" for row in rows)) or None

    def directive(self, name):
        rows = [row for row in self.data["directives"] if row["program"] == name]
        return rows and "; ".join(f"n = {row['vertices']:,}: {1e3 * row['seconds']:.1f} ms" for row in rows) or None


def cells(figures):
    """(section, beginning of a row's first cell, what we measured)"""
    katz, schiff, lee, sao = "Katz and Kider 2008", "Schiff", "Lee", "Sao 2021"
    return [
        (sao, "Figure 5, offload by block size", figures.offload("width", "width", "")),
        (sao, "Figure 6, offload by buffer size", figures.offload("buffer", "strip_rows", " rows")),
        (katz, "§4.2, largest block", figures.times("f32", ["tiled 18", "tiled 32"], 1000)),
        (katz, "§5.3, standard kernel", figures.caida("plain", [1000])),
        (katz, "§5.3, shared-memory kernel", figures.caida("tiled 32", [1000])),
        (katz, "§5.3, larger CAIDA graphs", figures.growth()),
        (katz, "Figure 7, closure", figures.times("reach", ["plain", "tiled 32", "apsp"], 1000)),
        (schiff, "§III, n threads", figures.times("f32", ["rows", "plain"], 1000)),
        (schiff, "Figure 3, copies", figures.overhead(["seconds_copy_in", "seconds_copy_out"])),
        (schiff, "Figure 3, allocation", figures.overhead(["seconds_allocation"])),
        (schiff, "Figure 4, OpenACC", figures.directive("OpenACC")),
        (schiff, "OpenMP target", figures.directive("OpenMP target")),
        (schiff, "§VII, unified memory", figures.managed()),
        (lee, "blocking factor 8, 16, 32", figures.times("f32", ["tiled 8", "tiled 16", "tiled 32"], 6000)),
        (lee, "blocking factor 2 and 4", figures.times("f32", ["tiled 2", "tiled 4"], 6000)),
        (lee, "copies' rate", figures.copy_rates()),
        (lee, "table of phases, bs = 8", figures.phases(8)),
        (lee, "table of phases, bs = 16", figures.phases(16)),
        (lee, "table of phases, bs = 32", figures.phases(32)),
        (lee, "table of phases, bs = 2", figures.phases(2)),
        (lee, "table of phases, bs = 4", figures.phases(4)),
        (lee, "discussion: branches", figures.times("i32", ["plain", "arithmetic"], 1000)),
        (lee, "overall table: whole list", figures.stage("whole list")),
        (lee, "overall table: pivot row and column", figures.stage("row and column")),
        (lee, "overall table: pivot row |", figures.stage("row")),
    ]


def replaced(page, section, beginning, ours, source):
    """The page with two cells of a row replaced: the last but one, and the last."""
    begin = page.index(f"\n## {section}\n")
    end = page.find("\n## ", begin + 4)
    end = len(page) if end < 0 else end
    pattern = re.compile(r"^\| " + re.escape(beginning) + r"[^\n]*$", re.MULTILINE)
    row = pattern.search(page, begin, end)
    if row is None:
        sys.exit(f"papers_report.py: {section} has no row '{beginning}'")
    fields = [field.strip() for field in row.group()[1:].removesuffix("|").split("|")]
    fields[-2:] = [ours, source]
    return page[:row.start()] + "| " + " | ".join(fields) + " |" + page[row.end():]


def kernel_rows(rows):
    return table(["values", "kernel", "n", "time", "ms of phases 1 + 2 + 3"], [
        [r["value_type"], r["name"], f"{r['vertices']:,}", duration(min(r["seconds"])),
         " + ".join(f"{1e3 * s:.2f}" for s in r["seconds_phases"])] for r in rows])


def sections(data):
    """(title, text) of what was measured."""
    if data["baselines"]:
        yield "Kernels", ("`apsp_cuda_baselines --all-blocks`, seconds on the device, without copies.\n\n"
                          + kernel_rows(data["baselines"]))
    if data["caida"]:
        yield "Snapshots of CAIDA", (
            "`apsp_cuda_baselines --graph CAIDA_FILE --vertices 1000,2000,4000,8000`: the vertices that are nearest to the greatest "
            "hub of autonomous systems and their relations, with weights of 1. Seconds on the device, without copies.\n\n"
            + kernel_rows(data["caida"]))
    if data["overheads"]:
        yield "Allocation and copies", (
            "`apsp_cuda_baselines --overheads LIST`, the plain kernel, f32, pageable memory, ms. The last column has all of it in "
            "managed memory.\n\n" + table(
                ["n", "allocation", "copy in", "kernels", "copy out", "managed"],
                [[f"{r['vertices']:,}"] + [f"{1e3 * r['seconds_' + p]:.2f}" for p in
                                           ("allocation", "copy_in", "kernels", "copy_out", "managed")]
                 for r in data["overheads"]]))
    if data["stages"]:
        yield "Copies between two GPUs", (
            "`apsp_cuda_baselines --vertices 64 --stages 6000 --gpus 0,1`, f32, through pinned memory of the host.\n\n" + table(
                ["block", "copied in a step", "MB a step", "GB/s", "kernels", "in all"],
                [[r["block"], r["name"], f"{1e-6 * r['bytes_per_step']:.2f}", f"{1e-9 * r['copied_bytes_per_second']:.1f}",
                  duration(r["seconds_kernels"]), duration(r["seconds"])] for r in data["stages"]]))
    if data["offload"]:
        yield "A matrix that streams", "`apsp_offload_bench`, f32, three buffers, no rows stay.\n\n" + table(
            ["n", "varied", "panel", "rows of a buffer", "MB on the device", "time", "T/s", "share of resident"],
            [[f"{r['vertices']:,}", r["part"], r["width"], r["strip_rows"], f"{1e-6 * r['device_bytes']:.0f}",
              duration(r["seconds"]), f"{1e-12 * r['relaxations_per_second']:.2f}", f"{r['share_of_resident']:.3f}"]
             for r in data["offload"]])
    if data["directives"]:
        yield "Directives", "`bench/peers/directives.py --compiler g++-12`, GCC's offloading, f32, with both copies.\n\n" + table(
            ["program", "n", "first", "best of three more"],
            [[r["program"], f"{r['vertices']:,}", duration(r["seconds_first"]), duration(r["seconds"])]
             for r in data["directives"]])


def results_page(page, data, machine, date):
    """The page with the sections that were measured."""
    for title, text in sections(data):
        section = f"## {title}\n\nMachine: {machine}. Date: {date}. {text.rstrip()}\n"
        begin = page.find(f"## {title}\n")
        if begin < 0:
            page = page.rstrip() + "\n\n" + section
            continue
        end = page.find("\n## ", begin)
        page = page[:begin] + section + (page[end:] if end >= 0 else "")
    return page


def main():
    options = asked(__doc__, "folder", machine=str, date=str, page=pathlib.Path("docs/papers.md"),
                    results=pathlib.Path("bench/results/papers-gpu.md"))
    data = read(pathlib.Path(options.folder))
    source = f"[{options.machine}](../bench/results/papers-gpu.md), {options.date}"
    page = options.page.read_text()
    for section, beginning, ours in cells(Figures(data)):
        if ours:
            page = replaced(page, section, beginning, ours, source)
    options.page.write_text(page)
    before = options.results.read_text() if options.results.exists() else "# The papers' experiments on GPUs\n"
    options.results.write_text(results_page(before, data, options.machine, options.date))


if __name__ == "__main__":
    main()
