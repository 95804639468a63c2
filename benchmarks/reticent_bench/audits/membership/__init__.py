"""Audit of membership inference: can an attacker tell a model's training texts from texts that it never saw?

`audit` runs the attacks on windows around personal values. `lira` attacks classifiers by shadow models.
Papers: "Do LLMs Really Memorize Personally Identifiable Information?" (sections 3.3, 4.4 and appendix C), and
"PrivLM-Bench" (appendix B.1).
"""
