"""QuestionForm: questions in XML, which the marketplace itself shows as a form.

Source: QuestionForm.xsd of 2005-10-01 and 2017-11-06 and the article "QuestionForm" of the API reference. Where the
schema has no default, ours is said below.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from xml.etree.ElementTree import Element

from .content import Block, read_block, read_content
from .xml import in_order, name_of, no_text, number, root_of, text_of, unknown_root, whole_number, wrong_xml

SCHEMAS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
FORMS = (f"{SCHEMAS}/2017-11-06/QuestionForm.xsd", f"{SCHEMAS}/2005-10-01/QuestionForm.xsd")

MOST_CHARACTERS = 1_000_000  # of a length that a constraint may ask for; an answer has room for no more
MOST_LINES = 60
STYLES = ("radiobutton", "checkbox", "list", "dropdown", "combobox", "multichooser")
MANY = ("checkbox", "multichooser")  # styles that allow any number unless MaxSelectionCount says otherwise
IDENTIFIER, PATTERN = 256, 1000  # characters; ours


@dataclass(frozen=True)
class Pattern:
    """A regular expression that must be found in the answer, and what to say where it is not."""

    regex: str
    flags: str
    error: str


@dataclass(frozen=True)
class FreeText:
    """A field for text; None where nothing is asked."""

    is_numeric: bool = False
    least: Decimal | None = None  # value
    most: Decimal | None = None
    shortest: int | None = None  # characters
    longest: int | None = None
    patterns: tuple[Pattern, ...] = ()
    default: str = ""
    lines: int = 1


@dataclass(frozen=True)
class Choice:
    identifier: str
    block: Block


@dataclass(frozen=True)
class Selection:
    """``least`` to ``most`` of ``choices``; ``other`` is a field for one's own words, which counts as one of them."""

    choices: tuple[Choice, ...]
    least: int
    most: int
    style: str
    other: FreeText | None

    @property
    def is_single(self) -> bool:
        return self.most == 1

    @property
    def is_menu(self) -> bool:
        """Whether it is shown as a list to choose one line from, rather than as buttons."""
        return (
            self.is_single
            and self.style in ("list", "dropdown", "combobox")
            and all(choice.block.kind == "text" for choice in self.choices)
        )


@dataclass(frozen=True)
class FormQuestion:
    identifier: str
    display_name: str
    is_required: bool
    content: tuple[Block, ...]
    answer: FreeText | Selection

    @property
    def is_choice(self) -> bool:
        return isinstance(self.answer, Selection)


@dataclass(frozen=True)
class Overview:
    content: tuple[Block, ...]


@dataclass(frozen=True)
class QuestionForm:
    parts: tuple[Overview | FormQuestion, ...]

    @property
    def questions(self) -> tuple[FormQuestion, ...]:
        return tuple(part for part in self.parts if isinstance(part, FormQuestion))

    def patterns(self) -> Iterator[Pattern]:
        for question in self.questions:
            answer = question.answer
            text = answer.other if isinstance(answer, Selection) else answer
            yield from text.patterns if text else ()


def parse_test(test: str) -> QuestionForm:
    """Read a qualification test, which is a QuestionForm and nothing else. Raises Refused."""
    root = root_of("Test", test)
    if root.tag not in KINDS:
        raise unknown_root(root)
    return read(root)


def read(root: Element) -> QuestionForm:
    no_text(root)
    parts: list[Overview | FormQuestion] = []
    for child in root:
        name = name_of(child)
        if (
            name not in ("Overview", "Question")
            or str(child.tag).rpartition("}")[0] != str(root.tag).rpartition("}")[0]
        ):
            raise wrong_xml(f"A QuestionForm holds Overview and Question elements, not {name}.")
        parts.append(Overview(read_content(child)) if name == "Overview" else _question(child))
    identifiers = [part.identifier for part in parts if isinstance(part, FormQuestion)]
    if not identifiers:
        raise wrong_xml("A QuestionForm needs at least one Question.")
    for identifier in identifiers:
        if identifiers.count(identifier) > 1:
            raise wrong_xml(f"The QuestionIdentifier {identifier!r} stands twice; each is used once.")
    return QuestionForm(tuple(parts))


