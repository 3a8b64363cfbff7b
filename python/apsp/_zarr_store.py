"""A zarr store that reads one result and detects its replacement; needs zarr 3."""

from zarr.storage import LocalStore

from ._errors import InputError


class HeldStore(LocalStore):
    """`check`: called at every read; raises an error if the result was replaced."""

    def __init__(self, root, *, read_only=True, check=None):
        super().__init__(root, read_only=read_only)
        self._check = check

    async def get(self, key, prototype=None, byte_range=None):
        return self._checked(key, await super().get(key, prototype, byte_range))

    def get_sync(self, key, *, prototype=None, byte_range=None):
        return self._checked(key, super().get_sync(key, prototype=prototype,
                                                   byte_range=byte_range))

    async def get_partial_values(self, prototype, key_ranges):
        ranges = list(key_ranges)
        found = await super().get_partial_values(prototype, ranges)
        return [self._checked(key, part) for (key, _), part in zip(ranges, found)]

    def with_read_only(self, read_only=False):
        return type(self)(self.root, read_only=read_only, check=self._check)

    def _checked(self, key, found):
        self._check()
        if found is None and "/c/" in key:
            raise InputError(f"{self.root}/{key}: this chunk is missing")
        return found
