"""Computes the logit lens, cosines of its top tokens, and token log-probabilities, in torch or by Triton kernels.

Takes and returns tensors, and knows nothing of spans, people or transformers. Needs torch alone. The first call that a
Triton kernel serves imports triton.
"""

from reticent_kernels.cosines import token_cosines
from reticent_kernels.lens import logit_lens, reduce_logits
from reticent_kernels.lens_output import LensOutput
from reticent_kernels.logprob import token_logprob

__all__ = ["LensOutput", "logit_lens", "reduce_logits", "token_cosines", "token_logprob"]
