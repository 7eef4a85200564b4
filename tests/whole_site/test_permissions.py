"""THE permission table: every address of the site, for every role and method, allowed and denied.

One line per address and method in `TABLE`. An address without a line fails `test_every_address_has_a_line`; a method
without a line must be refused to everybody. To add an address: add a line, and where a good request needs a body, an
entry in `BODIES`.

The people: ``anon`` (not signed in), ``outs`` (signed in, no role here), and by their roles ``read``, ``subm``,
``cura``, ``adju``, ``ownr``. The first seven columns are for a private collection. The last two are what a public one
changes: there anybody may read; for its members everything is as in a private one. Submitting is on request, and the
outsider has asked; `OPENED` says what changes where anybody may submit.

An address about a submission or a run says which after a colon: ``published`` is the owner's published submission (its
run is done), ``private`` the submitter's unpublished one (its run waits). One about a draft says ``shared`` or ``own``,
the curator's, which is open and so blind to everybody else; one about comments ``lead``, too: a question to the lead
in that draft.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
import yaml
from django.conf import settings
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.test.client import ClientHandler
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from pytest_django import DjangoDbBlocker

from accounts.models import User
from accounts.scopes import Scope
from accounts.services import tokens
from annotations.adjudication import services as adjudication
from annotations.collections import streams as stored_streams
from annotations.collections.selectors import page_list_document
from annotations.discussion import services as comments
from annotations.drafts import services as drafts
from annotations.drafts.access import reach_draft
from annotations.drafts.state_machine import from_document
from annotations.guidelines import services as guidelines
from annotations.imports.services import import_documents
from annotations.models import Challenge, ChallengeResults, Collection, Draft, Membership, Query, Role
from annotations.people.services import invitations, offers
from common.routes import declared
from evaluation.challenges.final_results import compute_results
from evaluation.models import Algorithm, Run, StreamSubmission, Submission
from evaluation.runs.execution import run_here
from evaluation.streams import services as streams
from evaluation.submissions.services import Provenance
from evaluation.vectors import services as vectors
from qc4.io import write_gold, write_submission
from qc4.model.gold_document import Topic
from qc4.model.rules import prepare
from qc4.scoring.calibration import LEAST_DRAWS
from tests.paths import DOCS
from tests.profiles import is_whole, thorough
from tests.samples import streams as stream_samples
from tests.samples.documents import GOOD_ANSWER, PASSWORD, mercury, saturn, submission_document
from tests.samples.submissions import hand_in

ROLES = ("anonymous", "outsider", "reader", "submitter", "curator", "adjudicator", "owner")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

TABLE = """
#                                      private collection                    public
# method  address                      anon outs read subm cura adju ownr    anon outs

# --- API: anybody
GET       api:root                     200  200  200  200  200  200  200     200  200
GET       api:schema                   200  200  200  200  200  200  200     200  200
GET       api:docs                     200  200  200  200  200  200  200     200  200
GET       api:measures                 200  200  200  200  200  200  200     200  200
GET       api:measure                  200  200  200  200  200  200  200     200  200
GET       api:study                    200  200  200  200  200  200  200     200  200
GET       api:unknown                  404  404  404  404  404  404  404     404  404
POST      api:unknown                  404  404  404  404  404  404  404     404  404
PUT       api:unknown                  404  404  404  404  404  404  404     404  404
PATCH     api:unknown                  404  404  404  404  404  404  404     404  404
DELETE    api:unknown                  404  404  404  404  404  404  404     404  404

# --- API: collections
GET       api:collections              200  200  200  200  200  200  200     200  200
POST      api:collections              401  202  202  202  202  202  202     401  202
GET       api:collection               404  404  200  200  200  200  200     200  200
PATCH     api:collection               404  404  403  403  403  403  200     401  403
GET       api:algorithms               404  404  200  200  200  200  200     200  200
GET       api:queries                  404  404  200  200  200  200  200     200  200
GET       api:query                    404  404  200  200  200  200  200     200  200
GET       api:gold-versions            404  404  200  200  200  200  200     200  200
POST      api:gold-versions            404  404  403  403  403  200  200     401  403
GET       api:gold-version             404  404  200  200  200  200  200     200  200
GET       api:gold                     404  404  200  200  200  200  200     200  200
GET       api:submissions              404  404  200  200  200  200  200     200  200
POST      api:submissions              404  404  403  201  403  403  201     401  403
POST      api:submission-check         404  404  403  200  403  403  200     401  403
POST      api:baselines                404  404  403  202  403  403  202     401  403
POST      api:evaluations              404  404  403  202  403  403  202     401  403
POST      api:sweeps                   404  404  403  202  403  403  202     401  403
GET       api:model-selection          404  404  200  200  200  200  200     200  200
GET       api:vectors                  404  404  200  200  200  200  200     200  200
POST      api:vectors                  404  404  403  403  202  202  202     401  403
POST      api:vectors-from-text        404  404  403  403  202  202  202     401  403
GET       api:query-vectors            404  404  200  200  200  200  200     200  200
PUT       api:query-vectors            404  404  403  403  200  200  200     401  403
GET       api:streams                  404  404  200  200  200  200  200     200  200
POST      api:streams                  404  404  403  403  201  201  201     401  403
GET       api:stream                   404  404  200  200  200  200  200     200  200
DELETE    api:stream                   404  404  403  403  403  403  204     401  403
GET       api:stream-series            404  404  200  200  200  200  200     200  200
POST      api:stream-baselines         404  404  403  202  403  403  202     401  403
GET       api:stream-submissions       404  404  200  200  200  200  200     200  200
POST      api:stream-submissions       404  404  403  201  403  403  201     401  403
GET       api:scores                   404  404  200  200  200  200  200     200  200
GET       api:heat-map                 404  404  200  200  200  200  200     200  200
GET       api:trade-off                404  404  200  200  200  200  200     200  200
GET       api:leaderboard              404  404  200  200  200  200  200     200  200
GET       api:compare                  404  404  200  200  200  200  200     200  200
GET       api:measures-compared        404  404  200  200  200  200  200     200  200
GET       api:robustness               404  404  200  200  200  200  200     200  200
GET       api:topic-coverage           404  404  200  200  200  200  200     200  200
GET       api:gold-ranks               404  404  200  200  200  200  200     200  200
GET       api:challenge                404  404  200  200  200  200  200     200  200
PUT       api:challenge                404  404  403  403  403  403  200     401  403
DELETE    api:challenge                404  404  403  403  403  403  204     401  403
GET       api:guidelines               404  404  200  200  200  200  200     200  200
GET       api:guidelines-changes       404  404  200  200  200  200  200     200  200
POST      api:guidelines-changes       404  404  204  204  204  204  204     401  204
GET       api:assignments              404  404  403  403  200  200  200     401  403
POST      api:assignments              404  404  403  403  403  200  200     401  403
PATCH     api:assignments              404  404  403  403  403  200  200     401  403
GET       api:team                     404  404  403  403  200  200  200     401  403
GET       api:dependent-pairs          404  404  403  403  200  200  200     401  403
GET       api:curation                 404  404  403  403  200  200  200     401  403
GET       api:invitations              404  404  403  403  403  403  200     401  403
POST      api:invitations              404  404  403  403  403  403  201     401  403
DELETE    api:invitation               404  404  403  403  403  403  204     401  403
GET       api:requests                 404  404  403  403  403  403  200     401  403
POST      api:requests                 404  404  201  400  201  201  400     401  400
POST      api:request-answer           404  404  403  403  403  403  200     401  403
GET       api:offers                   404  404  403  403  403  403  200     401  403
POST      api:offers                   404  404  403  403  403  403  201     401  403
DELETE    api:offer                    404  404  403  403  403  403  204     401  403
GET       api:own-offers               401  200  200  200  200  200  200     401  200
POST      api:offer-answer             401  200  404  404  404  404  404     401  200
GET       api:own-requests             401  200  200  200  200  200  200     401  200
DELETE    api:own-request              401  204  404  404  404  404  404     401  204
GET       api:notices                  401  200  200  200  200  200  200     401  200
PATCH     api:notices                  401  200  200  200  200  200  200     401  200
GET       api:account-log              401  200  200  200  200  200  200     401  200
GET       api:collection-log           404  404  403  403  403  403  200     401  403
GET       api:own-storage              401  200  200  200  200  200  200     401  200
GET       api:collection-storage       404  404  403  403  403  403  200     401  403
GET       api:tokens                   401  200  200  200  200  200  200     401  200
POST      api:tokens                   401  201  201  201  201  201  201     401  201
DELETE    api:token                    401  404  404  404  404  404  204     401  404

