"""Every example in a docstring does what it says."""

import doctest
import importlib
import pathlib
import pkgutil

import pytest

import apsp

MODULES = sorted(module.name for module in pkgutil.walk_packages(apsp.__path__, "apsp.")
                 if not module.name.endswith("_apsp"))
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(page.name for page in [*DOCS.glob("python*.md"), DOCS / "coming-from.md"] if ">>> " in page.read_text())


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("page", PAGES)
def test_examples_of_the_documentation(page):
    if page == "coming-from.md":
        for package in ("igraph", "osmnx", "sklearn"):
            pytest.importorskip(package)
    assert doctest.testfile(str(DOCS / page), module_relative=False).failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    examples = sum(len(test.examples) for name in MODULES for test in finder.find(importlib.import_module(name)))
    assert examples > 20 and "python.md" in PAGES


def test_everything_public_is_documented():
    for name in apsp.__all__:
        if name.startswith("__") or name == "csgraph":
            continue
        part = getattr(apsp, name)
        assert part.__doc__, name
        for member, value in vars(part).items() if isinstance(part, type) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__ or member in ("vertex_count", "directed", "semiring"), member
