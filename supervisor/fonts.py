"""The fonts that browser tests draw the world's scripts with: the system's, or Debian's Noto, installed for them."""

import shutil
import subprocess
import sys

from supervisor import debian

# By the language that fontconfig knows each by. Systems without fontconfig (macOS) bring fonts for all of them.
SCRIPTS = {
    "ar": "Arabic",
    "he": "Hebrew",
    "hi": "Devanagari",
    "th": "Thai",
    "zh-cn": "Chinese",
    "zh-tw": "traditional Chinese",
    "ja": "Japanese",
    "ko": "Korean",
}
PACKAGES = ("fontconfig", "fonts-noto-core", "fonts-noto-cjk")


def families(language: str) -> set[str]:
    """The names of the fonts here that have what ``language`` is written with; none where fontconfig is not."""
    if not shutil.which("fc-list"):
        return set()
    command = ["fc-list", f":lang={language}", "family"]
    listed = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
    return {name.strip() for line in listed.splitlines() for name in line.split(",")}


def missing() -> list[str]:
    """Those of SCRIPTS that would be drawn as boxes; all of them on a Linux that cannot be asked."""
    if not sys.platform.startswith("linux"):
        return []
    return [language for language in SCRIPTS if not families(language)]


def provide() -> None:
    """See to it that there are fonts, installing some if need be. Without them, tests of those scripts are skipped."""
    if missing() and debian.can_install():
        print("Installing fonts for the browser tests", flush=True)
        debian.install(*PACKAGES)
    if without := missing():
        print(
            f"No font here draws {', '.join(SCRIPTS[language] for language in without)}, and the tests of that are "
            f"skipped: install {', '.join(PACKAGES)}, or what your system calls them.",
            file=sys.stderr,
        )
