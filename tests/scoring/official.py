"""What the two official evaluation scripts compute, written down apart from our code and in its plainest form, for
the tests to compare with. Source: evaluate-v1.1.py and evaluate-v2.0.py of rajpurkar/SQuAD-explorer."""

import collections
import re
import string


def clean(text):
    text = text.lower()
    text = "".join(character for character in text if character not in string.punctuation)
    text = re.sub(r"\b(a|an|the)\b", " ", text, flags=re.UNICODE)
    return " ".join(text.split())


def harmonic_mean(answer_words, gold_words, common):
    precision = 1.0 * common / len(answer_words)
    recall = 1.0 * common / len(gold_words)
    return (2 * precision * recall) / (precision + recall)


def common_words(answer_words, gold_words):
    return sum((collections.Counter(answer_words) & collections.Counter(gold_words)).values())


def f1_of_v1(answer, gold):
    answer_words, gold_words = clean(answer).split(), clean(gold).split()
    common = common_words(answer_words, gold_words)
    return 0 if common == 0 else harmonic_mean(answer_words, gold_words, common)


def f1_of_v2(answer, gold):
    answer_words, gold_words = clean(answer).split(), clean(gold).split()
    if len(answer_words) == 0 or len(gold_words) == 0:
        return int(answer_words == gold_words)
    common = common_words(answer_words, gold_words)
    return 0 if common == 0 else harmonic_mean(answer_words, gold_words, common)


def evaluate_v1(questions, predictions):
    """``questions`` are pairs of an id and gold answers. EM, F1 in percent."""
    exact = f1 = total = 0
    for question_id, golds in questions:
        total += 1
        if question_id in predictions:
            exact += max(clean(predictions[question_id]) == clean(gold) for gold in golds)
            f1 += max(f1_of_v1(predictions[question_id], gold) for gold in golds)
    return 100.0 * exact / total, 100.0 * f1 / total


def evaluate_v2(questions, predictions):
    """As ``evaluate_v1``, every question with a prediction: the script leaves the others out of the divisor. Three
    pairs: overall, answerable, unanswerable; None where there are none."""
    exact, f1, answerable = {}, {}, {}
    for question_id, golds in questions:
        answerable[question_id] = bool(golds)
        golds = [gold for gold in golds if clean(gold)] or [""]
        exact[question_id] = max(int(clean(predictions[question_id]) == clean(gold)) for gold in golds)
        f1[question_id] = max(f1_of_v2(predictions[question_id], gold) for gold in golds)

    def mean(ids):
        if not ids:
            return None
        return 100.0 * sum(exact[i] for i in ids) / len(ids), 100.0 * sum(f1[i] for i in ids) / len(ids)

    return (
        mean(list(exact)),
        mean([question_id for question_id, has_answer in answerable.items() if has_answer]),
        mean([question_id for question_id, has_answer in answerable.items() if not has_answer]),
    )
