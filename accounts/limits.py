"""Limits on what people can submit about their accounts, and on how much of a token is displayed."""

from __future__ import annotations

USERNAME_CHARS = 150
"""As Django's own column has it; others that keep a user name are as wide."""
TOKEN_NAME_CHARS = 80
AUDIT_ABOUT_CHARS = 200
AUDIT_DAYS = 366
"""How long the audit log is kept."""
AUDIT_ROWS = 50
"""Lines of it on a page."""
TOKEN_DAYS = 90
"""How long a token works unless its person chooses otherwise."""
MOST_TOKEN_DAYS = 3650
SHOWN_TOKEN_CHARS = 10
"""How much of a token lists show, so that a person can tell theirs apart: the prefix and 6 of 43 characters."""
NOTE_CHARS = 200
"""For whom the operator made a link to sign up."""
SIGN_UP_LINK_DAYS = 14
MOST_SIGN_UP_LINK_DAYS = 365
MOST_SIGN_UP_LINK_USES = 1_000
CONFIRM_DAYS = 7
"""How long a link that confirms an e-mail address works."""
RECOVERY_CODES = 10
"""How many there are at first."""
CODE_MINUTES = 10
"""How long after the right password the code of the second factor may be given."""
REASON_CHARS = 500
"""Why an administrator did something."""
