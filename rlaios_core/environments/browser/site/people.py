"""Made-up people, things and words to fill tasks with."""

import random
from dataclasses import dataclass

FIRST = (
    "Mara", "Jonas", "Aiko", "Pedro", "Lena", "Tomas", "Ines", "Karim", "Olga", "Sven", "Noor", "Felix",
    "Rosa", "Milan", "Hana", "Diego", "Freya", "Ivan", "Leila", "Oskar", "Zoë", "Łukasz", "Søren", "Elif",
)  # fmt: skip
LAST = (
    "Lindqvist", "Moreno", "Tanaka", "Keller", "Novak", "Okafor", "Silva", "Haddad", "Petrov", "Larsen",
    "Costa", "Weber", "Jansen", "Rossi", "Kovacs", "Ahmed", "Duarte", "Nilsson", "Fischer", "Mendes",
    "García", "Müller", "Šimić", "Yılmaz",
)  # fmt: skip
CITIES = (
    "Lisbon",
    "Bergen",
    "Graz",
    "Porto",
    "Ghent",
    "Turin",
    "Malmö",
    "Brno",
    "Utrecht",
    "Leipzig",
    "Kraków",
)
COUNTRIES = (
    "Portugal",
    "Norway",
    "Austria",
    "Belgium",
    "Italy",
    "Sweden",
    "Peru",
    "Chile",
    "Japan",
    "Poland",
)
STREETS = (
    "Elm Street",
    "Harbour Road",
    "Mill Lane",
    "Station Road",
    "Garden Way",
    "North Avenue",
    "River Walk",
)
COMPANIES = ("Nordwind Ltd", "Blue Heron", "Castor Works", "Helio Labs", "Quarry & Sons", "Polar Foods")
JOBS = ("Analyst", "Designer", "Engineer", "Librarian", "Nurse", "Planner", "Teacher", "Translator")
COLOURS = ("red", "green", "blue", "black", "white", "yellow")
SIZES = ("small", "medium", "large", "extra large")
DELIVERIES = ("standard post", "express courier", "pick up at store")
THINGS = (
    "lamp",
    "desk",
    "chair",
    "mug",
    "backpack",
    "clock",
    "kettle",
    "notebook",
    "umbrella",
    "blanket",
    "vase",
)
ADJECTIVES = ("oak", "steel", "folding", "travel", "classic", "compact", "heavy", "light", "round", "tall")
CATEGORIES = ("Home", "Office", "Garden", "Kitchen")
SUBJECTS = (
    "Broken handle",
    "Late parcel",
    "Wrong colour",
    "Missing invoice",
    "Change of address",
    "Refund request",
)
MESSAGES = (
    "The parcel did not arrive yet.", "Please send the invoice again.", "The handle came off after a day.",
    "I would like to change my address.", "The colour is not what I ordered.", "When will it be repaired?",
)  # fmt: skip
TITLES = ("Spring on the coast", "Ten quiet places", "A week by train", "Bread at home", "Notes on rivers")
BODIES = (
    "We walked along the cliffs until dusk.", "The best corners are the empty ones.",
    "Every station has its own light.", "Flour, water, salt and patience.",
    "They bend where the land is soft.",
)  # fmt: skip
LANGUAGES = ("English", "Deutsch", "Français", "日本語", "Português", "العربية")
THEMES = ("light", "dark", "high contrast")
DIGESTS = ("daily", "weekly", "monthly", "never")


@dataclass(frozen=True)
class Person:
    """Somebody with an address and a phone."""

    first: str
    last: str
    email: str
    password: str
    phone: str
    street: str
    postcode: str
    city: str
    country: str
    company: str
    job: str


def draw_person(rng: random.Random) -> Person:
    """A person drawn at random; the address is at a domain that cannot exist."""
    first, last = rng.choice(FIRST), rng.choice(LAST)
    plain = "".join(c for c in f"{first}.{last}".lower() if c.isascii())
    return Person(
        first=first,
        last=last,
        email=f"{plain}{rng.randrange(10, 99)}@{rng.choice(('post', 'mail', 'letters'))}.example",
        password="".join(rng.choice("abcdefghkmnpqrstuvwxyz23456789") for _ in range(10)),
        phone=f"0{rng.randrange(100, 999)} {rng.randrange(100, 999)} {rng.randrange(1000, 9999)}",
        street=f"{rng.choice(STREETS)} {rng.randrange(1, 99)}",
        postcode=str(rng.randrange(10000, 99999)),
        city=rng.choice(CITIES),
        country=rng.choice(COUNTRIES),
        company=rng.choice(COMPANIES),
        job=rng.choice(JOBS),
    )
