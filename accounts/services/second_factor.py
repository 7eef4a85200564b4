"""The second factor: codes that change every half minute (TOTP, RFC 6238), and recovery codes to use instead.

Each code works once. If two requests contain the same code, the database accepts only one of them.
"""

from __future__ import annotations

import base64
import secrets
import time
from urllib.parse import urlsplit

import pyotp
from django.conf import settings
from django.db import transaction
from django.db.models import F

from accounts import mail
from accounts.audit import Kind, log
from accounts.encryption import seal, unseal
from accounts.limits import RECOVERY_CODES
from accounts.models import RecoveryCode, SecondFactor, User
from common.digests import digest

DRIFT = 1
"""By how many steps of 30 seconds a device's clock may be off, either way."""


def is_on(user: User) -> bool:
    """True if signing in to this account needs a code."""
    return SecondFactor.objects.filter(user=user).exists()


def new_secret() -> str:
    """Return 160 random bits in base32, the form of key that authenticator apps expect."""
    return pyotp.random_base32()


def address(user: User, secret: str) -> str:
    """Return the ``otpauth:`` URL for the QR code."""
    site = urlsplit(settings.SITE_ADDRESS).hostname
    return pyotp.TOTP(secret).provisioning_uri(name=user.get_username(), issuer_name=f"QC4 Bench {site}")


def turn_on(user: User, secret: str, code: str) -> list[str] | None:
    """Turn on the second factor. Return None if the code does not match the secret, or if it is on already.

    Other sessions end, because they began without a code.

    Returns:
        The recovery codes, which cannot be retrieved later.
    """
    step = _step_of(secret, code)
    if step is None:
        return None
    with transaction.atomic():
        _, made = SecondFactor.objects.get_or_create(user=user, defaults={"sealed": seal(secret), "last_step": step})
        if not made:
            return None
        User.objects.filter(pk=user.pk).update(endings=F("endings") + 1)
        user.refresh_from_db(fields=["endings"])
        log(Kind.SECOND_FACTOR_ON, account=user)
        _tell(user, "was turned on: signing in takes a code of your device now")
        return _new_codes(user)


def renew_codes(user: User) -> list[str]:
    """Return new recovery codes. The previous ones stop working."""
    with transaction.atomic():
        log(Kind.RECOVERY_CODES_MADE, account=user)
        _tell(user, "has new recovery codes: those from before work no more")
        return _new_codes(user)


def turn_off(user: User, *, by_operator: bool = False) -> bool:
    """Turn off the second factor. Return False if it was not on."""
    with transaction.atomic():
        if not SecondFactor.objects.filter(user=user).delete()[0]:
            return False
        user.recovery_codes.all().delete()
        log(Kind.SECOND_FACTOR_OFF, account=user, about="by the operator" if by_operator else "")
        how = "was removed by who runs the site" if by_operator else "was turned off"
        _tell(user, f"{how}: your password alone signs you in")
    return True


def take_recovery_code(user: User, typed: str) -> bool:
    """Return True and use up the code if this is one of the person's recovery codes."""
    code = _plain(typed)
    if code.isdecimal():
        return False
    with transaction.atomic():
        if not user.recovery_codes.filter(sha256=digest(code)).delete()[0]:
            return False
        left = user.recovery_codes.count()
        log(Kind.RECOVERY_CODE_USED, account=user, about=f"{left} left")
        _tell(user, f"was passed by a recovery code, of which {left} are left")
    return True


def failed(user: User, *, locks: bool) -> None:
    """Log a wrong code that followed the correct password.

    If it locks the account, also notify the person, because somebody else may know their password.
    """
    log(Kind.WRONG_CODE, account=user)
    if locks:
        log(Kind.LOCKED, account=user)
        mail.send(user, "wrong_codes", password_page=mail.link("password-change"))


def take_code(user: User, typed: str) -> bool:
    """Return True and use up the code if the person's device currently shows it."""
    code = _plain(typed)
    if not code.isdecimal():
        return False
    row = SecondFactor.objects.filter(user=user).first()
    step = _step_of(unseal(row.sealed) or "", code) if row else None
    if row is None or step is None:
        return False
    return bool(SecondFactor.objects.filter(pk=row.pk, last_step__lt=step).update(last_step=step))


def _plain(typed: str) -> str:
    return "".join(typed.split()).replace("-", "").lower()


def _step_of(secret: str, code: str) -> int | None:
    """Return the time step that this code belongs to."""
    if not secret:
        return None
    try:
        return pyotp.TOTP(secret).verify_and_get_timecode(code, for_time=time.time(), valid_window=DRIFT)
    except pyotp.OTPVerificationError:
        return None


def _new_codes(user: User) -> list[str]:
    # With 80 random bits, nobody can guess a code from its hash.
    codes = [base64.b32encode(secrets.token_bytes(10)).decode().lower() for _ in range(RECOVERY_CODES)]
    user.recovery_codes.all().delete()
    RecoveryCode.objects.bulk_create([RecoveryCode(user=user, sha256=digest(code)) for code in codes])
    return ["-".join(code[start : start + 4] for start in range(0, len(code), 4)) for code in codes]


def _tell(user: User, change: str) -> None:
    mail.send(user, "second_factor_changed", change=change, account_page=mail.link("account"))
