"""Fonts for the browser tests: which scripts this machine can draw by its fontconfig, and what is said of others."""

import shutil
import sys
from pathlib import Path

import pytest

from supervisor import debian, fonts

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux is asked for its fonts")


@pytest.fixture
def no_fonts(tmp_path, monkeypatch):
    """A machine whose fontconfig knows of no font."""
    if not shutil.which("fc-list"):
        pytest.skip("this machine has no fontconfig to ask")
    settings = tmp_path / "fonts.conf"
    settings.write_text(f'<?xml version="1.0"?><fontconfig><dir>{tmp_path}</dir></fontconfig>')
    monkeypatch.setenv("FONTCONFIG_FILE", str(settings))


def test_a_script_is_missing_where_no_font_has_it_and_not_where_one_has(no_fonts, tmp_path, monkeypatch):
    assert fonts.missing() == list(fonts.SCRIPTS)
    monkeypatch.delenv("FONTCONFIG_FILE")
    thai = next(Path("/usr/share/fonts").rglob("NotoSansThai-Regular.*"), None)
    if thai is None:
        pytest.skip("this machine has no Thai font to add")
    shutil.copy(thai, tmp_path)
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    assert fonts.missing() == [language for language in fonts.SCRIPTS if language != "th"]
    assert fonts.families("th") == {"Noto Sans Thai"}


def test_a_linux_that_cannot_be_asked_is_taken_to_have_none(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fonts.missing() == list(fonts.SCRIPTS)


def test_who_cannot_install_is_told_what_to_install_in_a_sentence(no_fonts, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(debian, "RELEASE", tmp_path / "os-release")  # of no Debian
    fonts.provide()
    said = capsys.readouterr().err
    assert said.startswith("No font here draws Arabic, Hebrew, Devanagari, Thai, Chinese,")
    assert "install fontconfig, fonts-noto-core, fonts-noto-cjk" in said


def test_a_machine_with_all_of_them_is_left_in_peace(capsys):
    if fonts.missing():
        pytest.skip("this machine lacks fonts: " + ", ".join(fonts.missing()))
    fonts.provide()
    assert capsys.readouterr() == ("", "")
