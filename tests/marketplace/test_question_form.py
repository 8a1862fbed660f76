"""QuestionForm: what is taken and refused, how it is shown, and what comes back."""

import contextlib
import html as html_text
import re

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marketplace import answers, questions
from marketplace.errors import Refused
from marketplace.questions import patterns
from marketplace.questions.form import FORMS, Pattern

from .conftest import turk_code
from .question_forms import OVERVIEW, asked, choice, form, text

BIG = "<MinSelectionCount>{}</MinSelectionCount><MaxSelectionCount>{}</MaxSelectionCount>"
STYLE = "<StyleSuggestion>{}</StyleSuggestion>"


def answer_address(address: str) -> str:
    return address.replace("?", "/answers?")


def answer(worker, hit, **fields):
    """Accept and send the form; the working page's address and the response."""
    address = worker.accept(hit)
    return address, worker.client.post(answer_address(address), fields)


def given_back(requester, hit) -> dict[str, list[tuple[str, str]]]:
    """By question, the members of its Answer."""
    root = fromstring(requester.submitted(hit)[0]["Answer"])
    assert root.tag == f"{{{answers.NAMESPACE}}}QuestionFormAnswers"
    name = lambda element: element.tag.rpartition("}")[2]  # noqa: E731
    return {
        entry[0].text: [(name(member), member.text) for member in list(entry)[1:]]
        for entry in root
        if name(entry[0]) == "QuestionIdentifier"
    }


@pytest.mark.parametrize("namespace", FORMS)
def test_a_form_is_shown_filled_in_and_comes_back_as_question_form_answers(requester, worker, namespace):
    document = form(
        OVERVIEW,
        text("river", required=False),
        choice("side", "left", "right"),
        choice("towns", "ulm", "linz", "graz", before=BIG.format(1, 2) + STYLE.format("checkbox")),
        choice("country", "at", "de", before=STYLE.format("dropdown"), other="<OtherSelection/>"),
        text("left-out", required=False),
        namespace=namespace,
    )
    hit = requester.hit(Question=document)
    assert hit["Question"] == document
    preview = worker.client.get(f"/projects/{hit['HITGroupId']}/tasks").content.decode()
    assert "<fieldset disabled>" in preview
    for shown in (
        "<h2>Rivers</h2>",
        "<li>Ilve</li>",
        'src="https://a.example/map.gif" alt="A map"',
        "<p>Read <b>all</b>",
    ):
        assert shown in preview
    fields = {"q1": "the Ilve", "q2": "1", "q3": ["0", "2"], "q4": "other", "q4-other": "Bohemia"}
    address, response = answer(worker, hit, **fields)
    assert (response.status_code, response.url) == (302, address)
    assert "Submitted" in worker.client.get(address).content.decode()
    assert given_back(requester, hit) == {
        "river": [("FreeText", "the Ilve")],
        "side": [("SelectionIdentifier", "right")],
        "towns": [("SelectionIdentifier", "ulm"), ("SelectionIdentifier", "graz")],
        "country": [("OtherSelectionText", "Bohemia")],
    }


def problems(response) -> list[str]:
    """The sentences beside the fields."""
    found = re.findall(r'class="problem"[^>]*>([^<]+)</p>', response.content.decode())
    return [html_text.unescape(sentence) for sentence in found]


TOWNS = choice("q", "ulm", "linz", "graz", before=BIG.format(2, 2))
OTHER = choice("q", "ulm", "linz", other="<OtherSelection/>")
NUMBER = text("q", '<IsNumeric minValue="1" maxValue="9.5"/>')
LENGTH = text("q", '<Length minLength="3" maxLength="5"/>')
CODE = text("q", r'<AnswerFormatRegex regex="^\d{3}$" errorText="Three digits, please."/>')
WORD = text("q", r'<AnswerFormatRegex regex="\bULM\b" flags="i"/>')