# --- API: drafts
GET       api:drafts                   404  404  403  403  200  200  200     401  403
POST      api:drafts                   404  404  403  403  201  201  201     401  403
POST      api:drafts-from-clustering   404  404  403  403  201  201  201     401  403
GET       api:draft:shared             404  404  404  404  200  200  200     404  404
GET       api:draft:own                404  404  404  404  200  404  404     404  404
PATCH     api:draft:shared             404  404  404  404  403  200  200     404  404
PATCH     api:draft:own                404  404  404  404  200  404  404     404  404
DELETE    api:draft:shared             404  404  404  404  403  200  200     404  404
DELETE    api:draft:own                404  404  404  404  200  404  404     404  404
POST      api:draft-restore:shared     404  404  404  404  403  200  200     404  404
POST      api:draft-restore:own        404  404  404  404  200  404  404     404  404
POST      api:draft-submit:shared      404  404  404  404  403  200  200     404  404
POST      api:draft-submit:own         404  404  404  404  200  404  404     404  404
POST      api:draft-reopen:shared      404  404  404  404  403  200  200     404  404
POST      api:draft-reopen:own         404  404  404  404  200  404  404     404  404
POST      api:draft-operations:shared  404  404  404  404  200  200  200     404  404
POST      api:draft-operations:own     404  404  404  404  200  404  404     404  404
GET       api:draft-changes:shared     404  404  404  404  200  200  200     404  404
GET       api:draft-changes:own        404  404  404  404  200  404  404     404  404
POST      api:draft-presence:shared    404  404  404  404  204  204  204     404  404
POST      api:draft-presence:own       404  404  404  404  204  404  404     404  404
GET       api:draft-page:shared        404  404  404  404  200  200  200     404  404
GET       api:draft-page:own           404  404  404  404  200  404  404     404  404
GET       api:draft-losses:shared      404  404  404  404  200  200  200     404  404
GET       api:draft-losses:own         404  404  404  404  200  404  404     404  404
POST      api:draft-losses:shared      404  404  404  404  204  204  204     404  404
POST      api:draft-losses:own         404  404  404  404  204  404  404     404  404
GET       api:draft-pages:shared       404  404  404  404  200  200  200     404  404
GET       api:draft-pages:own          404  404  404  404  200  404  404     404  404
GET       api:draft-history:shared     404  404  404  404  200  200  200     404  404
GET       api:draft-history:own        404  404  404  404  200  404  404     404  404
GET       api:draft-document:shared    404  404  404  404  200  200  200     404  404
GET       api:draft-document:own       404  404  404  404  200  404  404     404  404
GET       api:draft-check:shared       404  404  404  404  200  200  200     404  404
GET       api:draft-check:own          404  404  404  404  200  404  404     404  404
GET       api:draft-predictions:shared 404  404  404  404  200  200  200     404  404
GET       api:draft-predictions:own    404  404  404  404  200  404  404     404  404
GET       api:draft-groups:shared      404  404  404  404  200  200  200     404  404
GET       api:draft-groups:own         404  404  404  404  200  404  404     404  404
POST      api:draft-suggestions:shared 404  404  404  404  200  200  200     404  404
POST      api:draft-suggestions:own    404  404  404  404  200  404  404     404  404
GET       api:draft-threads:shared     404  404  404  404  200  200  200     404  404
GET       api:draft-threads:own        404  404  404  404  200  404  404     404  404
POST      api:draft-threads:shared     404  404  404  404  201  201  201     404  404
POST      api:draft-threads:own        404  404  404  404  201  404  404     404  404
GET       api:draft-people:shared      404  404  404  404  200  200  200     404  404
GET       api:draft-people:own         404  404  404  404  200  404  404     404  404
GET       api:own-threads              401  200  200  200  200  200  200     401  200
GET       api:thread:shared            404  404  404  404  200  200  200     404  404
GET       api:thread:own               404  404  404  404  200  404  404     404  404
GET       api:thread:lead              404  404  404  404  200  200  200     404  404
POST      api:thread:shared            404  404  404  404  201  201  201     404  404
POST      api:thread:own               404  404  404  404  201  404  404     404  404
POST      api:thread:lead              404  404  404  404  201  201  201     404  404
POST      api:thread-resolve:shared    404  404  404  404  200  200  200     404  404
POST      api:thread-resolve:own       404  404  404  404  200  404  404     404  404
POST      api:thread-resolve:lead      404  404  404  404  200  200  200     404  404
POST      api:thread-reopen:shared     404  404  404  404  200  200  200     404  404
POST      api:thread-reopen:own        404  404  404  404  200  404  404     404  404
POST      api:thread-reopen:lead       404  404  404  404  200  200  200     404  404
POST      api:thread-ask-lead:shared   404  404  404  404  200  403  403     404  404
POST      api:thread-ask-lead:own      404  404  404  404  200  404  404     404  404
POST      api:thread-ask-lead:lead     404  404  404  404  200  403  403     404  404
GET       api:thread-people:shared     404  404  404  404  200  200  200     404  404
GET       api:thread-people:own        404  404  404  404  200  404  404     404  404
GET       api:thread-people:lead       404  404  404  404  200  200  200     404  404
POST      api:thread-read:shared       404  404  404  404  200  200  200     404  404
POST      api:thread-read:own          404  404  404  404  200  404  404     404  404
POST      api:thread-read:lead         404  404  404  404  200  200  200     404  404
PATCH     api:comment:shared           404  404  404  404  200  403  403     404  404
PATCH     api:comment:own              404  404  404  404  200  404  404     404  404
PATCH     api:comment:lead             404  404  404  404  200  403  403     404  404
DELETE    api:comment:shared           404  404  404  404  200  403  403     404  404
DELETE    api:comment:own              404  404  404  404  200  404  404     404  404
DELETE    api:comment:lead             404  404  404  404  200  403  403     404  404
POST      api:draft-publish:shared     404  404  404  404  403  200  200     404  404
POST      api:draft-publish:own        404  404  404  404  403  404  404     404  404

# --- API: agreement and adjudication
GET       api:agreement                404  404  403  403  200  200  200     401  403
GET       api:agreement-all            404  404  403  403  200  200  200     401  403
POST      api:adjudications            404  404  403  403  403  201  201     401  403
GET       api:draft-adjudication       404  404  404  404  200  200  200     404  404
POST      api:draft-decisions          404  404  404  404  403  200  200     404  404
POST      api:draft-decisions-several  404  404  404  404  403  200  200     404  404
POST      api:draft-decisions-proposals 404 404  404  404  403  422  422     404  404
POST      api:draft-decisions-undo     404  404  404  404  403  422  422     404  404
POST      api:draft-decisions-redo     404  404  404  404  403  422  422     404  404

# --- API: submissions and runs
GET       api:submission:published     404  404  200  200  200  200  200     200  200
GET       api:submission:private       404  404  404  200  404  404  200     404  404
DELETE    api:submission:published     404  404  403  403  403  403  204     401  403
DELETE    api:submission:private       404  404  404  204  404  404  204     404  404
GET       api:submission-scores:published      404  404  200  200  200  200  200     200  200
GET       api:submission-scores:private        404  404  404  400  404  404  400     404  404
POST      api:submission-evaluations:published  404  404  403  403  403  403  202     401  403
POST      api:submission-evaluations:private    404  404  404  202  404  404  202     404  404
POST      api:submission-publish:published    404  404  403  403  403  403  200     401  403
POST      api:submission-publish:private      404  404  404  200  404  404  200     404  404
POST      api:submission-unpublish:published  404  404  403  403  403  403  200     401  403
POST      api:submission-unpublish:private    404  404  404  200  404  404  200     404  404
GET       api:algorithm:published      404  404  200  200  200  200  200     200  200
GET       api:algorithm:private        404  404  404  200  404  404  200     404  404
PATCH     api:algorithm:published      404  404  403  403  403  403  200     401  403
PATCH     api:algorithm:private        404  404  404  200  404  404  200     404  404
DELETE    api:algorithm:published      404  404  403  403  403  403  204     401  403
DELETE    api:algorithm:private        404  404  404  204  404  404  204     404  404
POST      api:algorithm-merge:published  404  404  403  403  403  403  200     401  403
POST      api:algorithm-merge:private    404  404  404  403  404  404  200     404  404
GET       api:clustering:published     404  404  200  200  200  200  200     200  200
GET       api:clustering:private       404  404  404  200  404  404  200     404  404
GET       api:explain:published        404  404  200  200  200  200  200     200  200
GET       api:explain:private          404  404  404  200  404  404  200     404  404
GET       api:what-if:published        404  404  200  200  200  200  200     200  200
GET       api:what-if:private          404  404  404  200  404  404  200     404  404
GET       api:chance:published         404  404  200  200  200  200  200     200  200
GET       api:chance:private           404  404  404  200  404  404  200     404  404
GET       api:alike:published          404  404  200  200  200  200  200     200  200
GET       api:alike:private            404  404  404  200  404  404  200     404  404
GET       api:matrix:published         404  404  200  200  200  200  200     200  200
GET       api:matrix:private           404  404  404  200  404  404  200     404  404
GET       api:stream-submission:published             404  404  200  200  200  200  200     200  200
GET       api:stream-submission:private               404  404  404  200  404  404  200     404  404
DELETE    api:stream-submission:published     404  404  403  403  403  403  204     401  403
DELETE    api:stream-submission:private       404  404  404  204  404  404  204     404  404
GET       api:stream-submission-file:published        404  404  200  200  200  200  200     200  200
GET       api:stream-submission-file:private          404  404  404  200  404  404  200     404  404
POST      api:stream-submission-measure:published     404  404  403  403  403  403  202     401  403
POST      api:stream-submission-measure:private       404  404  404  202  404  404  202     404  404
POST      api:stream-submission-publish:published     404  404  403  403  403  403  200     401  403
POST      api:stream-submission-publish:private       404  404  404  200  404  404  200     404  404
POST      api:stream-submission-unpublish:published   404  404  403  403  403  403  200     401  403
POST      api:stream-submission-unpublish:private     404  404  404  200  404  404  200     404  404
GET       api:runs                     200  200  200  200  200  200  200     200  200
GET       api:run:published            404  404  200  200  200  200  200     200  200
GET       api:run:private              404  404  404  200  404  404  200     404  404
GET       api:run-events:published     404  404  200  200  200  200  200     200  200
GET       api:run-events:private       404  404  404  200  404  404  200     404  404
POST      api:run-cancel:published     404  404  403  403  403  403  409     401  403
POST      api:run-cancel:private       404  404  404  200  404  404  200     404  404
POST      api:run-rerun:published      404  404  403  403  403  403  201     401  403
POST      api:run-rerun:private        404  404  404  409  404  404  409     404  404

