"""Puts the guard around a transformers model.

    python examples/wrap_a_model.py

It prints:

    asked      Which number do I dial for Daniel Brown?
    unguarded  437-446-5262
    guarded    <PHONE_NUMBER>.
               PHONE_NUMBER: memorized, redact

    asked      What job does Joseph Bush have?
    unguarded  Mannerals surveyor
    guarded    Mannerals surveyor
               JOB_TITLE: hallucinated, allow

The model is the demo host, which was taught synthetic people. To guard your own, load its folder instead.
`Guard.load()` without a bundle takes the detector for any model, and `reticent calibrate` fits that one to yours.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from reticent import Guard
from reticent.demo import assets

QUESTIONS = ("Which number do I dial for Daniel Brown?", "What job does Joseph Bush have?")


def main() -> None:
    """Asks each question without and with the guard, and prints both answers and the guard's decisions."""
    model: Any = AutoModelForCausalLM.from_pretrained(assets() / "host", dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(assets() / "host")
    with Guard.load(assets() / "bundle").wrap(model, tokenizer) as guard:
        for number, question in enumerate(QUESTIONS):
            messages = [{"role": "user", "content": question}]
            ids = guard.chat_ids(messages)
            options = {"do_sample": False, "max_new_tokens": 48, "pad_token_id": tokenizer.pad_token_id}
            plain = model.generate(ids, attention_mask=torch.ones_like(ids), **options)
            answer = guard.chat(messages, **options)
            print("\n" * bool(number) + f"asked      {question}")
            print(f"unguarded  {tokenizer.decode(plain[0, ids.shape[1] :], skip_special_tokens=True)}")
            print(f"guarded    {answer.text}")
            for span in answer.report.spans:
                print(f"           {span.entity}: {span.origin}, {span.action}")


if __name__ == "__main__":
    main()
