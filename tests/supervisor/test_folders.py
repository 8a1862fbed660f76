"""A stack's folder: one holder at a time, and secrets that only their owner reads."""

import signal
import stat

import pytest

from supervisor.folders import AlreadyRunning, Hold, Secrets, write_private

HOLDING = (
    "import sys; from pathlib import Path; from supervisor.folders import Hold\n"
    "hold = Hold.take(Path(sys.argv[1])); hold.tell('http://localhost:8000'); print('held', flush=True)\n"
    "sys.stdin.read()"
)


def test_a_second_holder_is_told_where_the_first_one_answers(holder, tmp_path):
    first, said = holder(HOLDING, tmp_path)
    assert said == "held"
    with pytest.raises(AlreadyRunning) as refused:
        Hold.take(tmp_path)
    assert refused.value.addresses == "http://localhost:8000"
    first.send_signal(signal.SIGKILL)
    first.wait()
    Hold.take(tmp_path).release()


def test_secrets_are_made_once_and_kept_for_their_owner_alone(tmp_path):
    made = Secrets(tmp_path).make("SECRET_KEY", "ADMIN_PASSWORD", length=20)
    assert len(set(made.values())) == 2
    assert {len(secret) for secret in made.values()} == {20}
    assert Secrets(tmp_path).make("SECRET_KEY", "ADMIN_PASSWORD") == made
    assert stat.S_IMODE((tmp_path / "secrets.json").stat().st_mode) == 0o600


def test_secrets_that_were_cut_short_are_made_anew(tmp_path):
    (tmp_path / "secrets.json").write_text('{"SECRET_KEY": "abc')
    assert Secrets(tmp_path).make("SECRET_KEY")["SECRET_KEY"] != "abc"


def test_a_private_file_replaces_an_open_one(tmp_path):
    path = tmp_path / "env"
    path.write_text("earlier")
    path.chmod(0o644)
    write_private(path, "later")
    assert path.read_text() == "later"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["env"]