@pytest.mark.parametrize(
    ("question", "fields", "problem"),
    [
        (text("q"), {"q1": ""}, "This needs an answer."),
        (text("q"), {"q1": "  \n"}, "This needs an answer."),
        (text("q"), {"q1": "a"}, ""),
        (text("q", required=False), {}, ""),
        (NUMBER, {"q1": "many"}, "Write a number, in digits."),
        (NUMBER, {"q1": "0.5"}, "Write a number of at least 1."),
        (NUMBER, {"q1": "9.6"}, "Write a number of at most 9.5."),
        (NUMBER, {"q1": "1e3"}, "Write a number, in digits."),
        (NUMBER, {"q1": "9.5"}, ""),
        (LENGTH, {"q1": "ab"}, "Write at least 3 characters."),
        (LENGTH, {"q1": "abcdef"}, "Write at most 5 characters; these are 6."),
        (LENGTH, {"q1": "a\r\nbc"}, ""),
        (CODE, {"q1": "12a"}, "Three digits, please."),
        (CODE, {"q1": "123"}, ""),
        (WORD, {"q1": "ulmer"}, "This does not have the form that is asked for."),
        (WORD, {"q1": "in Ulm"}, ""),
        (choice("q", "a", "b"), {}, "Choose one."),
        (choice("q", "a", "b"), {"q1": "7"}, "Choose one."),
        (choice("q", "a", "b"), {"q1": ["0", "1"]}, "Choose at most 1."),
        (choice("q", "a", "b", required=False), {}, ""),
        (TOWNS, {"q1": ["0"]}, "Choose at least 2."),
        (TOWNS, {"q1": ["0", "1", "2"]}, "Choose at most 2."),
        (TOWNS, {"q1": ["0", "1"]}, ""),
        (OTHER, {"q1": "other"}, "Write down what you mean by “Other”."),
        (
            OTHER,
            {"q1": "0", "q1-other": "Graz"},
            "You chose one of the answers and wrote another of your own: keep one",
        ),
        (OTHER, {"q1": "other", "q1-other": "Graz"}, ""),
    ],
    ids=lambda value: str(value)[-60:],
)
def test_an_answer_that_does_not_fit_is_told_beside_its_field_and_kept(requester, worker, question, fields, problem):
    hit = requester.hit(Question=form(question, text("second", required=False)))
    _address, response = answer(worker, hit, **fields, q2='my "draft"')
    if not problem:
        assert response.status_code == 302
        assert len(requester.submitted(hit)) == 1
        return
    assert response.status_code == 422
    assert problems(response)[0].startswith(problem)
    page = response.content.decode()
    assert re.search(r'data-errors>.*<a href="#q1">Question 1</a>', page, re.DOTALL)
    assert "my &quot;draft&quot;" in page
    assert requester.submitted(hit) == []


def test_a_form_that_comes_too_late_or_twice_changes_nothing(requester, worker, pass_time):
    hit_type = requester.hit_type(AssignmentDurationInSeconds=60)
    late, twice = (requester.hit(hit_type, Question=form(text("q"))) for _ in range(2))
    address, _ = answer(worker, late, q1="first")
    again = worker.client.post(answer_address(address), {"q1": "second"})
    assert (again.status_code, again.url) == (302, address)
    assert given_back(requester, late) == {"q": [("FreeText", "first")]}
    address = worker.accept(twice)
    pass_time(61)
    response = worker.client.post(answer_address(address), {"q1": "late"}, follow=True)
    assert "time" in response.content.decode()
    assert requester.submitted(twice) == []


def test_only_the_worker_who_holds_the_hit_can_send_the_form(requester, worker, new_worker):
    hit = requester.hit(Question=form(text("q")))
    address = worker.accept(hit)
    assert new_worker().client.post(answer_address(address), {"q1": "mine"}).status_code == 404
    assert requester.submitted(hit) == []
    assert worker.client.post(answer_address(address), {"q1": "mine"}).status_code == 302


