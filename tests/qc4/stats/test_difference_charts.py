"""Bars of the differences of two systems, query by query."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from qc4.stats.pictures import differences_picture

SVG = "{http://www.w3.org/2000/svg}"
FOUND = {"jaguar": -0.25, "apple": 0.5, "<bank>": 0.0}


def bars(drawn: str) -> list[ET.Element]:
    found = ET.fromstring(drawn)
    return [each for each in found.iter(f"{SVG}rect") if each.find(f"{SVG}title") is not None]


def test_bars_are_sorted_from_the_best_of_the_first_to_the_best_of_the_second():
    found = bars(differences_picture("A", "B", FOUND))
    assert [each.findtext(f"{SVG}title") for each in found] == ["apple: .500", "<bank>: .000", "jaguar: −.250"]
    places = [float(each.get("x")) for each in found]
    assert places == sorted(places)
    up, _, down = found
    assert float(up.get("height")) == pytest.approx(2 * float(down.get("height")), rel=0.01)
    assert float(down.get("y")) == pytest.approx(float(up.get("y")) + float(up.get("height")), abs=0.2)


def test_wins_and_losses_differ_without_colour_and_are_counted():
    drawn = differences_picture("A", "B", FOUND)
    fills = [each.get("fill") for each in bars(drawn)]
    assert fills == ["#000", "#000", "#fff"]
    assert "dark where A is better (1), light where B is (1); 1 equal" in drawn


def test_bars_on_a_page_are_links_outside_the_tab_order():
    drawn = differences_picture("A", "B", {"q": 0.1}, "page", words={"q": "jaguar"}, links={"q": "/why/?a=1&b=2"})
    (link,) = ET.fromstring(drawn).iter(f"{SVG}a")
    assert (link.get("href"), link.get("tabindex")) == ("/why/?a=1&b=2", "-1")
    assert "jaguar: .100" in drawn


@pytest.mark.parametrize("n", [0, 1, 500])
def test_any_number_of_queries_fits(n: int):
    found = ET.fromstring(differences_picture("A" * 80, "B", {f"query {k}": (k - n / 3) / 500 for k in range(n)}))
    width = float(found.get("width"))
    assert width < 1100
    assert all(0 <= float(each.get("x")) <= width for each in found.iter(f"{SVG}text"))
