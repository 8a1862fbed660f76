"""A project's dashboard as a PDF: the same words, plots and tables as on the page, drawn by reportlab alone."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from reportlab.graphics.shapes import Drawing, Line, Polygon, Rect, String
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer
from reportlab.platypus import Table as Grid

from annotation.models import Project
from hits.services.plots import nice_step
from reviewer.services.dashboard import Shown
from reviewer.services.dashboard_plots import Columns, Rows, Spend, label_width, short_count
from reviewer.services.dashboard_sections import Section, Table, sections_of

from .pdf_text import BOLD, PLAIN, Lettering, script_of, takes_more_than_a_font

MARGIN = 18 * mm
WIDTH = A4[0] - 2 * MARGIN
# That reportlab's frames keep on each side of what stands in them.
PADDING = 6.0
INK, QUIET, LINE, FILL, PALE = (colors.HexColor(c) for c in ("#1c2430", "#4b5563", "#d1d5db", "#1d4ed8", "#b9cdef"))
TEXT = ParagraphStyle("text", fontName=PLAIN, fontSize=9.5, leading=13, textColor=INK, spaceAfter=3)
MUTED = ParagraphStyle("muted", TEXT, textColor=QUIET)
TITLE = ParagraphStyle("title", TEXT, fontName=BOLD, fontSize=17, leading=21, spaceAfter=4)
HEADING = ParagraphStyle("heading", TEXT, fontName=BOLD, fontSize=12.5, leading=16, spaceBefore=12, spaceAfter=3)
CELL = ParagraphStyle("cell", TEXT, fontSize=8.5, leading=11, spaceAfter=0)
CELL_NUMBER = ParagraphStyle("number", CELL, alignment=2)
ROW, BAR, SIZE = 14.0, 8.0, 8.5
LABEL_SHARE, VALUE_SHARE = 0.28, 0.22
PLOT_HEIGHT, LEFT, FLOOR = 110.0, 46.0, 18.0
# Named in the report; more are counted.
MOST_MISSING = 40


def pdf_of(project: Project, shown: Shown) -> bytes:
    """The figures in ``shown``, which there are. Letters that could not be set are named below the title."""
    lettering = Lettering(project.language, settings.REPORT_FONT)
    title = _("{project} at a glance").format(project=project.name)
    parts = [
        Paragraph(lettering.markup(title, BOLD), TITLE),
        Paragraph(_("As of {at} UTC.").format(at=f"{shown.at:%Y-%m-%d %H:%M:%S}"), MUTED),
    ]
    if not shown.is_current:
        parts.append(Paragraph(lettering.markup(_("Something had changed since when this report was made.")), MUTED))
    for section in sections_of(project, shown.figures or {}):
        parts += _section(section, lettering)
    if lettering.missing:
        # Below the title, which may be the first place that it concerns.
        parts.insert(2, Paragraph(_missing(list(lettering.missing)), MUTED))
    out = io.BytesIO()
    # The same figures give the same bytes.
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=MARGIN - PADDING,
        rightMargin=MARGIN - PADDING,
        topMargin=MARGIN - PADDING,
        bottomMargin=MARGIN,
        title=title,
        author="Spanwright",
        invariant=1,
        lang=get_language() or "en",
    )
    document.build(parts, canvasmaker=partial(_Numbered, name=project.slug))
    return out.getvalue()


class _Numbered(Canvas):
    """Pages that say below which project they are of, which one they are, and of how many."""

    def __init__(self, *arguments: Any, name: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._foot_name = name
        self._held: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 - reportlab's name
        self._held.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        held = self._held
        for page in held:
            self.__dict__.update(page)
            self.setFont(PLAIN, 8)
            self.setFillColor(QUIET)
            self.drawString(MARGIN, MARGIN / 2, self._foot_name)
            numbered = _("Page {n} of {of}").format(n=self.getPageNumber(), of=len(held))
            self.drawRightString(A4[0] - MARGIN, MARGIN / 2, numbered)
            super().showPage()
        super().save()


def _missing(characters: Sequence[str]) -> str:
    """Which scripts and other characters stand as question marks, and what to do."""
    called = list(dict.fromkeys(map(_called, characters)))
    named = ", ".join(called[:MOST_MISSING])
    if (more := len(called) - MOST_MISSING) > 0:
        named = _("{named} and {n} more").format(named=named, n=more)
    sentence = _(
        "A question mark stands for each character that this PDF cannot show, of: {named}. The HTML report shows them "
        "all."
    ).format(named=named)
    if all(map(takes_more_than_a_font, characters)):
        return sentence
    return f"{sentence} {_('The setting REPORT_FONT can name a font that has more of them.')}"


def _called(character: str) -> str:
    """A letter's script, and the number of anything else."""
    script = script_of(character)
    is_letter = unicodedata.category(character)[0] in "LM" and script != "COMBINING"
    return script.title() if is_letter else f"U+{ord(character):04X}"


