"""SciPy's own tests and docstring examples, unmodified, on apsp's functions."""

import doctest
import importlib.util
import inspect
import json
import pathlib
import subprocess
import sys

import pytest
import scipy.sparse.csgraph

import apsp.csgraph

HERE = pathlib.Path(__file__).parent
# At least so many tests are in the file of every SciPy since 1.14.
LEAST = {"test_shortest_path": 40, "test_connected_components": 8, "test_conversions": 3}
if importlib.util.find_spec("sparse"):
    LEAST["test_pydata_sparse"] = 20


@pytest.mark.parametrize("name", LEAST)
def test_scipys_file_passes(name):
    done = subprocess.run([sys.executable, HERE / "scipys_own_tests.py", name], capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert not found["failed"], done.stderr[-4000:]
    assert not found["reached"]
    assert found["count"]["passed"] >= LEAST[name]
    if name == "test_shortest_path":
        assert not found["silent"]


SHARED = [name for name in apsp.csgraph.__all__ if hasattr(scipy.sparse.csgraph, name) and name != "NegativeCycleError"]


@pytest.mark.parametrize("name", SHARED)
def test_scipys_examples_pass(name):
    theirs, ours = getattr(scipy.sparse.csgraph, name), getattr(apsp.csgraph, name)
    text = inspect.cleandoc(theirs.__doc__)
    if ">>>" not in text:
        pytest.skip("no examples")
    example = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    printed = []
    with apsp.csgraph.patch():
        setattr(scipy.sparse.csgraph, name, ours)
        try:
            failed = doctest.DocTestRunner(optionflags=flags).run(example, out=printed.append).failed
        finally:
            setattr(scipy.sparse.csgraph, name, theirs)
    assert not failed, "".join(printed)


@pytest.mark.parametrize("name", SHARED)
def test_signature_is_scipys(name):
    def parameters(function):
        return [(p.name, p.kind, repr(p.default)) for p in inspect.signature(function).parameters.values()]

    theirs, ours = parameters(getattr(scipy.sparse.csgraph, name)), parameters(getattr(apsp.csgraph, name))
    assert ours[: len(theirs)] == theirs
    assert all(kind is inspect.Parameter.KEYWORD_ONLY for _, kind, _ in ours[len(theirs):])
