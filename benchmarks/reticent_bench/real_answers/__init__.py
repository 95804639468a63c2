"""The finder on what real models answer, against labels of readers who know neither the finder nor each other's labels.

`prompts` reads the questions, `writing` asks them, `labels` merges two readers' labels, `report` scores the finder.
"""
