"""Scripts written without blanks: a value may stand directly before or after any of their letters."""

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""Their letters, as the inside of a set of a pattern."""
