"""Tables of the curation side."""

from annotations.models.adjudication import Adjudication, AdjudicationDecision, AdjudicationStep, ComparedDraft
from annotations.models.assignments import Assignment
from annotations.models.challenges import Challenge, ChallengeResults
from annotations.models.collections import Collection
from annotations.models.comments import Comment, CommentThread, ThreadReader
from annotations.models.drafts import Draft, DraftEntry, DraftLoss, DraftPresence, DraftSnapshot, DraftTouch
from annotations.models.gold import Gold, GoldFile, GoldOutline, GoldVersion, GoldVersionEntry
from annotations.models.guidelines import GuidelinesReader, GuidelinesVersion
from annotations.models.invitations import Invitation, InvitationUse
from annotations.models.offers import RoleOffer
from annotations.models.participation import ParticipationRequest
from annotations.models.people import Membership, Role
from annotations.models.publications import DraftPublication
from annotations.models.queries import Page, Query
from annotations.models.quotas import Quota
from annotations.models.removals import Removal
from annotations.models.sights import OthersSeen
from annotations.models.stored import Stored
from annotations.models.streams import Stream, StreamFile
from annotations.models.team import DraftTime
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
