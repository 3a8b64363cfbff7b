"""The command `apsp`: the one that `make install` brings, run by the package's own module."""

import sys

from ._apsp import run_command


def main():
    sys.exit(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()
