"""The verdict on From that SPF, DKIM, DMARC and ARC give together (RFC 7489 section 6.6.2).

Stricter than the RFC where it lets a doubt pass: a record that could not be looked up, or that is
not there, is no pass, unless a setting says that an aligned mechanism alone is enough.
"""

from collections.abc import Collection

from data.records.core.mechanisms import Answers, MechanismOutcome, PolicyAnswer, Questions
from data.records.core.screening import Authentication, AuthResult
from tasks.core.authenticate.authentication_results import read_results, weigh
from tasks.core.authenticate.dkim_form import read_tags
from tasks.core.authenticate.organizational_domain import is_aligned
from tasks.core.authenticate.sender_identity import Identity
from tasks.core.patterns import compiled

_RESULT = {MechanismOutcome.PASS: AuthResult.PASS, MechanismOutcome.FAIL: AuthResult.FAIL}
_VERSION = compiled(r"(?i)^v\s*=\s*DMARC1\s*(?:;|$)")


def verdict(
    identity: Identity,
    asked: Questions,
    answers: Answers,
    *,
    needs_policy: bool = True,
    arc_sealers: Collection[str] = (),
) -> Authentication:
    """Bring the answers together, each with its reason.

    Args:
        identity: From's domain.
        asked: the questions.
        answers: the answers to them.
        needs_policy: whether a domain without a DMARC record can be established.
        arc_sealers: domains whose ARC seals are believed.

    """
    tags, policy_reason = _policy(identity, answers.policy)
    spf, spf_aligned, spf_reasons = _spf(identity, asked, answers, strict=tags.get("aspf") == "s")
    dkim, dkim_aligned, dkim_reasons = _dkim(
        identity, asked, answers, strict=tags.get("adkim") == "s"
    )
    arc, arc_reasons = (
        (False, ())
        if spf_aligned or dkim_aligned
        else _arc(identity, answers, {arc_sealer.lower() for arc_sealer in arc_sealers})
    )
    by = "dkim" if dkim_aligned else "spf" if spf_aligned else "arc" if arc else ""
    if answers.policy.problem:
        dmarc, why = AuthResult.NOT_ESTABLISHED, policy_reason
    elif by and (tags or not needs_policy):
        dmarc, why = AuthResult.PASS, f"{policy_reason}, aligned {by} passed"
    elif by:
        dmarc, why = AuthResult.NOT_ESTABLISHED, f"{policy_reason}, though aligned {by} passed"
    elif not tags or asked.undecided or _has_unanswered(answers):
        dmarc, why = AuthResult.NOT_ESTABLISHED, f"{policy_reason}, and nothing aligned passed"
    else:
        dmarc, why = AuthResult.FAIL, f"{policy_reason}, and everything aligned fails"
    reasons = (*asked.notes, *spf_reasons, *dkim_reasons, *arc_reasons, f"dmarc: {why}")
    return Authentication(spf=spf, dkim=dkim, dmarc=dmarc, reasons=reasons)


def _policy(identity: Identity, answer: PolicyAnswer) -> tuple[dict[str, str], str]:
    """Return the tags of the DMARC record, none when there is no usable one, and a reason."""
    if answer.problem:
        return {}, f"the record of {identity.domain} is not known: {answer.problem}"
    texts = [text for text in answer.texts if _VERSION.search(text) is not None]
    if len(texts) != 1:
        count = "no record" if not texts else f"{len(texts)} records"
        return {}, f"{identity.domain} publishes {count}"
    tags = {name.lower(): value.lower() for name, value in read_tags(texts[0].encode()).items()}
    if tags.get("p") not in ("none", "quarantine", "reject") and "rua" not in tags:
        return {}, f"the record of {answer.domain} cannot be read"
    return tags, f"{answer.domain} publishes p={tags.get('p', 'none')}"


def _spf(
    identity: Identity, asked: Questions, answers: Answers, *, strict: bool
) -> tuple[AuthResult, bool, tuple[str, ...]]:
    """Return (result, whether it passed for a domain aligned with From, reasons) of SPF."""
    if asked.spf is None or answers.spf is None:
        return AuthResult.NOT_ESTABLISHED, False, ()
    domain = asked.spf.mail_from.rpartition("@")[2].lower()
    result = _RESULT.get(answers.spf.outcome, AuthResult.NOT_ESTABLISHED)
    spf_text = f"spf: {answers.spf.outcome.value}"
    detail = f" ({answers.spf.detail})" if answers.spf.detail else ""
    if not domain:
        reason = f"{spf_text} for HELO {asked.spf.helo}{detail}, which says nothing about From"
        return result, False, (reason,)
    fits = is_aligned(domain, identity.domain, strict=strict)
    word = "aligned" if fits else "not aligned"
    reason = f"{spf_text} for {domain}{detail}, {word} with {identity.domain}"
    return result, fits and result is AuthResult.PASS, (reason,)


def _dkim(
    identity: Identity, asked: Questions, answers: Answers, *, strict: bool
) -> tuple[AuthResult, bool, tuple[str, ...]]:
    """Return (result, whether a signature aligned with From holds, reasons) of DKIM."""
    reasons: list[str] = []
    passed = failed = aligned = False
    for question, answer in zip(asked.dkim, answers.dkim, strict=True):
        fits = is_aligned(question.domain, identity.domain, strict=strict)
        passed |= answer.outcome is MechanismOutcome.PASS
        failed |= answer.outcome is MechanismOutcome.FAIL
        aligned |= fits and answer.outcome is MechanismOutcome.PASS
        detail = f" ({answer.detail})" if answer.detail else ""
        word = "aligned" if fits else "not aligned"
        reasons.append(
            f"dkim: {answer.outcome.value} for {question.domain}{detail},"
            f" {word} with {identity.domain}"
        )
    result = (
        AuthResult.PASS if passed else AuthResult.FAIL if failed else AuthResult.NOT_ESTABLISHED
    )
    return result, aligned, tuple(reasons)


def _arc(
    identity: Identity, answers: Answers, sealers: Collection[str]
) -> tuple[bool, tuple[str, ...]]:
    """Return whether a sealer that is believed saw an aligned pass (RFC 8617 section 7.2)."""
    arc = answers.arc
    if arc is None:
        return False, ()
    if arc.outcome is not MechanismOutcome.PASS:
        return False, (f"arc: {arc.outcome.value} ({arc.detail})",)
    if arc.sealer not in sealers:
        return False, (f"arc: sealed by {arc.sealer}, which is not believed",)
    _, methods, problem = read_results(arc.results)
    if problem:
        return False, (f"arc: what {arc.sealer} saw cannot be read: {problem}",)
    sealed_result = weigh(identity.domain, methods).dmarc
    return sealed_result is AuthResult.PASS, (
        f"arc: {arc.sealer} saw {sealed_result.value} for {identity.domain}",
    )


def _has_unanswered(answers: Answers) -> bool:
    """Whether something was asked and could not be answered."""
    outcomes = (answers.spf, answers.arc, *answers.dkim)
    return any(
        outcome is not None and outcome.outcome is MechanismOutcome.UNKNOWN for outcome in outcomes
    )
