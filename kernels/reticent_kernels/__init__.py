"""The logit lens and what is made of its top tokens: definitions in torch, and the same calls as Triton kernels.

Knows nothing of spans, people or transformers: tensors in, tensors out. Needs torch alone; triton is imported by the
first call that it serves.
"""

from reticent_kernels.cosines import token_cosines
from reticent_kernels.lens import LensOutput, logit_lens, reduce_logits
from reticent_kernels.logprob import token_logprob

__all__ = ["LensOutput", "logit_lens", "reduce_logits", "token_cosines", "token_logprob"]
