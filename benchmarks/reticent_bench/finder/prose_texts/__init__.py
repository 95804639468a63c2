"""How people write about each other in six languages: the held-out wordings of the span finder's benchmark.

One module a language, each with the same tables (see `reticent_bench.finder.prose` for their syntax):

    LOCALE    Faker's name of the language's country
    PROSE     kind -> one wording a line
    HARMLESS  sentences with the same words that say nothing about anybody
    LABELS    kind -> names of a field that holds it
    VALUES    what the values are drawn from

Whoever writes a recogniser's words must not read these tables, but only the half that `dev_rows` gives.
"""
