"""What PrivacyXray published in numbers (Tables 3 to 13, 17 and 18, sections 6.4 to 6.6, Figure 9), as shares.

Five hosts of 7 to 14 billion parameters with LoRA, one per architecture of ours.
"""

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

TABLE_5 = (0.9256, 0.9236, 0.8933, 0.9321, 0.8829)
"""Accuracy on hosts all of whose weights were fine-tuned, for each of `MODELS`."""

TABLE_6 = {
    5000: {4500: 0.8540, 3500: 0.8461, 2500: 0.8295, 1500: 0.8159, 500: 0.7902},
    10000: {6500: 0.8879, 5500: 0.8860, 4500: 0.8804, 3500: 0.8741, 2500: 0.8607, 1500: 0.8488, 500: 0.8222},
    15000: {6500: 0.9064, 5500: 0.9016, 4500: 0.9001, 3500: 0.8944, 2500: 0.8859, 1500: 0.8764, 500: 0.8456},
    20000: {6500: 0.9035, 5500: 0.9015, 4500: 0.8979, 3500: 0.8889, 2500: 0.8832, 1500: 0.8697, 500: 0.8414},
    25000: {6500: 0.9244, 5500: 0.9229, 4500: 0.9201, 3500: 0.9102, 2500: 0.9053, 1500: 0.8884, 500: 0.8502},
}
"""Accuracy by the host's private examples and the rows that the detector is trained on."""

TABLE_7 = {5000: 0.8950, 10000: 0.9048, 15000: 0.9354, 20000: 0.9220}
"""Accuracy by general examples beside 15,000 private ones."""

TABLES_8_9 = {"8": (0.8834, 0.7950), "9": (0.9375, 0.6837)}
"""Average accuracy on the kinds trained on and on those left out, for numbers and for language."""

TABLE_10 = ((0.9306, 0.8472), (0.9405, 0.8415))
"""Average accuracy of the detectors of A and of B: on their own host, on the other."""

TABLE_11 = (0.8806, (0.8364 + 0.8650 + 0.8639) / 3)
"""Accuracy on its own host, and the mean of the three others."""

TABLE_12 = {"qwen2": 0.8939, "phi3": 0.9051, "llama": 0.8640, "mistral": 0.6351, "gemma2": 0.9622}
"""Accuracy on paraphrases."""

TABLE_13 = {5: 0.8814, 8: 0.9275, 10: 0.9142, 30: 0.9086}
"""Accuracy by epochs of fine-tuning."""

TABLE_17 = ((0.798, 0.559), (0.781, 0.256), (0.664, 0.259), (0.626, 0.491), (0.724, 0.699))
"""MMLU before and after fine-tuning, for each of `MODELS`."""

TABLE_18 = {
    "full": (0.4771, 0.5785, 0.7340, 0.7309, 0.7416),
    "LoRA": (0.3159, 0.1219, 0.4037, 0.6796, 0.5981),
}
"""Private questions answered right after fine-tuning (full: 3 epochs; LoRA: 8), for each of `MODELS`; 0 before."""

SECTION_6_4 = (0.8658, 0.9113, 0.8775, 0.8720, 0.7743)
"""Accuracy on facts and Enron's e-mail addresses, for each of `MODELS`."""

SECTION_6_6 = {"collecting a value": (1.0, 1.6), "training a detector": (60.0, 120.0), "judging a value": (3.0, 3.0)}
"""Seconds, least and most, on an A800."""

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

FIGURE_9 = {
    (5000, 15000): (0.8889, 0.9216),
    (5000, 20000): (0.9209, 0.9203),
    (5000, 25000): (0.9168, 0.9205),
    (7500, 20000): (0.9167, 0.9355),
    (7500, 25000): (0.9236, 0.9400),
}
"""Accuracy on the half of the private data that the detector was trained on, and on the other half.

Keys: numbers of the detector's and of the host's data.
"""


def column(architecture: str) -> int:
    """Column of a host of this architecture in the paper's tables."""
    return list(MODELS).index(architecture)
