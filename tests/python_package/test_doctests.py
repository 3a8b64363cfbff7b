"""Every example in a docstring does what it says."""

import doctest
import importlib
import pathlib
import pkgutil

import pytest

import apsp

MODULES = sorted(module.name for module in pkgutil.iter_modules(apsp.__path__)
                 if not module.ispkg and module.name != "_apsp")


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module("apsp." + name)
    assert doctest.testmod(module).failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    examples = sum(len(test.examples) for name in MODULES
                   for test in finder.find(importlib.import_module("apsp." + name)))
    assert examples > 20


def test_everything_public_is_documented():
    for name in apsp.__all__:
        if name.startswith("__") or name == "csgraph":
            continue
        part = getattr(apsp, name)
        assert part.__doc__, name
        for member, value in vars(part).items() if isinstance(part, type) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__ or member in ("vertex_count", "directed", "semiring"), member
