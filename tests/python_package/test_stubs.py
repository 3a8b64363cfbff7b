"""The type stubs say what is there: the same names, arguments and defaults."""

import ast
import inspect
import pathlib

import pytest

import apsp

STUBS = ast.parse((pathlib.Path(__file__).resolve().parents[2] / "python" / "apsp" / "__init__.pyi") .read_text())


def signature_of(function):
    """[(name, default as source or None)] of a function in the stubs."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(positional) - len(given.defaults)) + given.defaults
    every = [*zip(positional, defaults), *zip(given.kwonlyargs, given.kw_defaults)]
    if given.kwarg:
        every.append((given.kwarg, None))
    return [(arg.arg, None if default is None else ast.literal_eval(default)) for arg, default in every]


def real_signature_of(function):
    function = inspect.unwrap(getattr(function, "__func__", function))
    return [(name, None if parameter.default is inspect.Parameter.empty else parameter.default)
            for name, parameter in inspect.signature(function).parameters.items()]


FUNCTIONS = [node for node in STUBS.body if isinstance(node, ast.FunctionDef)]
CLASSES = [node for node in STUBS.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda node: node.name)
def test_function(function):
    assert signature_of(function) == real_signature_of(getattr(apsp, function.name))


@pytest.mark.parametrize("kind", CLASSES, ids=lambda node: node.name)
def test_class(kind):
    real = getattr(apsp, kind.name)
    assert {base.id for base in kind.bases if isinstance(base, ast.Name)} - {"NamedTuple"} <= {
        base.__name__ for base in real.__bases__}
    told = {node.name: node for node in kind.body if isinstance(node, ast.FunctionDef)}
    for name, node in told.items():
        member = inspect.getattr_static(real, name)
        if not isinstance(member, property) and not name.startswith("__"):
            assert signature_of(node) == real_signature_of(member), name
    public = {name for name, member in vars(real).items()
              if not name.startswith("_")
              and (callable(member) or isinstance(member, (property, classmethod)))}
    if kind.name not in ("RowBlock", "Plan"):
        assert public == {name for name in told if not name.startswith("_")}


def test_every_public_name_has_a_stub():
    told = {node.name for node in FUNCTIONS + CLASSES} | {"__version__", "csgraph"}
    assert told == set(apsp.__all__)
