"""Files of passages for tests, as people hand them in."""

import json


def qa(question_id="q1", question="When was the mill built?", text="1742", start=22, **more):
    answers = [] if text is None else [{"text": text, "answer_start": start}]
    return {"id": question_id, "question": question, "answers": answers} | more


def squad(*articles, **more):
    """A SQuAD file of ``(title, [(context, qas), ...])``."""
    data = [
        {"title": title, "paragraphs": [{"context": context, "qas": list(qas)} for context, qas in paragraphs]}
        for title, paragraphs in articles
    ]
    return json.dumps({"version": "1.1", "data": data} | more).encode()


def lines(*articles):
    return "\n".join(json.dumps(article) for article in articles).encode()


def nothing_stored(project):
    """Whether no import has left anything in ``project``."""
    rows = (project.articles, project.paragraphs, project.questions, project.imports)
    return [row.count() for row in rows] == [0, 0, 0, 0]