def test_default_text_and_lines_are_what_the_requester_suggested(requester, worker):
    more = "<DefaultText>C1</DefaultText><NumberOfLinesSuggestion>7</NumberOfLinesSuggestion>"
    hit = requester.hit(Question=form(text("q", more=more)))
    page = worker.client.get(worker.accept(hit)).content.decode()
    assert "Report this work" in page
    assert re.search(r'<textarea id="q1" name="q1" rows="7"[^>]*>\nC1</textarea>', page)


def test_an_answer_to_auto_accept_goes_on_with_the_next(requester, worker):
    hit_type = requester.hit_type()
    for _ in range(2):
        hit = requester.hit(hit_type, Question=form(text("q")))
    address, response = answer(worker, hit, q1="a", auto="1")
    assert response.url == f"{address}&auto=1"
    assert "next.js" in worker.client.get(response.url).content.decode()


UPLOAD = "<FileUploadAnswer><MaxFileSizeInBytes>9</MaxFileSizeInBytes></FileUploadAnswer>"
APPLET = "<Application><Flash/></Application>"


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (form(), "A QuestionForm needs at least one Question."),
        (form(OVERVIEW), "A QuestionForm needs at least one Question."),
        (form("loose", text("q")), "QuestionForm holds elements alone; text stands between them."),
        (form("<Answer/>", text("q")), "holds Overview and Question elements, not Answer"),
        (form(text("q"), text("q")), "The QuestionIdentifier 'q' stands twice"),
        (form(text("")), "QuestionIdentifier has 1 to 256 characters, not 0"),
        (form(asked("q", "")), "holds one of FreeTextAnswer, SelectionAnswer"),
        (form(asked("q", "<FreeTextAnswer/><SelectionAnswer/>")), "one of FreeTextAnswer, SelectionAnswer"),
        (form(asked("q", UPLOAD)), "FileUploadAnswer is not served: Mechanical Turk ended it in December 2017"),
        (form(asked("q", "<FreeTextAnswer/>", content="")), "QuestionContent is empty"),
        (form(asked("q", "<FreeTextAnswer/>", content=APPLET)), "no browser runs Java applets or Flash"),
        (
            form(asked("q", "<FreeTextAnswer/>").replace("<IsRequired>true", "<IsRequired>yes")),
            "true or false, not 'yes'",
        ),
        (form("<Question><IsRequired>true</IsRequired></Question>"), "Question lacks its element QuestionIdentifier"),
        (
            form(
                "<Question><AnswerSpecification><FreeTextAnswer/></AnswerSpecification><QuestionContent><Text>a</Text>"
                "</QuestionContent><QuestionIdentifier>q</QuestionIdentifier></Question>"
            ),
            "QuestionContent stands twice or too late; the order is QuestionIdentifier,",
        ),
        (form(text("q", '<Length minLength="x"/>')), "minLength of Length must be a whole number"),
        (form(text("q", '<Length minLength="3" maxLength="2"/>')), "minLength of Length is above its maxLength"),
        (form(text("q", '<Length size="3"/>')), "Length cannot have the attribute size"),
        (form(text("q", '<IsNumeric minValue="low"/>')), "minValue of IsNumeric must be a number"),
        (form(text("q", '<Length minLength="3"/><IsNumeric/>')), "IsNumeric stands too late"),
        (form(text("q", "<AnswerFormatRegex/>")), "has 1 to 1000 characters, not 0"),
        (form(text("q", '<AnswerFormatRegex regex="(a"/>')), "'(a' in Question cannot be used"),
        (form(text("q", '<AnswerFormatRegex regex="a" flags="q"/>')), "flags of AnswerFormatRegex may be"),
        (form(text("q", more="<NumberOfLinesSuggestion>0</NumberOfLinesSuggestion>")), "a whole number from 1"),
        (form(choice("q")), "Selections need at least one Selection"),
        (form(choice("q", "a", "a")), "A SelectionIdentifier stands twice"),
        (form(choice("q", "a", before=STYLE.format("wheel"))), "StyleSuggestion is one of radiobutton,"),
        (form(choice("q", "a", "b", before=BIG.format(2, 1))), "MinSelectionCount is 2 and MaxSelectionCount 1"),
        (form(choice("q", "a", "b", before=BIG.format(0, 3))), "MaxSelectionCount must be a whole number from 1 to 2"),
        (form(text("q")).replace("2017-11-06", "2018-11-06"), "Cannot find the declaration of element"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]>" + form(text("q")), "Document type declarations and entities are not allowed"),
        (form("<Overview>" + "<List>" * 60 + "</List>" * 60 + "</Overview>", text("q")), "more than 50 deep"),
    ],
    ids=lambda value: value[-50:],
)
def test_xml_that_does_not_fit_the_schema_is_refused_with_a_sentence(requester, document, sentence):
    values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 3600, "Question": document}
    refusal = requester.refusal("create_hit_with_hit_type", **values)
    assert turk_code(refusal) == "XMLParseError"
    assert sentence in refusal.response["Message"]
    assert requester.mturk.list_hits()["NumResults"] == 0


