"""Runs a file of SciPy's own csgraph tests, unmodified, on apsp's functions.

Usage: python scipys_own_tests.py MODULE. Prints a line of JSON: outcomes of all tests, which of them
never called apsp, and how often SciPy's own solvers were reached.
"""

import collections
import contextlib
import functools
import importlib
import importlib.util
import io
import json
import sys

import pytest

PRIVATE = ("_shortest_path", "_tools", "_traversal")


class OwnSolver(BaseException):
    """SciPy's solver was reached; code under test must not swallow this."""


def refuses(name, reached):
    def refusing(*_, **__):
        reached.append(name)
        raise OwnSolver(name)

    return refusing


def counts(function, calls):
    @functools.wraps(function)
    def counting(*args, **kwargs):
        calls.append(function.__name__)
        return function(*args, **kwargs)

    return counting


class Outcomes:
    def __init__(self, calls):
        self.calls, self.found, self.silent = calls, {}, []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        before = len(self.calls)
        try:
            return (yield)
        finally:
            if len(self.calls) == before:
                self.silent.append(item.name)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            xfailed = hasattr(report, "wasxfail")
            self.found[report.nodeid.split("::")[-1]] = "xfailed" if xfailed else report.outcome

    def pytest_collectreport(self, report):
        if report.failed:
            self.found[report.nodeid] = "failed"


def main(name):
    import scipy.sparse.csgraph as scipys

    import apsp.csgraph as ours

    calls, reached = [], []
    for function in ours.__all__:
        theirs = getattr(scipys, function, None)
        if theirs is None or function == "NegativeCycleError":
            continue
        for private in PRIVATE:
            module = importlib.import_module(f"scipy.sparse.csgraph.{private}")
            # Other parts of SciPy go on using its conversions, and its trees.
            if hasattr(module, function) and not function.startswith(("csgraph_", "reconstruct")):
                setattr(module, function, refuses(function, reached))
        setattr(scipys, function, counts(getattr(ours, function), calls))
    file = importlib.util.find_spec(f"scipy.sparse.csgraph.tests.{name}").origin
    outcomes = Outcomes(calls)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        pytest.main(["-q", "-p", "no:cacheprovider", "-o", "addopts=", "-W", "default", file], plugins=[outcomes])
    # A test that calls nothing of apsp's is SciPy's alone: old ones fail beside newer packages.
    failed = [test for test, outcome in outcomes.found.items() if outcome == "failed" and test not in outcomes.silent]
    if failed:
        print(printed.getvalue(), file=sys.stderr)
    print(json.dumps({
        "count": collections.Counter(outcomes.found.values()),
        "silent": outcomes.silent,
        "failed": failed,
        "reached": reached,
    }))


if __name__ == "__main__":
    main(sys.argv[1])
