"""datasheet.md: what Gebru et al. ask of a dataset ("Datasheets for Datasets", Communications of the ACM, 2021).

All 57 of their questions stand here, in their order and in our own words; the last of each section is theirs too, for
whatever else there is to say. Answered is what the platform knows from the manifest and the sources; the rest is left
to the authors, and says so.
"""

from __future__ import annotations

from typing import Any

from reviewer.services import licences
from reviewer.services.dataset_card import counts_of

OPEN = "*To be answered by the authors.*"
ELSE = ("Is there anything else to say about this?", OPEN)
Pairs = list[tuple[str, str]]


def datasheet(manifest: dict[str, Any], sources: list[dict[str, Any]]) -> str:
    """The file, in Markdown."""
    sections = (
        ("Motivation", _motivation()),
        ("Composition", _composition(manifest, sources)),
        ("Collection", _collection(manifest)),
        ("Preparation", _preparation(manifest)),
        ("Uses", _uses(manifest)),
        ("Distribution", _distribution(manifest, sources)),
        ("Maintenance", _maintenance(manifest)),
    )
    text = f"# Datasheet of {manifest['project']['name']}, release {manifest['number']}\n"
    for title, pairs in sections:
        text += f"\n## {title}\n" + "".join(f"\n**{question}** {answer}\n" for question, answer in pairs)
    return text


def _motivation() -> Pairs:
    return [
        ("What was the dataset made for, and which gap does it fill?", OPEN),
        ("Who made it, and on behalf of whom?", OPEN),
        ("Who paid for it, and by which grant?", OPEN),
        ELSE,
    ]


def _composition(manifest: dict[str, Any], sources: list[dict[str, Any]]) -> Pairs:
    held = " The answers of test are held back, and which of its questions have none." if _holds_back(manifest) else ""
    return [
        ("What does one item stand for?", "A question that people ask about one paragraph of an article."),
        ("How many items are there, of each kind?", f"\n\n{counts_of(manifest)}"),
        ("Is it all there is, or a sample of something larger?", f"{_sampled(manifest)} {_selection(manifest)}"),
        (
            "What does each item consist of?",
            "The text of a paragraph as it was shown, the title of its article, a question, and answers: the words of "
            "each and where they begin, counted in Unicode code points.",
        ),
        (
            "Does each item have a label or target?",
            "Its answers are spans of the paragraph; `is_impossible` says that a question has none." + held,
        ),
        (
            "Is anything missing from items?",
            "`left-out.json` names each question that is not in here, and why, and those of dev and test that have "
            f"fewer than three answers. Questions of train have one answer each.{held}",
        ),
        (
            "Are relations between items made explicit?",
            "Items of one paragraph have the same `context`, those of one article the same `title`"
            + ("; `written_by` and `answered_by` say which were made by one person." if _has_names(manifest) else "."),
        ),
        (
            "Are there recommended splits?",
            f"Those of the files. An article is in one split as a whole. {_drawn_into_splits(manifest)}",
        ),
        ("Which errors, noise or repetitions are known?", f"{_agreement(manifest)} {OPEN}"),
        (
            "Does it stand alone, or rely on something elsewhere?",
            "It stands alone: the text of each paragraph is in the files. `attribution.json` has the address and the "
            "version of each article's source.",
        ),
        ("Does it hold what is confidential?", f"{_from_public(sources)} {OPEN}"),
        (
            "Does it hold what could offend, insult, threaten or frighten?",
            f"Passages and questions were not searched for it. {OPEN}",
        ),
        (
            "Does it name groups of people, such as by age or gender?",
            f"Nothing was recorded about such groups, neither of workers nor in passages. {OPEN}",
        ),
        ("Can persons be identified from it?", f"{_named_workers(manifest)} The passages may name persons. {OPEN}"),
        (
            "Does it hold what is sensitive, such as on health, belief, origin or money?",
            f"Of workers nothing is in here but what they wrote and marked. The passages may tell of it. {OPEN}",
        ),
        ELSE,
    ]


def _collection(manifest: dict[str, Any]) -> Pairs:
    protocol = manifest["protocol"]
    return [
        ("How was the data of each item acquired?", f"{_imported(manifest)} {_made(manifest)}".strip()),
        ("By which means was it collected, and how were these checked?", _means(manifest)),
        ("If it is a sample, how was it drawn?", f"{_sampled(manifest)} {_drawn_into_splits(manifest)}"),
        ("Who took part in collecting it, and what were they paid?", f"{_paid(manifest)} {_who_might(protocol)}"),
        ("Over which time was it collected?", _days(manifest)),
        ("Did an ethics board look at it?", OPEN),
        (
            "Was it collected from the people themselves, or by way of others?",
            "Questions and answers from the workers themselves; passages from their sources, which `attribution.json` "
            "names.",
        ),
        ("Were these people told that data is collected?", f"{_knowingly(manifest)}{OPEN}"),
        ("Did they consent, and to what?", OPEN),
        (
            "Can they take their consent back?",
            "Whoever runs the platform can delete what it keeps of a worker; what they wrote and marked stays, under "
            f"nobody's name. A release that is out does not change. {OPEN}",
        ),
        ("Was it thought through what it may do to them?", OPEN),
        ELSE,
    ]


