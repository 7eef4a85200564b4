"""The second factor: codes that change every half minute (TOTP, RFC 6238), and recovery codes in their stead.

Every code is taken once: of two requests that bring the same one, the database lets one through.
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
    """Whether signing in takes a code."""
    return SecondFactor.objects.filter(user=user).exists()


def new_secret() -> str:
    """160 random bits in base32: what an app wants as its key."""
    return pyotp.random_base32()


def address(user: User, secret: str) -> str:
    """The ``otpauth:`` address that a QR code holds."""
    site = urlsplit(settings.SITE_ADDRESS).hostname
    return pyotp.TOTP(secret).provisioning_uri(name=user.get_username(), issuer_name=f"QC4 Bench {site}")


def turn_on(user: User, secret: str, code: str) -> list[str] | None:
    """Ask for codes from now on; None if this is none of the secret's, or it is on already.

    Other sessions end: they began without a code.

    Returns:
        The recovery codes, which are nowhere to be had again.
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
    """Other recovery codes; those from before are worth nothing."""
    with transaction.atomic():
        log(Kind.RECOVERY_CODES_MADE, account=user)
        _tell(user, "has new recovery codes: those from before work no more")
        return _new_codes(user)


def turn_off(user: User, *, by_operator: bool = False) -> bool:
    """Ask for no code any more. Whether there was a second factor."""
    with transaction.atomic():
        if not SecondFactor.objects.filter(user=user).delete()[0]:
            return False
        user.recovery_codes.all().delete()
        log(Kind.SECOND_FACTOR_OFF, account=user, about="by the operator" if by_operator else "")
        how = "was removed by who runs the site" if by_operator else "was turned off"
        _tell(user, f"{how}: your password alone signs you in")
    return True


def take_recovery_code(user: User, typed: str) -> bool:
    """Return True if this is a recovery code of the person, which works no more from now on."""
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
    """Somebody who gave the right password gave a wrong code. Where that locks, the person is told: their password is
    known to somebody."""
    log(Kind.WRONG_CODE, account=user)
    if locks:
        log(Kind.LOCKED, account=user)
        mail.send(user, "wrong_codes", password_page=mail.link("password-change"))


def take_code(user: User, typed: str) -> bool:
    """Return True if this is a code that the person's device shows, which works no more from now on."""
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
    """The step of time whose code this is."""
    if not secret:
        return None
    try:
        return pyotp.TOTP(secret).verify_and_get_timecode(code, for_time=time.time(), valid_window=DRIFT)
    except pyotp.OTPVerificationError:
        return None


def _new_codes(user: User) -> list[str]:
    # 80 random bits: nobody finds them by their hashes.
    codes = [base64.b32encode(secrets.token_bytes(10)).decode().lower() for _ in range(RECOVERY_CODES)]
    user.recovery_codes.all().delete()
    RecoveryCode.objects.bulk_create([RecoveryCode(user=user, sha256=digest(code)) for code in codes])
    return ["-".join(code[start : start + 4] for start in range(0, len(code), 4)) for code in codes]


def _tell(user: User, change: str) -> None:
    mail.send(user, "second_factor_changed", change=change, account_page=mail.link("account"))
