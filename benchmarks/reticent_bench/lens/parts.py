"""What a run of the lens' figures consists of, behind the exactness suite and the floors."""

PARTS = ("speed", "curve", "race", "cosines", "logprobs", "agreement", "compiled")