def shown(markup: str) -> str:
    content = f"<FormattedContent><![CDATA[{markup}]]></FormattedContent>"
    question = questions.parse(form(asked("q", "<FreeTextAnswer/>", content=content)))
    return str(question.questions[0].content[0].html)


@pytest.mark.parametrize(
    ("markup", "result"),
    [
        ("<p>a &lt; b &amp; <i>c</i><br/></p>", "<p>a &lt; b &amp; <i>c</i><br></p>"),
        ('<font color="red">a</font>', "<span>a</span>"),
        ('<td align="left" colspan="2">a</td>', '<td colspan="2">a</td>'),
        (
            '<a href="https://a.example/?b=1&amp;c=2" target="x">a</a>',
            '<a href="https://a.example/?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">a</a>',
        ),
        ('<img src="https://a.example/b.png" width="50%"/>', '<img src="https://a.example/b.png" alt="">'),
    ],
)
def test_formatted_content_is_written_anew(markup, result):
    assert shown(markup) == result


@pytest.mark.parametrize(
    "markup",
    [
        "<script>alert(1)</script>",
        "<p onclick='alert(1)'>a</p>",
        "<p style='color:red'>a</p>",
        "<a href='javascript:alert(1)'>a</a>",
        "<a href=' JaVaScRiPt:alert(1)'>a</a>",
        "<a href='data:text/html,a'>a</a>",
        "<img src='data:image/png;base64,a'/>",
        "<img alt='no source'/>",
        "<iframe src='https://a.example/'/>",
        "<form action='/signout/'><button>a</button></form>",
        "<svg><script>1</script></svg>",
        "<p xmlns:x='http://a.example/' x:onclick='1'>a</p>",
        "<p>not closed",
        "</div><script>1</script><div>",
        "&nothing;",
        "<!DOCTYPE x><p>a</p>",
        "<b>" * 60 + "</b>" * 60,
    ],
)
def test_formatted_content_with_anything_else_in_it_is_refused(markup):
    with pytest.raises(Refused) as refusal:
        shown(markup)
    assert refusal.value.code == "AWS.MechanicalTurk.XHTMLParseError"


def test_a_pattern_that_takes_for_ever_is_stopped_and_holds_nobody_up(requester, worker):
    pattern = text("q", r'<AnswerFormatRegex regex="^(a|a?)+(\1)+$"/>')
    hit = requester.hit(Question=form(pattern))
    _address, response = answer(worker, hit, q1="a" * 2000 + "b")
    assert response.status_code in (302, 422)  # answered at all: a match is stopped after a quarter of a second


@pytest.mark.parametrize(
    ("regex", "flags", "words", "is_found"),
    [
        ("^a.c$", "", "abc", True),
        ("^a.c$", "", "a\nc", False),
        ("^a.c$", "s", "a\nc", True),
        ("^b$", "", "a\nb", False),
        ("^b$", "m", "a\nb", True),
        ("(?i)ABC", "", "xabcx", True),
        ("[^@]+@[^@]+", "", "a@b", True),
        (r"\w+\s\d{2,}", "", "ab 12", True),
        ("(?=.*x)a", "", "ax", True),
    ],
)
def test_patterns_mean_what_they_mean_elsewhere(django_db_blocker, regex, flags, words, is_found):
    with django_db_blocker.unblock():
        assert patterns.is_found(Pattern(regex, flags, ""), words, patterns.Clock()) is is_found


