"""Programs that a jail has to hold, by what they try; each ends in a fault of its own.

`{tcp}`, `{path}` and `{abstract}` are where somebody listens. Whatever tries to leave something
running starts a child that sleeps for ten minutes in a session of its own; where it may not, it
goes on with what else it tries.
"""

FORK = "import os, time\ndef fork():\n    try:\n        return os.fork()\n    except PermissionError:\n        return 1\n"
LEAVE = (
    FORK
    + "if fork() == 0:\n    os.setsid()\n    if fork() == 0:\n        time.sleep(600)\n    os._exit(0)\n"
)
SHM = "import ctypes\nC = ctypes.CDLL(None, use_errno=True)\n"
JAIL = "import os, signal, sys, time\njail = os.getppid()\n"
FORGED = """b'{"status": 0, "cpu": 0.0}'"""
WAIT = "\nimport time\ntime.sleep(0.2)\nraise SystemExit(3)"

FORGE = {
    "its report by /proc": JAIL + f"for n in range(64):\n    try:\n        os.write(os.open(f'/proc/{{jail}}/fd/{{n}}', os.O_WRONLY), {FORGED})\n    except OSError:\n        pass\n" + WAIT,
    "its report by its memory": JAIL + "try:\n    open(f'/proc/{jail}/mem', 'r+b')\nexcept OSError as error:\n    sys.exit(3)\n",
    "its report by ptrace": JAIL + "import ctypes\nC = ctypes.CDLL(None, use_errno=True)\nsys.exit(3 if C.ptrace(16, jail, 0, 0) == -1 else 0)",
    "its report by a descriptor": JAIL + "import ctypes\nC = ctypes.CDLL(None)\nhandle = C.syscall(434, jail, 0)\nsys.exit(3 if C.syscall(438, handle, 5, 0) == -1 else 0)",
    "its report by a guess": f"import os\nfor n in range(3, 64):\n    try:\n        os.write(n, {FORGED})\n    except OSError:\n        pass\n" + WAIT,
    "its report by the memory of others": "import os, sys\nfor pid in filter(str.isdigit, os.listdir('/proc')):\n    for name in ('mem', 'environ'):\n        try:\n            mine = int(pid) == os.getpid()\n            if os.stat(f'/proc/{pid}').st_uid == os.getuid() and not mine and open(f'/proc/{pid}/{name}', 'rb'): sys.exit(0)\n        except OSError:\n            pass\nsys.exit(3)",
    "words in the place of a report": "print('{\"status\": 0}')\nraise SystemExit(3)",
}  # fmt: skip
END = {
    "its jail by SIGKILL": LEAVE + JAIL + "os.kill(jail, 9)" + WAIT,
    "its jail by SIGSTOP": LEAVE + JAIL + "os.kill(jail, 19)" + WAIT,
    "its jail by SIGTERM": LEAVE + JAIL + "os.kill(jail, 15)" + WAIT,
    "its jail by a handle": LEAVE + JAIL + "signal.pidfd_send_signal(os.pidfd_open(jail), 9)" + WAIT,
    "its jail by a thread": LEAVE + JAIL + "import ctypes\nC = ctypes.CDLL(None, use_errno=True)\nif C.tgkill(jail, jail, 9): raise SystemExit(3)" + WAIT,
    "its jail by a queue": LEAVE + JAIL + "import ctypes\nC = ctypes.CDLL(None, use_errno=True)\nif C.sigqueue(jail, 9, 0): raise SystemExit(3)" + WAIT,
    "its jail by SIGIO": LEAVE + JAIL + "import fcntl\nr, w = os.pipe()\nfcntl.fcntl(r, 10, 9)\nfcntl.fcntl(r, fcntl.F_SETOWN, jail)\nfcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC)\nos.write(w, b'x')" + WAIT,
    "its jail by its limits": LEAVE + JAIL + "import resource\nresource.prlimit(jail, resource.RLIMIT_CPU, (0, 0))" + WAIT,
    "its jail by its turn": LEAVE + JAIL + "os.sched_setscheduler(jail, os.SCHED_IDLE, os.sched_param(0))" + WAIT,
    "all that it may": LEAVE + "import os\nos.kill(-1, 9)" + WAIT,
    "its group": LEAVE + "import os\nos.killpg(os.getpgid(os.getppid()), 9)" + WAIT,
}  # fmt: skip
OUTLIVE = {
    "a child in a session of its own": LEAVE + WAIT,
    "many children": FORK + "for _ in range(12):\n    if fork() == 0:\n        os.setsid(); time.sleep(600)" + WAIT,
    "a child that forks on": FORK + "if fork() == 0:\n    os.setsid()\n    while True:\n        if fork():\n            os._exit(0)\nraise SystemExit(3)",
    "a stopped child": FORK + "if fork() == 0:\n    os.setsid()\n    try:\n        os.kill(os.getpid(), 19)\n    finally:\n        time.sleep(600)" + WAIT,
    "a child that takes no signals": FORK + "import signal\nif fork() == 0:\n    os.setsid()\n    for n in range(1, 65):\n        try:\n            signal.signal(n, signal.SIG_IGN)\n        except (OSError, ValueError):\n            pass\n    time.sleep(600)" + WAIT,
    "a program that closed all it had": FORK + "if fork() == 0:\n    os.closerange(0, 64); os.setsid(); time.sleep(600)" + WAIT,
    "a fork bomb": "import os\nwhile True: os.fork()",
    "every call for a process": SHM + "import os\nfor call in (57, 58, (56, 17), (56, 0x4100), (56, 0x80000000), (435, 0, 0), (220, 17)):\n    if C.syscall(*(call if isinstance(call, tuple) else (call,))) == 0:\n        os.execv('/bin/sleep', ['main.py', '600'])" + WAIT,
    "a shell": "import os, subprocess\nfor start in (lambda: subprocess.Popen(['sleep', '600']), lambda: os.posix_spawn('/bin/sleep', ['main.py', '600'], os.environ), lambda: os.system('sleep 600 &')):\n    try:\n        start()\n    except PermissionError:\n        pass" + WAIT,
    "threads": "import threading, time\nfor _ in range(9): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()" + WAIT,
}  # fmt: skip
CONNECT = {
    "loopback": "import socket\nsocket.create_connection(('127.0.0.1', {tcp}), 3)",
    "the internet": "import socket\nsocket.create_connection(('1.1.1.1', 80), 3)",
    "the cloud's metadata": "import socket\nsocket.create_connection(('169.254.169.254', 80), 3)",
    "a path": "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect({path!r})",
    "an abstract name": "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('\\0' + {abstract!r})",
    "the host by vsock": "import socket\ns = socket.socket(socket.AF_VSOCK)\ns.settimeout(3)\ns.connect((2, 1024))",
    "a path by a pair of datagrams": "import socket\na, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\na.connect({path!r} + '.dgram')\na.send(b'x')",
    "a path by a pair of streams": "import socket\na, b = socket.socketpair()\na.connect({path!r})",
    "raw packets": "import socket\nsocket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "the kernel": "import socket\nsocket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "by io_uring": SHM + "import os\nif C.syscall(425, 8, ctypes.create_string_buffer(256)) == -1: raise OSError('refused')",
}  # fmt: skip
HOLD = {
    "System V's shared memory": SHM + "C.shmat.restype = ctypes.c_void_p\nfor _ in range(8):\n    i = C.shmget(0, 1 << 27, 0o1600)\n    if i == -1: raise OSError('refused')\n    at = ctypes.c_void_p(C.shmat(i, None, 0))\n    ctypes.memset(at, 1, 1 << 27)\n    C.shmdt(at)",
    "files in memory": "import os\nfor _ in range(40):\n    f = os.memfd_create('x')\n    for _ in range(16): os.write(f, bytes(1 << 20))",
    "many processes": FORK + "x = bytearray(100 << 20)\nfor _ in range(10):\n    if fork() == 0:\n        x[:] = os.urandom(1 << 20) * 100\n        time.sleep(600)\nx += bytearray(200 << 20)",
    "a tree of processes": FORK + "for _ in range(10):\n    if fork() == 0:\n        os.setsid()\n        continue\n    x = bytearray(os.urandom(1 << 20) * 100)\nx += bytearray(200 << 20)",
    "many threads": "import threading, time\nx = []\ndef take():\n    while True: x.append(bytearray(1 << 20))\nfor _ in range(9): threading.Thread(target=take).start()\ntake()",
    "files in shared memory": "for n in range(40):\n    for folder in ('/dev/shm', '/var/tmp', '/tmp/..', '/run'):\n        try:\n            open(f'{folder}/rewardkit-left-{n}', 'wb').write(bytes(1 << 24))\n        except OSError:\n            continue\n        raise SystemExit(0)" + WAIT,
    "a file system of its own": SHM + "if C.unshare(0x10020000) == 0 and C.mount(b'none', b'/tmp', b'tmpfs', 0, b'') == 0:\n    for n in range(40): open(f'/tmp/{n}', 'wb').write(bytes(1 << 24))" + WAIT,
    "one process": "x = []\nwhile True: x.append(bytearray(10**6))",
    "shared pages": "import mmap\nx = [mmap.mmap(-1, 1 << 26) for _ in range(20)]\nfor m in x: m.write(b'x' * (1 << 26))",
}  # fmt: skip
PROGRAMS = {
    f"{what} {name}": source
    for what, table in (("forges", FORGE), ("ends", END), ("outlives by", OUTLIVE), ("reaches", CONNECT), ("holds", HOLD))
    for name, source in table.items()
}  # fmt: skip
