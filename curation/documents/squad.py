"""SQuAD JSON: its articles and paragraphs, without the questions."""

from curation.articles import Article, Passage, Read
from curation.documents.files import SourceFile
from scoring.json_files import MAX_BYTES
from scoring.squad_files import read_squad


def read_squad_articles(file: SourceFile) -> Read:
    """The articles of a SQuAD file (plain or .gz). Raises FileError."""
    dataset = read_squad(file.read(MAX_BYTES), with_questions=False)
    file.encoding = "utf-8"
    for article in dataset.articles:
        passages = [Passage(paragraph.text.strip()) for paragraph in article.paragraphs]
        yield Article(article.title, passages, source_url=article.source_url, licence=article.licence)
