"""Charts in a browser: every label is complete, with many algorithms and with long names."""

from __future__ import annotations

import numpy as np
import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from annotations.models import Collection
from qc4.stats import compare, compare_measures
from qc4.stats.pictures import (
    PICTURES,
    STYLES,
    differences_picture,
    discriminative_power_picture,
    measures_picture,
    shares_picture,
    slope_picture,
)
from tests.browser.page_layout import WIDER
from tests.fixtures.browser import LONG, Browse
from tests.profiles import thorough
from tests.samples.boards import board_of

pytestmark = [pytest.mark.browser, thorough("pictures as a browser draws them")]

NAMES = [f"{LONG[:60]}-{number:03}" if number % 2 else f"WWW MMM {number}" for number in range(12)]
CUT = """() => [...document.querySelectorAll("svg[role=img]")].flatMap((picture) => {
  const frame = picture.getBoundingClientRect();
  return [...picture.querySelectorAll("text")].filter((label) => {
    const box = label.getBoundingClientRect();
    const across = box.left < frame.left - 1 || box.right > frame.right + 1;
    return across || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map((label) => label.textContent);
})"""


def drawn(style: str) -> dict[str, str]:
    """Every chart of the engine, with long and with wide names."""
    random = np.random.default_rng(1)
    scores = random.normal(0.5, 0.1, (12, 20)) + np.linspace(0.2, 0, 12)[:, None]
    found = compare(scores, NAMES, draws=200)
    measures = compare_measures({name: random.permutation(scores) for name in NAMES[:6]}, draws=200)
    differences = {name: place / 20 - 0.3 for place, name in enumerate(NAMES)}
    return {
        **{name: picture(found, style) for name, picture in PICTURES.items()},
        "differences": differences_picture(NAMES[1], NAMES[3], differences, style),
        "measures": measures_picture(measures, None, style),
        "power": discriminative_power_picture(measures, style),
        "shares": shares_picture("Shares", ["covered", "missed"], [(name, (3, 4)) for name in NAMES], style),
        "slope": slope_picture("Ranks", ("v1", "v2"), [(name, n + 1, 12 - n) for n, name in enumerate(NAMES)], style),
    }


@pytest.mark.parametrize("style", STYLES)
def test_no_label_of_a_chart_is_cut_off(chromium: Browser, style: str) -> None:
    page = chromium.new_page()
    cut = {}
    for name, svg in drawn(style).items():
        page.set_content(f"<body>{svg}</body>")
        expect(page.get_by_role("img")).to_be_visible()
        cut[name] = page.evaluate(CUT)
    page.close()
    assert cut == {name: [] for name in cut}


@pytest.fixture
def forty(transactional_db: None) -> Collection:
    """Forty algorithms with long names on seven queries, with ties, undefined values and missing clusterings."""
    random = np.random.default_rng(2)
    names = [f"{NAMES[number % 12]} {number}" for number in range(40)]
    keys = ("quality", "coverage", "aq", "ac", "wq", "wc", "qc4")

    def scores() -> dict[str, list[float | str | None]]:
        found: dict[str, list[float | str | None]] = {
            name: list(random.uniform(0.2, 0.9, 7).round(3)) for name in names
        }
        found[names[1]] = found[names[2]]
        found[names[3]][0] = "a page is in three clusters"
        found[names[5]][1] = None
        return found

    return board_of(scores(), "qc4_f", **{key: scores() for key in keys})


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("name", ["heat-map", "trade-off", "measures-compared", "robustness"])
def test_charts_of_forty_algorithms_fit(browse: Browse, forty: Collection, name: str, width: int) -> None:
    page = browse(None, width)
    page.goto(reverse(name, args=[forty.slug]))
    expect(page.locator("[hx-trigger=load]")).to_have_count(0)
    assert page.evaluate(CUT) == []
    assert page.evaluate(WIDER) <= 0


def test_many_queries_share_one_screen(browse: Browse, transactional_db: None) -> None:
    random = np.random.default_rng(3)
    board = board_of({name: list(random.uniform(0, 1, 500)) for name in ("A", "B")})
    page = browse()
    page.goto(reverse("heat-map", args=[board.slug]))
    page.locator("#heat[data-drawn]").wait_for()
    box = page.locator("#heat-canvas").bounding_box()
    assert box is not None
    assert 500 < box["height"] < 1200
