"""The set-up script's sentences, with make-believe Pythons first on the PATH, and its repairs."""

import os
import shutil
import subprocess
import sys

import pytest

from supervisor import ROOT


@pytest.fixture
def checkout(tmp_path):
    """A folder with the set-up script and requirements that need no network."""
    (tmp_path / "supervisor").mkdir()
    shutil.copy(ROOT / "supervisor" / "setup.sh", tmp_path / "supervisor")
    for name in ("requirements-core.txt", "constraints.txt"):
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.fixture
def pythons(tmp_path):
    """A folder that is the whole PATH: the shell's tools, and the Pythons that a test puts there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("sh", "cat", "cksum", "rm", "dirname"):
        (folder / tool).symlink_to(shutil.which(tool))

    def put(name: str, script: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)

    put.folder = folder
    return put


def set_up(checkout, path, **environment):
    return subprocess.run(
        [shutil.which("sh"), checkout / "supervisor" / "setup.sh"],
        env={"PATH": str(path), "HOME": os.environ["HOME"], **environment},
        capture_output=True,
        text=True,
    )


# Answers the script's three questions: the version, whether it is new enough, whether it can make environments.
ANSWER = 'case "$2" in *"%d.%d"*) echo {version} ;; *exit*) exit {too_old} ;; *ensurepip*) exit {no_venv} ;; esac'


def test_a_python_too_old_is_one_sentence(checkout, pythons):
    pythons("python3", ANSWER.format(version="3.9", too_old=1, no_venv=0))
    done = set_up(checkout, pythons.folder)
    assert done.returncode == 1
    assert done.stderr == (
        "Spanwright needs Python 3.11 or newer, and python3 is 3.9: install a newer one, or name one with "
        "PYTHON=/path/to/python3.12.\n"
    )
    assert not (checkout / ".venv").exists()


def test_a_python_without_venv_is_one_sentence_that_names_the_package(checkout, pythons):
    pythons("python3", ANSWER.format(version="3.11", too_old=0, no_venv=1))
    done = set_up(checkout, pythons.folder)
    assert done.returncode == 1
    assert done.stderr == (
        "Python 3.11 cannot make virtual environments here: install the package python3.11-venv "
        "(on Debian and Ubuntu: apt install python3.11-venv), then run this again.\n"
    )


def test_no_python_at_all_is_one_sentence(checkout, pythons):
    done = set_up(checkout, pythons.folder)
    assert done.stderr == "Spanwright needs Python 3.11 or newer, and there is no python3 on the PATH.\n"


def test_a_named_python_that_does_not_run_is_one_sentence(checkout, pythons):
    done = set_up(checkout, pythons.folder, PYTHON="/nowhere/python3")
    assert done.stderr == "PYTHON=/nowhere/python3 is not a Python that runs.\n"


@pytest.mark.slow
def test_an_environment_is_made_once_and_made_afresh_when_it_was_cut_short(checkout, pythons):
    python = getattr(sys, "_base_executable", sys.executable)
    pythons("python3", f'exec "{python}" "$@"')
    first = set_up(checkout, pythons.folder)
    assert first.returncode == 0, first.stderr
    assert first.stdout == "Installing requirements-core.txt into .venv (a minute or so the first time)\n"

    witness = checkout / ".venv" / "witness"
    witness.touch()
    second = set_up(checkout, pythons.folder)
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")

    (checkout / "requirements-core.txt").write_text("# something else\n")
    third = set_up(checkout, pythons.folder)
    assert third.stdout == "Installing requirements-core.txt into .venv (a minute or so the first time)\n"
    assert witness.exists()

    (checkout / ".venv" / ".installing").touch()
    fourth = set_up(checkout, pythons.folder)
    assert fourth.returncode == 0, fourth.stderr
    assert fourth.stdout.startswith("Making .venv afresh: what is there does not work.\n")
    assert not witness.exists()

    (checkout / ".venv" / "bin" / "python").unlink()
    fifth = set_up(checkout, pythons.folder)
    assert fifth.returncode == 0, fifth.stderr
    assert "afresh" in fifth.stdout
