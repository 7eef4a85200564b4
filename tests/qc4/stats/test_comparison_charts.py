"""Charts of a comparison show its results, for any names and sizes."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from qc4.charts import MAX_NAME_WIDTH, Scale, fit_text, letter_columns, shorten_middle, text_width
from qc4.cli import main
from qc4.problems import InputError
from qc4.stats import (
    Alternative,
    compare,
    compare_measures,
    number,
    p_number,
    p_words,
    pair_sentence,
    robustness,
    signed_number,
)
from qc4.stats.pictures import (
    PICTURES,
    STYLES,
    against_picture,
    behind_picture,
    differences_picture,
    discriminative_power_picture,
    matrix_picture,
    robustness_picture,
)
from qc4.stats.pictures.against import visible_ends

SVG = "{http://www.w3.org/2000/svg}"
LONG = "An algorithm with a very long name & <script>alert(1)</script>\x07"


def scores(systems: int, queries: int = 30, seed: int = 1) -> np.ndarray:
    random = np.random.default_rng(seed)
    level = np.linspace(0.3, 0, systems)[:, None]
    return 0.4 + level + random.normal(0, 0.1, queries) + random.normal(0, 0.1, (systems, queries))


def compared(systems: int, queries: int = 30, **options):
    return compare(scores(systems, queries), [LONG, *map(str, range(1, systems))], draws=200, **options)


def texts(picture: str) -> list[str]:
    """Return the visible text, without titles."""
    return [found.text or "".join(part.tail or "" for part in found) for found in parsed(picture).iter(f"{SVG}text")]


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("systems", "queries"), [(1, 5), (2, 1), (2, 7), (3, 2), (15, 30), (40, 30)])
@pytest.mark.parametrize("name", PICTURES)
def test_every_chart_is_well_formed_within_its_frame_and_described(name, systems, queries, style):
    root = parsed(PICTURES[name](compared(systems, queries), style))
    assert (root.tag, root.get("role")) == (f"{SVG}svg", "img")
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == root.get("aria-label")
    assert root[1].tag == f"{SVG}desc"
    assert root[1].text
    width, height = map(float, root.get("viewBox").split()[2:])
    for element in root.iter():
        for side, most in (("x", width), ("y", height), ("cx", width), ("cy", height)):
            value = element.get(side)
            assert value is None or -0.5 <= float(value) <= most + 0.5
            assert value is None or math.isfinite(float(value))
        assert "nan" not in (element.get("d") or "")


@pytest.mark.parametrize("name", PICTURES)
def test_paper_style_sets_fonts_and_colours_and_page_style_inherits_them(name):
    paper, page = (PICTURES[name](compared(5), style) for style in STYLES)
    assert "currentColor" not in paper
    assert "class=" not in paper
    assert 'fill="#fff"' in paper
    assert "font-family=" in paper
    assert not re.search("#[0-9a-f]{3}", re.sub("<title>.*?</title>|<desc>.*?</desc>", "", page))
    assert 'class="comparison-picture"' in page
    for picture in (paper, page):
        assert "var(" not in picture
        assert "<style" not in picture
        assert "<script" not in picture
        assert "href" not in picture


@pytest.mark.parametrize("options", [{}, {"baseline": "2"}])
def test_against_chart_shows_the_differences_of_its_pairs(options):
    found = compared(6, **options)
    reference = options.get("baseline", found.leader.system)
    picture = against_picture(found)
    root, shown = parsed(picture), texts(picture)
    others = [system.system for system in found.systems if system.system != reference]
    marks = list(root.iter(f"{SVG}circle"))
    assert [mark[0].text.replace("\\x07", "\x07") for mark in marks] == [
        pair_sentence(found, found.pair(name, reference)) for name in others
    ]
    for mark, name in zip(marks, others, strict=True):
        pair = found.pair(name, reference)
        sign = 1 if pair.a == name else -1
        ends = sorted((sign * pair.low, sign * pair.high))
        figures = (
            f"{signed_number(sign * pair.difference)} ({signed_number(ends[0])} to {signed_number(ends[1])}), "
            f"{p_words(pair.p_adjusted, 0.05)}"
        )
        assert figures in shown
        assert (mark.get("fill") == "#000") == (pair.verdict == "better")
    places = [float(mark.get("cx")) for mark in marks]
    assert places == sorted(places, reverse=True)


def test_matrix_has_a_cell_per_pair_shaded_by_difference_and_bold_by_verdict():
    found = compared(8)
    root = parsed(matrix_picture(found))
    cells = [each for each in root.iter(f"{SVG}rect") if each.get("fill-opacity")]
    assert len(cells) == len(found.pairs) == 28
    shades = [float(cell.get("fill-opacity")) for cell in cells]
    assert np.corrcoef(shades, [pair.difference for pair in found.pairs])[0, 1] > 0.999
    assert max(shades) == pytest.approx(0.4)
    figures = [each for each in root.iter(f"{SVG}text") if re.fullmatch(r"\.\d{3}", each.text or "")]
    assert [each.text for each in figures] == [number(pair.difference) for pair in found.pairs]
    bold = [each.get("font-weight") == "bold" for each in figures]
    assert bold == [pair.verdict == "better" for pair in found.pairs]
    assert any(bold)
    assert not all(bold)
    assert all(p_number(pair.p_adjusted, 0.05) in texts(matrix_picture(found)) for pair in found.pairs)


def test_large_matrix_shows_marks_instead_of_figures():
    found = compared(40)
    root = parsed(matrix_picture(found))
    marks = list(root.iter(f"{SVG}circle"))
    assert len(marks) == sum(pair.verdict == "better" for pair in found.pairs)
    assert marks
    assert not [text for text in texts(matrix_picture(found)) if re.fullmatch(r"\.\d{3}", text)]


def test_leaderboard_chart_shows_distances_behind_the_best():
    found = compared(6)
    root = parsed(behind_picture(found))
    marks = list(root.iter(f"{SVG}circle"))
    bars = [each for each in root.iter(f"{SVG}path") if each.get("stroke") == "#333"]
    assert len(marks) == len(bars) == 6
    zero = float(next(each for each in root.iter(f"{SVG}path") if each.get("stroke") == "#000").get("d")[1:].split()[0])
    for system, mark, bar in zip(found.systems, marks, bars, strict=True):
        at = float(mark.get("cx"))
        ends = [float(end) for end in re.findall(r"M([\d.]+) [\d.]+v8", bar.get("d"))]
        assert ends[0] - 0.1 <= at <= ends[1] + 0.1
        assert (ends[0] <= zero + 0.1) == system.could_be_best
        assert (mark.get("fill") == "#000") == system.could_be_best
    assert "A bar that touches 0 could be the best." in " ".join(texts(behind_picture(found)))


def test_bar_is_visibly_on_the_side_of_0_of_its_verdict():
    x = Scale(-100.0, 100.0, 0.0, 300.0)
    assert visible_ends(x, 0.001, 50.0) == (153.0, 225.0)
    assert visible_ends(x, -0.001, 0.001) == (147.0, 153.0)
    assert visible_ends(x, -50.0, -0.001) == (75.0, 147.0)
    assert visible_ends(x, 0.0, 50.0) == (150.0, 225.0)


def test_chosen_row_does_not_change_figures():
    found = compared(4)
    last = found.systems[-1].system
    marks = list(parsed(against_picture(found, row=last)).iter(f"{SVG}circle"))
    assert [mark[0].text for mark in marks][1:] == [
        pair_sentence(found, found.pair(system.system, last)) for system in found.systems[1:-1]
    ]
    with pytest.raises(InputError, match="one of"):
        against_picture(found, row="nobody")


def test_curves_show_p_of_all_pairs_and_differ_without_colour():
    table = scores(6)
    both = compare_measures({"quality": table, "noise": np.random.default_rng(2).random(table.shape)}, draws=200)
    root = parsed(discriminative_power_picture(both))
    curves = [
        each for each in root.iter(f"{SVG}path") if each.get("fill") == "none" and len(each) and "L" in each.get("d")
    ]
    assert [curve[0].text for curve in curves] == [
        f"{name}: {100 * both.power[name]:.0f} % separated" for name in ("quality", "noise")
    ]
    assert curves[0].get("stroke-dasharray") != curves[1].get("stroke-dasharray")
    heights = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", curves[0].get("d"))]
    assert heights[::2] == pytest.approx([266 - 220 * p for p in both.curves["quality"]], abs=0.06)


def test_every_compared_measure_has_its_own_line_style():
    table = scores(4)
    random = np.random.default_rng(3)
    measures = {f"m{place}": table + random.normal(0, 0.02, table.shape) for place in range(20)}
    titles = {key: f"Measure {key}" for key in measures}
    picture = discriminative_power_picture(compare_measures(measures, draws=100), titles=titles)
    samples = [each for each in parsed(picture).iter(f"{SVG}path") if (each.get("d") or "").endswith("h34")]
    looks = {(each.get("stroke"), each.get("stroke-width"), each.get("stroke-dasharray")) for each in samples}
    assert len(samples) == len(looks) == 20
    assert all(any(text.startswith(title) for text in texts(picture)) for title in titles.values())


def test_reason_replaces_curves_without_tests():
    picture = discriminative_power_picture(compare_measures({"m": scores(3, 1), "n": scores(3, 1, 2)}))
    assert not list(parsed(picture).iter(f"{SVG}path"))
    assert "A test needs two queries" in " ".join(texts(picture))


@pytest.mark.parametrize(("queries", "pale"), [(10, False), (500, True)])
def test_narrow_bars_are_pale_instead_of_outlined(queries, pale):
    differences = {f"q{place}": (-1) ** place * (place + 1) / queries for place in range(queries)}
    bars = [each for each in parsed(differences_picture("A", "B", differences)).iter(f"{SVG}rect") if len(each)]
    losses = {(each.get("fill"), each.get("stroke")) for each in bars if ": −" in each[0].text}
    assert len(bars) == queries
    assert losses == ({("#999", None)} if pale else {("#fff", "#000")})


def test_single_query_has_a_bar():
    (bar,) = (each for each in parsed(differences_picture("A", "B", {"q": 0.5})).iter(f"{SVG}rect") if len(each))
    assert float(bar.get("width")) < 30


def test_shortened_names_have_a_full_title():
    assert shorten_middle("STC") == "STC"
    assert shorten_middle("x" * 28) == "x" * 28
    assert shorten_middle("x" * 19 + "y" * 10) == "x" * 18 + "…" + "y" * 9
    assert letter_columns(shorten_middle("大型猫" * 9)) <= 28
    whole = [each.text for each in parsed(against_picture(compared(3))).iter(f"{SVG}title")]
    assert LONG.replace("\x07", "\\x07") in whole


@pytest.mark.parametrize("name", ["STC", "Lingo with suffix arrays and phrases of 4", "i" * 70, "大型猫" * 7])
def test_name_that_fits_is_not_shortened(name):
    assert text_width(name) <= MAX_NAME_WIDTH
    assert fit_text(name) == name


@pytest.mark.parametrize("name", ["x" * 200, "大型猫" * 40, "W" * 60, "Lingo " * 30, "x" * 40 + "\u202e" * 30])
@pytest.mark.parametrize(("room", "size"), [(360, 12), (150, 11), (40, 12)])
def test_name_is_shortened_to_fit(name, room, size):
    shown = fit_text(name, room, size)
    assert "…" in shown
    assert 0.7 * room - size * 2 < text_width(shown, size) <= room


def test_chart_shows_a_name_of_forty_letters_in_full():
    name = "Agglomerative clustering, average linkage"
    found = compare([[0.5, 0.7, 0.4], [0.6, 0.5, 0.6]], [name, "B"], ["q1", "q2", "q3"], draws=100)
    for kind in ("behind", "matrix", "against"):
        texts = [each.text or each[0].tail for each in parsed(PICTURES[kind](found)).iter(f"{SVG}text")]
        assert any(text.endswith(name) for text in texts)


def test_unknown_style_raises():
    with pytest.raises(InputError):
        against_picture(compared(3), "poster")


@pytest.mark.parametrize("name", PICTURES)
def test_command_draws_every_chart(tmp_path, capsys, name):
    path = tmp_path / "scores.csv"
    path.write_text("query,A,B,C\nq1,.5,.6,.1\nq2,.7,.5,.3\nq3,.4,.6,.2\n")
    assert main(["compare", str(path), "--format", "svg", "--picture", name]) == 0
    assert capsys.readouterr().out == PICTURES[name](
        compare([[0.5, 0.7, 0.4], [0.6, 0.5, 0.6], [0.1, 0.3, 0.2]], ["A", "B", "C"], ["q1", "q2", "q3"]), "paper"
    )


def test_text_in_place_of_a_mark_does_not_overlap_lines():
    tables = [Alternative("measure", name, scores(2, 1, seed), ["A", "B"]) for seed, name in enumerate("xyz", 1)]
    texts = parsed(robustness_picture(robustness(tables, draws=100))).iter(f"{SVG}text")
    places = {text.text: float(text.get("x")) for text in texts}
    [(said, start)] = [(text, place) for text, place in places.items() if "one query" in (text or "")]
    assert start > places["100 %"], said