# Root element to reader.
KINDS = {f"{{{namespace}}}QuestionForm": read for namespace in FORMS}


def _question(element: Element) -> FormQuestion:
    parts = in_order(
        element,
        ("QuestionIdentifier", "QuestionContent", "AnswerSpecification"),
        ("DisplayName", "IsRequired"),
        "QuestionIdentifier DisplayName IsRequired QuestionContent AnswerSpecification",
    )
    identifier = identifier_of(parts["QuestionIdentifier"])
    return FormQuestion(
        identifier,
        text_of(parts["DisplayName"]) if "DisplayName" in parts else "",
        _boolean(parts["IsRequired"]) if "IsRequired" in parts else False,
        read_content(parts["QuestionContent"]),
        _answer(parts["AnswerSpecification"]),
    )


def identifier_of(element: Element) -> str:
    identifier = text_of(element)
    if not 1 <= len(identifier) <= IDENTIFIER:
        raise wrong_xml(f"{name_of(element)} has 1 to {IDENTIFIER} characters, not {len(identifier)}.")
    return identifier


def _boolean(element: Element) -> bool:
    text = text_of(element)
    if text not in ("true", "false", "1", "0"):
        raise wrong_xml(f"{name_of(element)} is true or false, not {text[:50]!r}.")
    return text in ("true", "1")


def _answer(element: Element) -> FreeText | Selection:
    kinds = ("FreeTextAnswer", "SelectionAnswer", "FileUploadAnswer")
    parts = in_order(element, (), kinds, " ".join(kinds))
    if len(parts) != 1:
        raise wrong_xml("An AnswerSpecification holds one of FreeTextAnswer, SelectionAnswer.")
    if "FileUploadAnswer" in parts:
        raise wrong_xml("FileUploadAnswer is not served: Mechanical Turk ended it in December 2017.")
    if "FreeTextAnswer" in parts:
        return _free_text(parts["FreeTextAnswer"])
    return _selection(parts["SelectionAnswer"])


def _free_text(element: Element) -> FreeText:
    names = ("Constraints", "DefaultText", "NumberOfLinesSuggestion")
    parts = in_order(element, (), names, " ".join(names))
    values = _constraints(parts["Constraints"]) if "Constraints" in parts else {}
    if "DefaultText" in parts:
        values["default"] = text_of(parts["DefaultText"])
    if "NumberOfLinesSuggestion" in parts:
        lines = whole_number("NumberOfLinesSuggestion", text_of(parts["NumberOfLinesSuggestion"]), 1, 10_000)
        values["lines"] = min(lines, MOST_LINES)
    return FreeText(**values)


def _constraints(element: Element) -> dict:
    no_text(element)
    values: dict = {}
    patterns: list[Pattern] = []
    order = ("IsNumeric", "Length", "AnswerFormatRegex")
    place = 0
    for child in element:
        name = name_of(child)
        if name not in order or str(child.tag).rpartition("}")[0] != str(element.tag).rpartition("}")[0]:
            raise wrong_xml(f"Constraints cannot hold the element {name}; they hold {', '.join(order)}.")
        if order.index(name) < place:
            raise wrong_xml(f"In Constraints, {name} stands too late; the order is {', '.join(order)}.")
        # Only patterns can stand more than once.
        place = order.index(name) + (name != "AnswerFormatRegex")
        if name == "AnswerFormatRegex":
            patterns.append(_pattern(child))
        else:
            values |= _numeric(child) if name == "IsNumeric" else _length(child)
    return values | {"patterns": tuple(patterns)}


def _attributes(element: Element, *allowed: str) -> dict[str, str]:
    if text_of(element):
        raise wrong_xml(f"{name_of(element)} holds no text.")
    for name in element.attrib:
        if name not in allowed:
            raise wrong_xml(f"{name_of(element)} cannot have the attribute {name}; it has {', '.join(allowed)}.")
    return element.attrib


