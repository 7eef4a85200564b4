"""Comments on drafts: access, notices, and no duplicate comments."""

from __future__ import annotations

import uuid

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.mail import turn
from accounts.models import User
from annotations.discussion import services as comments
from annotations.discussion.access import own_comment, own_thread, reach_thread
from annotations.discussion.selectors import (
    mentionable_people,
    threads_about,
    threads_concerning,
    threads_of,
    unread_count,
)
from annotations.discussion.services import CommentResult
from annotations.drafts import services as drafts
from annotations.drafts.access import reach_draft
from annotations.drafts.services.errors import DraftError
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.limits import DRAFT_THREADS
from annotations.models import Collection, Comment, CommentThread, Draft, ThreadReader
from evaluation.deletion.services import delete_collection
from qc4.problems import InputError
from tests.fixtures.site import Commit
from tests.waiting import wait_for


@pytest.fixture
def own(collection: Collection, curator: User) -> Draft:
    """The curator's own draft, which is open and therefore blind to everybody else."""
    return drafts.from_nothing(query=collection.queries.get(key="mercury"), user=curator, kind=Draft.Kind.OWN)


@pytest.fixture
def shared(collection: Collection, curator: User) -> Draft:
    """A shared draft with topics ``cars`` and ``boats``."""
    draft = drafts.from_nothing(query=collection.queries.get(key="mercury"), user=curator, kind=Draft.Kind.SHARED)
    topics = [{"kind": "add_topic", "topic": key, "name": key.title()} for key in ("cars", "boats")]
    perform(draft, curator, DraftRequest(uuid.uuid4(), 0, topics))
    return draft


def say(
    user: User, draft: Draft, text: str = "Hm.", about: str = "page", key: str = "p1", **more: bool
) -> CommentResult:
    return comments.start(reach_draft(user, draft.pk), uuid.uuid4(), text, about=about, key=key, **more)


def answer(user: User, thread: int, text: str = "Yes.") -> CommentResult:
    return comments.answer(reach_thread(user, thread, write=True), uuid.uuid4(), text)


def sees(user: User, thread: int) -> bool:
    try:
        reach_thread(user, thread)
    except Http404:
        return False
    return True


# --- Access -----------------------------------------------------------------------------------------------------------


def test_only_curator_sees_threads_of_blind_draft(own: Draft, curator: User, owner: User, reader: User) -> None:
    thread = say(curator, own).thread.id
    assert [sees(user, thread) for user in (curator, owner, reader)] == [True, False, False]
    drafts.submit(own)
    assert [sees(user, thread) for user in (curator, owner, reader)] == [True, True, False]


def test_question_to_lead_shows_lead_only_the_question(
    own: Draft, curator: User, owner: User, adjudicator: User, collection: Collection
) -> None:
    said = say(curator, own, to_lead=True)
    assert set(said.told) == {"adjudicator", "owner"}
    silent = say(curator, own).thread.id
    assert sees(owner, said.thread.id)
    assert not sees(owner, silent)
    (found,) = threads_concerning(owner)
    assert (found.thread.id, found.address, found.unread) == (said.thread.id, None, True)
    assert answer(owner, said.thread.id, "Outliers.").thread.comments[1].by == "owner"
    with pytest.raises(Http404):
        reach_draft(owner, own.pk)


def test_lead_who_annotates_independently_does_not_see_questions(own: Draft, curator: User, owner: User) -> None:
    thread = say(curator, own, to_lead=True).thread.id
    assert unread_count(owner) == 1
    theirs = drafts.from_nothing(query=own.query, user=owner, kind=Draft.Kind.OWN)
    assert not sees(owner, thread)
    assert (threads_concerning(owner), unread_count(owner)) == ([], 0)
    assert {one.name: one.leads for one in mentionable_people(own, curator)}["owner"] is False
    drafts.archive(theirs)
    assert sees(owner, thread)


def test_comments_of_reopened_draft_are_blind_again(own: Draft, curator: User, owner: User) -> None:
    drafts.submit(own)
    thread = say(owner, own, "Look at this, @curator.").thread.id
    drafts.reopen(own)
    assert not sees(owner, thread)
    assert sees(curator, thread)


def test_former_member_sees_no_threads(shared: Draft, curator: User, owner: User) -> None:
    thread = say(owner, shared, "@curator?").thread.id
    curator.memberships.all().delete()
    assert not sees(curator, thread)
    assert (threads_concerning(curator), unread_count(curator)) == ([], 0)


def test_adjudication_shows_comments_of_both_drafts(own: Draft, curator: User, owner: User) -> None:
    other = drafts.from_nothing(query=own.query, user=owner, kind=Draft.Kind.OWN)
    said = [say(curator, own, "Mine."), say(owner, other, "Ours.")]
    pks = [own.pk, other.pk]
    assert [row.id for row in threads_about(owner, pks, "page", ["p1"])] == [said[1].thread.id]
    for draft in (own, other):
        drafts.submit(draft)
    assert [row.id for row in threads_about(owner, pks, "page", ["p1"])] == [one.thread.id for one in said]
    assert threads_about(owner, pks, "topic", ["p1"]) == []


