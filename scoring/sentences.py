"""Sentences for people that a room with gettext can translate, built without Django."""

# Characters of a quoted value; an answer may be as long as its paragraph.
_QUOTED_CHARACTERS = 120


class Sentence(str):
    """An English sentence that remembers its ``template`` and ``values``, so that a page can show it in another
    language: ``gettext(sentence.template).format(**sentence.values)``.

    Texts among the values come from people's files: they are shortened, and what cannot be shown or stored in them
    (NUL, halves of surrogate pairs) is written as an escape.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, **values: object) -> "Sentence":
        shown = {name: _shown(value) if type(value) is str else value for name, value in values.items()}
        sentence = super().__new__(cls, template.format(**shown))
        sentence.template = template
        sentence.values = shown
        return sentence

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        return (self.template,), self.values  # for copies and pickles


def _shown(value: str) -> str:
    if len(value) > _QUOTED_CHARACTERS:
        value = value[:_QUOTED_CHARACTERS] + "…"
    return value.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode("utf-8")


# Named as gettext's own function, so that makemessages collects the templates.
_ = Sentence
