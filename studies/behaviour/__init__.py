"""The behaviour study: how measures behave on small cases with a known correct order.

Source: Crabtree, Andreae & Gao, PAKDD 2007, section 4.1 and Table 1; Amigó, Gonzalo, Artiles & Verdejo, Information
Retrieval 12 (2009), section 3. The groups come from these papers; the cases are this project's own.
"""

from studies.behaviour.case import StudyCase, StudyClustering, StudyGroup
from studies.behaviour.cases import GROUPS
from studies.behaviour.column import StudyColumn, StudyPart, StudySide, catalogue_columns, paper_columns
from studies.behaviour.result import CaseResult, StudyCell, StudyResult, Verdict
from studies.behaviour.study import run_study, stored_study

__all__ = [
    "GROUPS",
    "CaseResult",
    "StudyCase",
    "StudyCell",
    "StudyClustering",
    "StudyColumn",
    "StudyGroup",
    "StudyPart",
    "StudyResult",
    "StudySide",
    "Verdict",
    "catalogue_columns",
    "paper_columns",
    "run_study",
    "stored_study",
]
