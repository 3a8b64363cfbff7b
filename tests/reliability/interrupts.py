"""Commands of every kind that are interrupted at random moments: how long they take to end, and what they leave.

    python tests/reliability/interrupts.py [--moments 400] [--seconds S] [--seed N] [--only WORD] [--small] [--stacks]
                                           [--python] [--strict PROGRAM]

Runs each command once to its end, to know how long it takes; one that takes longer than --longest is interrupted
there. Then sends SIGINT to new runs at random moments of that time: half of them are drawn evenly, half evenly
from its logarithm, because the beginning has many short phases and the end of a long run repeats itself. A run has
to end within a second with exit code 8 and its message. It leaves its inputs as they were, an output whole or not
at all, and no other file, except rows that its message says are kept. Fails, with the seed and the words, where
that is not so.

The graphs have a million vertices and more; with --small a tenth of that, for the tests. --python interrupts the
Python package in the same way: the call ends with KeyboardInterrupt. --strict names a program that takes strict
devices for GPUs (bin/apsp_on_strict_devices). --stacks prints where the threads of a run are that has not ended
after a quarter of a second (needs gdb), to find loops that do not poll.
APSP_BIN names the program. Each moment is drawn from its own seed, so that --seed repeats a run."""

import argparse
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from conftest import binary, environment
from interrupt_cases import cases_in, make_inputs

MOST_SECONDS = 1.0


