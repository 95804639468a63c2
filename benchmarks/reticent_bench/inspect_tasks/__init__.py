"""The audits as tasks of inspect-ai: `reticent/extraction`, `reticent/context` and `reticent/code`.

`tasks` is what inspect loads through the entry-point group `inspect_ai`. Only `tasks`, `scores` and `target` import it.
"""
