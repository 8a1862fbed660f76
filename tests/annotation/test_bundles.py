"""The worker's page's files, put together from modules: what they hold, how they are served, what cannot be bundled."""

import gzip
import re

import pytest
from django.test import Client

from annotation.bundles import PARTS, UnknownSyntax, bundle, joined_modules

MODULES = {
    "page.js": 'import { both as twice, shout } from "./words.js";\n\n/** Told. */\nconsole.log(twice(shout));\n',
    "words.js": (
        'import { LOUD } from "./marks.js";\n\nexport function shout(text) {\n  return text + LOUD;\n}\n'
        "// Again.\nexport async function both(say) {\n  return say(say(1));\n}\n"
    ),
    "marks.js": 'export const LOUD = /** @type {const} */ ("!"); // the mark\n',
}

JOINED = """\
const module_marks = (() => {
const LOUD = /** @type {const} */ ("!"); // the mark
return { LOUD };
})();
const module_words = (() => {
const { LOUD } = module_marks;

function shout(text) {
  return text + LOUD;
}
async function both(say) {
  return say(say(1));
}
return { shout, both };
})();
{
const { both: twice, shout } = module_words;

console.log(twice(shout));
}
"""


@pytest.fixture
def folder(tmp_path):
    for name, code in MODULES.items():
        (tmp_path / name).write_text(code)
    return tmp_path


def test_modules_stand_behind_what_they_import_each_in_a_scope_of_its_own(folder):
    assert joined_modules(["page.js"], folder) == JOINED


def test_a_module_that_two_pages_use_comes_once(folder):
    (folder / "other.js").write_text('import { LOUD } from "./marks.js";\nconsole.log(LOUD);\n')
    assert joined_modules(["other.js", "page.js"], folder).count("const module_marks") == 1


@pytest.mark.parametrize(
    "code",
    [
        'import words from "./words.js";\n',
        'import * as words from "./words.js";\n',
        'import { shout } from "https://example.org/words.js";\n',
        "export default 1;\n",
        "export let count = 0;\n",
        'export { shout } from "./words.js";\n',
        'const words = await import("./words.js");\n',
        "console.log(import.meta.url);\n",
    ],
)
def test_what_cannot_be_bundled_is_refused(folder, code):
    (folder / "words.js").write_text(code + MODULES["words.js"])
    with pytest.raises(UnknownSyntax, match=r"words\.js"):
        joined_modules(["page.js"], folder)


def test_modules_that_import_each_other_are_refused(folder):
    (folder / "marks.js").write_text('import { shout } from "./words.js";\nexport const LOUD = "!";\n')
    with pytest.raises(UnknownSyntax, match=r"words\.js imports marks\.js imports words\.js"):
        joined_modules(["page.js"], folder)


def test_every_page_of_the_worker_names_its_files_by_their_digests_and_they_are_kept_for_good():
    for name in PARTS:
        address = f"/work/code/{bundle(name).digest}/{name}"
        plain, packed = Client().get(address), Client().get(address, headers={"Accept-Encoding": "br, gzip"})
        assert gzip.decompress(packed.content) == plain.content == bundle(name).body
        assert (plain.get("Content-Encoding"), packed["Content-Encoding"]) == (None, "gzip")
        for response in (plain, packed):
            assert response["Cache-Control"] == "public, max-age=31536000, immutable"
            assert response["Vary"] == "Accept-Encoding"
            assert response["Access-Control-Allow-Origin"] == "*"
            assert response["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'; sandbox"
            assert (response["X-Frame-Options"], response["X-Content-Type-Options"]) == ("DENY", "nosniff")


def test_a_page_from_before_an_update_gets_todays_files_and_they_are_not_kept():
    response = Client().get("/work/code/0123456789abcdef/work.js")
    assert response.content == bundle("work.js").body
    assert response["Cache-Control"] == "no-store"
    assert Client().get(f"/work/code/{bundle('work.js').digest}/spans.js").status_code == 404


def test_a_pages_scripts_and_styles_weigh_less_than_60_kilobytes():
    for page in ("work.js", "quiz.js"):
        assert sum(len(bundle(name).compressed) for name in (page, "work.css", "dark.css")) < 60_000


def test_comments_are_left_out():
    assert not re.search(r"^\s*(/\*\*|//)", bundle("work.js").body.decode(), re.MULTILINE)