# --- Pages: anybody (302 sends to the sign-in page, or on after success)
GET       collections                  200  200  200  200  200  200  200     200  200
GET       measures                     200  200  200  200  200  200  200     200  200
GET       measure                      200  200  200  200  200  200  200     200  200
GET       measures-bibtex              200  200  200  200  200  200  200     200  200
GET       citation                     200  200  200  200  200  200  200     200  200
GET       study                        200  200  200  200  200  200  200     200  200
GET       study-csv                    200  200  200  200  200  200  200     200  200
GET       study-json                   200  200  200  200  200  200  200     200  200
GET       study-group                  200  200  200  200  200  200  200     200  200
GET       study-case                   200  200  200  200  200  200  200     200  200
GET       docs                         200  200  200  200  200  200  200     200  200
GET       docs-search                  200  200  200  200  200  200  200     200  200
GET       docs-example                 200  200  200  200  200  200  200     200  200
GET       document                     200  200  200  200  200  200  200     200  200
GET       sign-in                      200  302  302  302  302  302  302     200  302
POST      sign-in                      302  302  302  302  302  302  302     302  302
PUT       sign-in                      405  302  302  302  302  302  302     405  302
PATCH     sign-in                      405  302  302  302  302  302  302     405  302
DELETE    sign-in                      405  302  302  302  302  302  302     405  302
GET       sign-in-code                 302  302  302  302  302  302  302     302  302
POST      sign-in-code                 302  302  302  302  302  302  302     302  302
# no provider is named in the settings of the tests
GET       provider                     404  404  404  404  404  404  404     404  404
GET       provider-return              404  404  404  404  404  404  404     404  404
GET       provider-name                404  404  404  404  404  404  404     404  404
POST      provider-name                404  404  404  404  404  404  404     404  404
POST      provider-tie                 302  404  404  404  404  404  404     302  404
POST      provider-untie               302  404  404  404  404  404  404     302  404
POST      sign-out                     302  302  302  302  302  302  302     302  302
GET       sign-up                      200  200  200  200  200  200  200     200  200
POST      sign-up                      302  302  302  302  302  302  302     302  302
GET       sign-up-by-link              200  200  200  200  200  200  200     200  200
POST      sign-up-by-link              302  302  302  302  302  302  302     302  302
GET       password-forgotten           200  200  200  200  200  200  200     200  200
POST      password-forgotten           302  302  302  302  302  302  302     302  302
GET       password-set                 410  410  410  410  410  410  410     410  410
POST      password-set                 410  410  410  410  410  410  410     410  410

# --- Pages: one's own account
GET       account                      302  200  200  200  200  200  200     302  200
GET       account-export               302  200  200  200  200  200  200     302  200
GET       account-delete               302  200  200  200  200  200  200     302  200
POST      account-delete               302  302  302  302  302  302  400     302  302
GET       password-change              302  200  200  200  200  200  200     302  200
POST      password-change              302  302  302  302  302  302  302     302  302
POST      end-everything               302  302  302  302  302  302  302     302  302
GET       second-factor                302  200  200  200  200  200  200     302  200
POST      second-factor                302  400  400  400  400  400  400     302  400
POST      second-factor-codes          302  302  302  302  302  302  302     302  302
POST      second-factor-off            302  302  302  302  302  302  302     302  302
GET       account-log                  302  200  200  200  200  200  200     302  200
GET       storage                      302  200  200  200  200  200  200     302  200
POST      email-change                 302  302  302  302  302  302  302     302  302
POST      email-confirmation           302  302  302  302  302  302  302     302  302
GET       email-confirm                302  410  410  410  410  410  410     302  410
POST      email-confirm                302  410  410  410  410  410  410     302  410
POST      notices-choose               302  302  302  302  302  302  302     302  302
POST      offer-answer                 302  302  404  404  404  404  404     302  302
POST      request-withdraw             302  302  404  404  404  404  404     302  302
POST      token-create                 302  200  200  200  200  200  200     302  200
POST      token-revoke                 302  404  404  404  404  404  302     302  404
GET       import                       302  200  200  200  200  200  200     302  200
POST      import                       302  302  302  302  302  302  302     302  302
GET       runs                         302  200  200  200  200  200  200     302  200
GET       my-submissions               302  200  200  200  200  200  200     302  200
POST      submissions-delete           302  302  302  200  302  302  200     302  302

# --- Pages: a collection
GET       collection                   404  404  200  200  200  200  200     200  200
GET       query                        404  404  200  200  200  200  200     200  200
GET       query-scores                 404  404  286  200  286  286  200     286  286
GET       gold-changes                 404  404  200  200  200  200  200     200  200
GET       gold-download                404  404  200  200  200  200  200     200  200
GET       gold-publish                 302  404  403  403  403  200  200     302  403
POST      gold-publish                 302  404  403  403  403  302  302     302  403
GET       leaderboard                  404  404  200  200  200  200  200     200  200
GET       leaderboard-csv              404  404  200  200  200  200  200     200  200
GET       leaderboard-json             404  404  200  200  200  200  200     200  200
GET       leaderboard-tex              404  404  200  200  200  200  200     200  200
GET       compare                      404  404  200  200  200  200  200     200  200
GET       compare-csv                  404  404  200  200  200  200  200     200  200
GET       compare-json                 404  404  200  200  200  200  200     200  200
GET       compare-tex                  404  404  200  200  200  200  200     200  200
GET       compare-svg                  404  404  200  200  200  200  200     200  200
GET       heat-map                     404  404  200  200  200  200  200     200  200
GET       heat-map-csv                 404  404  200  200  200  200  200     200  200
GET       heat-map-json                404  404  200  200  200  200  200     200  200
GET       heat-map-tex                 404  404  200  200  200  200  200     200  200
GET       heat-map-svg                 404  404  200  200  200  200  200     200  200
GET       measures-compared            404  404  200  200  200  200  200     200  200
GET       measures-compared-csv        404  404  200  200  200  200  200     200  200
GET       measures-compared-json       404  404  200  200  200  200  200     200  200
GET       measures-compared-tex        404  404  200  200  200  200  200     200  200
GET       measures-compared-svg        404  404  400  400  400  400  400     400  400
GET       trade-off                    404  404  200  200  200  200  200     200  200
GET       trade-off-csv                404  404  200  200  200  200  200     200  200
GET       trade-off-json               404  404  200  200  200  200  200     200  200
GET       trade-off-tex                404  404  200  200  200  200  200     200  200
GET       trade-off-svg                404  404  200  200  200  200  200     200  200
GET       robustness                   404  404  200  200  200  200  200     200  200
GET       robustness-csv               404  404  200  200  200  200  200     200  200
GET       robustness-json              404  404  200  200  200  200  200     200  200
GET       robustness-tex               404  404  200  200  200  200  200     200  200
GET       robustness-svg               404  404  400  400  400  400  400     400  400
GET       topic-coverage               404  404  200  200  200  200  200     200  200
GET       topic-coverage-csv           404  404  200  200  200  200  200     200  200
GET       topic-coverage-json          404  404  200  200  200  200  200     200  200
GET       topic-coverage-tex           404  404  200  200  200  200  200     200  200
GET       topic-coverage-svg           404  404  200  200  200  200  200     200  200
GET       gold-ranks                   404  404  200  200  200  200  200     200  200
GET       gold-ranks-csv               404  404  200  200  200  200  200     200  200
GET       gold-ranks-json              404  404  200  200  200  200  200     200  200
GET       gold-ranks-tex               404  404  200  200  200  200  200     200  200
GET       gold-ranks-svg               404  404  200  200  200  200  200     200  200
GET       model-selection              404  404  200  200  200  200  200     200  200
GET       model-selection-csv          404  404  200  200  200  200  200     200  200
GET       model-selection-json         404  404  200  200  200  200  200     200  200
GET       score-progress               404  404  200  200  200  200  200     200  200
POST      score                        302  404  403  302  403  403  302     302  403
POST      sweeps                       302  404  403  302  403  403  302     302  403
GET       submit                       302  404  403  200  403  403  200     302  403
POST      submit                       302  404  403  200  403  403  200     302  403
GET       pages-csv                    404  404  200  200  200  200  200     200  200
GET       example-submission           302  404  200  200  200  200  200     302  200
GET       take-part                    404  404  200  200  200  200  200     200  200
POST      take-part                    404  404  302  302  302  302  302     302  302
POST      submit-confirm               302  404  403  302  403  403  302     302  403
POST      submit-reread                302  404  403  302  403  403  302     302  403
POST      baselines                    302  404  403  302  403  403  302     302  403
POST      vectors-upload               302  404  403  403  302  302  302     302  403
POST      vectors-from-text            302  404  403  403  302  302  302     302  403
GET       streams                      404  404  200  200  200  200  200     200  200
POST      streams                      302  404  403  403  302  302  302     302  403
GET       stream                       404  404  200  200  200  200  200     200  200
GET       stream-csv                   404  404  200  200  200  200  200     200  200
GET       stream-json                  404  404  200  200  200  200  200     200  200
GET       stream-download              404  404  200  200  200  200  200     200  200
GET       stream-submit                302  404  403  200  403  403  200     302  403
POST      stream-submit                302  404  403  302  403  403  302     302  403
POST      stream-baselines             302  404  403  302  403  403  302     302  403
POST      stream-delete                302  404  403  403  403  403  302     302  403
GET       challenge                    404  404  200  200  200  200  200     200  200
GET       challenge-csv                404  404  200  200  200  200  200     200  200
GET       challenge-settings           302  404  403  403  403  403  200     302  403
POST      challenge-settings           302  404  403  403  403  403  302     302  403
POST      challenge-remove             302  404  403  403  403  403  302     302  403
GET       collection-settings          302  404  403  403  403  403  200     302  403
POST      collection-settings          302  404  403  403  403  403  302     302  403
POST      collection-delete            302  404  403  403  403  403  302     302  403
GET       people                       302  404  403  403  403  403  200     302  403
POST      people                       302  404  403  403  403  403  302     302  403
GET       people-log                   302  404  403  403  403  403  200     302  403
POST      person-remove                302  404  403  403  403  403  302     302  403
POST      request-answer               302  404  403  403  403  403  302     302  403
POST      offer-withdraw               302  404  403  403  403  403  302     302  403
POST      invitation-create            302  404  403  403  403  403  200     302  403
POST      invitation-revoke            302  404  403  403  403  403  302     302  403
GET       invitation                   302  200  200  200  200  200  200     302  200
POST      invitation                   302  302  302  302  302  302  302     302  302
GET       guidelines                   404  404  200  200  200  200  200     200  200
GET       guidelines-edit              302  404  403  403  403  200  200     302  403
POST      guidelines-edit              302  404  403  403  403  302  302     302  403
GET       curate                       302  404  403  403  200  200  200     302  403
GET       team                         302  404  403  403  200  200  200     302  403
POST      assign                       302  404  403  403  403  302  302     302  403

