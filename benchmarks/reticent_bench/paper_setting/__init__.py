"""PrivacyXray's own setting on real models: who is taught what, the training, and what the taught models are asked.

`python -m reticent_bench.paper_setting.run` trains and asks, saves as it goes, and resumes. Nothing here judges an
answer by a detector.
"""
