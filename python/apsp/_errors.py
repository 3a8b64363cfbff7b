"""What can go wrong: one class a kind of error."""

import re


class Error(Exception):
    """Base of all errors of this package.

    Attributes
    ----------
    advice : sequence of dict
        Of a solve that is refused: options that let it through, each dict by itself, as keywords and the
        text of their values.
    """

    advice = ()


def worded(text):
    """The text with options as keywords: `device=cpu` becomes device="cpu"."""
    def keyword(found):
        name, value = found.groups()
        if value is None:
            return name
        if value in ("true", "false"):
            return f"{name}={value.capitalize()}"
        if name == "columns":
            return f"{name}=({', '.join(map(_literal, value.split(',')))})"
        return f"{name}={_literal(value)}"

    return re.sub(r"`([a-z_]+)(?:=([^`]+))?`", keyword, text)


def _literal(text):
    return text if text.isdigit() else f'"{text}"'


class UsageError(Error, ValueError):
    """The call or an option is wrong."""


class WrongTypeError(UsageError, TypeError):
    """An argument has a type that the call does not take."""


class InputError(Error, ValueError):
    """A graph or a result is malformed.

    Attributes
    ----------
    location : tuple of (str, int, int) or None
        File, line and column, which count from 1; 0 is "not known".
    """

    location = None


class NegativeCycleError(Error, ArithmeticError):
    """Distances are undefined: a cycle is better than the empty path.

    Attributes
    ----------
    cycle : list
        The vertices v0, v1, … of a closed walk v0 → v1 → … → v0, by their labels.
    weight : float
        The sum of its weights.
    """

    cycle = ()
    weight = None


class DoesNotFitError(Error, MemoryError):
    """Memory, disk or value type is too small; the message says what would fit."""


class InputOutputError(Error, OSError):
    """The operating system refused: no such file, no permission, disk full."""


class DeviceError(Error, RuntimeError):
    """A GPU is not there, or failed."""


class InterruptedSolveError(Error, RuntimeError):
    """The work was asked to end early. Ctrl-C raises KeyboardInterrupt instead."""


class DefectError(Error, RuntimeError):
    """A result contradicts its own check: a fault of this library or the machine."""