def _section(section: Section, lettering: Lettering) -> list[Flowable]:
    head: list[Flowable] = [Paragraph(lettering.markup(section.title, BOLD), HEADING)]
    head += [Paragraph(lettering.markup(text), MUTED) for text in filter(None, [section.lead])]
    head += [Paragraph(lettering.markup(text), TEXT) for text in section.facts]
    drawn: list[tuple[str, Flowable]] = [(plot.title, _drawn(plot, lettering)) for plot in section.plots]
    drawn += [(table.title, _table(table, lettering)) for table in section.tables]
    parts = [[Paragraph(lettering.markup(title), MUTED), part, Spacer(1, 5)] for title, part in drawn]
    # A heading never stands at the foot of a page by itself.
    first, rest = [*head, *(parts[0] if parts else [])], parts[1:]
    return [KeepTogether(first), *(KeepTogether(part) for part in rest)]


def _table(table: Table, lettering: Lettering) -> Grid:
    def cell(one: Any, font: str = PLAIN) -> Paragraph:
        return Paragraph(lettering.markup(one.text, font), _bold(one.is_number) if font == BOLD else _style(one))

    grid = Grid(
        [[cell(one, BOLD) for one in table.head], *([cell(one) for one in row] for row in table.rows)],
        colWidths=_column_widths(table, lettering),
        repeatRows=1,
    )
    style = [("LINEBELOW", (0, 0), (-1, -1), 0.4, LINE), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    # The outer columns end where the text above them does.
    grid.setStyle([*style, ("LEFTPADDING", (0, 0), (0, -1), 0), ("RIGHTPADDING", (-1, 0), (-1, -1), 0)])
    return grid


def _column_widths(table: Table, lettering: Lettering) -> list[float]:
    """Points for each column, ``WIDTH`` in all: no word is broken and no number, where there is room for that."""
    size, gap = CELL.fontSize, 2 * PADDING
    least, wished, takes_rest = [], [], []
    for column, head in enumerate(table.head):
        cells = [row[column] for row in table.rows]
        words = [(word, BOLD) for word in head.text.split()]
        words += [(piece, PLAIN) for one in cells for piece in ([one.text] if one.is_number else one.text.split())]
        whole = [(head.text, BOLD), *((one.text, PLAIN) for one in cells)]
        least.append(gap + max([0.0, *(lettering.width(text, size, font) for text, font in words)]))
        wished.append(gap + max(lettering.width(text, size, font) for text, font in whole))
        takes_rest.append(not any(one.is_number for one in cells))
    if (left := WIDTH - sum(wished)) >= 0:
        takers = takes_rest if any(takes_rest) else [True] * len(wished)
        return [width + left * takes / sum(takers) for width, takes in zip(wished, takers, strict=True)]
    if (room := WIDTH - sum(least)) <= 0:
        return [WIDTH * width / sum(least) for width in least]
    missing = [most - width for width, most in zip(least, wished, strict=True)]
    return [width + room * share / sum(missing) for width, share in zip(least, missing, strict=True)]


def _style(one: Any) -> ParagraphStyle:
    return CELL_NUMBER if one.is_number else CELL


def _bold(is_number: bool) -> ParagraphStyle:
    return ParagraphStyle("head", CELL_NUMBER if is_number else CELL, fontName=BOLD)


def _drawn(plot: Rows | Columns | Spend, lettering: Lettering) -> Drawing:
    if isinstance(plot, Rows):
        return _rows(plot, lettering)
    return _columns(plot) if isinstance(plot, Columns) else _spend(plot)


def _rows(plot: Rows, lettering: Lettering) -> Drawing:
    drawing = Drawing(WIDTH, len(plot.points) * ROW)
    left, inner = WIDTH * LABEL_SHARE, WIDTH * (1 - LABEL_SHARE - VALUE_SHARE)
    highest = max(point.value for point in plot.points) or 1
    for number, point in enumerate(plot.points):
        y = (len(plot.points) - 1 - number) * ROW
        label = lettering.shortened(point.label, SIZE, left - 6)
        x = left - 6 - lettering.width(label, SIZE)
        for font, piece in lettering.runs(label):
            drawing.add(String(x, y + 3, piece, fontName=font, fontSize=SIZE, fillColor=INK))
            x += lettering.width(piece, SIZE)
        length = inner * point.value / highest
        if point.value:
            drawing.add(Rect(left, y + 2, length, BAR, fillColor=FILL, strokeColor=None))
        drawing.add(String(left + length + 4, y + 3, point.words, fontName=PLAIN, fontSize=SIZE, fillColor=INK))
    return drawing


def _columns(plot: Columns) -> Drawing:
    drawing = Drawing(WIDTH, PLOT_HEIGHT)
    highest = max(point.value for point in plot.points) or 1
    step = max(1, int(nice_step(Decimal(highest), 4)))
    top = step * -(-highest // step)
    inner = PLOT_HEIGHT - FLOOR - 8
    for level in range(0, top + 1, step):
        _level(drawing, FLOOR + inner * level / top, short_count(level))
    room = (WIDTH - LEFT) / len(plot.points)
    wide = min(room * 0.8, 40.0)
    every = max(1, -(-int((label_width(plot.points) + 1) * 5) // max(1, int(room))))
    for number, point in enumerate(plot.points):
        middle = LEFT + (number + 0.5) * room
        height = inner * point.value / top
        if point.value:
            drawing.add(Rect(middle - wide / 2, FLOOR, wide, height, fillColor=FILL, strokeColor=None))
        if number % every == 0:
            drawing.add(_label(middle, 6, point.label, "middle"))
    return drawing


def _spend(plot: Spend) -> Drawing:
    """Steps of what was spent, with what was reserved above it, under the cap."""
    drawing = Drawing(WIDTH, PLOT_HEIGHT)
    first, last = plot.moments[0][0], plot.moments[-1][0]
    seconds = max(1.0, (last - first).total_seconds())
    highest = max([plot.cap_usd, *(spent + reserved for _at, spent, reserved in plot.moments)]) or Decimal(1)
    inner = PLOT_HEIGHT - FLOOR - 8
    step = nice_step(highest, 4)
    for number in range(int(highest / step) + 1):
        _level(drawing, FLOOR + inner * float(step * number / highest), f"${step * number:,.0f}")
    for colour, amounts in (
        (PALE, [spent + reserved for _at, spent, reserved in plot.moments]),
        (FILL, [spent for _at, spent, _reserved in plot.moments]),
    ):
        points, before = [LEFT, FLOOR], FLOOR
        for (at, _spent, _reserved), amount in zip(plot.moments, amounts, strict=True):
            x = LEFT + (WIDTH - LEFT) * (at - first).total_seconds() / seconds
            y = FLOOR + inner * float(amount / highest)
            points += [x, before, x, y]
            before = y
        drawing.add(Polygon([*points, WIDTH, before, WIDTH, FLOOR], fillColor=colour, strokeColor=None))
    cap = FLOOR + inner * float(plot.cap_usd / highest)
    drawing.add(Line(LEFT, cap, WIDTH, cap, strokeColor=INK, strokeDashArray=[4, 3]))
    drawing.add(_label(LEFT, 6, f"{first:%Y-%m-%d %H:%M}", "start"))
    drawing.add(_label(WIDTH, 6, f"{last:%Y-%m-%d %H:%M}", "end"))
    return drawing


def _level(drawing: Drawing, y: float, label: str) -> None:
    drawing.add(Line(LEFT, y, WIDTH, y, strokeColor=LINE, strokeWidth=0.5))
    drawing.add(_label(LEFT - 5, y - 3, label, "end"))


def _label(x: float, y: float, text: str, anchor: str) -> String:
    return String(x, y, text, fontName=PLAIN, fontSize=SIZE - 1, fillColor=QUIET, textAnchor=anchor)