class Trial:
    """One command, in a folder with links to its inputs, where nothing but its output may remain."""

    def __init__(self, case, inputs, folder, longest):
        self.case, self.inputs, self.folder, self.longest = case, inputs, folder / case.name, longest
        self.length = None

    def prepare(self):
        """The names in the folder before the run."""
        self.folder.mkdir(exist_ok=True)
        for path in self.folder.iterdir():
            remove(path)
        for name in self.case.inputs:
            source, copy = self.inputs / name, self.folder / name
            if self.case.changes == name:
                subprocess.run(["cp", "-r", "--reflink=auto", source, copy], check=True)
            else:
                copy.symlink_to(source)
        return set(os.listdir(self.folder))

    def begin(self):
        return subprocess.Popen(self.case.command, cwd=self.folder, env=environment(),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def moment(self, draw):
        """A random moment of a run, in seconds."""
        first, last = 0.02, max(0.03, self.length or self.longest)
        even = draw.random() < 0.5
        return draw.uniform(first, last) if even else first * (last / first) ** draw.random()

    def interrupt(self, moment, stacks):
        """(seconds to the end, CPU seconds of all its threads meanwhile, what is wrong); no seconds where the run
        had ended before. The first call says in `length` how long a run takes, or `moment`."""
        before, ended = self.prepare(), cpu_of_ended()
        began = time.monotonic()
        process = self.begin()
        try:
            said = process.communicate(timeout=moment)[0]
            self.length = self.length or time.monotonic() - began
            failed = f"ends with code {process.returncode}: {last_line(said)}" if process.returncode != 0 else ""
            return None, 0, failed
        except subprocess.TimeoutExpired:
            self.length = self.length or moment
        used = cpu_of(process.pid)  # an ended process is there until it is waited for
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        try:
            said = process.communicate(timeout=0.25 if stacks else 120)[0]
        except subprocess.TimeoutExpired:
            where = threads_of(process) if stacks else ""
            process.kill()
            process.communicate()
            return time.monotonic() - sent, cpu_of_ended() - ended - used, "does not end in time" + where
        seconds = time.monotonic() - sent
        return seconds, cpu_of_ended() - ended - used, self.judge(process.returncode, said.decode(errors="replace"), before)

    def judge(self, code, said, before):
        new = set(os.listdir(self.folder)) - before
        if before - set(os.listdir(self.folder)):
            return "an input is gone"
        if code == -signal.SIGINT and not said and not new:
            return ""  # it had not begun, and so it did not listen yet
        if code == 0:
            return "" if all(not name.startswith(".") for name in new) else f"leaves {sorted(new)}"
        if code != self.case.code:
            return f"exit code {code}: {last_line(said)}"
        if self.case.message not in said:
            return f"the message is {last_line(said)}"
        if self.case.output in new and "nothing was written" in said:
            return "the message says that nothing was written, and the output is there"
        if self.case.changes and subprocess.run([binary(), "distance", self.case.changes, "1", "2"], cwd=self.folder,
                                                env=environment(), capture_output=True).returncode != 0:
            return f"{self.case.changes} cannot be opened any more"
        kept = "complete and kept" in said
        stray = [name for name in new if not kept or name.lstrip(".").split(".partial-")[0] != self.case.output]
        return f"leaves {sorted(stray)}" if stray else ""


def remove(path):
    subprocess.run(["rm", "-rf", path], check=True)


def cpu_of(pid):
    """Seconds of all threads of a process, and of its children that have ended."""
    words = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")


def cpu_of_ended():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def last_line(said):
    return (said if isinstance(said, str) else said.decode(errors="replace")).strip()[-300:]


def threads_of(process):
    done = subprocess.run(["gdb", "-p", str(process.pid), "-batch", "-ex", "thread apply all backtrace 12"],
                          capture_output=True, text=True)
    return "\n" + "\n".join(line for line in done.stdout.splitlines() if line.startswith(("#", "Thread")))


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job inherits an ignored one
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moments", type=int, default=400, help="ends after so many")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begins no moment after this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cases whose name has this word")
    parser.add_argument("--tries", type=int, default=1,
                        help="a run counts as late if so many are, one after another: for a machine that is busy")
    parser.add_argument("--part", default="1/1", help="2/3: the second of three processes that share the cases")
    parser.add_argument("--small", action="store_true", help="graphs of some hundred thousand vertices")
    parser.add_argument("--longest", type=float, default=60, help="seconds: moments are drawn from at most the first so many of a run")
    parser.add_argument("--python", action="store_true", help="calls of the Python package")
    parser.add_argument("--strict", help="a program that takes strict devices for GPUs")
    parser.add_argument("--stacks", action="store_true", help="where the threads are of runs that do not end")
    parser.add_argument("--folder", help="where the files lie")
    parser.add_argument("--inputs", help="a folder that keeps the inputs for the next campaign")
    options = parser.parse_args()
    began, times, failures = time.monotonic(), [], []
    with tempfile.TemporaryDirectory(prefix="apsp-interrupts-", dir=options.folder) as name:
        folder = pathlib.Path(name)
        inputs = pathlib.Path(options.inputs).resolve() if options.inputs else folder / "inputs"
        inputs.mkdir(exist_ok=True)
        cases = [case for case in cases_in(options.small, options.python, options.strict) if options.only in case.name]
        random.seed(options.seed)
        random.shuffle(cases)
        part, parts = map(int, options.part.split("/"))
        cases = cases[part - 1::parts][:options.moments]
        make_inputs(inputs, cases, options.small)
        trials, number = {}, 0
        while len(times) < options.moments and cases and time.monotonic() - began < options.seconds:
            case = cases[number % len(cases)]
            seed = options.seed * 1_000_003 + number
            number += 1
            trial = trials.setdefault(case.name, Trial(case, inputs, folder, options.longest))
            moment = trial.moment(random.Random(seed)) if trial.length else trial.longest
            for _ in range(options.tries):
                seconds, used, wrong = trial.interrupt(moment, options.stacks)
                late = seconds is not None and seconds > MOST_SECONDS
                if wrong or not late:
                    break
            if seconds is not None:
                times.append((seconds, used, case.name, moment))
            if late and not wrong:
                wrong = f"takes {seconds:.2f} s to end, {used:.2f} s of CPU"
            if wrong and seconds is None:
                cases.remove(case)  # it fails without an interrupt, too
            if wrong:
                failures.append(f"{case.name}, seed {seed}, after {moment:.2f} of {trial.length:.2f} s: {wrong}")
                print(f"WRONG {failures[-1]}", file=sys.stderr, flush=True)
    times.sort(reverse=True)
    print(f"{len(times)} runs were interrupted in {time.monotonic() - began:.0f} s, {len(failures)} wrong")
    for seconds, used, name, moment in times[:10]:
        print(f"  {seconds:.2f} s to end, {used:.2f} s of CPU: {name}, after {moment:.2f} s")
    for failure in failures if not options.stacks else []:
        print(f"  WRONG {failure}")
    return 1 if failures or not times else 0


if __name__ == "__main__":
    sys.exit(main())
