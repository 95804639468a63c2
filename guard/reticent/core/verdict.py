"""The names of `reticent.policy.verdict`, at the place that earlier versions documented."""

from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier, Verdict

__all__ = ["Action", "Decision", "Origin", "Reason", "Tier", "Verdict"]
