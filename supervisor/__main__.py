"""``python -m supervisor COMMAND``: what the Makefile calls."""

import sys

from supervisor import ROOT, browser, demo
from supervisor.servers import stop_postgres


def stop_test_servers() -> int:
    """End the PostgreSQL that tests share, should a killed run have left it; return the exit code."""
    stop_postgres(ROOT / ".test" / "postgres")
    return 0


COMMANDS = {
    "demo": demo.run,
    "reset": demo.reset,
    "browser": browser.provide,
    "stop-test-servers": stop_test_servers,
}


def main() -> int:
    command = COMMANDS.get(sys.argv[1]) if len(sys.argv) == 2 else None
    if command is None:
        print(f"Usage: python -m supervisor {'|'.join(COMMANDS)}", file=sys.stderr)
        return 2
    return command()


if __name__ == "__main__":
    sys.exit(main())
