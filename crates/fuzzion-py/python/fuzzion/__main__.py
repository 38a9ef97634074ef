"""The command ``fuzzion``, also ``python -m fuzzion``."""

import signal
import sys

from ._fuzzion import run_command


def main() -> int:
    """Runs the command with the arguments of this process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the command has its own handler
    return run_command(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
