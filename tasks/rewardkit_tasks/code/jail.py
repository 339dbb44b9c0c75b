"""Run one program in a jail: `python -I -S jail.py SETTINGS`, of the standard library alone.

It gives up what it can (its user if that is root, the network, the sight of other processes, the
right to write files), limits the rest, and starts the program as a child behind a filter of system
calls, which lets it start threads and no processes. It ends the program at its deadline, and, where
there is no filter, all that it has started; its last act is one line of JSON on the descriptor that
it was given, which the program never sees.
"""

from __future__ import annotations

import ctypes
import json
import os
import pwd
import resource
import select
import signal
import struct
import sys
import time
import traceback
from typing import Any, NoReturn

NOBODY = 65534
NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PIDS, NEW_NET = (1 << bit for bit in (17, 27, 28, 29, 30))
ALONE = NEW_MOUNTS | NEW_IPC | NEW_USER | NEW_PIDS | NEW_NET
PRIVATE, RECURSIVE, BIND, NO_SUID, NO_DEVICES = 1 << 18, 1 << 14, 1 << 12, 2, 4
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, READ_ONLY = 442, -100, 0x8000, 1
RULESET, RULE, RESTRICT = 444, 445, 446
WRITE, TRUNCATE = 1 << 1, 1 << 14
MAKE_AND_REMOVE = sum(1 << bit for bit in range(4, 13))
PARENT_DEATH, DUMPABLE, FILTER, SUBREAPER, NO_NEW_PRIVILEGES = 1, 4, 22, 36, 38
LIBC = ctypes.CDLL(None, use_errno=True)


def main(settings: dict[str, Any]) -> None:
    """Run the program; report how it ended."""
    signal.signal(signal.SIGTERM, give_up)
    prctl(PARENT_DEATH, signal.SIGTERM)
    if os.getppid() != settings["parent"]:
        sys.exit(1)
    with open(settings["source"], "rb") as file:
        source = file.read()
    alone, folder = settings["alone"], settings["folder"]
    if alone:
        be_alone(folder, settings["file_mb"])
    else:
        if os.getuid() == 0:
            become_nobody()
        folder = os.path.join(folder, f"rewardkit-code-{os.getpid()}")
        os.mkdir(folder, 0o700)
        prctl(DUMPABLE, 0)  # what it has open is not the program's to see in /proc
    with open(os.path.join(folder, "main.py"), "xb") as copy:
        copy.write(source)
    prctl(PARENT_DEATH, signal.SIGTERM)  # forgotten with another user
    prctl(SUBREAPER, 1)  # what the program leaves comes to us
    prctl(NO_NEW_PRIVILEGES, 1)
    deadline = time.monotonic() + settings["wall_s"]
    child = os.fork()
    if child == 0:
        try:
            run(settings, folder)
        except BaseException:  # noqa: BLE001 said, and then this copy must end
            traceback.print_exc()
        finally:
            os._exit(127)
    ended = wait(child, deadline)
    end_all()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = {"status": ended, "cpu": usage.ru_utime + usage.ru_stime}
    os.write(settings["report"], json.dumps(line).encode())


def be_alone(folder: str, file_mb: int) -> None:
    """Move into namespaces of its own: no network, no other process, no file that can be written.

    Raises:
        OSError: the system does not allow it.
    """
    user, group = os.getuid(), os.getgid()
    root = user == 0
    call("unshare", ALONE - NEW_USER if root else ALONE)
    if not root:
        be_in_own_namespace(user, group)
    owner = NOBODY if root else user
    see_little(folder, f"size={file_mb}m,nr_inodes=1000,mode=0700,uid={owner}")
    if root:  # its rights were needed until now, and limits do not bind it
        set_attributes("/proc", 0, clear=READ_ONLY)
        become_nobody()
        call("unshare", NEW_USER)
        be_in_own_namespace(NOBODY, NOBODY)


def become_nobody() -> None:
    """Give up root."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    prctl(DUMPABLE, 1)  # else its own files in /proc are still root's


def be_in_own_namespace(user: int, group: int) -> None:
    """Stay who we are in a new user namespace, in which there may be no further one."""
    for name, text in (
        ("self/setgroups", "deny"),
        ("self/uid_map", f"{user} {user} 1"),
        ("self/gid_map", f"{group} {group} 1"),
        # In one of its own the program could mount what it can write to without end.
        ("sys/user/max_user_namespaces", "0"),
    ):
        with open(f"/proc/{name}", "w") as file:
            file.write(text)


def see_little(folder: str, options: str) -> None:
    """Hide the home, make all files unwritable, and put a small file system in `folder`."""
    call("mount", b"none", b"/", None, PRIVATE | RECURSIVE, None)
    home = home_of_user()
    if home != "/" and os.path.isdir(home):
        cover(home, "size=1m,mode=0755")
        os.makedirs(folder, exist_ok=True)
    set_attributes("/", READ_ONLY)
    cover(folder, options)


def cover(folder: str, options: str) -> None:
    """Mount an empty file system on a folder, with the interpreter in it if it lay there."""
    kept = {os.path.realpath(path) for path in (sys.base_prefix, sys.base_exec_prefix)}
    within = [path for path in kept if os.path.commonpath((folder, path)) == folder != path]
    handles = {path: os.open(path, os.O_PATH) for path in within}
    call("mount", b"none", folder.encode(), b"tmpfs", NO_SUID | NO_DEVICES, options.encode())
    for path, handle in handles.items():
        os.makedirs(path)
        place = f"/proc/self/fd/{handle}".encode()
        call("mount", place, path.encode(), None, BIND | RECURSIVE, None)
        os.close(handle)
        set_attributes(path, READ_ONLY)


def home_of_user() -> str:
    """Return the user's home folder, / where there is none."""
    try:
        return os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:  # a number without a name, as in containers
        return "/"