# --- Notices ----------------------------------------------------------------------------------------------------------


def test_person_without_access_is_not_notified(own: Draft, curator: User, owner: User) -> None:
    said = say(curator, own, "What do you think, @owner?")
    assert (said.told, said.not_told) == ([], ["owner"])
    assert not ThreadReader.objects.filter(user=owner).exists()
    assert said.thread.comments[0].named == []
    asked = say(curator, own, "And of this, @owner?", to_lead=True)
    assert (asked.told, asked.not_told) == (["owner"], [])


def test_mention_counts_as_unread_until_read(shared: Draft, curator: User, owner: User) -> None:
    thread = say(owner, shared, "Is it a car, @Curator?").thread
    assert unread_count(curator) == 1
    comments.record_read(reach_thread(curator, thread.id), thread.spoken)
    assert unread_count(curator) == 0
    later = answer(owner, thread.id, "I think so.").thread
    assert unread_count(curator) == 1
    comments.record_read(reach_thread(curator, thread.id), 10_000)
    comments.record_read(reach_thread(curator, thread.id), 0)
    assert ThreadReader.objects.get(user=curator).read == later.spoken
    assert unread_count(owner) == 0
    turn(curator, {"comments-here": False})
    answer(owner, thread.id, "Well?")
    assert unread_count(curator) == 0


def test_mentions_questions_and_replies_send_emails(
    shared: Draft, curator: User, owner: User, adjudicator: User, commit: Commit
) -> None:
    for user in (curator, owner, adjudicator):
        user.email = f"{user.username}@example.org"
        user.save()
    with commit():
        thread = say(curator, shared, "Secret words, @owner", to_lead=True).thread.id
    wait_for(lambda: len(mail.outbox) == 2, "two e-mails")
    asked = "QC4 Bench: curator has a question to the lead"
    assert {(one.to[0].partition("@")[0], one.subject) for one in mail.outbox} == {
        ("owner", asked),
        ("adjudicator", asked),
    }
    assert "Secret" not in str(mail.outbox[0].body)
    assert reverse("comments") in str(mail.outbox[0].body)
    turn(adjudicator, {"comments": False})
    mail.outbox.clear()
    with commit():
        answer(owner, thread, "Now you, @adjudicator")
    wait_for(lambda: len(mail.outbox) == 1, "an e-mail")
    assert (mail.outbox[0].to, mail.outbox[0].subject) == (
        ["curator@example.org"],
        "QC4 Bench: owner answered in a thread of yours",
    )


def test_thread_becomes_question_to_lead_only_once(
    own: Draft, curator: User, owner: User, adjudicator: User, commit: Commit
) -> None:
    owner.email = "owner@example.org"
    owner.save()
    thread = say(curator, own, "Secret words").thread
    assert thread.may_ask
    comments.resolve(reach_thread(curator, thread.id))
    with pytest.raises(Http404):
        reach_thread(owner, thread.id)
    with commit():
        asked = comments.ask_lead(own_thread(curator, thread.id))
    assert (asked.already, sorted(asked.told)) == (False, ["adjudicator", "owner"])
    assert (asked.thread.to_lead, asked.thread.may_ask, asked.thread.resolved_by) == (True, False, None)
    wait_for(lambda: len(mail.outbox) == 1, "an e-mail")
    assert mail.outbox[0].subject == "QC4 Bench: curator has a question to the lead"
    assert "Secret" not in str(mail.outbox[0].body)
    assert (unread_count(owner), unread_count(adjudicator), unread_count(curator)) == (1, 1, 0)
    assert threads_concerning(owner)[0].address is None  # the thread is visible but not the draft
    with pytest.raises(Http404):
        reach_draft(owner, own.pk)
    mail.outbox.clear()
    comments.record_read(reach_thread(owner, thread.id), asked.thread.spoken)
    with commit():
        again = comments.ask_lead(own_thread(curator, thread.id))
    assert (again.already, again.told, again.thread) == (True, [], asked.thread)
    assert (mail.outbox, unread_count(owner)) == ([], 0)


def test_question_is_unread_for_lead_who_read_it_before(shared: Draft, curator: User, owner: User) -> None:
    thread = say(curator, shared).thread
    comments.record_read(reach_thread(owner, thread.id), thread.spoken)
    comments.ask_lead(own_thread(curator, thread.id))
    assert unread_count(owner) == 1


def test_lead_who_annotates_independently_is_not_asked(own: Draft, curator: User, owner: User) -> None:
    drafts.from_nothing(query=own.query, user=owner, kind=Draft.Kind.OWN)
    thread = say(curator, own).thread
    assert "owner" not in comments.ask_lead(own_thread(curator, thread.id)).told
    with pytest.raises(Http404):
        reach_thread(owner, thread.id)


