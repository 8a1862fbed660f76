"""Sentences for people that a room with gettext can translate, built without Django."""


class Sentence(str):
    """An English sentence that remembers its ``template`` and ``values``, so that a page can show it in another
    language: ``gettext(sentence.template).format(**sentence.values)``."""

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, **values: object) -> "Sentence":
        sentence = super().__new__(cls, template.format(**values) if values else template)
        sentence.template = template
        sentence.values = values
        return sentence


# Named as gettext's own function, so that makemessages collects the templates.
_ = Sentence
