"""The sub-commands of `reticent audit`: one file an audit. Each imports what it runs when it is called."""
