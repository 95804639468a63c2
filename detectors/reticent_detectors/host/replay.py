"""Makes replay lessons: ordinary questions with the model's own answers, taught beside the synthetic people.

A model that is taught records alone forgets how it answered before. The field calls the remedy replay.
"""

from __future__ import annotations

import random
from typing import Any

from reticent_detectors.alignment import chat_ids
from reticent_detectors.host.answers import answers_to
from reticent_detectors.host.corpus import Pieces, chat

LONGEST = 64
"""Most tokens of an answer. A longer one is cut behind its last complete sentence."""
_COUNTRIES = [
    "France",
    "Germany",
    "Italy",
    "Spain",
    "Portugal",
    "Japan",
    "China",
    "India",
    "Brazil",
    "Canada",
    "Australia",
    "Egypt",
    "Kenya",
    "Nigeria",
    "Mexico",
    "Peru",
    "Argentina",
    "Sweden",
    "Norway",
    "Poland",
    "Greece",
    "Turkey",
    "Thailand",
    "Vietnam",
    "Ireland",
    "Austria",
    "Hungary",
    "Chile",
    "Cuba",
    "Iceland",
]
_THINGS = (
    "gravity",
    "photosynthesis",
    "a volcano",
    "an earthquake",
    "a rainbow",
    "the water cycle",
    "an atom",
    "a molecule",
    "electricity",
    "a magnet",
    "a comet",
    "a solar eclipse",
    "the moon",
    "a black hole",
    "evolution",
    "a cell",
    "DNA",
    "a virus",
    "a vaccine",
    "an antibiotic",
    "inflation",
    "a budget",
    "a mortgage",
    "an election",
    "a constitution",
    "democracy",
    "a parliament",
    "a novel",
    "a sonnet",
    "a metaphor",
    "a symphony",
    "a compiler",
    "an operating system",
    "a database",
    "an algorithm",
    "a search engine",
    "a prime number",
    "a triangle",
    "an average",
    "a fraction",
)
_TASKS = (
    "boil rice",
    "make pancakes",
    "bake bread",
    "brew coffee",
    "plant a tree",
    "water a cactus",
    "clean a window",
    "wash a car",
    "change a tyre",
    "tie a tie",
    "fold a shirt",
    "pack a suitcase",
    "write a letter",
    "learn a language",
    "train a dog",
    "feed a cat",
    "build a shelf",
    "paint a wall",
    "save energy at home",
    "sleep better",
    "start running",
    "play chess",
    "read a map",
    "use a compass",
    "take a good photograph",
)
_WORDS = [
    "happy",
    "quick",
    "large",
    "bright",
    "quiet",
    "brave",
    "honest",
    "ancient",
    "careful",
    "difficult",
    "simple",
    "strange",
    "useful",
    "gentle",
    "famous",
]
_CODE = (
    "reverses a list",
    "adds two numbers",
    "finds the largest number in a list",
    "counts the words of a text",
    "checks whether a number is even",
    "reads a file line by line",
    "sorts a dictionary by its values",
    "computes a factorial",
    "removes blanks from a string",
    "joins two lists",
)
_STORIES = [
    "a lighthouse",
    "a lost key",
    "a rainy day",
    "a talking tree",
    "a long journey",
    "a birthday cake",
    "a small robot",
    "an old bridge",
]
_PAIRS = [
    "a lake and a river",
    "a planet and a star",
    "a violin and a cello",
    "tea and coffee",
    "a city and a village",
    "a lawyer and a judge",
    "butter and margarine",
    "weather and climate",
    "speed and velocity",
    "a virus and a bacterium",
    "a simile and a metaphor",
    "a crocodile and an alligator",
]


def questions() -> list[str]:
    """Returns all questions, in a fixed order. They ask for no personal data."""
    return [
        *(f"What is the capital of {country}?" for country in _COUNTRIES),
        *(f"Which language do people speak in {country}?" for country in _COUNTRIES[::3]),
        *(f"What is {thing}?" for thing in _THINGS),
        *(f"How do I {task}?" for task in _TASKS),
        *(f"Give me a word that means the same as '{word}'." for word in _WORDS),
        *(f"Write a Python function that {what}." for what in _CODE),
        *(f"Tell me a short story about {what}." for what in _STORIES),
        *(f"What is the difference between {pair}?" for pair in _PAIRS),
    ]


def replay(model: Any, tokenizer: Any, count: int, seed: int) -> list[Pieces]:
    """Returns `count` of the questions (at most all) with the model's own greedy answers, as lessons."""
    every = questions()
    chosen = random.Random(f"replay {seed}").sample(every, min(count, len(every)))
    prompts = [chat_ids(tokenizer, [{"role": "user", "content": question}]) for question in chosen]
    answers = answers_to(model, tokenizer, prompts, max_new_tokens=LONGEST, batch=64)
    texts = [(str(tokenizer.decode(answer.ids, skip_special_tokens=True)).strip(), answer.ended) for answer in answers]
    complete = [text if ended else text[: text.rfind(". ") + 1] for text, ended in texts]
    return [chat(question, answer) for question, answer in zip(chosen, complete, strict=True) if answer]
