"""Every pattern of the tree before recheck, a maintained checker of regular expressions that take too long."""
