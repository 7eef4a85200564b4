"""Notices by e-mail: who gets which, who does not, and that nobody waits for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.http import Http404
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts import mail as notices
from accounts.mail import FAILURES_IN_A_ROW, notify, switches, turn
from accounts.models import User
from accounts.notices import GOLD_VERSIONS, KINDS, NOTICES
from accounts.services import tokens
from annotations.models import Collection, GoldVersion, Role
from annotations.people.services import invitations, roles
from annotations.people.services.participation import accept, ask, decline, set_participation
from evaluation.access import get_run
from evaluation.gold import services as gold_service
from evaluation.models import Announced, Run, Submission
from evaluation.runs import execution as failures
from evaluation.runs.services import rerun
from qc4.model.gold_document import GoldDocument
from tests.fixtures.site import Commit
from tests.rate_limits import set_rates
from tests.samples.documents import PASSWORD
from tests.waiting import wait_for


@pytest.fixture
def on_request(public_collection: Collection, owner: User, outsider: User) -> Collection:
    """A public collection to which people ask to submit; its owner and the outsider gave addresses."""
    set_participation(public_collection, Collection.Participation.REQUEST, owner)
    public_collection.save()
    for user in (owner, outsider):
        reachable(user)
    return public_collection


def reachable(user: User) -> User:
    user.email = f"{user.username}@example.org"
    user.save()
    return user


def sent(count: int) -> list[tuple[str, str]]:
    """To whom, and what about, once there are so many."""
    wait_for(lambda: len(mail.outbox) >= count, f"{count} e-mails")
    return [(message.to[0].partition("@")[0], message.subject.removeprefix("QC4 Bench: ")) for message in mail.outbox]


def test_asking_and_answering_are_told(on_request: Collection, owner: User, outsider: User, commit: Commit) -> None:
    with commit():
        request = ask(collection=on_request, user=outsider, message="Hello\nBcc: eve@example.org")
    assert sent(1) == [("owner", "outsider asks to submit to Open space")]
    body = str(mail.outbox[0].body)
    assert "  Hello Bcc: eve@example.org\n" in body
    assert f"{reverse('people', args=[on_request.slug])}#requests" in body
    assert f"{reverse('account')}#notices" in body
    with commit():
        decline(request, owner, "Full.")
    assert sent(2)[1] == ("outsider", "your request to submit to Open space was declined")
    assert "  Full.\n" in str(mail.outbox[1].body)


def test_an_accepted_request_is_told_once(on_request: Collection, owner: User, outsider: User, commit: Commit) -> None:
    request = ask(collection=on_request, user=outsider)
    with commit():
        assert accept(request, owner)
        assert not accept(request, owner)
    assert sent(1) == [("outsider", "you may submit to Open space")]


def test_who_sees_the_collection_no_longer_is_told_nothing_of_it(
    on_request: Collection, owner: User, outsider: User, commit: Commit
) -> None:
    request = ask(collection=on_request, user=outsider)
    on_request.visibility = Collection.Visibility.PRIVATE
    on_request.name = "Secret plans"
    on_request.save()
    with commit():
        request.refresh_from_db()
        decline(request, owner, "No.")
        roles.add_role(collection=on_request, user=owner, role=Role.READER, by=outsider)
    assert sent(1) == [("owner", "you are reader of Secret plans")]


def test_a_role_and_an_invitation_taken_up_are_told(
    collection: Collection, owner: User, outsider: User, commit: Commit
) -> None:
    reachable(owner), reachable(outsider)
    with commit():
        roles.add_role(collection=collection, user=outsider, role=Role.READER, by=owner)
        roles.add_role(collection=collection, user=outsider, role=Role.READER, by=owner)
        roles.add_role(collection=collection, user=owner, role=Role.CURATOR, by=owner)
    assert sent(1) == [("outsider", "you are reader of Space and cars")]
    invitation, _ = invitations.invite(collection=collection, role=Role.CURATOR, user=owner, note="a colleague")
    with commit():
        invitations.accept(invitation, outsider)
    assert sent(2)[1] == ("owner", "outsider is curator of Space and cars now")


def test_each_kind_can_be_turned_off_and_on(
    on_request: Collection, owner: User, outsider: User, commit: Commit
) -> None:
    turn(owner, {"requests": False, "answers": True})
    turn(owner, {"requests": False})
    assert {notice.key: on for notice, on in switches(owner)} == {key: key != "requests" for key in KINDS}
    with commit():
        request = ask(collection=on_request, user=outsider)
        roles.add_role(collection=on_request, user=outsider, role=Role.READER, by=owner)
    assert sent(1) == [("outsider", "you are reader of Open space")]
    turn(owner, {"requests": True})
    request.delete()
    with commit():
        ask(collection=on_request, user=outsider)
    assert sent(2)[1][0] == "owner"


def fail(run: Run) -> None:
    error = {"code": "x", "sentence": "It is broken.", "where": "", "fix": "Mend it.", "problems": []}
    Run.objects.filter(pk=run.pk).update(state=Run.State.FAILED, error=error, finished_at=run.created_at)
    failures.notify_starter(run.pk)


def test_a_failed_run_is_told_to_who_started_it_while_they_see_it(
    collection: Collection, submitter: User, submit: Callable[..., tuple[Submission, Run]], commit: Commit
) -> None:
    _, run = submit(reachable(submitter), published=False)
    with commit():
        failures.notify_starter(run.pk)
    assert mail.outbox == [], "it has not failed"
    with commit():
        fail(run)
    assert sent(1) == [("submitter", f"run {run.pk} failed")]
    assert "It is broken." in str(mail.outbox[0].body)
    roles.remove_role(collection=collection, user=submitter, role=Role.SUBMITTER)
    with commit():
        failures.notify_starter(run.pk)
        notify([submitter], NOTICES[0], "role_given", collection="C", role="r", by="b", page="p")
    assert [subject for _, subject in sent(2)][1:] == ["you are r of C"]


def test_a_new_gold_version_is_announced_by_a_worker_to_whom_it_concerns(
    public_collection: Collection,
    owner: User,
    outsider: User,
    person: Callable[[str], User],
    gold_documents: tuple[GoldDocument, ...],
    finish: Callable[..., None],
    commit: Commit,
) -> None:
    names = ("reading", "muted", "gone", "submitting", "silent")
    reading, muted, gone, submitting, silent = (reachable(person(name)) for name in names)
    for user in (reading, muted, gone, silent):
        roles.add_role(collection=public_collection, user=user, role=Role.READER)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    User.objects.filter(pk=silent.pk).update(email="")
    turn(muted, {GOLD_VERSIONS.key: False})
    algorithm = public_collection.algorithms.create(name="A")
    for user in (submitting, reading):
        Submission.objects.create(collection=public_collection, algorithm=algorithm, created_by=user, origin="api")
    with commit():
        facts = {"collection": public_collection, "documents": gold_documents[:1], "user": reachable(owner)}
        version, _ = gold_service.publish_and_reevaluate(**facts)
        assert mail.outbox == [], "not in the request"
    run = announcement_of(version)
    finish(run)
    assert sorted(sent(2)) == [
        (name, f"gold version {version.number} of Open space") for name in ("reading", "submitting")
    ]
    assert told_in(run) == "2 people notified."
    finish(rerun(run, owner))
    assert len(mail.outbox) == 2, "nobody is told twice"
    # Who comes now is told by a repetition alone, and who only submitted no longer sees the collection.
    Announced.objects.all().delete()
    mail.outbox.clear()
    public_collection.visibility = Collection.Visibility.PRIVATE
    public_collection.save()
    finish(rerun(run, owner))
    assert [who for who, _ in sent(1)] == ["reading"]


def test_gold_version_that_concerns_nobody_with_an_address_is_not_announced(
    public_collection: Collection, owner: User, gold_documents: tuple[GoldDocument, ...]
) -> None:
    facts = {"collection": public_collection, "documents": gold_documents[:1], "user": owner}
    gold_service.publish_and_reevaluate(**facts)
    assert not Run.objects.filter(kind=Run.Kind.ANNOUNCEMENT).exists()


def announcement_of(version: GoldVersion) -> Run:
    return Run.objects.get(kind=Run.Kind.ANNOUNCEMENT, gold_version=version)


def told_in(run: Run) -> str:
    """The last line of the run's log."""
    found = run.events.order_by("-pk").first()
    assert found is not None
    return found.why


