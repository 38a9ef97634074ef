"""The command ``fuzzion``, also ``python -m fuzzion``."""

import sys

from ._fuzzion import run_command


def main() -> int:
    """Runs the command with the arguments of this process."""
    return run_command(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