def _preparation(manifest: dict[str, Any]) -> Pairs:
    protocol = manifest["protocol"]
    return [
        (
            "Was the data cleaned, cut or labelled?",
            f"{_shortest(protocol['min_paragraph_chars'])}Work is in here if it was approved or imported and no "
            "reviewer dropped it; questions that were made to check workers are not. An answer that a reviewer gave "
            "stands first. Texts stand as they were sent.",
        ),
        (
            "Was the raw data kept?",
            "The platform keeps each question and answer as it was sent, those that were dropped or rejected too; a "
            f"release has not. {OPEN}",
        ),
        (
            "Is the software for this available?",
            f"It is {_code(manifest)}, which is free software; the manifest names its settings.",
        ),
        ELSE,
    ]


def _uses(manifest: dict[str, Any]) -> Pairs:
    return [
        ("Has it been used already?", OPEN),
        ("Where can one find who uses it?", f"Nowhere that the platform knows of. {OPEN}"),
        (
            "What else could it serve?",
            "It was made for finding answers in a text. Its questions also serve to tell whether a text answers a "
            f"question, and to study how people ask. {OPEN}",
        ),
        (
            "Could the way in which it was made harm later uses?",
            "Whoever wrote a question saw the paragraph, so that its words are nearer to the text's than those of "
            f"people who look for something. {_language(manifest)} {OPEN}",
        ),
        ("What should it not be used for?", OPEN),
        ELSE,
    ]


def _distribution(manifest: dict[str, Any], sources: list[dict[str, Any]]) -> Pairs:
    stated = ", ".join(licences.stated(sources))
    return [
        ("Is it given to others than those who made it?", OPEN),
        (
            "In which form, and under which lasting address?",
            "As a folder: Parquet, JSON Lines, SQuAD 1.1 and 2.0, CSV and Label Studio, described by `croissant.json`. "
            f"`manifest.json` has a checksum of each file. {OPEN}",
        ),
        ("When was it given out?", f"This release was made on {manifest['released_at'][:10]}."),
        (
            "Under which licence or terms?",
            f"Passages: {stated}; `attribution.json` has the licence and the words it asks for of each article. "
            f"Questions and answers: {OPEN}",
        ),
        (
            "Do others hold rights in it that bind whoever uses it?",
            f"Those who wrote the passages, under the licences above. {OPEN}",
        ),
        ("Do export controls or other rules apply?", OPEN),
        ELSE,
    ]


def _maintenance(manifest: dict[str, Any]) -> Pairs:
    previous = manifest["previous"]
    changes = "This is the first release."
    if previous:
        counts = previous["questions"]
        changes = (
            f"Questions since release {previous['number']}: {counts['added']} added, {counts['removed']} removed, "
            f"{counts['changed']} changed."
        )
    return [
        ("Who hosts it and looks after it?", OPEN),
        ("How can they be reached?", OPEN),
        ("Is there a list of mistakes found?", f"{changes} {OPEN}"),
        (
            "Will it be updated, by whom, and how is that made known?",
            "By a release with the next number, whose manifest says what it adds, removes and changes. " + OPEN,
        ),
        (
            "Is there a limit to how long data about people may be kept?",
            f"{_named_workers(manifest)} What the platform keeps besides is up to whoever runs it. {OPEN}",
        ),
        ("What becomes of older versions?", f"Each release is numbered and never changes. {OPEN}"),
        (
            "Can others extend it or add to it, and who checks that?",
            f"A project of Spanwright takes in the files of `squad-v1.1` and goes on from there. {OPEN}",
        ),
        ELSE,
    ]


def _code(manifest: dict[str, Any]) -> str:
    commit = f" (commit {manifest['code_commit']})" if manifest["code_commit"] else ""
    return f"Spanwright {manifest['code_version']}{commit}"


def _holds_back(manifest: dict[str, Any]) -> bool:
    return bool(manifest["test_answers_held_back"])


def _has_names(manifest: dict[str, Any]) -> bool:
    return bool(manifest["workers"] == "pseudonyms")


def _sampled(manifest: dict[str, Any]) -> str:
    passages = manifest["facts"]["passages"]
    drawn = [one for one in passages if one["drawn"]]
    if not drawn:
        return f"How the articles were chosen is not known to the platform. {OPEN}"
    return " ".join(
        f"From {one['name'] or one['kind']} {one['drawn']['sample']} articles were drawn at random out of the first "
        f"{one['drawn']['top']} of a ranked list, with the seed {one['drawn']['seed']}."
        for one in drawn
    )


