"""Defines what goes over the wire in any API format: events and JSON, errors, a parsed request, rules for fields."""
