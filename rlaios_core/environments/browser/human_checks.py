"""Words by which pages ask for a person: checks for humans, second factors, proofs of identity."""

import re

from rlaios_core.environments.browser.driver import Control, Look

_WORDS = re.compile(
    r"\b("
    r"captcha|robots?|not a (bot|machine)"
    r"|(am|are|i[’']m|you[’']re)( i| you)? (really |truly )?(a )?human|human (check|test|verification)"
    r"|(one[- ]time|single[- ]use|log[- ]?in|sign[- ]?in|security|access|authentication|verification"
    r"|confirmation|\d[- ]digit|sms) (pass)?codes?"
    r"|passcode|otp|code (that )?((we|was|has been|is) )?(just )?(sent|texted|e?-?mailed)"
    r"|code (from|on|in) (your|the) (phone|device|app|authenticator)"
    r"|second factor|(two|multi)[- ](step|factor)|2fa|authenticator|security key"
    r"|(verify|prove|confirm) (that )?(it is you|it[’']s you|you are (you|who|the (account )?(holder|owner)))"
    r"|identity|on your (phone|device)"
    r"|unusual (traffic|activity)"
    r")\b",
    re.IGNORECASE,
)


def asks_for_a_person(text: str) -> bool:
    """Whether a text speaks of something that only a person may or can do."""
    return bool(_WORDS.search(text))


def is_check(control: Control) -> bool:
    """Whether a control by itself is part of such a check."""
    return control.autocomplete == "one-time-code" or asks_for_a_person(control.name)


def challenged(look: Look) -> bool:
    """Whether the page shows signs of a check for humans."""
    return any(asks_for_a_person(line.text) for line in look.lines) or any(map(is_check, look.controls))