def _selection(manifest: dict[str, Any]) -> str:
    filters = manifest["filters"]
    least = f"at least {filters['least_answers']} answers" if filters["least_answers"] > 1 else "any number of answers"
    impossible = "with" if filters["with_impossible"] else "without"
    splits = ", ".join(filters["splits"])
    return (
        f"Taken were, of the splits {splits}: questions of dev and test with {least}; {impossible} those that cannot "
        "be answered."
    )


def _drawn_into_splits(manifest: dict[str, Any]) -> str:
    protocol = manifest["protocol"]
    shares = ", ".join(f"{protocol[f'{split}_percent']} % {split}" for split in ("train", "dev", "test"))
    return f"Articles are drawn into splits at random, {shares}, with the seed {protocol['split_seed']}."


def _agreement(manifest: dict[str, Any]) -> str:
    known = {name: one for name, one in manifest["facts"]["human_performance"].items() if one["total"]}
    if not known:
        return "How far people agree is not known, as no question has several answers."
    told = "; ".join(
        f"{split}: EM {one['exact_match']:.1f}, F1 {one['f1']:.1f} ({one['total']} questions)"
        for split, one in known.items()
    )
    return f"People answer alike, but not the same: the second answer against the others, in percent, {told}."


def _from_public(sources: list[dict[str, Any]]) -> str:
    named = sum(bool(source["source_url"]) for source in sources)
    return f"Of {len(sources)} articles {named} name a source with an address; questions keep to their paragraph."


def _named_workers(manifest: dict[str, Any]) -> str:
    if _has_names(manifest):
        return (
            "Workers stand under pseudonyms that were made for this release alone: they tell workers apart here, and "
            "can be linked neither with the crowd's ids nor with another release."
        )
    return "No worker is named in any file."


def _imported(manifest: dict[str, Any]) -> str:
    count = manifest["facts"]["imported_questions"]
    return f"{count} questions came with imported files, with their answers." if count else ""


def _has_work(manifest: dict[str, Any]) -> bool:
    return bool(manifest["facts"]["work"])


def _made(manifest: dict[str, Any]) -> str:
    if not _has_work(manifest):
        return ""
    protocol = manifest["protocol"]
    return (
        f"Workers read a paragraph and wrote {protocol['min_questions']} to {protocol['max_questions']} questions "
        "about it, each with its answer marked in the text. Others, who saw question and paragraph, marked up to "
        f"{protocol['extra_answers']} further answers in dev and test."
    )


def _means(manifest: dict[str, Any]) -> str:
    checked = "each answer was compared with the text at its place when this was written."
    if not _has_work(manifest):
        return f"By whatever made the imported files; {checked} {OPEN}"
    guide = manifest["guide_version"]
    told = f" Workers were told what version {guide} of the project's guide says." if guide else ""
    return f"On the pages of Spanwright, in a browser; {checked}{told}"


def _knowingly(manifest: dict[str, Any]) -> str:
    return "Workers took the work up as such, for pay. " if _has_work(manifest) else ""


def _shortest(characters: int) -> str:
    return f"Paragraphs under {characters} characters were left out. " if characters else ""


def _paid(manifest: dict[str, Any]) -> str:
    kinds = {"write": "wrote questions", "answer": "answered questions of others"}
    work = [one for one in manifest["facts"]["work"] if one["kind"] in kinds]
    if not work:
        return f"No work in here was done on the platform; whoever made the imported files is not known to it. {OPEN}"
    told = []
    for one in work:
        rates = " or ".join(f"${rate}" for rate in one["hourly_rates_usd"])
        pay = f", paid at {rates} an hour of the time that was reckoned" if rates else ""
        told.append(f"{one['workers']} people {kinds[one['kind']]} in {one['assignments']} HITs{pay}")
    return f"Crowd workers, {manifest['facts']['workers']} people in all: {'; '.join(told)}."


def _who_might(protocol: dict[str, Any]) -> str:
    asked = []
    if protocol["min_percent_approved"] is not None:
        asked.append(f"an approval rate of {protocol['min_percent_approved']} % at least")
    if protocol["min_hits_approved"] is not None:
        asked.append(f"{protocol['min_hits_approved']} approved HITs at least")
    if protocol["countries"]:
        asked.append(f"a place in {', '.join(protocol['countries'])}")
    if protocol["quiz_required"]:
        asked.append("that they pass a quiz")
    return f"The project asks of them: {', '.join(asked)}." if asked else "The project asks no record of them."


def _days(manifest: dict[str, Any]) -> str:
    facts = manifest["facts"]
    if facts["first_day"] is None:
        return f"The platform does not know when the imported work was done. {OPEN}"
    return (
        f"From {facts['first_day']} to {facts['last_day']}, by the days on which work was sent. `attribution.json` has "
        "the versions of the passages."
    )


def _language(manifest: dict[str, Any]) -> str:
    return f"Everything is in one language ({manifest['project']['language']})."