# --- Pages: drafts
GET       comments                     302  200  200  200  200  200  200     302  200
GET       drafts                       302  404  403  403  200  200  200     302  403
POST      drafts                       302  404  403  403  302  302  302     302  403
POST      draft-start                  302  404  403  403  302  302  302     302  403
GET       draft:shared                 302  404  404  404  200  200  200     302  404
GET       draft:own                    302  404  404  404  200  404  404     302  404
POST      draft-submit:shared          302  404  404  404  403  302  302     302  404
POST      draft-submit:own             302  404  404  404  302  404  404     302  404
POST      draft-reopen:shared          302  404  404  404  403  302  302     302  404
POST      draft-reopen:own             302  404  404  404  302  404  404     302  404
POST      draft-archive:shared         302  404  404  404  403  302  302     302  404
POST      draft-archive:own            302  404  404  404  302  404  404     302  404
POST      draft-restore:shared         302  404  404  404  403  302  302     302  404
POST      draft-restore:own            302  404  404  404  302  404  404     302  404
GET       draft-publish:shared         302  404  404  404  403  200  200     302  404
GET       draft-publish:own            302  404  404  404  403  404  404     302  404
POST      draft-publish:shared         302  404  404  404  403  409  409     302  404
POST      draft-publish:own            302  404  404  404  403  404  404     302  404
GET       agreement                    302  404  403  403  200  200  200     302  403
GET       agreement-csv                302  404  403  403  200  200  200     302  403
GET       agreement-json               302  404  403  403  200  200  200     302  403
POST      adjudication-start           302  404  403  403  403  302  302     302  403
GET       adjudicate                   302  404  404  404  200  200  200     302  404
POST      adjudicate                   302  404  404  404  403  302  302     302  404

# --- Pages: submissions and runs
GET       submission:published         404  404  200  200  200  200  200     200  200
GET       submission:private           404  404  404  200  404  404  200     404  404
GET       submission-download:published       404  404  200  200  200  200  200     200  200
GET       submission-download:private         404  404  404  200  404  404  200     404  404
GET       submission-compared:published       404  404  302  302  302  302  302     302  302
GET       submission-compared:private         404  404  404  302  404  404  302     404  404
GET       submission-scores-csv:published     404  404  200  200  200  200  200     200  200
GET       submission-scores-csv:private       404  404  404  400  404  404  400     404  404
POST      submission-score:published          302  404  403  403  403  403  302     302  403
POST      submission-score:private            302  404  404  302  404  404  302     302  404
POST      submission-publish:published        302  404  403  403  403  403  302     302  403
POST      submission-publish:private          302  404  404  302  404  404  302     302  404
POST      submission-unpublish:published      302  404  403  403  403  403  302     302  403
POST      submission-unpublish:private        302  404  404  302  404  404  302     302  404
POST      submission-delete:published         302  404  403  403  403  403  302     302  403
POST      submission-delete:private           302  404  404  302  404  404  302     302  404
GET       algorithm:published          404  404  200  200  200  200  200     200  200
GET       algorithm:private            404  404  404  200  404  404  200     404  404
GET       algorithm-edit:published     302  404  403  403  403  403  200     302  403
GET       algorithm-edit:private       302  404  404  200  404  404  200     302  404
POST      algorithm-edit:published     302  404  403  403  403  403  302     302  403
POST      algorithm-edit:private       302  404  404  302  404  404  302     302  404
POST      algorithm-counts:published   302  404  403  403  403  403  302     302  403
POST      algorithm-counts:private     302  404  404  302  404  404  302     302  404
GET       algorithm-merge:published    302  404  403  403  403  403  200     302  403
GET       algorithm-merge:private      302  404  404  200  404  404  200     302  404
POST      algorithm-merge:published    302  404  403  403  403  403  302     302  403
POST      algorithm-merge:private      302  404  404  400  404  404  302     302  404
GET       algorithm-delete:published   302  404  403  403  403  403  200     302  403
GET       algorithm-delete:private     302  404  404  200  404  404  200     302  404
POST      algorithm-delete:published   302  404  403  403  403  403  302     302  403
POST      algorithm-delete:private     302  404  404  302  404  404  302     302  404
GET       why:published                404  404  200  200  200  200  200     200  200
GET       why:private                  404  404  404  200  404  404  200     404  404
GET       stream-submission:published              404  404  200  200  200  200  200     200  200
GET       stream-submission:private                404  404  404  200  404  404  200     404  404
GET       stream-submission-download:published     404  404  200  200  200  200  200     200  200
GET       stream-submission-download:private       404  404  404  200  404  404  200     404  404
POST      stream-submission-measure:published      302  404  403  403  403  403  302     302  403
POST      stream-submission-measure:private        302  404  404  302  404  404  302     302  404
POST      stream-submission-publish:published      302  404  403  403  403  403  302     302  403
POST      stream-submission-publish:private        302  404  404  302  404  404  302     302  404
POST      stream-submission-unpublish:published    302  404  403  403  403  403  302     302  403
POST      stream-submission-unpublish:private      302  404  404  302  404  404  302     302  404
POST      stream-submission-delete:published       302  404  403  403  403  403  302     302  403
POST      stream-submission-delete:private         302  404  404  302  404  404  302     302  404
GET       run:published                404  404  200  200  200  200  200     200  200
GET       run:private                  404  404  404  200  404  404  200     404  404
GET       run-live:published           404  404  286  286  286  286  286     286  286
GET       run-live:private             404  404  404  200  404  404  200     404  404
POST      run-cancel:published         302  404  403  403  403  403  302     302  403
POST      run-cancel:private           302  404  404  302  404  404  302     302  404
POST      run-rerun:published          302  404  403  403  403  403  302     302  403

