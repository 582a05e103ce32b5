"""Which texts ask for a person."""

import pytest

from rlaios_core.environments.browser.human_checks import asks_for_a_person


@pytest.mark.parametrize(
    "text",
    [
        "Please complete the captcha", "I'm not a robot", "I’m human", "Are you human?", "I am a human",
        "Enter your login code", "Type the 6-digit code", "Sign-in code", "SMS code", "Enter the OTP",
        "We need the code that was sent to your phone", "Code from your device", "Two-factor authentication",
        "Multi-step verification code", "Verify that it is you", "Confirm your identity",
        "Approve this on your phone", "We noticed unusual activity",
    ],
)  # fmt: skip
def test_checks_for_humans_second_factors_and_proofs_of_identity_are_told(text: str) -> None:
    assert asks_for_a_person(text)


@pytest.mark.parametrize(
    "text",
    [
        "Postcode", "Discount code", "Country code", "Source code", "Human resources", "Robotics",
        "Your phone number", "Device name", "Confirm the order", "Verify the amount", "Message sent",
        "Log in to your account", "Security settings", "Keep me signed in on this device",
        "Please confirm that you are an adult",
    ],
)  # fmt: skip
def test_ordinary_pages_are_not(text: str) -> None:
    assert not asks_for_a_person(text)
