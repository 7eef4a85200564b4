"""Pages in and out of topics, outliers, flags and notes. These commute: no one waits for anyone."""

from __future__ import annotations

from annotations.drafting.editing import Edit
from annotations.drafting.operations.fields import Fields
from annotations.drafting.operations.registry import operation


@operation("assign", "pages", "topics")
def assign(edit: Edit, fields: Fields) -> None:
    """Put pages into topics, and so into all topics above these. They leave no topic, but are outliers no longer."""
    pages = fields.pages()
    for topic in fields.topics():
        edit.put(topic, pages)


@operation("unassign", "pages", "topics")
def unassign(edit: Edit, fields: Fields) -> None:
    """Take pages out of topics and all their subtopics. They stay in the topics above."""
    pages = fields.pages()
    for topic in fields.topics():
        edit.take_out(topic, pages)


@operation("only", "pages", "topic")
def only(edit: Edit, fields: Fields) -> None:
    """Move pages into a topic: they leave every other one that is neither above nor below it."""
    pages, topic = fields.pages(), fields.topic()
    edit.put(topic, pages)
    stays = {*edit.state.path(topic), *edit.state.subtree(topic)}
    for other in list(edit.state.tree()):
        if other not in stays:
            edit.take(other, pages)


@operation("outlier", "pages")
def outlier(edit: Edit, fields: Fields) -> None:
    """Take pages out of every topic and make them outliers."""
    edit.make_outliers(fields.pages())


@operation("clear_outlier", "pages")
def clear_outlier(edit: Edit, fields: Fields) -> None:
    edit.clear_outliers(fields.pages())


@operation("flag", "pages")
def flag(edit: Edit, fields: Fields) -> None:
    edit.flag(fields.pages())


@operation("unflag", "pages")
def unflag(edit: Edit, fields: Fields) -> None:
    edit.unflag(fields.pages())


@operation("note", "page", "text")
def note(edit: Edit, fields: Fields) -> None:
    edit.note(fields.page(), fields.text())


@operation("seen", "pages")
def seen(edit: Edit, fields: Fields) -> None:
    """A person looked at pages and finds them well placed."""
    edit.seen(fields.pages())
