"""Database models for collections, people, drafts and gold standards."""

from annotations.models.adjudication import Adjudication, AdjudicationDecision, AdjudicationStep, ComparedDraft
from annotations.models.challenges import Challenge, ChallengeResults
from annotations.models.collections import Collection, GuidelinesReader, GuidelinesVersion, Page, Query, Quota
from annotations.models.discussion import Comment, CommentThread, ThreadReader
from annotations.models.drafts import (
    Draft,
    DraftEntry,
    DraftLoss,
    DraftPresence,
    DraftPublication,
    DraftSnapshot,
    DraftTouch,
    OthersSeen,
)
from annotations.models.gold import Gold, GoldFile, GoldOutline, GoldVersion, GoldVersionEntry
from annotations.models.people import Invitation, InvitationUse, Membership, ParticipationRequest, Role, RoleOffer
from annotations.models.storage import Removal, Stored
from annotations.models.streams import Stream, StreamFile
from annotations.models.team import Assignment, DraftTime
from annotations.models.vectors import VectorFile, VectorSet

__all__ = [
    "Adjudication",
    "AdjudicationDecision",
    "AdjudicationStep",
    "Assignment",
    "Challenge",
    "ChallengeResults",
    "Collection",
    "Comment",
    "CommentThread",
    "ComparedDraft",
    "Draft",
    "DraftEntry",
    "DraftLoss",
    "DraftPresence",
    "DraftPublication",
    "DraftSnapshot",
    "DraftTime",
    "DraftTouch",
    "Gold",
    "GoldFile",
    "GoldOutline",
    "GoldVersion",
    "GoldVersionEntry",
    "GuidelinesReader",
    "GuidelinesVersion",
    "Invitation",
    "InvitationUse",
    "Membership",
    "OthersSeen",
    "Page",
    "ParticipationRequest",
    "Query",
    "Quota",
    "Removal",
    "Role",
    "RoleOffer",
    "Stored",
    "Stream",
    "StreamFile",
    "ThreadReader",
    "VectorFile",
    "VectorSet",
]
