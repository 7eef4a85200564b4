"""Discussion of drafts: comment threads on pages and topics, and each reader's position in a thread.

Threads are not part of the draft's log: undo does not affect them, and they remain when their topic is deleted. Every
change to a draft's threads gets the next number of the draft (`Draft.talk`), so a client can request all changes since
the number it knows.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.limits import TITLE_CHARS
from annotations.models.drafts import Draft
from common.limits import KEY_CHARS


class CommentThread(models.Model):
    """A conversation about a page or a topic of a draft, or about the draft as a whole."""

    class About(models.TextChoices):
        PAGE = "page"
        TOPIC = "topic"
        DRAFT = "draft"

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="threads")
    about = models.CharField(max_length=5, choices=About)
    # The id of the page or topic; empty for the draft.
    key = models.CharField(max_length=KEY_CHARS, blank=True)
    # The page's or topic's title when the thread began. The topic may have been deleted since.
    title = models.CharField(max_length=TITLE_CHARS, blank=True)
    # True for a question to the coordinators. Owners and adjudicators can see it even if they cannot see the draft.
    to_lead = models.BooleanField(default=False)
    # The numbers (see the module docstring) of the thread's last change and last comment.
    changed = models.PositiveIntegerField()
    spoken = models.PositiveIntegerField()
    # The time of the last comment.
    spoken_at = models.DateTimeField(db_default=Now())
    resolved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    resolved_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("draft_id", "pk")
        indexes = [models.Index(fields=("draft", "changed"), name="thread_changed")]
        constraints = [
            models.CheckConstraint(condition=models.Q(about__in=["page", "topic", "draft"]), name="thread_about_known"),
            models.CheckConstraint(
                condition=models.Q(about="draft", key="") | (~models.Q(about="draft") & ~models.Q(key="")),
                name="thread_about_something",
            ),
            models.CheckConstraint(
                condition=models.Q(resolved_at__isnull=True, resolved_by__isnull=True)
                | models.Q(resolved_at__isnull=False, resolved_by__isnull=False),
                name="thread_resolved_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"thread on {self.about} {self.title or self.key} of {self.draft}"


class Comment(models.Model):
    """One comment in a thread. A deleted comment keeps its author and time but loses its text."""

    thread = models.ForeignKey(CommentThread, on_delete=models.CASCADE, related_name="comments")
    # An id chosen by the client, so that a repeated request adds no second comment.
    op_id = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField(blank=True)
    # The users whom the comment mentions and who could see it when it was written.
    named = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    edited_at = models.DateTimeField(null=True)
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("thread_id", "pk")
        constraints = [
            models.UniqueConstraint(fields=("user", "op_id"), name="comment_once"),
            models.CheckConstraint(
                condition=models.Q(deleted_at__isnull=True) | models.Q(text=""), name="deleted_comment_says_nothing"
            ),
        ]

    def __str__(self) -> str:
        return f"comment of {self.user} in {self.thread}"


class ThreadReader(models.Model):
    """A person's reading position in a thread.

    Attributes:
        concerned: whether the person is notified of new comments: they are mentioned in it, wrote in it, or were asked.
        read: the number of the last comment they have seen (`CommentThread.spoken`).
    """

    thread = models.ForeignKey(CommentThread, on_delete=models.CASCADE, related_name="readers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    concerned = models.BooleanField(default=False)
    read = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("thread_id", "user_id")
        constraints = [models.UniqueConstraint(fields=("thread", "user"), name="thread_reader_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.thread}"
