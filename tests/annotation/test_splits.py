"""Articles are drawn into train, dev and test by title and seed, as near to the wanted shares as they can be."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.services.splits import assign_splits, draw_splits
from tests.annotation.factories import make_article, make_project

SPLITS = ("train", "dev", "test")
titles = st.sets(st.text(min_size=1, max_size=12), max_size=25)
seeds = st.integers(min_value=0, max_value=2**31 - 1)


@st.composite
def percents(draw):
    dev = draw(st.integers(0, 100))
    test = draw(st.integers(0, 100 - dev))
    return {"train": 100 - dev - test, "dev": dev, "test": test}


counts = st.fixed_dictionaries({split: st.integers(0, 12) for split in SPLITS})


@given(titles, percents(), seeds, counts)
def test_every_article_gets_exactly_one_split(titles, percents, seed, present):
    drawn = draw_splits(titles, percents, seed, present)
    assert set(drawn) == titles
    assert set(drawn.values()) <= set(SPLITS)


@given(titles, percents(), seeds, counts, st.randoms())
def test_the_order_of_the_articles_does_not_matter(titles, percents, seed, present, random):
    shuffled = sorted(titles)
    random.shuffle(shuffled)
    assert draw_splits(shuffled, percents, seed, present) == draw_splits(sorted(titles), percents, seed, present)


@given(titles, percents(), seeds)
def test_without_earlier_articles_each_split_is_less_than_one_article_from_its_share(titles, percents, seed):
    drawn = list(draw_splits(titles, percents, seed).values())
    for split, percent in percents.items():
        assert abs(100 * drawn.count(split) - percent * len(titles)) < 100


@given(st.sets(st.text(min_size=1, max_size=4), max_size=7), percents(), seeds, counts)
def test_no_other_way_to_place_the_new_articles_comes_nearer_to_the_shares(titles, percents, seed, present):
    total = len(titles) + sum(present.values())

    def distance(added):
        return sum((percents[split] * total - 100 * (present[split] + added[split])) ** 2 for split in SPLITS)

    drawn = list(draw_splits(titles, percents, seed, present).values())
    ways = [way for way in product(range(len(titles) + 1), repeat=3) if sum(way) == len(titles)]
    best = min(distance(dict(zip(SPLITS, way, strict=True))) for way in ways)
    assert distance({split: drawn.count(split) for split in SPLITS}) == best


@given(titles.filter(bool), seeds)
def test_a_split_of_no_percent_stays_empty(titles, seed):
    assert set(draw_splits(titles, {"train": 50, "dev": 50, "test": 0}, seed).values()) <= {"train", "dev"}


def test_another_seed_draws_other_articles():
    titles = [f"Article_{number}" for number in range(50)]
    drawn = [draw_splits(titles, {"train": 80, "dev": 10, "test": 10}, seed) for seed in (1, 2)]
    assert drawn[0] != drawn[1]
    assert [sorted(split.values()) for split in drawn] == [["dev"] * 5 + ["test"] * 5 + ["train"] * 40] * 2


@pytest.mark.parametrize(
    ("articles", "sizes"),
    [
        pytest.param(536, (429, 54, 53), id="SQuAD's 536"),
        pytest.param(48, (38, 5, 5), id="XQuAD's 48"),
        pytest.param(10, (8, 1, 1), id="ten"),
        pytest.param(1, (1, 0, 0), id="one"),
        pytest.param(0, (0, 0, 0), id="none"),
    ],
)
def test_eighty_ten_ten(articles, sizes):
    drawn = draw_splits([f"A{number}" for number in range(articles)], {"train": 80, "dev": 10, "test": 10}, 0)
    assert tuple(list(drawn.values()).count(split) for split in SPLITS) == sizes


@pytest.mark.django_db
def test_articles_that_came_later_fill_what_is_missing_and_move_nobody():
    project = make_project(split_seed=7)
    for _ in range(10):
        make_article(project)
    assert assign_splits(project) == {"train": 8, "dev": 1, "test": 1}
    before = dict(project.articles.values_list("title", "split"))
    for _ in range(10):
        make_article(project)
    assert assign_splits(project) == {"train": 8, "dev": 1, "test": 1}
    after = dict(project.articles.values_list("title", "split"))
    assert before.items() <= after.items()
    assert assign_splits(project) == {"train": 0, "dev": 0, "test": 0}


@pytest.mark.django_db
def test_the_same_articles_and_seed_are_drawn_alike_in_two_projects_whatever_their_order():
    names = [f"Article_{number}" for number in range(30)]
    first, second = make_project(split_seed=3), make_project(split_seed=3)
    for position, title in enumerate(names):
        make_article(first, title=title, position=position)
        make_article(second, title=title, position=len(names) - position)
    assign_splits(first)
    assign_splits(second)
    assert dict(first.articles.values_list("title", "split")) == dict(second.articles.values_list("title", "split"))


@pytest.mark.django_db
def test_another_project_is_left_alone():
    mine, other = make_project(), make_article(make_project())
    make_article(mine)
    assign_splits(mine)
    other.refresh_from_db()
    assert (mine.articles.get().split, other.split) == ("train", "")
