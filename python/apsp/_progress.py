"""Shows progress: by a tqdm bar if tqdm is installed, else by lines on stderr."""

import contextlib
import sys
import time

from ._errors import WrongTypeError


@contextlib.contextmanager
def teller(progress):
    """Context of a function (task, done, total, unit) or None, from a caller's `progress`.

    None, False: None. True: a bar. A function: itself.
    """
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        if not callable(progress):
            raise WrongTypeError("progress is True, False or a function (task, done, total, unit)")
        yield progress
        return
    bar = _bar()
    try:
        yield bar.tell
    finally:
        bar.close()


def _bar():
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines()
    return _Bar(tqdm)


class _Bar:
    """One bar per task."""

    def __init__(self, tqdm):
        self._tqdm, self._bar, self._task = tqdm, None, None

    def tell(self, task, done, total, unit):
        if task != self._task:
            self.close()
            self._task = task
            self._bar = self._tqdm(total=total, desc=task, unit=unit, unit_scale=True, leave=False)
        self._bar.update(max(0, done - self._bar.n))

    def close(self):
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class _Lines:
    """One line every ten seconds."""

    def __init__(self):
        self._next = time.monotonic() + 10

    def tell(self, task, done, total, unit):
        if time.monotonic() < self._next or not total:
            return
        self._next = time.monotonic() + 10
        print(f"{task}: {done / total:.0%} of {total:.3g} {unit}", file=sys.stderr)

    def close(self):
        pass