def set_attributes(path: str, wanted: int, clear: int = 0) -> None:
    """Set and clear attributes of a mount and of all below it."""
    attributes = (ctypes.c_uint64 * 4)(wanted, clear, 0, 0)
    size = ctypes.sizeof(attributes)
    place = ctypes.byref(attributes)
    call("syscall", MOUNT_SETATTR, AT_FDCWD, path.encode(), AT_RECURSIVE, place, size)


def run(settings: dict[str, Any], folder: str) -> None:
    """Become the program, in a session of its own: a signal to its group is for it alone."""
    os.setsid()
    prctl(PARENT_DEATH, signal.SIGKILL)
    os.close(settings["report"])
    os.chdir(folder)
    if settings["alone"]:
        call("unshare", NEW_MOUNTS)
        call("mount", b"none", b"/proc", b"tmpfs", READ_ONLY, b"size=4k")  # others' environments
    for name, value in (
        ("CORE", 0),
        ("NOFILE", 64),
        ("FSIZE", settings["file_mb"] << 20),
        ("CPU", settings["cpu_s"]),
        ("AS", settings["memory_mb"] << 20),
        # Of a user namespace's own processes; else of all that the user has, so those come to it.
        ("NPROC", settings["processes"] + (0 if settings["alone"] else threads_of_user())),
    ):
        limit(getattr(resource, f"RLIMIT_{name}"), value)
    if not settings["alone"]:
        write_only_in(folder)
    refuse_calls(bytes.fromhex(settings["filter"]))
    environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "PYTHONHASHSEED": "0"}
    os.execve(settings["python"], [settings["python"], "-I", "-S", "-B", "main.py"], environment)


def write_only_in(folder: str) -> None:
    """Refuse this process files elsewhere, and memory and environment of others (Landlock).

    Nothing where the kernel is too old: what a program may do is tried before any is run.
    """
    version = LIBC.syscall(RULESET, None, 0, 1)
    of_files = WRITE | (TRUNCATE if version >= 3 else 0)
    rights = of_files | MAKE_AND_REMOVE
    ruleset = LIBC.syscall(RULESET, ctypes.byref(ctypes.c_uint64(rights)), 8, 0)
    if ruleset == -1:
        return
    for path, allowed in ((folder, rights), ("/dev/null", of_files)):
        handle = os.open(path, os.O_PATH)
        call("syscall", RULE, ruleset, 1, struct.pack("=Qi", allowed, handle), 0)
        os.close(handle)
    call("syscall", RESTRICT, ruleset, 0)
    os.close(ruleset)


def refuse_calls(program: bytes) -> None:
    """Put a filter of system calls before all that this process does, and what it starts.

    Raises:
        OSError: the system does not allow it.
    """
    if program:
        code = ctypes.create_string_buffer(program, len(program))
        fields = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
        call("prctl", FILTER, 2, ctypes.c_char_p(fields), 0, 0)


def limit(name: int, value: int) -> None:
    """Set a limit, or keep the one that is lower already."""
    hard = resource.getrlimit(name)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(name, (value, value))


def threads_of_user() -> int:
    """Return how many threads the user has on the whole machine."""
    count, user = 0, os.getuid()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{name}").st_uid == user:
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return count


def wait(child: int, deadline: float) -> int | None:
    """Return how the child ended, a signal as its negative; None if it had not at its deadline."""
    handle = os.pidfd_open(child)
    if select.select([handle], [], [], max(0, deadline - time.monotonic()))[0]:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return None


def all_below(pid: int) -> list[int]:
    """Return all that a process, or what it has started, has started."""
    found: list[int] = []
    new = children_of(pid)
    while new:
        found += new
        new = [one for parent in new for one in children_of(parent)]
    return found


def children_of(pid: int) -> list[int]:
    """Return the processes that one, or a thread of it, has started and that are there."""
    try:
        found = []
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                found += [int(child) for child in file.read().split()]
        return found
    except OSError:
        return []


def end_all() -> None:
    """Kill all that is below this process and wait for it; what a dead child leaves is a child."""
    while True:
        for pid in children_of(os.getpid()):
            os.kill(pid, signal.SIGKILL)  # not waited for yet, so the number is its own
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def give_up(*_: object) -> NoReturn:
    """End all, since whoever wanted the program has gone."""
    end_all()
    os._exit(1)


def prctl(option: int, value: int) -> None:
    """Ask the kernel for something about this process."""
    LIBC.prctl(option, value, 0, 0, 0)


def call(name: str, *arguments: Any) -> None:
    """Call a C function.

    Raises:
        OSError: it failed.
    """
    if getattr(LIBC, name)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
