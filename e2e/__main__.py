"""Run the story in a folder of its own, and print and keep its summary."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from supervisor import ROOT
from supervisor.processes import ServerError
from supervisor.stack import Stack

from .story import Story, StoryFailed

SAMPLE = ROOT / "annotation" / "sample" / "xquad-sample.json"
WHOLE = ROOT.parent / "shared" / "data" / "xquad" / "xquad.en.json.gz"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m e2e", description="Build a whole dataset with scripted workers.")
    parser.add_argument("--out", type=Path, help="keep the exported files and summary.json in this folder")
    parser.add_argument("--source", type=Path, help="another SQuAD 1.1 file to take passages and questions from")
    options = parser.parse_args()
    source = options.source or (WHOLE if WHOLE.is_file() else SAMPLE)
    print(f"The story of {source.name}", flush=True)
    with tempfile.TemporaryDirectory(prefix="spanwright-e2e-") as folder:
        out = options.out or Path(folder) / "out"
        # Sync often: the story waits for it.
        stack = Stack(Path(folder) / "stack", test_hooks=False, settings={"SYNC_SECONDS": "2", "SWEEP_SECONDS": "2"})
        try:
            with stack:
                summary = Story(stack, source, out, say=lambda line: print(line, flush=True)).run()
        except (StoryFailed, ServerError) as error:
            print(f"The story failed: {error}", file=sys.stderr)
            for log in sorted((Path(folder) / "stack" / "logs").glob("*.log")):
                print(f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}", file=sys.stderr)
            return 1
        text = json.dumps(summary, indent=1)
        (out / "summary.json").write_text(text + "\n")
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