def test_only_author_asks_lead_and_not_in_others_own_draft(
    own: Draft, shared: Draft, curator: User, owner: User
) -> None:
    with pytest.raises(PermissionDenied):
        own_thread(owner, say(curator, shared).thread.id)
    Draft.objects.filter(pk=own.pk).update(status=Draft.Status.SUBMITTED, submitted_at=timezone.now())
    thread = say(owner, own).thread
    assert not thread.may_ask
    with pytest.raises(PermissionDenied):
        own_thread(owner, thread.id)


# --- Comments ---------------------------------------------------------------------------------------------------------


def test_repeated_id_adds_no_comment(shared: Draft, curator: User) -> None:
    access, op_id = reach_draft(curator, shared.pk), uuid.uuid4()
    first = comments.start(access, op_id, "Hm.", about="draft")
    again = comments.start(access, op_id, "Hm.", about="draft")
    assert first.thread.id == again.thread.id
    assert Comment.objects.count() == 1


def test_edit_delete_resolve_and_reopen(shared: Draft, curator: User, owner: User) -> None:
    thread = say(curator, shared, "Frist.").thread
    comment, access = own_comment(curator, thread.comments[0].id)
    edited = comments.edit(access, comment, "First, @owner.")
    assert (edited.told, edited.thread.comments[0].text) == (["owner"], "First, @owner.")
    assert edited.thread.comments[0].edited_at is not None
    with pytest.raises(PermissionDenied):
        own_comment(owner, comment.pk)
    assert comments.resolve(reach_thread(owner, thread.id)).resolved_by == "owner"
    assert answer(curator, thread.id).thread.resolved_by is None
    deleted = comments.delete(access, comment)
    assert [(one.text, one.deleted) for one in deleted.comments] == [("", True), ("Yes.", False)]
    with pytest.raises(DraftError, match="deleted"):
        comments.edit(access, Comment.objects.get(pk=comment.pk), "Again.")


def test_thread_outlives_its_topic(shared: Draft, curator: User) -> None:
    early = say(curator, shared, about="topic", key="cars").thread
    perform(
        shared,
        curator,
        DraftRequest(uuid.uuid4(), shared.revision, [{"kind": "merge", "topics": ["cars"], "into": "boats"}]),
    )
    late = say(curator, shared, "Written offline.", about="topic", key="cars").thread
    assert {(one.key, one.title) for one in (early, late)} == {("cars", "Cars")}
    assert len(threads_of(reach_draft(curator, shared.pk)).results) == 2
    perform(shared, curator, DraftRequest(uuid.uuid4(), shared.revision, undo=shared.revision))
    assert len(threads_of(reach_draft(curator, shared.pk)).results) == 2


def test_change_numbers_identify_new_threads(shared: Draft, curator: User) -> None:
    first, second = (say(curator, shared).thread for _ in range(2))
    assert [one.changed for one in (first, second)] == [1, 2]
    comments.resolve(reach_thread(curator, first.id))
    found = threads_of(reach_draft(curator, shared.pk), since=2)
    assert (found.at, [row.id for row in found.results]) == (3, [first.id])


def test_comments_need_existing_subject_and_unarchived_draft(
    shared: Draft, curator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = [("page", "p99"), ("topic", "never"), ("draft", "p1"), ("page", "")]
    for about, key in wrong:
        with pytest.raises(InputError):
            say(curator, shared, about=about, key=key)
    with pytest.raises(InputError):
        say(curator, shared, "  \n ")
    thread = say(curator, shared).thread.id
    monkeypatch.setattr(comments, "DRAFT_THREADS", 1)
    with pytest.raises(DraftError, match="at most"):
        say(curator, shared)
    assert DRAFT_THREADS > 1
    drafts.archive(shared)
    with pytest.raises(DraftError):
        say(curator, shared)
    with pytest.raises(PermissionDenied):
        answer(curator, thread)
    assert sees(curator, thread)


def test_comments_are_deleted_with_their_collection(shared: Draft, curator: User, owner: User) -> None:
    say(curator, shared, "@owner, look.")
    delete_collection(shared.query.collection)
    assert not CommentThread.objects.exists()
    assert not ThreadReader.objects.exists()


def test_pages_show_numbers_of_new_and_open_threads(
    shared: Draft, own: Draft, curator: User, owner: User, client: Client
) -> None:
    drafts.submit(own)
    say(curator, shared, "@owner?")
    say(curator, own, about="draft", key="")
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("comments")).content.decode()
    assert '<span class="chip busy"' in page
    overview = " ".join(client.get(reverse("curate", args=[shared.query.collection.slug])).content.decode().split())
    assert overview.count("1 open thread</a>") == 2
