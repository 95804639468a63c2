"""The contract of a recogniser, and the recognisers that know no kind of value."""
