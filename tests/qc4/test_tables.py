"""Printing of results: the same blocks as text and as HTML."""

from qc4.tables import Table, as_html, as_text, csv_table, paragraph

TABLE = Table([["", "pages"], ["Cats"], ["  猫", "3"], ["  tabby <b>", "12"]], (1,), "Topics", ["* drawn"])


def test_text_columns_align_with_wide_letters_and_ignore_headings():
    long_heading = Table([["a", "b"], ["a heading that is longer than all cells"]])
    assert as_text([TABLE, paragraph(["one", "two"]), long_heading]) == (
        "Topics\n"
        "             pages\n"
        "Cats\n"
        "  猫             3\n"
        "  tabby <b>     12\n"
        "* drawn\n"
        "\n"
        "one\ntwo\n"
        "\n"
        "a  b\n"
        "a heading that is longer than all cells\n"
    )


def test_html_escapes_all_text():
    html = as_html([TABLE, paragraph(["one", "<two>"])])
    assert "<caption>Topics</caption>" in html
    assert '<th colspan="2" align="left">Cats</th>' in html
    assert '<td align="left">tabby &lt;b&gt;</td><td align="right">12</td>' in html
    assert "</table>\n<p>* drawn</p>\n<p>one<br>&lt;two&gt;</p>" in html


def test_csv_is_in_full_precision_and_safe_to_open_in_a_spreadsheet():
    rows = [["=1+1", 0.1 + 0.2, None], ["plain", 3, True]]
    assert csv_table(["name", "value", "-note"], rows) == (
        "name,value,'-note\n'=1+1,0.30000000000000004,\nplain,3,true\n"
    )