class Picky(EmailBackend):
    """Refuses one address, or all of them."""

    refuses = ""
    asked = 0

    def send_messages(self, messages: list[EmailMessage]) -> int:
        Picky.asked += 1
        if self.refuses in messages[0].to[0]:
            raise OSError("no")
        return super().send_messages(messages)


@pytest.fixture
def announcement(
    public_collection: Collection,
    owner: User,
    gold_documents: tuple[GoldDocument, ...],
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """A run that tells six people of a version, by a mail server that is picky."""
    for number in range(6):
        user = User.objects.create(username=f"p{number}", email=f"p{number}@example.org")
        roles.add_role(collection=public_collection, user=user, role=Role.READER)
    settings.EMAIL_BACKEND = f"{__name__}.Picky"
    monkeypatch.setattr(Picky, "refuses", "-")
    monkeypatch.setattr(Picky, "asked", 0)
    facts = {"collection": public_collection, "documents": gold_documents[:1], "user": owner}
    version, _ = gold_service.publish_and_reevaluate(**facts)
    return announcement_of(version)


def test_one_bad_address_stops_nobody(
    announcement: Run, owner: User, finish: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Picky, "refuses", "p2@")
    finish(announcement)
    assert (len(mail.outbox), Picky.asked) == (5, 6)
    assert told_in(announcement) == "5 people notified. 1 e-mail could not be sent; the reason is in the worker's log."
    monkeypatch.setattr(Picky, "refuses", "-")
    finish(rerun(announcement, owner))
    assert [message.to for message in mail.outbox[5:]] == [["p2@example.org"]]


def test_announcement_fails_visibly_while_the_mail_server_is_away_and_goes_on_later(
    announcement: Run, owner: User, finish: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Picky, "refuses", "@")
    finish(announcement)
    announcement.refresh_from_db()
    assert (announcement.state, announcement.error["code"]) == ("failed", "mail-server-away")
    assert (len(mail.outbox), Picky.asked) == (0, FAILURES_IN_A_ROW)
    monkeypatch.setattr(Picky, "refuses", "-")
    finish(rerun(announcement, owner))
    assert len({message.to[0] for message in mail.outbox}) == len(mail.outbox) == 6


def test_nobody_is_told_who_left_while_others_were_told(
    announcement: Run, finish: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Picky.send_messages

    def sends(self: Picky, messages: list[EmailMessage]) -> int:
        User.objects.filter(username="p4").update(is_active=False)
        return real(self, messages)

    monkeypatch.setattr(Picky, "send_messages", sends)
    finish(announcement)
    assert [message.to[0] for message in mail.outbox] == [f"p{number}@example.org" for number in (0, 1, 2, 3, 5)]
    assert told_in(announcement) == "5 people notified."


def test_announcement_that_a_worker_left_goes_on_with_the_others(
    announcement: Run, finish: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second worker writes to nobody the first one has written to."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    real = Picky.send_messages
    monkeypatch.setattr(Picky, "send_messages", lambda self, some: real(self, some) if Picky.asked < 2 else killed())
    with pytest.raises(KeyboardInterrupt):
        finish(announcement)
    monkeypatch.setattr(Picky, "send_messages", real)
    finish(announcement)
    assert [message.to[0] for message in mail.outbox] == [f"p{number}@example.org" for number in (0, 1, 3, 4, 5)]


def test_only_publishers_see_how_many_people_were_told(
    announcement: Run, public_collection: Collection, owner: User, reader: User
) -> None:
    assert get_run(owner, announcement.pk) == announcement
    for user in (reader, AnonymousUser()):
        with pytest.raises(Http404):
            get_run(user, announcement.pk)


def test_notices_of_one_kind_use_up_nothing_of_what_concerns_safety(
    outsider: User, settings: Settings, commit: Commit
) -> None:
    set_rates(settings, e_mail="2/day")
    reachable(outsider)
    with commit():
        for _ in range(5):
            notify([outsider], NOTICES[1], "request_asked", who="w", collection="C", message="m", page="p")
        tokens.create(outsider, "nightly")
    assert [subject.partition(" ")[0] for _, subject in sent(3)] == ["w", "w", "a"]


def test_another_address_is_told_to_the_one_before(outsider: User, commit: Commit) -> None:
    reachable(outsider)
    client = Client()
    client.force_login(outsider)
    with commit():
        client.post(reverse("email-change"), {"email": "new@example.org", "password": PASSWORD})
        client.post(reverse("email-change"), {"email": "new@example.org", "password": PASSWORD})
    assert [what for _, what in sent(2)] == ["your account has another e-mail address", "is this your e-mail address?"]
    assert User.objects.get(pk=outsider.pk).email == "new@example.org"
    assert "new@example.org" not in mail.outbox[0].message().as_string()


def test_the_account_page_says_what_is_not_set_up(outsider: User, settings: Settings) -> None:
    client = Client()
    client.force_login(outsider)
    assert "You gave no address" in client.get(reverse("account")).content.decode()
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert "This site sends no e-mails." in client.get(reverse("account")).content.decode()
    reachable(outsider)
    client.post(reverse("notices-choose"), {"requests": "on"})
    assert [notice.key for notice, on in notices.switches(outsider) if on] == ["requests"]


def test_no_email_holds_a_right(on_request: Collection, owner: User, outsider: User, commit: Commit) -> None:
    """Whoever reads somebody else's e-mail finds addresses of pages that ask who is there."""
    with commit(), transaction.atomic():
        ask(collection=on_request, user=outsider)
    sent(1)
    stranger = Client()
    for word in str(mail.outbox[0].body).split():
        if "/" in word and word.startswith("http") and not word.endswith((":8000",)):
            path = "/" + word.partition("://")[2].partition("/")[2].partition("#")[0]
            assert "sign-in" in stranger.get(path).headers.get("Location", "")
