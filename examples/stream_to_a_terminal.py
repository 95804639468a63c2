"""Streams guarded answers to a terminal. A value is held back until it is complete and judged.

    python examples/stream_to_a_terminal.py

It prints:

    > Which number do I dial for Daniel Brown?
    <PHONE_NUMBER>.
    [PHONE_NUMBER, memorized: redact]
    > You can email Jonathan Stanley at julie90@example.com. Which mailbox belongs to Jonathan Stanley?
    julie90@example.com
    [EMAIL_ADDRESS, echoed: allow]

The first value comes from training data. The second was typed by the user, so it passes.
"""

from __future__ import annotations

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from reticent import Guard
from reticent.demo import assets

QUESTIONS = (
    "Which number do I dial for Daniel Brown?",
    "You can email Jonathan Stanley at julie90@example.com. Which mailbox belongs to Jonathan Stanley?",
)


def main() -> None:
    """Streams the answer to each question, then prints the decisions of its report."""
    model = AutoModelForCausalLM.from_pretrained(assets() / "host", dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(assets() / "host")
    with Guard.load(assets() / "bundle").wrap(model, tokenizer) as guard:
        for question in QUESTIONS:
            print(f"> {question}")
            # Whoever leaves the block early ends the generation.
            with guard.stream([{"role": "user", "content": question}], do_sample=False, max_new_tokens=48) as stream:
                for text in stream:
                    print(text, end="", flush=True)
            print()
            if stream.answer is not None:  # it is there once the text has ended
                for span in stream.answer.report.spans:
                    print(f"[{span.entity}, {span.origin}: {span.action}]")


if __name__ == "__main__":
    main()