# --- The administration: nobody here may use it
GET       admin:index                    302  404  404  404  404  404  404     302  404
GET       admin:jsi18n                   302  404  404  404  404  404  404     302  404
GET       admin:app_list                 302  404  404  404  404  404  404     302  404
GET       admin:accounts_user_changelist 302  404  404  404  404  404  404     302  404
GET       admin:accounts_user_change     302  404  404  404  404  404  404     302  404
GET       admin:accounts_user_suspend    302  404  404  404  404  404  404     302  404
POST      admin:accounts_user_suspend    302  404  404  404  404  404  404     302  404
GET       admin:accounts_user_quota      302  404  404  404  404  404  404     302  404
POST      admin:accounts_user_quota      302  404  404  404  404  404  404     302  404
GET       admin:accounts_user_restore    302  404  404  404  404  404  404     302  404
POST      admin:accounts_user_restore    302  404  404  404  404  404  404     302  404
GET       admin:accounts_auditentry_changelist 302  404  404  404  404  404  404     302  404
GET       admin:accounts_auditentry_change 302  404  404  404  404  404  404     302  404
GET       admin:annotations_collection_changelist 302  404  404  404  404  404  404     302  404
GET       admin:annotations_collection_change 302  404  404  404  404  404  404     302  404
GET       admin:annotations_collection_hide 302  404  404  404  404  404  404     302  404
POST      admin:annotations_collection_hide 302  404  404  404  404  404  404     302  404
GET       admin:annotations_collection_unhide 302  404  404  404  404  404  404     302  404
POST      admin:annotations_collection_unhide 302  404  404  404  404  404  404     302  404
GET       admin:annotations_collection_quota 302  404  404  404  404  404  404     302  404
POST      admin:annotations_collection_quota 302  404  404  404  404  404  404     302  404
GET       admin:annotations_collection_purge 302  404  404  404  404  404  404     302  404
POST      admin:annotations_collection_purge 302  404  404  404  404  404  404     302  404
GET       admin:evaluation_run_changelist 302  404  404  404  404  404  404     302  404
GET       admin:evaluation_run_change    302  404  404  404  404  404  404     302  404
GET       admin:evaluation_run_cancel    302  404  404  404  404  404  404     302  404
POST      admin:evaluation_run_cancel    302  404  404  404  404  404  404     302  404
"""

HIDDEN = """
#                                      private collection                    public
# method  address                      anon outs read subm cura adju ownr    anon outs
GET       api:gold                     404  404  403  403  200  200  200     401  403
GET       api:gold-version             404  404  200  200  200  200  200     200  200
GET       api:explain:published        404  404  404  404  200  200  200     404  404
GET       api:explain:private          404  404  404  403  404  404  200     404  404
GET       api:what-if:published        404  404  404  404  200  200  200     404  404
GET       api:what-if:private          404  404  404  403  404  404  200     404  404
GET       api:chance:published         404  404  404  404  200  200  200     404  404
GET       api:chance:private           404  404  404  403  404  404  200     404  404
GET       api:matrix:published         404  404  404  404  200  200  200     404  404
GET       api:matrix:private           404  404  404  403  404  404  200     404  404
GET       api:alike:published          404  404  404  404  200  200  200     404  404
GET       api:alike:private            404  404  404  404  404  404  200     404  404
GET       api:clustering:published     404  404  404  404  200  200  200     404  404
GET       api:clustering:private       404  404  404  200  404  404  200     404  404
GET       why:published                404  404  404  404  200  200  200     404  404
GET       why:private                  404  404  404  403  404  404  200     404  404
POST      api:baselines                404  404  403  403  403  403  202     401  403
POST      api:sweeps                   404  404  403  403  403  403  202     401  403
POST      baselines                    302  404  403  403  403  403  302     302  403
POST      sweeps                       302  404  403  403  403  403  302     302  403
GET       api:stream                   404  404  403  403  200  200  200     401  403
GET       api:stream-series            404  404  403  403  200  200  200     401  403
GET       api:stream-submissions       404  404  403  403  200  200  200     401  403
POST      api:stream-submissions       404  404  403  403  403  403  201     401  403
GET       api:stream-submission:published         404  404  404  404  200  200  200     404  404
GET       api:stream-submission-file:published    404  404  404  404  200  200  200     404  404
GET       stream                       404  404  403  403  200  200  200     403  403
GET       stream-csv                   404  404  403  403  200  200  200     403  403
GET       stream-json                  404  404  403  403  200  200  200     403  403
GET       stream-download              404  404  403  403  200  200  200     403  403
GET       stream-submit                302  404  403  403  403  403  200     302  403
POST      stream-submit                302  404  403  403  403  403  302     302  403
POST      stream-baselines             302  404  403  403  403  403  302     302  403
POST      api:stream-baselines         404  404  403  403  403  403  202     401  403
POST      api:stream-submission-measure:private   404  404  404  404  404  404  202     404  404
GET       stream-submission:published             404  404  404  404  200  200  200     404  404
GET       stream-submission-download:published    404  404  404  404  200  200  200     404  404
"""
"""What is another in a challenge that hides the gold standard of the query these addresses are about. Everything else
stays as in `TABLE`. `test_hidden_gold.py` checks that no response reveals anything of hidden gold standards."""

OF_THE_SITE = {
    *("api:root", "api:schema", "api:docs", "api:measures", "api:measure", "api:study", "sign-up", "import"),
    *("sign-up-by-link", "password-forgotten", "password-set"),
    *("measures", "measure", "measures-bibtex", "citation", "docs", "docs-search", "docs-example", "document"),
    *("study", "study-csv", "study-json", "study-group", "study-case"),
}
"""What comes with the site and not from the database: a collection and who may read it change nothing about it."""

ENDS = ("anonymous", "outsider", "reader", "owner")
"""Strangers, and of the members those who may least and most: they alone look again at what every member was shown in
the private collection, and at what comes with the site. To make pages takes most of the time. Whatever changes
something is asked by everybody in both."""

KINDS = (":published", ":private", ":shared", ":own", ":lead")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: role -> expected status, in a private and in a public collection."""

    method: str
    name: str
    which: str
    private: Mapping[str, int]
    public: Mapping[str, int]

    def __str__(self) -> str:
        return f"{self.method} {self.name}{':' if self.which else ''}{self.which}"


def lines(table: str = TABLE) -> Iterator[Line]:
    for text in table.splitlines():
        if not text.strip() or text.startswith("#"):
            continue
        method, address, *statuses = text.split()
        assert len(statuses) == len(ROLES) + 2, f"this line needs {len(ROLES) + 2} statuses: {text}"
        codes = [int(status) for status in statuses]
        private = dict(zip(ROLES, codes, strict=False))
        public = private | {"anonymous": codes[-2], "outsider": codes[-1]}
        name, _, which = address.rpartition(":") if address.endswith(KINDS) else (address, "", "")
        yield Line(method, name, which, private, public)


LINES = tuple(lines())


def names(patterns: list[Any] | None = None, namespace: str = "") -> Iterator[str]:
    """The name of every address; an address must have one."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from names(pattern.url_patterns, inner)
        elif isinstance(pattern, URLPattern):
            assert pattern.name, f"the address {pattern.pattern} has no name"
            yield f"{namespace}{pattern.name}"


# --- The world --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class World:
    """A collection, its people, and what they left in it."""

    collection: Collection
    sessions: Mapping[str, str]
    """The session cookie of everybody who is signed in."""
    submissions: Mapping[str, Submission]
    runs: Mapping[str, Run]
    stream_submissions: Mapping[str, StreamSubmission]
    token: int
    invitation: tuple[int, str]
    """Its number and its secret."""
    drafts: Mapping[str, int]
    request: int
    """The outsider's."""
    offer: int
    """To the outsider, of the role of a curator."""
    threads: Mapping[str, tuple[int, int]]
    """Each with its comment, the curator's: in the shared draft, in their own, and in that a question to the lead."""

    def address(self, name: str, which: str) -> str:
        """The address of that name, about things of this world."""
        draft, which = self.drafts.get(which, self.drafts["shared"]), which or "published"
        by_name: dict[str, Any] = {
            "slug": self.collection.slug,
            "key": "aq" if name in {"measure", "api:measure"} else "mercury",
            "number": 1,
            "rest": "nothing",
            "group": "split-cluster",
            "case": "split-all",
            "name": "jaguar.gold.json" if name == "docs-example" else "formats",
            "uidb64": "x",
            "object_id": self.collection.pk,
            "app_label": "accounts",
            "token": "nobody-made-this",
        }
        bare = name.removeprefix("api:")
        submission = self.submissions.get(which, self.submissions["published"])
        by_name["pk"] = self.token if bare.startswith("token") else submission.pk
        if bare.startswith("draft"):
            by_name["pk"] = draft
        if bare in {"adjudicate", "draft-adjudication"} or bare.startswith("draft-decisions"):
            by_name["pk"] = self.drafts["adjudication"]
        if bare.startswith(("agreement", "adjudication")):
            by_name["key"] = "saturn"
        if bare.startswith("stream-submission"):
            by_name["pk"] = self.stream_submissions[which].pk
        if bare.startswith("algorithm"):
            by_name["pk"] = self.submissions[which].algorithm_id if which else 0
        if bare.startswith("run"):
            by_name["pk"] = self.runs[which].pk
        if bare.startswith("invitation"):
            by_name["pk"], by_name["token"] = self.invitation
        if bare.startswith("thread") or bare == "comment":
            by_name["pk"] = self.threads[which if which in self.threads else "shared"][bare == "comment"]
        if bare in {"request-answer", "request-withdraw", "own-request"}:
            by_name["pk"] = self.request
        if bare.startswith("offer"):
            by_name["pk"] = self.offer
        return reverse(name, kwargs={argument: by_name[argument] for argument in arguments(name)})


def arguments(name: str) -> list[str]:
    """The names of the values an address is made of."""
    *namespaces, bare = name.split(":")
    resolver = get_resolver()
    for namespace in namespaces:
        resolver = resolver.namespace_dict[namespace][1]
    return list(resolver.reverse_dict.getlist(bare)[0][0][0][1])


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """The world, made once; it is gone from the database when its tests are over."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield build_world()
        transaction.set_rollback(True)


@pytest.fixture
def world(built: World, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """A private collection; `opened` makes it public. What a test changes is undone when it ends."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield built
        transaction.set_rollback(True)


def _session(person: User) -> str:
    """The cookie of somebody who has signed in."""
    client = Client()
    client.force_login(person, "django.contrib.auth.backends.ModelBackend")
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def build_world() -> World:
    people = {role: User.objects.create_user(role, password=PASSWORD) for role in ROLES if role != "anonymous"}
    owner, submitter = people["owner"], people["submitter"]
    collection = import_documents(
        name="Space and cars", slug="space-and-cars", documents=[mercury(), saturn()], user=owner
    )
    Collection.objects.update(participation=Collection.Participation.REQUEST)
    asked = collection.participation_requests.create(user=people["outsider"])
    for role in set(ROLES) & set(Role.values) - {Role.OWNER}:
        Membership.objects.create(collection=collection, user=people[role], role=role)

    def submit(user: User, algorithm: str, published: bool) -> tuple[Submission, Run]:
        submission, run = hand_in(
            collection,
            submission_document(GOOD_ANSWER),
            user,
            algorithm,
            published=published,
            measures=["aq", "wq", "ac", "wc", "quality", "coverage", "qc4", "qc4_f"],
        )
        assert run is not None
        return submission, run

    def push(user: User, algorithm: str, published: bool) -> StreamSubmission:
        document, clustering = streams.check(stream, stream_samples.clusterings(stream_samples.GOLD), "f", algorithm)
        provenance = Provenance(user, StreamSubmission.Origin.COMMAND, published=published)
        return streams.submit(stream, document, clustering, provenance)[0]

    stream = stored_streams.add_stream(
        collection, stored_streams.read_stream_file(stream_samples.STREAM, "mercury.csv"), owner
    )
    vectors.put(collection.queries.get(key="mercury"), _vectors(), "mercury.csv", None)
    published, done = submit(owner, "Lingo", True)
    run_here(done)
    done.refresh_from_db()
    private, waiting = submit(submitter, "Secret", False)
    guidelines.save_guidelines(collection=collection, text="Decide alike.", base=0, user=owner)
    invitation, secret = invitations.invite(collection=collection, role=Role.READER, user=owner)
    begun = _drafts(collection.queries.get(key="mercury"))
    return World(
        collection,
        {role: _session(person) for role, person in people.items()},
        {"published": published, "private": private},
        {"published": done, "private": waiting},
        {"published": push(owner, "CluStream", True), "private": push(submitter, "Hidden", False)},
        tokens.create(owner, "nightly")[0].pk,
        (invitation.pk, secret),
        begun | _adjudication(collection.queries.get(key="saturn")),
        asked.pk,
        offers.offer(collection=collection, user=people["outsider"], role=Role.CURATOR, by=owner).pk,
        _threads(begun),
    )


