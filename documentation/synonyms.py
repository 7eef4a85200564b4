"""Words that people search for, and the words that the documentation uses instead."""

from __future__ import annotations

COMMON_WORDS = frozenset({
    "a", "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "can", "could", "do", "does", "for",
    "from", "get", "had", "has", "have", "how", "i", "if", "in", "is", "it", "its", "many", "me", "mean", "means",
    "much", "my", "of", "on", "or", "our", "should", "so", "that", "the", "their", "them", "there", "this", "to",
    "use", "was", "we", "what", "what's", "when", "where", "which", "who", "will", "with", "would", "you", "your",
})  # fmt: skip
"""Words that are ignored, unless a query has no others."""

_GROUPS = (
    "delete, remove, erase",
    "significance, significant, significantly different",
    "significant, better, beats",
    "p-value, pvalue, p value",
    "export, download, take away",
    "latex, tex, tables for papers",
    "cite, citation, bibtex, reference",
    "csv, table",
    "column, columns, fields",
    "login, log in, sign in, signin, signing in",
    "logout, log out, sign out",
    "register, signup, sign up, making an account, create an account",
    "2fa, mfa, two-factor, second factor, totp, authenticator",
    "sso, oidc, openid, shibboleth, provider",
    "password, passphrase",
    "leaderboard, board, ranking",
    "rank, ranking, place",
    "annotator, curator",
    "annotation, annotate, curate, curating, labelling",
    "iaa, inter-annotator, inter-rater, kappa, agreement",
    "ground truth, reference standard, gold standard, gold",
    "shortcut, hotkey, hotkeys, keyboard, keys",
    "setting, settings, configuration, configure, config, environment variable",
    "quota, disk space, storage, what you store",
    "gdpr, privacy, taking it along",
    "option, policy, policies, scoring option",
    "hierarchical, hierarchy, nested, tree",
    "dendrogram, linkage",
    "member, members, collaborator, collaborators, people, team",
    "invite, invitation, offer a role",
    "permission, permissions, rights, role, roles",
    "upload, submit",
    "share, publish, public",
    "hide, hidden, private",
    "deadline, closes, close",
    "competition, contest, shared task, challenge",
    "withdraw, take back, retract",
    "image, picture, plot, figure, svg",
    "embedding, embeddings, vector, vectors",
    "unclustered, unassigned, no cluster",
    "bootstrap, confidence interval, interval",
    "chance, random",
    "baseline, baselines",
    "tuning, grid search, sweep, number of clusters",
    "f1, f-measure, f-score",
    "normalised, normalized",
    "nmi, normalised mutual information, normalized mutual information",
    "ari, adjusted rand",
    "ami, adjusted mutual information",
    "rest, http, api",
    "endpoint, endpoints, address, url",
    "throttle, throttling, rate limit, rate limits, too many requests",
    "notification, notifications, notify, e-mail, email, mail",
    "email, e-mail",
    "error, problem, code",
    "install, installation, pip",
    "self-host, hosting, server, serve",
    "audit, log, history",
    "repeat, repeats, several runs, seeds",
    "compare, comparison, compared",
    "merge, combine, duplicate",
    "explain, explanation, why",
    "overlap, overlapping, soft clustering, fuzzy",
    "notebook, python, library",
    "cli, command line, terminal",
)
"""Words of a group find each other. A word can be in several groups."""


def _table() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for group in _GROUPS:
        members = group.split(", ")
        for word in members:
            found.setdefault(word, {}).update(dict.fromkeys([word, *members]))
    return {word: tuple(others) for word, others in found.items()}


_SYNONYMS = _table()


def synonyms(word: str) -> tuple[str, ...]:
    """Return the word itself, then its synonyms."""
    return _SYNONYMS.get(word, (word,))


def join_phrases(words: list[str]) -> list[str]:
    """Join neighbours that have synonyms together: ``["ground", "truth"]`` becomes ``["ground truth"]``."""
    joined: list[str] = []
    place = 0
    while place < len(words):
        length = next((n for n in (3, 2) if " ".join(words[place : place + n]) in _SYNONYMS), 1)
        joined.append(" ".join(words[place : place + length]))
        place += length
    return joined