def test_patterns_that_the_database_has_no_room_for_are_refused_with_a_sentence(requester):
    refused = form(text("q", '<AnswerFormatRegex regex="([a-z]{1,200}){1,200}"/>'))
    values = {"HITTypeId": requester.hit_type(), "LifetimeInSeconds": 60}
    error = requester.refusal("create_hit_with_hit_type", Question=refused, **values)
    assert turk_code(error) == "XMLParseError"
    assert "'([a-z]{1,200}){1,200}' in Question cannot be used: " in error.response["Message"]
    assert requester.hit(Question=form(text("q", '<AnswerFormatRegex regex="([a-z]{1,20}){1,20}"/>')))


def test_a_form_has_so_many_patterns_and_no_more(requester):
    many = lambda number: form(text("q", '<AnswerFormatRegex regex="a"/>' * number))  # noqa: E731
    error = requester.refusal(
        "create_hit_with_hit_type", HITTypeId=requester.hit_type(), LifetimeInSeconds=60, Question=many(101)
    )
    assert "Question has 101 AnswerFormatRegex elements; at most 100 are allowed." in error.response["Message"]
    assert requester.hit(Question=many(100))


def test_the_patterns_of_a_form_share_their_time_and_the_worker_is_not_to_blame(requester, worker, monkeypatch):
    hit = requester.hit(Question=form(text("q", '<AnswerFormatRegex regex="^b$"/>')))
    address, response = answer(worker, hit, q1="a")
    assert response.status_code == 422
    monkeypatch.setattr(patterns, "FORM_MILLISECONDS", 0)
    assert worker.client.post(answer_address(address), {"q1": "a"}).status_code == 302
    refusal = requester.refusal(
        "create_hit_with_hit_type",
        HITTypeId=requester.hit_type(),
        LifetimeInSeconds=60,
        Question=form(text("q", '<AnswerFormatRegex regex="b"/>')),
    )
    assert "together take too long to match" in refusal.response["Message"]


TAGS = ["QuestionForm", "Overview", "Question", "QuestionIdentifier", "QuestionContent", "AnswerSpecification", "Text"]
TAGS += ["FreeTextAnswer", "SelectionAnswer", "Selections", "Selection", "Constraints", "Length", "FormattedContent"]
TAGS += ["Binary", "MimeType", "Title", "List", "ListItem", "IsNumeric", "AnswerFormatRegex", "OtherSelection"]
names = st.sampled_from(TAGS)
words = st.sampled_from(["", "a", "1", "true", "&lt;b>"])
leaves = st.builds("<{0}>{1}</{0}>".format, names, words)
branches = lambda inner: st.builds("<{0}>{1}</{0}>".format, names, st.lists(inner).map("".join))  # noqa: E731
trees = st.recursive(leaves, branches, max_leaves=12)


@given(st.one_of(st.text(max_size=200), st.lists(trees, max_size=4).map(lambda parts: form(*parts))))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_sent_is_a_form_or_refused(document):
    with contextlib.suppress(Refused):
        assert questions.parse(document).questions


@given(st.text(max_size=120))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_in_formatted_content_is_clean_or_refused(markup):
    try:
        result = shown(markup.replace("]]>", ""))
    except Refused:
        return
    assert "<script" not in result.lower()


xml_text = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="￾￿"), max_size=40)


@given(st.dictionaries(xml_text.filter(str.strip), st.lists(xml_text.filter(bool), min_size=1, max_size=3), max_size=4))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_answers_read_back_as_they_were_written(chosen):
    written = answers.written(answers.Answer(name, selected=tuple(values)) for name, values in chosen.items())
    assert answers.values_in(written) == chosen
