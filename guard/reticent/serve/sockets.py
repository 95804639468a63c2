"""Binds the sockets that a proxy listens on, before it announces that it does."""

from __future__ import annotations

import errno
import socket

_BACKLOG = 2048
_HANDLES = 64
"""File descriptors for each address. uvloop accepts one connection of each in one turn of its loop."""
_NOT_HERE = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)


def listen(host: str, port: int, dual: bool = False) -> list[socket.socket]:
    """Listens on each address that the host's name has and this machine knows. Gives the first socket of each first.

    Args:
        host, port: where; port 0 takes a free one.
        dual: whether `::` also takes IPv4.

    Raises:
        OSError: the name has no such address, or another process listens there.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    absent = OSError(errno.EADDRNOTAVAIL, "No such address on this machine")
    for family, address in dict.fromkeys((each[0], each[4]) for each in found):
        both = dual and family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        try:
            sockets.append(socket.create_server(address, family=family, backlog=_BACKLOG, dualstack_ipv6=both))
        except OSError as error:
            if error.errno in _NOT_HERE:
                absent = error
                continue
            close_all(sockets)
            raise
    if not sockets:
        raise absent
    return sockets + [each.dup() for each in sockets for _ in range(_HANDLES - 1)]


def close_all(sockets: list[socket.socket]) -> None:
    """Stops listening."""
    for each in sockets:
        each.close()
