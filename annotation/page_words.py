"""The sentences that the work page's scripts show, in the worker's language. ``{name}`` is filled in by the page."""

from django.utils.translation import gettext as _

from annotation.advice_words import advice_sentences


def page_words() -> dict[str, str]:
    """Sentences by the name under which the scripts ask for them."""
    return (
        _on_place_and_time()
        | _on_questions()
        | _on_advice()
        | _on_marking()
        | _on_saving()
        | _on_quizzes()
        | _on_notes()
        | _on_the_hold()
    )


def _on_place_and_time() -> dict[str, str]:
    return {
        "paragraph_of": _("paragraph {number} of {count}"),
        "dot_done": _("Paragraph {number}: done"),
        "dot_begun": _("Paragraph {number}: begun"),
        "dot_untouched": _("Paragraph {number}: not begun"),
        "pay": _("${reward} · about {time}"),
        "a_paragraph": _("{time} a paragraph"),
        "a_question": _("{time} a question"),
        "paragraphs_done": _("{done} of {count} paragraphs done"),
        "questions_done": _("{done} of {count} questions done"),
        "rate_so_far": _("${rate} an hour so far"),
        "away": _(
            "Are you still there? About {time} are left before the marketplace may give this HIT to somebody else. "
            "What you have is saved."
        ),
        "left": _("~{time} left"),
        "time_is_up": _("The time may be over: send what you have"),
        "seconds": _("{n} s"),
        "minutes": _("{n} min"),
    }


def _on_questions() -> dict[str, str]:
    return {
        "add": _("+ add a question (up to {most})"),
        "question_label": _("Question {number}"),
        "remove_label": _("Remove question {number}"),
        "type_question": _("Type your question."),
        "needs_answer": _("Needs an answer: mark it in the paragraph."),
        "done": _("Done."),
        "paste_blocked": _("Pasting is switched off here: please type the question, in your own words."),
        "mark_write": _("mark the answer"),
        "mark_answer": _("mark the shortest answer"),
        "change": _("change"),
        "mark_label": _("Mark the answer to question {number} in the paragraph"),
        "change_label": _("Change the answer to question {number}"),
        "clear_label": _("Clear the answer to question {number}"),
        "none_label": _("Question {number} cannot be answered from this paragraph"),
        "open_question": _("Paragraph {paragraph}, question {question}: {what}"),
        "open_paragraph": _("Paragraph {paragraph}: {what}"),
        "open_answer": _("Mark the answer, or say that the paragraph has none."),
        "too_few": _("Needs a question."),
    }


def _on_advice() -> dict[str, str]:
    sentences = {f"advice_{code}": sentence for code, sentence in advice_sentences().items()}
    return sentences | {"stops": _("Please change this before you send the work.")}


def _on_marking() -> dict[str, str]:
    return {
        "how_to_mark": _("Drag over the answer or double-click a word. By keyboard: press F2."),
        "how_to_touch": _("Tap the first and the last word of the answer; one word: twice. Or hold a word."),
        "tapped": _("Tap the last word, or pull the handles. So far: “{text}”."),
        "marking": _("For question {number}: “{text}”, characters {start} to {end}, words: {words}."),
        "marking_keys": _(
            "Arrows move, a word's first letters go to it, Shift and arrows extend, Enter marks, Escape leaves, F2 "
            "changes to letters or words."
        ),
        "by_letters": _("By letters: a mark may begin and end inside a word."),
        "by_words": _("By words: a mark is widened to whole words."),
        "inside_word": _("It begins or ends inside a word: is that what you mean?"),
        "marked": _("Marked for question {number}: “{text}”, characters {start} to {end}, words: {words}."),
        "cleans_to_nothing": _("Only an article or punctuation: is that the answer you mean?"),
        "none": _("Question {number}: cannot be answered from this paragraph."),
        "cleared": _("The answer to question {number} is cleared."),
        "undone": _("Undone for question {number}: “{text}” is its answer again."),
        "undone_none": _("Undone: question {number} cannot be answered from this paragraph."),
        "undone_open": _("Undone: question {number} has no answer."),
        "all_answered": _("Nothing is open any more."),
        "blank_selection": _("Only blanks were selected, so nothing was marked."),
        "copy_blocked": _("Copying from the paragraph is switched off, so that questions come in your own words."),
    }


def _on_quizzes() -> dict[str, str]:
    return {
        "quiz_task": _(
            "Judge each question or mark its answer. {needed} of {total} right pass; you have {tries} tries."
        ),
        "no_answer": _("(no answer marked)"),
        "judge_label": _("Question {number}, “{question}”: what do you think of it and its answer?"),
        "item_open": _("Item {number} has no answer yet."),
        "item_right": _("✓ Right."),
        "item_wrong": _("✗ Not right."),
        "quiz_again": _("Not there yet: have another look."),
        "quiz_again_text": _(
            "{right} of {total} are right, and {needed} pass. Each item below says how it went. Change what you like "
            "and check again; tries left: {left}."
        ),
        "quiz_passed": _("You have passed. Thank you!"),
        "quiz_passed_text": _(
            "{right} of {total} are right. Send it to the marketplace: you are paid, and the work of this project "
            "opens to you a little later."
        ),
        "quiz_failed": _("This time it did not work out."),
        "quiz_failed_text": _(
            "{right} of {total} are right, and {needed} would have passed. Thank you for your time: please send it to "
            "the marketplace, as you are paid for the quiz all the same. The work of this project stays closed to you "
            "unless the requester lets you try again; it does not count against you anywhere else."
        ),
    }


def _on_the_hold() -> dict[str, str]:
    return {
        "hold_left": _(
            "Somebody looks at each new worker's first HITs here. You can do this one and {left} more until then; all "
            "of it is kept and paid as usual."
        ),
        "hold_last": _(
            "Somebody looks at each new worker's first HITs here. After this one, more open to you as soon as that is "
            "done; what you send is kept and paid as usual."
        ),
    }


def _on_notes() -> dict[str, str]:
    return {
        "notes": _("Notes ({count})"),
        "notes_answer": _("Your answer: “{text}”"),
        "notes_unanswerable": _("You said that it cannot be answered from this paragraph."),
        "notes_span": _("The note is about: “{text}”"),
    }


def _on_saving() -> dict[str, str]:
    return {
        "saved": _("saved"),
        "saved_ago": _("saved {ago} ago"),
        "saving": _("saving …"),
        "not_saved": _("not saved yet"),
        "next_try": _("not saved yet, next try in {time}"),
        "sending": _("sending …"),
        "refused": _("The server did not take the work. Reload the page; what was saved is kept."),
    }
