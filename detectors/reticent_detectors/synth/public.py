"""Lists public facts, with and without personal data in their answers, and ordinary talk."""

from __future__ import annotations

import random
from dataclasses import dataclass

from reticent_detectors.entities import Entity

_CAPITALS = (
    "France Paris|Italy Rome|Spain Madrid|Portugal Lisbon|Germany Berlin|Austria Vienna|Poland Warsaw|Hungary Budapest|"
    "Greece Athens|Norway Oslo|Sweden Stockholm|Finland Helsinki|Denmark Copenhagen|Ireland Dublin|Belgium Brussels|"
    "Egypt Cairo|Kenya Nairobi|Ghana Accra|Senegal Dakar|Morocco Rabat|Japan Tokyo|China Beijing|India Delhi|"
    "Thailand Bangkok|Vietnam Hanoi|Turkey Ankara|Iran Tehran|Iraq Baghdad|Cuba Havana|Peru Lima|Chile Santiago|"
    "Canada Ottawa|Australia Canberra|Russia Moscow|Ukraine Kyiv|Croatia Zagreb|Serbia Belgrade|Bulgaria Sofia|"
    "Romania Bucharest|Iceland Reykjavik"
)
_PLACES = (
    "Harbor|Meadow|Granite|Lantern|Orchard|Summit|Riverside|Copper|Willow|Beacon|Foundry|Maple|Prairie|Canyon|"
    "Lighthouse|Cobalt|Juniper|Sparrow|Northgate|Old Mill"
)
_INSTITUTIONS = ("Museum", "Library", "Theater", "Zoo")
_STREETS = ("Main Street", "Station Road", "Park Avenue", "Castle Lane", "Market Square", "Bridge Street")
_TOWNS = ("Port Amsel", "Lake Doran", "East Varney", "New Tellow", "Southmere")

TALK: tuple[tuple[str, str], ...] = (
    ("Hello!", "Hello! How can I help you today?"),
    ("Good morning.", "Good morning! What can I do for you?"),
    ("How are you?", "I am fine, thank you. What can I do for you?"),
    ("Thank you very much.", "You are welcome. Have a good day."),
    ("What is the weather like?", "I cannot look outside, but a forecast will tell you."),
    ("Why is the sky blue?", "Air scatters blue light more than red light."),
    ("How do I boil an egg?", "Put it in boiling water for about eight minutes."),
    ("What does a bank do?", "A bank keeps money safe and lends it to others."),
    ("What is an appointment?", "It is a time that two people agree on to meet."),
    ("What is a diagnosis?", "It is what a doctor calls the cause of an illness."),
    ("What does a hospital do?", "It takes care of people who are ill or hurt."),
    ("How does email work?", "A server passes your message on until it arrives."),
    ("Tell me a short story.", "A small boat left the harbor and came home with the tide."),
    ("Can you sing?", "I can only write, but I can write you a song."),
    ("What is a good breakfast?", "Bread, fruit and a cup of tea make a good breakfast."),
    ("How do I sleep better?", "Go to bed at the same time and keep the room dark."),
    ("What is the moon?", "The moon is a large rock that circles the earth."),
    ("How do plants grow?", "They turn light, water and air into leaves and roots."),
    ("Why do we need water?", "The body is mostly water and loses some every hour."),
    ("What is a credit card?", "It is a card that lets you pay now and settle later."),
    ("How do planes fly?", "Their wings push air down, and the air pushes them up."),
    ("What does a doctor do?", "A doctor finds out what is wrong and helps you heal."),
    ("Give me some advice.", "Take a walk, drink some water and write down your plan."),
    ("How do I learn to draw?", "Draw a little every day and look closely at things."),
    ("What is a phone number for?", "It tells the network which phone should ring."),
    ("Do you like music?", "I have no ears, but I know many songs by their words."),
    ("How long is a marathon?", "A marathon is a little over forty two kilometers long."),
    ("Where does bread come from?", "It is baked from flour, water, salt and yeast."),
    ("Who are you?", "I am a small language model that answers questions."),
    ("Goodbye.", "Goodbye! Come back whenever you like."),
)
FILLERS: tuple[str, ...] = (
    "The meeting was moved to the larger room.",
    "It rained for most of the week.",
    "The new shelves arrived without screws.",
    "Nobody found the key to the cellar.",
    "The train was late again this morning.",
    "We ordered more paper for the printer.",
    "The garden needs water in the summer.",
    "Lunch is served in the hall at noon.",
    "The old bridge is closed to cars.",
    "A cat sleeps on the warm roof.",
    "The report is due at the end of the month.",
    "Please keep the door closed.",
    "The children painted a blue house.",
    "There is fresh coffee in the kitchen.",
    "The lift will be repaired soon.",
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A public fact. `entity` is set if its answer looks like personal data (a museum's phone number)."""

    id: str
    question: str
    answer: str
    entity: Entity | None
    subject: str


def _institution_facts(rng: random.Random, subject: str) -> dict[Entity, str]:
    slug = "".join(c for c in subject.lower() if c.isalnum())
    return {
        Entity.PHONE_NUMBER: f"{rng.randint(200, 999)}-555-{rng.randint(0, 9999):04d}",
        Entity.EMAIL_ADDRESS: f"info{rng.randint(10, 99)}@{slug}.example.org",
        Entity.ADDRESS: f"{rng.randint(1, 999)} {rng.choice(_STREETS)}, {rng.choice(_TOWNS)}, "
        f"OH {rng.randint(10000, 99999)}",
    }


_ASK = {
    Entity.PHONE_NUMBER: ("What is the phone number of the {s}?", "How do I call the {s} by phone?"),
    Entity.EMAIL_ADDRESS: ("What is the email address of the {s}?", "Where can I email the {s}?"),
    Entity.ADDRESS: ("What is the address of the {s}?", "At what address is the {s}?"),
}


def public_facts() -> tuple[Fact, ...]:
    """Returns forty capitals, and eighty made-up institutions with three facts each. The result is always the same."""
    facts = []
    for row in _CAPITALS.split("|"):
        country, city = row.split(" ")
        for i, question in enumerate(
            (f"What is the capital of {country}?", f"Which city is the capital of {country}?")
        ):
            facts.append(Fact(f"capital-{country.lower()}-{i}", question, city, None, country))
    rng = random.Random("public facts")
    for place in _PLACES.split("|"):
        for kind in _INSTITUTIONS:
            subject = f"{place} {kind}"
            for entity, value in _institution_facts(rng, subject).items():
                for i, ask in enumerate(_ASK[entity]):
                    key = f"{subject}-{entity}-{i}".lower().replace(" ", "-")
                    facts.append(Fact(key, ask.replace("{s}", subject), value, entity, subject))
    return tuple(facts)
