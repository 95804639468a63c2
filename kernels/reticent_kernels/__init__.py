"""The logit lens and what is made of its top tokens: torch definitions now, the same signatures for a GPU kernel later.

Knows nothing of spans, people or transformers: tensors in, tensors out. Needs torch alone.
"""

from reticent_kernels.cosines import token_cosines
from reticent_kernels.lens import LensOutput, logit_lens, reduce_logits

__all__ = ["LensOutput", "logit_lens", "reduce_logits", "token_cosines"]
