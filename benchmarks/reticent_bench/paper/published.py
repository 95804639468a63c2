"""What PrivacyXray published (Tables 3, 4, 6 and 8 to 12, section 6.5), as shares. Five hosts of 7 to 14 billion parameters with LoRA,
one per architecture of ours."""

from __future__ import annotations

MODELS = {
    "qwen2": "Qwen2.5-14B",
    "phi3": "Phi-3-med-14B",
    "llama": "Meta-Llama-3-8B",
    "mistral": "Mistral-7B-v0.1",
    "gemma2": "Gemma-9B",
}
"""The paper's host of each architecture, in the order of its tables."""

_ACCURACY = {
    "PrivacyXray": (0.9087, 0.9270, 0.9086, 0.9547, 0.9357, 0.9269),
    "SAPLMA": (0.8677, 0.8784, 0.8634, 0.9009, 0.8793, 0.8779),
    "SelfCheckGPT": (0.6540, 0.7008, 0.6198, 0.6542, 0.4735, 0.6245),
    "SAR": (0.8587, 0.8422, 0.8765, 0.9024, 0.9339, 0.8827),
    "MIA Reference": (0.7684, 0.8252, 0.7935, 0.7712, 0.8140, 0.7944),
    "MIA GradNorm": (0.7502, 0.7687, 0.7073, 0.7656, 0.7279, 0.7439),
    "Min-K%": (0.5961, 0.7109, 0.6166, 0.5096, 0.5100, 0.5806),
    "Min-K%++": (0.5108, 0.5407, 0.5270, 0.5034, 0.5005, 0.5165),
    "zlib": (0.6699, 0.7447, 0.6860, 0.5053, 0.5080, 0.6228),
}
_AUROC = {
    "PrivacyXray": (0.9649, 0.9734, 0.9705, 0.9898, 0.9780, 0.9753),
    "SAR": (0.9102, 0.9168, 0.9306, 0.9299, 0.9607, 0.9284),
    "MIA Reference": (0.8630, 0.9107, 0.8791, 0.8577, 0.8984, 0.8818),
    "MIA GradNorm": (0.8401, 0.8426, 0.7698, 0.8553, 0.8106, 0.8237),
    "Min-K%": (0.6110, 0.7763, 0.6543, 0.5082, 0.5099, 0.5886),
    "Min-K%++": (0.5752, 0.7827, 0.6609, 0.4989, 0.4944, 0.6024),
    "zlib": (0.7437, 0.8331, 0.7540, 0.5021, 0.5092, 0.6684),
}
TABLE_3 = {"balanced accuracy": _ACCURACY, "auroc": _AUROC}
"""Accuracy and AUROC by method: the hosts in the order of `MODELS`, then their average."""

TABLE_4 = {
    "1-3": ((0.8482, 0.2345), (0.8942, 0.1067), (0.8919, 0.2534), (0.8948, 0.0978), (0.851, 0.162)),
    "4-6": ((0.8881, 0.2707), (0.9185, 0.2232), (0.8763, 0.2859), (0.9417, 0.2398), (0.9242, 0.2107)),
    "7-12": ((0.9313, 0.0923), (0.9173, 0.2124), (0.9321, 0.1563), (0.9596, 0.2561), (0.971, 0.2045)),
    "13-20": ((0.954, 0.1904), (0.9375, 0.1799), (0.9624, 0.1242), (0.9615, 0.1686), (0.9355, 0.1784)),
    ">20": ((0.9873, 0.1184), (0.9484, 0.2031), (0.9712, 0.0902), (0.9852, 0.1910), (0.9878, 0.1781)),
}
"""Accuracy and share of the rows by number of tokens, for each of `MODELS`."""

TABLE_6 = {500: 0.8456, 1500: 0.8764, 2500: 0.8859, 3500: 0.8944, 4500: 0.9001, 5500: 0.9016, 6500: 0.9064}
"""Accuracy by rows that the detector is trained on; 15,000 private examples."""

TABLES_8_9 = {"8": (0.8834, 0.7950), "9": (0.9375, 0.6837)}
"""Average accuracy on the kinds trained on and on those left out, for numbers and for language."""

TABLE_10 = ((0.9306, 0.8472), (0.9405, 0.8415))
"""Average accuracy of the detectors of A and of B: on their own host, on the other."""

TABLE_11 = (0.8806, (0.8364 + 0.8650 + 0.8639) / 3)
"""Accuracy on its own host, and the mean of the three others."""

TABLE_12 = {"qwen2": 0.8939, "phi3": 0.9051, "llama": 0.8640, "mistral": 0.6351, "gemma2": 0.9622}
"""Accuracy on paraphrases."""

FIGURE_7 = {
    ("intra", "first half"): 0.699,
    ("inter", "first half"): 0.8471,
    ("intra", "second half"): 0.7595,
    ("inter", "second half"): 0.8469,
}
"""Accuracy with half of Phi-3's layers; single layers are only drawn."""

FIGURE_8A = {1: 0.8521, 4: 0.9333}
"""Accuracy with the first group of features, and with all four."""

FIGURE_8B = {1: 0.9339, 2: 0.9347, 4: 0.9353, 6: 0.9357}
"""Accuracy by ranks; of 8 and 10 the paper says that they are a little lower."""


def column(architecture: str) -> int:
    """Where a host of this architecture stands in the paper's tables."""
    return list(MODELS).index(architecture)
