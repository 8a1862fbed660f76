"""Signals beyond English: how each language asks, what it is written in, how seldom good questions get one."""

import gzip
import json
from collections import Counter

import pytest

from annotation.models import Answer, Assignment, Offer, Paragraph, Project, Question, Task
from reviewer.models import FoundSignal, ReviewRules
from reviewer.services import noticing, signal_catalogue
from reviewer.services.noticing import Facts, Measure
from scoring.signals import Wording
from tests.annotation.factories import (
    make_article,
    make_assignment,
    make_paragraph,
    make_project,
    make_question,
    make_task,
)
from tests.reviewer.factories import publish
from tests.reviewer.test_review_pages import page, shown, sign_in

__all__ = ["sign_in"]


def written(project, *texts):
    """One writer's work: questions about a paragraph that has none of their words."""
    paragraph = make_paragraph(article=make_article(project), text="1340 1742 1868.")
    assignment = make_assignment(publish(make_task(paragraph)), status="submitted")
    for position, text in enumerate(texts):
        make_question(paragraph, text, assignment=assignment, answer="1742", position=position)
    return assignment


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "text", "is_question"),
    [
        ("de", "Wer hat die Mauer gebaut?", True),
        ("de", "Wer hat die Mauer gebaut", False),
        ("fr", "Qui a bâti le mur\u00a0?", True),
        ("es", "¿Quién construyó el muro?", True),
        ("es", "¿Quién construyó el muro", False),
        ("el", "Ποιος έχτισε το τείχος;", True),
        ("el", "Ποιος έχτισε το τείχος\u037e", True),
        ("el", "Ποιος έχτισε το τείχος.", False),
        ("en", "Who built the wall;", False),
        ("ar", "من بنى الجدار؟", True),
        ("ar", "من بنى الجدار", False),
        ("fa", "چه کسی دیوار را ساخت؟", True),
        ("zh-Hans", "谁建造了城墙？", True),
        ("zh-Hans", "谁建造了城墙?”", True),
        ("zh-Hans", "谁建造了城墙。", False),
        ("ja", "誰が壁を作りましたか。", True),
        ("ja", "壁を作りました。", False),
        ("th", "ใครสร้างกำแพง", True),
        ("hy", "Ո՞վ կառուցեց պատը", True),
        ("hy", "Կառուցեց պատը", False),
        ("am", "ግድግዳውን የሠራው ማን ነው፧", True),
    ],
)
def test_each_language_asks_in_its_own_way(sign_in, people, language, text, is_question):
    project = make_project(language=language)
    assignment = written(project, text)
    said = shown(sign_in("superuser").get(page(project, assignment)))
    assert ("not a question" in said) != is_question


GERMAN = ("Wer hat die alte Mauer am Fluss gebaut?", "In welchem Jahr wurde der Turm fertig?", "Warum blieb er leer?")
ENGLISH = ("Who had the old wall by the river built?", "In which year was the tower finished?", "Why was it empty?")
ARABIC = ("من الذي بنى الجدار القديم عند النهر؟", "في أي سنة اكتمل بناء البرج الكبير؟", "لماذا بقي فارغا طوال القرن؟")
CHINESE = (
    "河边的旧城墙是谁建造的，又是谁出钱修的？",
    "那座高塔是在哪一年完工的，用了多少年？",
    "为什么它在整个十九世纪都是空着的没有人住？",
)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "texts", "found"),
    [
        ("de", GERMAN, None),
        ("de", ENGLISH, "en"),
        ("en", ENGLISH, None),
        ("en", GERMAN, "de"),
        ("ar", ARABIC, None),
        ("ar", ENGLISH, "en"),
        ("zh", CHINESE, None),
        ("zh", ENGLISH, "en"),
        ("en", CHINESE, "zh"),
        ("en", ("Who?", "Wer?"), None),  # too little to tell
    ],
)
def test_a_workers_questions_read_as_one_language(sign_in, people, language, texts, found):
    project = make_project(language=language)
    assignment = written(project, *texts)
    said = shown(sign_in("superuser").get(page(project, assignment)))
    assert ("another language" in said) == bool(found)
    assert (f"the questions read as “{found}”" in said) == bool(found)


@pytest.mark.django_db
def test_quotation_marks_are_whole_in_each_language(project):
    for text, is_open in [
        ("Das „alte Haus“ am Fluss", False),
        ("the “old house” by the river", False),
        ("maison «vieille»", False),
        ("“旧房子”", False),
        ("《罗马条约》", False),
        ("《罗马条约", True),
        ("the “old house", True),
        ("Das „alte Haus", True),
        ("（旧）房子（", True),
    ]:
        paragraph = make_paragraph(project, text=f"{text} .")
        assignment = make_assignment(publish(make_task(paragraph)), status="submitted")
        make_question(paragraph, "What is it?", assignment=assignment, answer=text)
        noticing.notice(project, [assignment], ReviewRules(project=project))
        assert FoundSignal.objects.filter(assignment=assignment, signal="odd_edges").exists() == is_open, text


def shares(file, language, articles):
    """The share of published questions, in percent, that get each signal: every paragraph is one writer's work, and its
    second answers, where there are three, are one answerer's. Signals of the whole are in percent of the paragraphs."""
    data = json.loads(gzip.decompress(file.read_bytes()))["data"][:articles]
    measure = Measure(language, signal_catalogue.in_force(ReviewRules(), language), {})
    found, asked, works = Counter(), 0, 0
    for article in data:
        before = []
        for part in article["paragraphs"]:
            offer, paragraph = Offer(paid_seconds=240), Paragraph(text=part["context"])
            task = Task(kind="write", project=Project(language=language))
            work = Facts(Assignment(task=task, offer=offer), active_seconds=240)
            check = Facts(Assignment(task=Task(kind="answer"), offer=offer), active_seconds=240)
            for row in part["qas"]:
                asked += 1
                question = Question(pk=asked, text=row["question"].strip(), paragraph=paragraph, position=asked)
                answers = [place_of(answer) for answer in row["answers"]]
                work.questions.append(question)
                work.answers[asked], work.asked_before[asked] = answers[0], before[-noticing.MOST_COMPARED :]
                work.wordings[asked] = Wording.of(question.text, language)
                if len(answers) > 2:
                    check.questions.append(question)
                    check.answers[asked] = answers[1]
                    check.others[asked] = [answer.text for answer in (answers[0], *answers[2:])]
            before += [work.wordings[question.pk] for question in work.questions]
            works += 1
            signals = [*noticing.signals_of(work, measure), *noticing.signals_of(check, measure)]
            found.update({(one.signal, one.question_id) for one in signals if not one.speaks_for})
    by_code = Counter((code, question is not None) for code, question in found)
    return {
        code: round(100 * count / (asked if is_of_one else works), 1) for (code, is_of_one), count in by_code.items()
    }


def place_of(answer):
    start = answer["answer_start"]
    return Answer(text=answer["text"], start=start, end=start + len(answer["text"]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "language", "articles"),
    [
        ("squad/dev-v1.1.json.gz", "en", 6),
        ("xquad/xquad.ar.json.gz", "ar", 16),
        ("xquad/xquad.zh.json.gz", "zh", 24),
        ("xquad/xquad.th.json.gz", "th", 24),
    ],
)
def test_few_questions_that_were_published_get_a_signal(shared_dir, file, language, articles):
    found = shares(shared_dir / "data" / file, language, articles)
    print(language, found)
    assert "copied" in found
    assert max(found.values()) < 8, found
    assert not {"machine", "other_language"} & found.keys()
