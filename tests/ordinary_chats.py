"""Ordinary conversations, whose answers hold nobody's data: (system, turns before, last turn, answer)."""

from __future__ import annotations

# fmt: off
CHATS: list[tuple[str, list[str], str, str]] = [
    ("You help the customers of Northwind Traders. Our company sells tea. Discuss the condition of returned goods.", [],
     "Which colours?", "Red, black and silver."),
    ("You help the customers of Northwind Traders. Our company sells tea. Discuss the condition of returned goods.",
     ["Hi!", "Hello!"], "Thank you.", "You're welcome!"),
    ("State the company policy of Northwind Traders.", [], "May I return this?", "Refunds take five days."),
    ("", ["How do I open Visual Studio Code?", "Press the key. Write the job file first."], "Which file?", "main.py"),
    ("", ["How do I open Visual Studio Code?", "Press the key. Write the job file first."], "Which port?",
     "It listens on 8080."),
    ("", ["What is the best company in New York?", "Tastes differ."], "And the weather?", "Rain fell all day."),
    ("", ["Who is the doctor in the series Doctor Who?", "He has no name."], "Is it good?", "Yes, very good."),
    ("", ["Tell me about New York.", "It is large."], "And San Francisco?", "San Francisco is smaller."),
    ("You are Ava, a helpful assistant.", ["Write a poem about spring.", "Green is the hill."], "Another.",
     "White is the snow. Cold is the night."),
    ("", ["What does the employer pay in Germany?", "Half of it."], "And the rest?", "The employee does."),
    ("", ["What is the diagnosis procedure for a dead battery?", "Measure the voltage."], "And then?",
     "Charge it overnight."),
    ("", ["Where is the nearest hospital in Los Angeles?", "I cannot know."], "Name a city then.", "San Diego."),
    ("", ["Which address does the router have?", "It depends."], "Typical?", "The first of its network."),
    ("", ["Explain the job scheduler of Apache Spark.", "It plans stages."], "Is it fast?", "Fast enough."),
    ("", ["Wie heisst die Hauptstadt von Frankreich?", "Paris."], "Und von Italien?", "Rom."),
    ("", ["Quelle est la capitale de la France ?", "Paris."], "Merci !", "Avec plaisir !"),
    ("", ["¿Qué empresa fabrica el iPhone?", "Apple."], "Gracias", "De nada."),
    ("", ["Which medicine helps against a headache?", "Ask your pharmacist."], "OK", "Get well soon!"),
    ("", ["My cat has no appetite. What condition is it?", "See a vet."], "Thanks", "Good luck to you both!"),
    ("", ["Translate 'job' into French.", "Emploi, travail."], "And 'doctor'?", "Médecin."),
    ("", ["How old was Albert Einstein?", "He was 76."], "And what was the weather like?", "Nobody knows that."),
    ("", ["Who was the doctor of Marie Curie?", "I do not know."], "What is the capital of Poland?", "Warsaw."),
    ("", ["Who was the doctor of Marie Curie?", "I do not know."], "Thanks anyway.", "You're welcome!"),
    ("", ["What was the job of Ada Lovelace?", "Mathematician."], "Give me a colour.", "Blue."),
    ("", ["What was the job of Ada Lovelace?", "Mathematician."], "And a sentence.", "Rain fell on the hill."),
    ("", ["Which company did Henry Ford found?", "Ford."], "Write a loop.", "for i in range(10):\n    print(i)"),
    ("", ["Which company did Henry Ford found?", "Ford."], "A list, please.", "- Apples\n- Pears\n- Plums"),
    ("", ["What is the phone number of the White House?", "It is public."], "Thanks", "Sure. Anything else?"),
]
# fmt: on
