"""One case of kills.py: a solve that is killed until it has ended well."""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time

from conftest import binary, environment
from killed import LAUNCH, children, content

GRACE = 1.0  # seconds that a loaded machine may take besides


def descendants(process):
    found = []
    try:
        for child in children(process):
            found += [child, *descendants(child)]
    except OSError:
        pass
    return found


def bytes_of(path, *, cleaned=False):
    """A run that is killed when its result has its name may leave the ledger in it, until it is cleaned."""
    if not path.is_dir():
        return path.read_bytes()
    files, *facts = content(path)
    return {name: data for name, data in files.items() if cleaned or not name.startswith(".ledger")}, facts


class Trial:
    def __init__(self, case, folder):
        self.case, self.folder = case, folder
        self.output = folder / case.output
        self.program = case.program or binary()
        self.memory = {threads: self.less_memory(threads) for threads in "12"} if case.less_memory else {}
        began = time.monotonic()
        self.longest_write = self.watched(self.begin("2" if case.job else ""))
        self.seconds = time.monotonic() - began
        self.wanted = bytes_of(self.output)
        self.remove()
        old = ["solve", "line.csv", "-o", case.output, "--quiet"]
        if case.output.endswith((".npz", ".csv")):
            old += ["--within", "5"]
        self.call(old)
        self.old = bytes_of(self.output)
        self.remove()

    def remove(self):
        shutil.rmtree(self.output) if self.output.is_dir() else self.output.unlink(missing_ok=True)

    def less_memory(self, threads):
        """Than a matrix takes."""
        words = [self.program, "plan", *self.case.words, "-o", self.case.output, "--threads", threads, "--device",
                 "cpu", "--json"]
        done = subprocess.run(words, cwd=self.folder, env=environment(), check=True, capture_output=True)
        return ["--memory", str(json.loads(done.stdout)["plan"]["bytes"] - 1)]

    def call(self, words):
        done = subprocess.run([self.program, *words], cwd=self.folder, env=environment(), capture_output=True,
                              text=True, timeout=120)
        assert done.returncode == 0, f"apsp {' '.join(words)}\n{done.stderr}"
        return done

    def begin(self, processes, resume=""):
        """A solve by so many processes ("": without a launcher). resume: the words that go on."""
        case = self.case
        words = ["solve", *case.words, "-o", case.output] if resume != "alone" else ["solve", "--resume", case.output]
        if resume == "named":
            words += ["--resume"]
        threads = random.choice("1123") if not processes else "1"
        if self.memory:  # where sums are rounded, a later run needs as much as the first
            threads = "1" if "real" in case.name else random.choice("12")
        self.threads = int(threads) * int(processes or 1)
        words += ["--threads", threads, *self.memory.get(threads, [])]
        # Rounded sums are also for the same kind of device.
        if case.devices and not (resume and "real" in case.name):
            words += ["--device", random.choice(case.devices)]
        command = [self.program, *words]
        if processes:
            command += random.choice(case.options)
            self.interval = 60 * float(command[-1]) if case.checkpoints else 0
            shapes = {"2": ["1x2", "2x1"], "3": ["3x1"], "4": ["2x2", "1x4", "4x1"]}
            if "floyd-warshall" in case.words and processes in shapes and random.random() < 0.5:
                command += ["--tuning", "grid=" + random.choice(shapes[processes])]
            command = [*LAUNCH, "-n", processes, *command]
        self.said = " ".join(command[len(LAUNCH):] if processes else command)
        self.began_at = time.time()
        self.log = open(self.folder / "said.txt", "wb+")
        return subprocess.Popen(command, cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=self.log, start_new_session=True)

    def heard(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")[-2000:]

    def ledgers(self):
        return list(self.folder.glob(f".{self.case.output}.partial-*/.ledger*"))

    def watched(self, process):
        """Waits for a solve; the longest time between two lines of its ledger, in seconds."""
        longest, last, known = 0.0, time.monotonic(), None
        while process.poll() is None:
            time.sleep(0.005)
            try:
                now = [path.stat().st_mtime_ns for path in self.ledgers()]
            except OSError:
                now = known
            if now != known:
                known, began = now, last
                last = time.monotonic()
                longest = max(longest, last - began)
        assert process.returncode == 0, self.said + "\n" + self.heard()
        return max(longest, time.monotonic() - last)

    def kill(self, process, counts):
        """At a random moment; whether there was anything to kill."""
        time.sleep(random.uniform(0, 1.1 * self.seconds))
        if process.poll() is not None:
            return False
        if not self.processes:
            process.kill()
            how = "kills of the one process"
        else:
            ranks = [rank for rank in descendants(process.pid) if "apsp" in name_of(rank)]
            how = random.choice(["one", "some", "all", "node"])
            if how == "node" or not ranks:  # with their launcher
                os.killpg(process.pid, signal.SIGSTOP)
                ranks += [process.pid, *descendants(process.pid)]
            number = {"one": 1, "some": random.randint(1, max(1, len(ranks) - 1))}.get(how, len(ranks))
            for rank in random.sample(ranks, min(number, len(ranks))):
                try:
                    os.kill(rank, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            how = f"kills of {how} of a job"
        self.killed_at = time.time()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:  # Open MPI's launcher waits for ever for one that never joined
            assert " vertices, " not in self.heard(), "the job hangs: " + self.said + "\n" + self.heard()
            process.kill()
            process.wait(timeout=30)
        self.end_all(process.pid)
        if process.returncode == 0:
            return False
        counts["kills"] += 1
        counts[how] += 1
        return True

    def end_all(self, group):
        """Nobody of the job writes on."""
        for _ in range(200):
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                break
            time.sleep(0.02)
        for _ in range(500):  # Open MPI's processes have groups of their own
            alive = [pid for pid in pathlib.Path("/proc").glob("[0-9]*") if self.belongs(pid)]
            for pid in alive:
                try:
                    os.kill(int(pid.name), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            if not alive:
                return
            time.sleep(0.02)

    def belongs(self, pid):
        """Whether it is a program of this campaign's folder."""
        try:
            return os.readlink(pid / "cwd") == str(self.folder) and "apsp" in (pid / "comm").read_text()
        except OSError:
            return False

    def left(self):
        """(complete rows or pivots that a kill left, whether there is anything)."""
        done = self.call(["clean", self.case.output, "--list", "--json"])
        found = json.loads(done.stdout)["leftovers"]
        return max((left.get("rows_done", left.get("pivots_done", 0)) for left in found), default=0), bool(found)

    def cost(self):
        """What is wrong with how much the kill has cost; nothing: as little as promised."""
        if not self.case.resumes:
            return ""
        for folder in self.folder.glob(f".{self.case.output}.partial-*"):
            ledgers = list(folder.glob(".ledger*"))
            lines = [line for path in ledgers for line in path.read_text(errors="replace").splitlines()]
            named = {int(band) for line in lines for band in re.findall(r"^band (\d+) ", line)}
            chunks = {}
            for path in folder.glob("distance/c/*/*"):
                if path.name.isdigit():
                    chunks.setdefault(int(path.parent.name), set()).add(path.name)
            if named and chunks and not self.has_lost:  # a ledger that lost lines names fewer
                whole = max(map(len, chunks.values()))
                lost = [band for band, files in chunks.items() if len(files) == whole and band not in named]
                if len(lost) > self.threads:
                    return f"{len(lost)} complete bands were not named, by {self.threads} threads"
            cuts = [path.stat().st_mtime for path in ledgers if "\ncut " in "\n" + path.read_text(errors="replace")]
            if self.processes and self.case.checkpoints and cuts:
                lost = self.killed_at - max(*cuts, self.began_at)  # by this run
                most = self.interval + 2 * self.longest_write + GRACE
                if lost > most:
                    return f"{lost:.2f} s were lost, of at most {most:.2f}"
        return ""

    def lose(self, counts):
        """What a power cut, or the end of a node, may take: chunks, the end of a ledger, everything.
        Whether it took a part of a matrix on the disk, of which there is no copy."""
        if random.random() < 0.7:
            return False
        lost = []
        folders = [path for path in self.folder.glob(f".{self.case.output}.partial-*") if path.is_dir()]
        for folder in folders:
            files = [path for path in folder.rglob("*") if path.is_file()]
            what = random.choice(["chunks", "ledger", "ledger of another", "disk", "torn"])
            chunks = [path for path in files if "/c/" in str(path) or path.name.startswith("generation-")]
            if what == "disk":
                shutil.rmtree(folder)
            elif what == "chunks" and chunks:
                for path in random.sample(chunks, random.randint(1, min(5, len(chunks)))):
                    lost.append(path)
                    path.unlink()
            elif what == "torn" and chunks:
                path = random.choice(chunks)
                lost.append(path)
                os.truncate(path, random.randint(0, path.stat().st_size))
            else:
                ledgers = [path for path in files if path.name.startswith(".ledger")]
                others = [path for path in ledgers if path.name != ".ledger"]
                if what == "ledger" and ledgers:
                    path = random.choice(ledgers)
                    os.truncate(path, random.randint(0, path.stat().st_size))
                elif others:
                    random.choice(others).unlink()
                else:
                    continue
            counts[f"lost {what}"] += 1
            self.has_lost = True
        self.graph_lost = self.graph_lost or any("/graph/" in str(path) or "/label/" in str(path) for path in lost)
        return any(path.name.startswith("generation-") for path in lost)

    def run(self, counts):
        """Nothing, or what went wrong."""
        case = self.case
        self.remove()
        before = random.random() < 0.3
        if before:
            old = ["solve", "line.csv", "-o", case.output, "--quiet"]
            self.call(old + (["--within", "5"] if case.output.endswith((".npz", ".csv")) else []))
        try:
            wrong = self.killed_until_done(counts, before)
        except (AssertionError, subprocess.SubprocessError) as error:
            wrong = str(error)
        if wrong:  # the next trial begins with nothing
            subprocess.run([self.program, "clean", case.output, "--quiet"], cwd=self.folder, env=environment(),
                           capture_output=True)
        return wrong

    def killed_until_done(self, counts, before):
        case, lost_matrix = self.case, False
        kills, self.graph_lost, self.has_lost = random.choice([1, 1, 2, 3, 4]), False, False
        while True:
            done, found = self.left()
            ways = ["named"] if self.graph_lost else ["alone", "named"]
            resume = random.choice(ways) if case.resumes and done else ""
            counts["resumed"] += bool(resume)
            many = random.choice(["2", "3", "4"] + ["1"] * (not self.case.checkpoints))
            self.processes = many if self.case.job else ""
            if resume and self.case.job and self.case.alone and random.random() < 0.2:
                self.processes = ""  # one process goes on with what several left
                counts["resumed by one process"] += 1
            process = self.begin(self.processes, resume)
            if kills == 0 or not self.kill(process, counts):
                process.wait(timeout=120)
                if process.returncode == 3 and lost_matrix and "apsp clean" in self.heard():
                    counts["begun again, as the message says"] += 1
                    self.call(["clean", case.output, "--quiet"])
                    lost_matrix = False
                    continue
                assert process.returncode == 0, self.said + "\n" + self.heard()
                break
            kills -= 1
            if self.output.exists() and bytes_of(self.output) == self.wanted:
                break
            there = bytes_of(self.output) if self.output.exists() else None
            if there != (self.old if before else None):
                return f"the output is neither the old result nor the new one: {self.said}"
            if wrong := self.cost():
                return f"{wrong}: {self.said}"
            lost_matrix = self.lose(counts) or lost_matrix
        self.call(["clean", self.case.output, "--quiet"])
        if bytes_of(self.output, cleaned=True) != self.wanted:
            return f"other bytes: {self.said}"
        hidden = [path.name for path in self.folder.glob(f".{self.case.output}*")]
        return f"left behind: {hidden}" if hidden else ""


def name_of(process):
    try:
        return pathlib.Path(f"/proc/{process}/comm").read_text()
    except OSError:
        return ""
