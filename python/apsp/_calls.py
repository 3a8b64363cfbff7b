"""Converts errors of Python and NumPy in public calls to errors of this package."""

import functools
import inspect

from ._errors import Error, UsageError, WrongTypeError

_OURS = {"apsp", "igraph", "networkx", "numpy", "pandas", "polars", "pyarrow", "scipy"}
_NAMES = {int: "an integer", bool: "True or False", float: "a number", str: "a text"}


def door(function):
    """Decorates a public function: a wrong argument raises a `UsageError` that names it.

    Exceptions of the caller's own functions (progress, weights) pass unchanged.
    """
    @functools.wraps(function)
    def called(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Error:
            raise
        except (TypeError, AttributeError, ValueError, OverflowError) as error:
            found = _explained(error, function, args, kwargs)
            if found is None:
                raise
            raise found from error

    return called


def doors(kind):
    """Applies `door` to the public functions and class methods of a class."""
    for name, member in list(vars(kind).items()):
        if name.startswith("_"):
            continue
        if isinstance(member, classmethod):
            setattr(kind, name, classmethod(door(member.__func__)))
        elif inspect.isfunction(member):
            setattr(kind, name, door(member))
    return kind


def _explained(error, function, args, kwargs):
    signature, name = inspect.signature(function), function.__qualname__
    try:
        given = signature.bind(*args, **kwargs)
    except TypeError:
        return None  # wrong number of arguments: Python's message is clear
    if not _raised_here(error):
        return None
    for parameter in signature.parameters.values():
        wanted = _NAMES.get(type(parameter.default))
        value = given.arguments.get(parameter.name)
        if wanted and value is not None and not _is_like(value, type(parameter.default)):
            return WrongTypeError(f"{name}: {parameter.name} is {wanted}, not {value!r}")
    kind = UsageError if isinstance(error, (ValueError, OverflowError)) else WrongTypeError
    if "incompatible function arguments" in str(error):  # the extension's message lists C++ types
        return kind(f"{name}: an argument has a type that the call does not take; help(apsp.{name}) says which it "
                    "takes")
    return kind(f"{name}: an argument is not what the call takes: {error}")


def _raised_here(error):
    """Whether the innermost Python frame belongs to this package or to one that it calls."""
    place = error.__traceback__
    while place.tb_next is not None:
        place = place.tb_next
    return place.tb_frame.f_globals.get("__name__", "").partition(".")[0] in _OURS


def _is_like(value, kind):
    if kind is float or kind is int:
        return isinstance(value, (int, float)) or hasattr(value, "__index__") or hasattr(value, "__float__")
    return kind is bool or isinstance(value, kind)
