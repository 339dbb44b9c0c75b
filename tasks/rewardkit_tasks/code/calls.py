"""System calls that a program is refused, as a filter that the kernel runs (seccomp).

The filter is a list of BPF instructions over (architecture, number, arguments) of a call. What is
refused fails with EPERM:

- `socket`, so also a path's UNIX socket and vsock, which no namespace holds; and pairs of datagram
  sockets, which could be connected elsewhere. io_uring would open sockets past the filter.
- a second process, which would have the limits of memory and CPU time once more; threads are let
  through, and `clone3`, whose flags a filter cannot see, is said to be unknown: C libraries then
  take `clone`.
- memory that no limit counts: System V's, memfd, file systems in namespaces of its own; and what
  stays when a program has ended: queues, keys.
- what reaches other processes: their memory, limits, priorities; and, where the program can see
  any of yours, signals, whoever has them sent, and the rights of files, which Landlock leaves open.
"""

from __future__ import annotations

import os
import struct

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
REFUSED = {
    "socket": (41, 198),
    "unshare": (272, 97),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "io_uring_setup": (425, 425),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
}
"""Call -> its numbers on the two architectures."""
WHERE_IT_SEES_YOURS = {
    "chmod": (90, 53),  # which on ARM is fchmodat
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
}
OF_ITSELF = {
    "prlimit64": (302, 261),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
}
"""Allowed where the first argument, a process, is 0: the caller."""
COMMANDS = {
    "fcntl": ((72, 25), (8, 10, 15)),  # F_SETOWN, F_SETSIG, F_SETOWN_EX
    "ioctl": ((16, 29), (0x8901, 0x8902)),  # FIOSETOWN, SIOCSPGRP
}
"""Refused where the second argument is one of these: they have signals sent to others."""
SOCKETPAIR, STREAM, OF_TYPE = (53, 199), 1, 15
FORKS, CLONE, CLONE3, OF_THREAD = ((57, 58), ()), (56, 220), 435, 0x10000
LOAD, AND, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
ALLOW, KILL, EPERM, UNKNOWN = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24
OTHER_ABI = 0x40000000
"""Numbers from here on are x32's, on x86_64 alone."""
Instruction = tuple[int, int, int, int]


def call_filter(alone: bool, machine: str = "") -> bytes:
    """Return the filter for this machine, empty where its calls are not known.

    Args:
        alone: whether the program sees no other processes, and may send signals to its own.
        machine: by default this one's architecture.

    >>> len(call_filter(alone=True, machine="x86_64")) // 8, call_filter(True, "riscv64")
    (97, b'')
    """
    machine = machine or os.uname().machine
    if machine not in ARCHITECTURES:
        return b""
    at = list(ARCHITECTURES).index(machine)
    refused = REFUSED if alone else REFUSED | WHERE_IT_SEES_YOURS
    program: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, ARCHITECTURES[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, OTHER_ABI),
        (RETURN, 0, 0, KILL),
    ]
    for number in (*(numbers[at] for numbers in refused.values()), *FORKS[at]):
        program += _where(number, [(RETURN, 0, 0, EPERM)])
    program += _where(CLONE3, [(RETURN, 0, 0, UNKNOWN)])
    flags: list[Instruction] = [(LOAD, 0, 0, FIRST), (AND, 0, 0, OF_THREAD)]
    program += _where(CLONE[at], [*flags, *_unless((OF_THREAD,))])
    for numbers in OF_ITSELF.values():
        program += _where(numbers[at], [(LOAD, 0, 0, FIRST), *_unless((0,))])
    for numbers, commands in COMMANDS.values():
        program += _where(numbers[at], [(LOAD, 0, 0, SECOND), *_if(commands)])
    kind: list[Instruction] = [(LOAD, 0, 0, SECOND), (AND, 0, 0, OF_TYPE), *_unless((STREAM,))]
    program += [*_where(SOCKETPAIR[at], kind), (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)


def _where(number: int, then: list[Instruction]) -> list[Instruction]:
    """Do something for one call; it has to return."""
    return [(EQUAL, 0, len(then), number), *then]


def _if(values: tuple[int, ...]) -> list[Instruction]:
    """Refuse where what was loaded is one of these."""
    jumps = [(EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
    return [*jumps, (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, EPERM)]


def _unless(values: tuple[int, ...]) -> list[Instruction]:
    """Refuse where what was loaded is none of these."""
    jumps = [(EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
    return [*jumps, (RETURN, 0, 0, EPERM), (RETURN, 0, 0, ALLOW)]