def _drafts(query: Query) -> dict[str, int]:
    """Which draft is which."""
    curator = User.objects.get(username="curator")
    kinds = (Draft.Kind.SHARED, Draft.Kind.OWN)
    return {str(kind): drafts.from_nothing(query=query, user=curator, kind=kind).pk for kind in kinds}


def _threads(begun: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Which thread is which, and its comment."""
    curator = User.objects.get(username="curator")
    found = {}
    for which, draft, to_lead in (("shared", "shared", False), ("own", "own", False), ("lead", "own", True)):
        access = reach_draft(curator, begun[draft])
        said = comments.start(access, uuid4(), "What is this?", about="page", key="p1", to_lead=to_lead)
        found[which] = said.thread.id, said.thread.comments[0].id
    return found


def _adjudication(query: Query) -> dict[str, int]:
    """Two submitted drafts that differ about one topic, and their adjudication."""
    topic = Topic("cars", "Cars", pages=("p1",))
    states = (from_document(replace(page_list_document(query), topics=(topic,))), drafts.empty_state(query))
    owner, adjudicator = (User.objects.get(username=name) for name in ("owner", "adjudicator"))
    facts = {"query": query, "kind": Draft.Kind.OWN, "started_from": {"from": "nothing", "words": "nothing"}}
    people = zip((owner, adjudicator), states, strict=True)
    pair = [drafts.start(user=user, state=state, **facts) for user, state in people]
    for draft in pair:
        drafts.submit(draft)
    return {"adjudication": adjudication.start(query=query, drafts=list(pair), user=adjudicator).pk}


def _pair() -> dict[str, int]:
    """The two submitted drafts, as parameters."""
    found = Draft.objects.filter(query__key="saturn", kind=Draft.Kind.OWN).order_by("pk")[:2]
    return dict(zip(("first", "second"), found.values_list("pk", flat=True), strict=True))


def _other_algorithm() -> int:
    """One that the owner alone may change, and nothing is merged from: the published submission's stream algorithm."""
    return Algorithm.objects.get(name="CluStream").pk


def opened(world: World) -> World:
    """The same world with its collection public."""
    Collection.objects.filter(pk=world.collection.pk).update(visibility=Collection.Visibility.PUBLIC)
    return world


def _answers() -> bytes:
    return write_submission(submission_document(GOOD_ANSWER, "Mine"))


def _gold() -> bytes:
    document = prepare(mercury()).document
    assert document is not None
    return write_gold(document)


def _vectors() -> bytes:
    return b"".join(b"%d,1\n" % number for number in range(len(mercury().pages)))


def _bare(content: bytes) -> dict[str, Any]:
    return {"data": content, "content_type": "application/json"}


STREAM_SETTINGS = {"horizon": "last", "last": "5", "k": "2", "tau": "0.5"}
FIRST_VERSION = {
    **{
        ("GET", f"{name}{kind}"): lambda: {"data": {"gold": "1"}}
        for name in ("measures-compared", "robustness", "topic-coverage")
        for kind in ("", "-csv", "-json", "-tex", "-svg")
    },
    **{
        ("GET", f"api:{name}"): lambda: {"data": {"gold": "1"}}
        for name in ("measures-compared", "robustness", "topic-coverage")
    },
    # There is no version before the first: it is held against itself.
    **{
        ("GET", name): lambda: {"data": {"before": "1"}}
        for name in ("api:gold-ranks", *(f"gold-ranks{kind}" for kind in ("", "-csv", "-json", "-tex", "-svg")))
    },
}
"""The version that everything is scored against, also where there are more (`tests/samples/many_rows.py`)."""
BODIES: dict[tuple[str, str], Callable[[], dict[str, Any]]] = {
    **FIRST_VERSION,
    ("POST", "api:collections"): lambda: {"data": {"name": "New", "file": SimpleUploadedFile("mercury.json", _gold())}},
    ("POST", "api:gold-versions"): lambda: _bare(_gold()),
    ("POST", "api:drafts"): lambda: _bare(b'{"kind": "own", "start": {"from": "gold", "version": 1}}'),
    ("POST", "api:drafts-from-clustering"): lambda: _bare(
        b'{"submission": %d}' % Submission.objects.filter(published=True).earliest("pk").pk
    ),
    ("PATCH", "api:collection"): lambda: _bare(b'{"licence": "CC-BY-4.0", "contact": "us@example.org"}'),
    ("PATCH", "api:algorithm"): lambda: _bare(b'{"description": "It clusters."}'),
    ("POST", "api:algorithm-merge"): lambda: _bare(b'{"into": %d}' % _other_algorithm()),
    ("POST", "algorithm-edit"): lambda: {"data": {"name": "Renamed"}},
    ("POST", "algorithm-counts"): lambda: {"data": {"counts": "best", "counts_by": "qc4_f"}},
    ("POST", "algorithm-merge"): lambda: {"data": {"into": _other_algorithm(), "sure": "on"}},
    ("POST", "submissions-delete"): lambda: {"data": {"all": "1", "collection": "space-and-cars"}},
    ("PATCH", "api:draft"): lambda: _bare(b'{"name": "Another name"}'),
    ("POST", "api:draft-operations"): lambda: _bare(
        b'{"id": "%s", "base": 0, "operations": [{"kind": "flag", "pages": ["p1"]}]}' % str(uuid4()).encode()
    ),
    ("POST", "api:draft-threads"): lambda: _bare(
        b'{"id": "%s", "text": "Hm.", "about": "page", "key": "p1"}' % str(uuid4()).encode()
    ),
    ("POST", "api:thread"): lambda: _bare(b'{"id": "%s", "text": "Hm."}' % str(uuid4()).encode()),
    ("POST", "api:thread-read"): lambda: _bare(b'{"upto": 1}'),
    ("PATCH", "api:comment"): lambda: _bare(b'{"text": "Hm?"}'),
    ("POST", "api:guidelines-changes"): lambda: _bare(b'{"version": 1}'),
    ("POST", "api:draft-suggestions"): lambda: _bare(b"{}"),
    ("POST", "api:draft-presence"): lambda: _bare(b'{"page": "p1"}'),
    ("POST", "api:draft-losses"): lambda: _bare(b'{"revisions": [1]}'),
    ("POST", "api:draft-publish"): lambda: _bare(b'{"revision": 0, "dry_run": true}'),
    # Who may publish is told that the draft is not at that revision.
    ("POST", "draft-publish"): lambda: {"data": {"revision": "999"}},
    ("GET", "api:draft-page"): lambda: {"data": {"key": "p1"}},
    ("POST", "drafts"): lambda: {"data": {"source": "nothing", "kind": "own"}},
    ("POST", "api:submissions"): lambda: _bare(_answers()),
    ("POST", "api:submission-check"): lambda: _bare(_answers()),
    ("POST", "api:baselines"): lambda: _bare(b'{"only": ["singletons"]}'),
    ("POST", "api:evaluations"): lambda: _bare(b'{"overlap": "first"}'),
    ("POST", "api:submission-evaluations"): lambda: _bare(b'{"overlap": "first"}'),
    ("POST", "api:sweeps"): lambda: _bare(b'{"clusters": [2]}'),
    ("POST", "api:vectors-from-text"): lambda: _bare(b'{"components": 2}'),
    ("POST", "api:vectors"): lambda: _bare(_vectors()),
    ("PUT", "api:query-vectors"): lambda: _bare(_vectors()),
    ("POST", "vectors-upload"): lambda: {"data": {"file": SimpleUploadedFile("mercury.csv", _vectors())}},
    ("POST", "vectors-from-text"): lambda: {"data": {"components": "2", "seed": "0"}},
    ("POST", "api:assignments"): lambda: _bare(b'{"curators": ["curator"], "queries": ["mercury"]}'),
    ("PATCH", "api:assignments"): lambda: _bare(b'{"curators": ["curator"], "queries": ["mercury"], "due": null}'),
    ("POST", "api:invitations"): lambda: _bare(b'{"role": "curator"}'),
    ("POST", "api:offers"): lambda: _bare(b'{"username": "outsider", "role": "reader"}'),
    ("POST", "api:offer-answer"): lambda: _bare(b'{"answer": "accept"}'),
    ("POST", "offer-answer"): lambda: {"data": {"answer": "accept"}},
    ("POST", "api:requests"): lambda: _bare(b'{"message": "Please."}'),
    ("POST", "api:request-answer"): lambda: _bare(b'{"answer": "accept"}'),
    ("PATCH", "api:notices"): lambda: _bare(b'{"failed-runs": false}'),
    ("POST", "api:tokens"): lambda: _bare(b'{"name": "nightly"}'),
    ("POST", "api:streams"): lambda: {"data": {"file": SimpleUploadedFile("venus.csv", stream_samples.STREAM)}},
    ("POST", "api:stream-baselines"): lambda: _bare(b'{"only": ["true_clusters"]}'),
    ("POST", "api:stream-submissions"): lambda: _bare(stream_samples.clusterings(stream_samples.GOLD)),
    ("POST", "api:stream-submission-measure"): lambda: _bare(b'{"last": 5}'),
    ("POST", "streams"): lambda: {"data": {"file": SimpleUploadedFile("venus.csv", stream_samples.STREAM)}},
    ("POST", "stream-submit"): lambda: {
        "data": {
            "file": SimpleUploadedFile("mine.json", stream_samples.clusterings(stream_samples.GOLD)),
            **STREAM_SETTINGS,
        }
    },
    ("POST", "stream-submission-measure"): lambda: {"data": STREAM_SETTINGS},
    ("POST", "stream-baselines"): lambda: {
        "data": {f"baselines-{name}": value for name, value in {**STREAM_SETTINGS, "seed": "0"}.items()}
    },
    ("GET", "why"): lambda: {"data": {"cluster": "c1", "foreign": "1"}},
    ("GET", "api:chance"): lambda: {"data": {"draws": str(LEAST_DRAWS)}},
    ("GET", "api:alike"): lambda: {"data": {"against": Submission.objects.filter(published=True).earliest("pk").pk}},
    ("GET", "api:agreement"): lambda: {"data": _pair()},
    ("GET", "api:agreement-all"): lambda: {"data": {"drafts": ",".join(map(str, _pair().values()))}},
    ("POST", "api:adjudications"): lambda: _bare(json.dumps({"drafts": list(_pair().values())}).encode()),
    ("POST", "api:draft-decisions-several"): lambda: _bare(
        b'{"id": "7b0e1b0e-0000-4000-8000-000000000004", "state": "0.0",'
        b' "answers": [{"about": "topic", "key": "cars", "choice": "skip"}]}'
    ),
    ("POST", "api:draft-decisions-proposals"): lambda: _bare(b'{"id": "7b0e1b0e-0000-4000-8000-000000000005"}'),
    ("POST", "api:draft-decisions-redo"): lambda: _bare(b'{"id": "7b0e1b0e-0000-4000-8000-000000000006"}'),
    ("POST", "api:draft-decisions"): lambda: _bare(
        b'{"id": "7b0e1b0e-0000-4000-8000-000000000001", "state": "0.0",'
        b' "about": "topic", "key": "cars", "choice": "skip"}'
    ),
    ("POST", "api:draft-decisions-undo"): lambda: _bare(b'{"id": "7b0e1b0e-0000-4000-8000-000000000002"}'),
    ("GET", "agreement-csv"): lambda: {"data": _pair()},
    ("GET", "agreement-json"): lambda: {"data": _pair()},
    ("POST", "adjudication-start"): lambda: {"data": _pair()},
    ("POST", "adjudicate"): lambda: {
        "data": {
            "op_id": "7b0e1b0e-0000-4000-8000-000000000003",
            "subject": "topic:first:cars",
            "choice": "skip",
            "state": "0.0",
        }
    },
    ("POST", "sign-in"): lambda: {"data": {"username": "reader", "password": PASSWORD}},
    ("POST", "sign-up"): lambda: {"data": {"username": "new", "password1": PASSWORD, "password2": PASSWORD}},
    ("POST", "sign-up-by-link"): lambda: {"data": {"username": "new", "password1": PASSWORD, "password2": PASSWORD}},
    ("POST", "password-forgotten"): lambda: {"data": {"account": "reader"}},
    ("POST", "account-delete"): lambda: {"data": {"password": PASSWORD}},
    ("POST", "password-change"): lambda: {
        "data": {"old_password": PASSWORD, "new_password1": f"{PASSWORD} 2", "new_password2": f"{PASSWORD} 2"}
    },
    ("POST", "email-change"): lambda: {"data": {"email": "", "password": PASSWORD}},
    ("POST", "token-create"): lambda: {"data": {"name": "nightly"}},
    ("POST", "import"): lambda: {
        "data": {"name": "New", "files": SimpleUploadedFile("mercury.json", _gold()), "completion": "strict"}
    },
    ("POST", "gold-publish"): lambda: {
        "data": {"files": SimpleUploadedFile("mercury.json", _gold()), "completion": "strict"}
    },
    ("POST", "submit"): lambda: {"data": {"file": SimpleUploadedFile("answers.json", _answers()), "algorithm": "Mine"}},
    ("POST", "baselines"): lambda: {"data": {"only": "singletons", "seed": "1"}},
    ("POST", "sweeps"): lambda: {
        "data": {"algorithms": "kmeans", "clusters": "2", "initialisations": "1", "seed": "0"}
    },
    ("GET", "challenge"): lambda: _is_challenge(),
    ("GET", "api:challenge"): lambda: _is_challenge(),
    ("GET", "challenge-csv"): lambda: _is_challenge(),
    ("PUT", "api:challenge"): lambda: _bare(b'{"hides": "all", "closes_at": "2100-01-01T00:00:00Z"}'),
    ("POST", "challenge-settings"): lambda: {"data": {"hides": "all", "measure": "qc4_f"}},
    ("POST", "collection-settings"): lambda: {"data": {"name": "Renamed", "visibility": "private"}},
    ("POST", "collection-delete"): lambda: {"data": {"typed": "Space and cars"}},
    ("POST", "people"): lambda: {"data": {"username": "outsider", "role": "reader"}},
    ("POST", "request-answer"): lambda: {"data": {"answer": "decline", "reason": "Full."}},
    ("POST", "invitation-create"): lambda: {"data": {"role": "curator", "days": "14", "most_uses": "1"}},
    ("POST", "guidelines-edit"): lambda: {"data": {"text": "Decide otherwise.", "base": "1"}},
    ("POST", "assign"): lambda: {"data": {"query": "mercury", "curator": "curator"}},
    ("POST", "person-remove"): lambda: {"data": {"username": "reader", "role": "reader"}},
}


def _is_challenge() -> dict[str, Any]:
    """The collection is a challenge that hides nothing, and so changes nothing else; it has results and goes on."""
    collection = Collection.objects.get(slug="space-and-cars")
    nothing = {"hides": Challenge.Hides.NOTHING, "closes_at": datetime(2100, 1, 1, tzinfo=UTC)}
    challenge, is_new = Challenge.objects.get_or_create(collection=collection, defaults=nothing)
    if is_new:
        version = collection.gold_versions.earliest("number")
        content = compute_results(challenge, version, version.published_at)
        ChallengeResults.objects.create(challenge=challenge, content=content)
    return {}


SITE = ClientHandler(enforce_csrf_checks=False)
"""The site's middleware, loaded once: a client of its own for each request would load it each time."""


def browser_of(world: World, role: str) -> Client:
    """A client in which this role is signed in."""
    browser = Client(raise_request_exception=False)
    browser.handler = SITE
    if role in world.sessions:
        browser.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[role]
    return browser


def ask(world: World, role: str, method: str, name: str, which: str = "") -> HttpResponseBase:
    """What this role gets; whatever the request changed is undone."""
    body = BODIES.get((method, name), dict)()
    browser = browser_of(world, role)
    with transaction.atomic():
        response = getattr(browser, method.lower())(world.address(name, which), **body)
        transaction.set_rollback(True)
    return response


# --- The promises -----------------------------------------------------------------------------------------------------


def test_every_address_has_a_line() -> None:
    known = {line.name for line in LINES}
    assert sorted(set(names()) - known) == [], "add a line per method to TABLE in tests/whole_site/test_permissions.py"
    assert sorted(known - set(names())) == [], "these addresses are gone: remove their lines"


def test_no_line_stands_twice() -> None:
    assert len({str(line) for line in LINES}) == len(LINES)


def test_every_role_is_in_the_table() -> None:
    assert set(Role.values) <= set(ROLES)


@pytest.mark.parametrize("line", LINES, ids=str)
def test_permission(world: World, line: Line) -> None:
    """Also: every page, in whatever answer it comes, leads to what explains it; the API answers as its schema says."""

    def answers(roles: Sequence[str]) -> dict[str, int]:
        found = {role: ask(world, role, line.method, line.name, line.which) for role in roles}
        assert is_explained(line.name, found["owner"]), "declare its help with its URL"
        for answer in found.values():
            assert_documented(line, answer)
        return {role: answer.status_code for role, answer in found.items()}

    few = ENDS if line.method == "GET" else ROLES
    asked = at_steps(line.private, few if line.name in OF_THE_SITE else ROLES, ("owner",))
    assert answers(asked) == {role: line.private[role] for role in asked}, "in a private collection"
    if line.name in OF_THE_SITE:
        assert line.public == line.private, "it is about no collection"
        return
    opened(world)
    changed = [role for role in few if line.public[role] != line.private[role]]
    asked = at_steps(line.public, few, ("owner", "outsider", *changed))
    assert answers(asked) == {role: line.public[role] for role in asked}, "in a public collection"


def at_steps(statuses: Mapping[str, int], roles: Sequence[str], always: Sequence[str]) -> list[str]:
    """Of these roles, who is asked: all where nothing is left out of the suite; otherwise those ``always`` asked, and
    whoever gets another answer than the role before or after in the table."""
    if is_whole():
        return list(roles)
    steps = [pair for pair in pairwise(roles) if statuses[pair[0]] != statuses[pair[1]]]
    return [role for role in roles if role in always or any(role in pair for pair in steps)]


def assert_documented(line: Line, answer: HttpResponseBase) -> None:
    """That the API's schema knows this status of this address."""
    if not line.name.startswith("api:"):
        return
    prefix, resolver = get_resolver().namespace_dict["api"]
    (pattern, given), *_ = resolver.reverse_dict.getlist(line.name.removeprefix("api:"))[0][0]
    path = f"/{prefix}{pattern}" % {name: f"{{{'id' if name == 'pk' else name}}}" for name in given}
    operation = schema()["paths"].get(path, {}).get(line.method.lower())
    if operation is not None:
        assert str(answer.status_code) in operation["responses"], "say in `extend_schema` what it answers"


@functools.cache
def schema() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load((DOCS / "api" / "openapi.yaml").read_text(), yaml.CSafeLoader)
    return found


def is_explained(name: str, answer: HttpResponseBase) -> bool:
    """Return True if the page declares what explains it, or if the response is not a page."""
    is_page = answer.status_code == 200 and b"".join(answer)[:15].lower() == b"<!doctype html>"  # files come in pieces
    return bool(name in declared() and declared()[name].help) or not is_page


OPENED = {
    "POST api:submissions": 201,
    "POST api:submission-check": 200,
    "POST api:stream-submissions": 201,
    "GET submit": 200,
    "POST submit": 200,
    "POST submit-confirm": 302,
    "POST submit-reread": 302,
    "GET stream-submit": 200,
    "POST stream-submit": 302,
}
"""What somebody without a role may in a public collection to which anybody may submit; everything else is as before."""


@thorough("every address where anybody may submit")
def test_where_anybody_may_submit_that_is_all_that_changes(world: World) -> None:
    """Of who is not signed in, all that was refused is asked again; of who is, everything."""
    opened(world)
    Collection.objects.filter(pk=world.collection.pk).update(participation=Collection.Participation.ANYBODY)
    assert {str(line) for line in LINES} >= set(OPENED)
    wrong = []
    for line in LINES:
        for role in ("anonymous", "outsider"):
            if role == "anonymous" and line.public[role] == 200:
                continue
            cache.clear()
            status = ask(world, role, line.method, line.name, line.which).status_code
            expected = OPENED.get(str(line), line.public[role]) if role == "outsider" else line.public[role]
            if status != expected:
                wrong.append(f"{line} as {role}: {status}, not {expected}")
    assert wrong == []


def test_a_private_collection_is_for_its_people_whatever_its_setting(world: World) -> None:
    Collection.objects.filter(pk=world.collection.pk).update(participation=Collection.Participation.ANYBODY)
    submitting = [line for line in LINES if str(line) in OPENED]
    assert submitting
    for line in submitting:
        for role in ROLES:
            status = ask(world, role, line.method, line.name, line.which).status_code
            assert status == line.private[role], f"{line} as {role}"


@pytest.mark.parametrize("line", tuple(lines(HIDDEN)), ids=str)
def test_permission_in_a_challenge(world: World, line: Line) -> None:
    Challenge.objects.create(collection=world.collection, hides=Challenge.Hides.ALL)

    def answers() -> dict[str, int]:
        return {role: ask(world, role, line.method, line.name, line.which).status_code for role in ROLES}

    assert answers() == dict(line.private), "in a private collection"
    opened(world)
    assert answers() == dict(line.public), "in a public collection"


@thorough("every address while a board is hidden")
def test_a_hidden_board_names_nobody(world: World) -> None:
    """Until the close no address shows the submitter what others submitted, to queries or to streams."""
    opened(world)
    facts = {"hides": Challenge.Hides.NOTHING, "board_hidden": True}
    Challenge.objects.create(collection=world.collection, **facts)
    named = {line.name: [] for line in LINES if line.method == "GET" and line.name not in OF_THE_SITE}
    for line in LINES:
        if line.method == "GET" and line.name in named:
            answer = ask(world, "submitter", "GET", line.name, line.which)
            if re.search(r"\b(Lingo|CluStream)\b", answer.getvalue().decode(errors="replace")):
                named[line.name].append(line.which)
    assert {name: which for name, which in named.items() if which} == {}


def test_who_left_and_who_curates_elsewhere_are_strangers(world: World) -> None:
    """Neither what somebody made here while they curated, nor a role in another collection, opens anything."""
    opened(world)
    curator, outsider = (User.objects.get(username=name) for name in ("curator", "outsider"))
    Membership.objects.filter(user=curator).delete()
    elsewhere = import_documents(name="Elsewhere", documents=[saturn()], user=outsider, public=True)
    Membership.objects.create(collection=elsewhere, user=outsider, role=Role.CURATOR)
    Challenge.objects.create(collection=elsewhere, hides=Challenge.Hides.NOTHING)
    Challenge.objects.create(collection=world.collection, hides=Challenge.Hides.ALL)
    hidden = {str(line): line for line in lines(HIDDEN)}
    wrong = []
    for line in LINES:
        line = hidden.get(str(line), line)
        if line.name in OF_THE_SITE or line.private["curator"] == line.public["outsider"]:
            continue
        if line.name.endswith(("own-request", "request-withdraw")) or str(line) == "POST api:requests":
            continue  # about what the outsider asked
        if line.name.endswith("offer-answer"):
            continue  # about what the outsider was offered
        for role in ("curator", "outsider"):
            status = ask(world, role, line.method, line.name, line.which).status_code
            if status != line.public["outsider"]:
                wrong.append(f"{line} as former {role}: {status}, not {line.public['outsider']}")
    assert wrong == []


STRANGERS, OWNER = ("anonymous", "outsider"), ("owner",)


@thorough("every method without a line")
@pytest.mark.parametrize(("visibility", "roles"), [("private", OWNER), ("public", STRANGERS)])
def test_methods_without_a_line_are_refused_to_everybody(world: World, visibility: str, roles: tuple[str, ...]) -> None:
    """Each is asked where they may do most: strangers where everybody may read, the owner, who may the same in both,
    in the private one."""
    if visibility == "public":
        opened(world)
    lined = {(line.method, line.name) for line in LINES}
    wrong = []
    for name in {line.name for line in LINES}:
        for method in METHODS:
            for role in roles if (method, name) not in lined else ():
                status = ask(world, role, method, name).status_code
                # The administration is not there at all for who may not use it.
                refused = 404 if name.startswith("admin:") else 405
                if status != refused and (role == "owner" or status not in {302, 401, 403, 404}):
                    wrong.append(f"{method} {name} as {role}: {status}")
    assert wrong == []


# --- Tokens -----------------------------------------------------------------------------------------------------------

OF_THE_API = {
    (line.method, line.name): line
    for line in reversed(LINES)
    if line.name.startswith("api:") and line.name != "api:unknown"
}
"""One line for each address and method: scopes know no more."""
WRITING = [line for line in OF_THE_API.values() if line.method != "GET"]


def ask_by_token(world: World, secret: str, line: Line, body: dict[str, Any] | None = None) -> HttpResponseBase:
    """As `ask`, by a program."""
    browser = Client(raise_request_exception=False, headers={"authorization": f"Bearer {secret}"})
    browser.handler = SITE
    with transaction.atomic():
        body = BODIES.get((line.method, line.name), dict)() if body is None else body
        response = getattr(browser, line.method.lower())(world.address(line.name, line.which), **body)
        transaction.set_rollback(True)
    return response


def allowed_role(line: Line) -> str:
    """Somebody who may do this; the owner where nobody may now."""
    return next((role for role in ROLES[1:] if line.private[role] < 300), "owner")


def token_of(role: str, *scopes: str) -> str:
    return tokens.create(User.objects.get(username=role), "a script", scopes)[1]


def test_a_scope_opens_what_it_says_and_nothing_else(world: World) -> None:
    """Whatever its person may, a token that may read is refused wherever something changes, by the name of one scope.
    All others together are refused, too, and that one alone is enough."""
    wrong = []
    for line in WRITING:
        cache.clear()
        role = allowed_role(line)
        refused = ask_by_token(world, token_of(role), line)
        refusal = json.loads(refused.content)["error"]
        scope = refusal.get("scope")
        others = ask_by_token(world, token_of(role, *(set(Scope) - {scope})), line)
        statuses = [refused.status_code, others.status_code]
        if declared()[line.name].person_only:
            statuses.append(ask_by_token(world, token_of(role, *Scope), line).status_code)
            expected = [403, 403, 403]
        else:
            assert (refusal["code"], f"“{scope}”" in refusal["sentence"]) == ("scope-missing", True), line
            statuses.append(ask_by_token(world, token_of(role, scope), line).status_code)
            expected = [403, 403, line.private[role]]
        if statuses != expected:
            wrong.append(f"{line} by {role} with {scope}: {statuses}, not {expected}")
    assert wrong == []


def test_every_address_that_changes_something_says_its_scope() -> None:
    """One that is forgotten would need `manage`, whatever it is about."""
    scoped = {name for name, endpoint in declared().items() if endpoint.scope or endpoint.person_only}
    assert {line.name for line in WRITING} == scoped


def test_no_cache_hands_one_caller_what_another_one_got(world: World) -> None:
    """Every response of the API says so: also errors, unknown addresses, and what a token asks of a page."""
    _, secret = tokens.create(User.objects.get(username="owner"), "nightly")
    bearers = (f"Bearer {secret}", "Bearer qc4_unknown", "")
    asked = {(line.method, world.address(line.name, line.which)) for line in LINES if line.name.startswith("api:")}
    asked |= {("GET", "/api/v1/nothing"), ("GET", "/api/"), ("GET", f"/c/{world.collection.slug}/")}
    for method, address in sorted(asked):
        for bearer in bearers if method == "GET" else bearers[1:]:
            if not bearer and not address.startswith("/api/"):
                continue
            headers = {"Authorization": bearer} if bearer else {}
            answer = Client(raise_request_exception=False).generic(method, address, headers=headers)
            told = f"{method} {address} {bearer} {answer.status_code}"
            assert "authorization" in answer.headers.get("Vary", "").lower(), told
            assert "private" in answer.headers.get("Cache-Control", ""), told
            answer.getvalue()  # reads a file to its end, which closes it without closing the connection of this test
