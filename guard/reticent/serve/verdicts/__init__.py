"""Gives verdicts on texts that clients and gateways send: one judge, and a file for each contract."""