def _numeric(element: Element) -> dict:
    bounds = {}
    for name, value in _attributes(element, "minValue", "maxValue").items():
        bounds[name] = number(f"{name} of IsNumeric", value)
    least, most = bounds.get("minValue"), bounds.get("maxValue")
    if least is not None and most is not None and least > most:
        raise wrong_xml("minValue of IsNumeric is above its maxValue.")
    return {"is_numeric": True, "least": least, "most": most}


def _length(element: Element) -> dict:
    bounds = {
        name: whole_number(f"{name} of Length", value, 0, MOST_CHARACTERS)
        for name, value in _attributes(element, "minLength", "maxLength").items()
    }
    shortest, longest = bounds.get("minLength"), bounds.get("maxLength")
    if shortest is not None and longest is not None and shortest > longest:
        raise wrong_xml("minLength of Length is above its maxLength.")
    return {"shortest": shortest, "longest": longest}


def _pattern(element: Element) -> Pattern:
    attributes = _attributes(element, "regex", "errorText", "flags")
    regex = attributes.get("regex", "")
    if not 1 <= len(regex) <= PATTERN:
        raise wrong_xml(f"The regex of an AnswerFormatRegex has 1 to {PATTERN} characters, not {len(regex)}.")
    return Pattern(regex, attributes.get("flags", ""), attributes.get("errorText", "").strip())


def _selection(element: Element) -> Selection:
    order = ("MinSelectionCount", "MaxSelectionCount", "StyleSuggestion", "Selections")
    parts = in_order(element, ("Selections",), order[:3], " ".join(order))
    style = text_of(parts["StyleSuggestion"]) if "StyleSuggestion" in parts else ""
    if style and style not in STYLES:
        raise wrong_xml(f"StyleSuggestion is one of {', '.join(STYLES)}, not {style[:50]!r}.")
    choices, other = _choices(parts["Selections"])
    total = len(choices) + (other is not None)
    counts = {
        name: whole_number(name, text_of(parts[name]), 0 if name.startswith("Min") else 1, total)
        for name in order[:2]
        if name in parts
    }
    least = counts.get("MinSelectionCount", 0)  # IsRequired makes it 1 in any case
    most = counts.get("MaxSelectionCount", total if style in MANY else max(1, least))
    if least > most:
        raise wrong_xml(f"MinSelectionCount is {least} and MaxSelectionCount {most}.")
    return Selection(choices, least, most, style, other)


def _choices(element: Element) -> tuple[tuple[Choice, ...], FreeText | None]:
    no_text(element)
    children, other = list(element), None
    if children and name_of(children[-1]) == "OtherSelection":
        other = _free_text(children.pop())
    space = str(element.tag).rpartition("}")[0]
    for child in children:
        if name_of(child) != "Selection" or str(child.tag).rpartition("}")[0] != space:
            raise wrong_xml(f"Selections hold Selection elements and at last one OtherSelection, not {name_of(child)}.")
    choices = tuple(_choice(child) for child in children)
    identifiers = [choice.identifier for choice in choices]
    if not identifiers:
        raise wrong_xml("Selections need at least one Selection.")
    if len(set(identifiers)) < len(identifiers):
        raise wrong_xml("A SelectionIdentifier stands twice in one question; each is used once.")
    return choices, other


def _choice(element: Element) -> Choice:
    no_text(element)
    children = list(element)
    if len(children) != 2 or name_of(children[0]) != "SelectionIdentifier":
        raise wrong_xml("A Selection holds a SelectionIdentifier, then one of Text, FormattedContent, Binary.")
    if name_of(children[1]) not in ("Text", "FormattedContent", "Binary"):
        raise wrong_xml(f"A Selection is shown as Text, FormattedContent or Binary, not as {name_of(children[1])}.")
    return Choice(identifier_of(children[0]), read_block(children[1], element))
