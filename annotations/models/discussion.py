"""What people say to each other about a draft: threads of comments on its pages and topics, and who has read how far.

They are beside the log: undo does not reach them, and they outlive the topic they are about. Every change of a draft's
threads gets the next number of the draft (`Draft.talk`), so that who knows one number can ask for what came after it.
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
    # What that was called when the thread began: a topic may be gone since.
    title = models.CharField(max_length=TITLE_CHARS, blank=True)
    # A question to the lead: also for those who decide in the end, while the draft itself is blind to them.
    to_lead = models.BooleanField(default=False)
    # Numbers of the draft: of its last change, and of its last comment.
    changed = models.PositiveIntegerField()
    spoken = models.PositiveIntegerField()
    # When that was said.
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
    """What one person said in a thread. Deleting leaves the place: who spoke and when, not what."""

    thread = models.ForeignKey(CommentThread, on_delete=models.CASCADE, related_name="comments")
    # The sender's own id, so that sending twice says nothing twice.
    op_id = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField(blank=True)
    # Those it names who could see it when it was written.
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
    """How far somebody has read a thread.

    Attributes:
        concerned: they were named in it, wrote in it, or are asked: they are told of what is said there.
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
