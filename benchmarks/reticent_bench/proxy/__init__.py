"""The proxy under load, when something fails, and beside another one."""
