"""A hand-assembled seccomp filter: no sockets, no mounts, no tracing, no reaching for other processes.

A deny list on top of Landlock and namespaces, not an allow list: tested code may use any ordinary system
call, and a new interpreter needs no new list. Written as classic BPF so that no library has to be found
(looking one up costs 9 ms in every process that does).
"""

from __future__ import annotations

import ctypes
import errno
import struct

from rlaios_core.environments.sandbox import syscalls

_LOAD, _JEQ, _JGE, _JSET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NR_OFFSET, _ARCH_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NAMESPACE_FLAGS = 0x7E020080  # every CLONE_NEW* flag
_AF_UNIX, _AF_INET = 1, 2
_SOCK_STREAM, _OTHER_SOCKET_KINDS = 0x1, 0xE
_PROTOCOL_TCP = 6
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C

# name: (x86_64, aarch64); -1 where the architecture never had the call.
_DENIED = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_getfd": (438, 438), "process_madvise": (440, 440),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "unshare": (272, 97), "setns": (308, 268),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60),
    "syslog": (103, 116), "sethostname": (170, 161), "setdomainname": (171, 162),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171),
    "clock_adjtime": (305, 266), "vhangup": (153, 58), "personality": (135, 92),
    "iopl": (172, -1), "ioperm": (173, -1), "modify_ldt": (154, -1),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264), "fanotify_init": (300, 262),
    "move_pages": (279, 239), "migrate_pages": (256, 238),
    # Objects of these kinds would outlive the process and reach the next run.
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189),
    "msgrcv": (70, 188), "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181),
}  # fmt: skip

# The argument that names another process (0 means the caller itself): the server shares the tested code's
# uid.
_SELF_ONLY = {
    "prlimit64": (302, 261, 0), "sched_setaffinity": (203, 122, 0), "sched_setparam": (142, 118, 0),
    "sched_setscheduler": (144, 119, 0), "sched_setattr": (314, 274, 0),
    "setpriority": (141, 140, 1), "ioprio_set": (251, 30, 1),
}  # fmt: skip

# Landlock does not control file modes, owners and times. Where tested code runs as the user who owns the rest
# of the machine's files, these calls report success and do nothing.
_METADATA_IGNORED = {
    "chmod": (90, -1), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, -1), "lchown": (94, -1),
    "fchownat": (260, 54), "utime": (132, -1), "utimes": (235, -1), "futimesat": (261, -1),
    "utimensat": (280, 88),
}  # fmt: skip
_METADATA_DENIED = {
    "setxattr": (188, 5), "lsetxattr": (189, 6), "removexattr": (197, 14), "lremovexattr": (198, 15),
    "truncate": (76, 45),
}  # fmt: skip

_SIGNALS = {"tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
            "pidfd_send_signal": (424, 424)}  # fmt: skip
_SIGNALS_OWN = {"kill": (62, 129, 0), "tgkill": (234, 131, 0)}
_CLONE, _CLONE3, _SOCKETPAIR, _IOCTL = (56, 220), (435, 435), (53, 199), (16, 29)
_SOCKET = (41, 198)


def _op(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


class _Program:
    """Instructions under construction for one architecture; every rule leaves the call number loaded."""

    def __init__(self) -> None:
        self.column = 0 if syscalls.MACHINE == "x86_64" else 1
        self.code = [_op(_LOAD, _ARCH_OFFSET), _op(_JEQ, _AUDIT_ARCH[syscalls.MACHINE], 1, 0)]
        self.code += [_op(_RETURN, _KILL), _op(_LOAD, _NR_OFFSET)]
        if self.column == 0:  # the x32 calls are a second door to the same kernel functions
            self.code += [_op(_JGE, 0x40000000, 0, 1), _op(_RETURN, _ERRNO | errno.EPERM)]

    def deny(self, numbers: tuple[int, ...], code: int = errno.EPERM) -> None:
        """Answer a call with ``code`` (0: success) instead of making it."""
        number = numbers[self.column]
        if number >= 0:
            self.code += [_op(_JEQ, number, 0, 1), _op(_RETURN, _ERRNO | code)]

    def deny_when(self, numbers: tuple[int, ...], argument: int, test: int, value: int, when: bool) -> None:
        """Refuse a call when comparing its argument's lower 32 bits with ``value`` comes out as ``when``."""
        hit, miss = (0, 1) if when else (1, 0)
        self.code += [
            _op(_JEQ, numbers[self.column], 0, 4),
            _op(_LOAD, _ARGUMENTS_OFFSET + 8 * argument),
            _op(test, value, hit, miss),
            _op(_RETURN, _ERRNO | errno.EPERM),
            _op(_LOAD, _NR_OFFSET),
        ]

    def install(self) -> None:
        """Put the filter on the calling thread for good; it is inherited by every child."""
        code = b"".join([*self.code, _op(_RETURN, _ALLOW)])
        buffer = ctypes.create_string_buffer(code, len(code))
        header = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer)))
        syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
        syscalls.prctl_pointer(syscalls.PR_SET_SECCOMP, 2, ctypes.cast(header, ctypes.c_void_p))


def install(*, protect_metadata: bool, tcp: bool = False) -> None:
    """Install the filter shared by the server and all tested code; raises OSError when the kernel refuses.

    ``protect_metadata``: tested code runs as the owner of other files and no private mounts hide them.
    ``tcp``: TCP sockets may be made (something else must then say where they may lead); no socket else.
    """
    program = _Program()
    if tcp:
        program.deny_when(_SOCKET, 0, _JEQ, _AF_INET, False)
        program.deny_when(_SOCKET, 1, _JSET, _OTHER_SOCKET_KINDS, True)
        program.deny_when(_SOCKET, 1, _JSET, _SOCK_STREAM, False)
        # Other stream protocols (such as MPTCP) are not what Landlock's TCP rules are about.
        program.deny_when(_SOCKET, 2, _JSET, ~_PROTOCOL_TCP & 0xFFFFFFFF, True)
    else:
        program.deny(_SOCKET)
    for numbers in _DENIED.values():
        program.deny(numbers)
    if protect_metadata:
        for numbers in _METADATA_IGNORED.values():
            program.deny(numbers, 0)
        for numbers in _METADATA_DENIED.values():
            program.deny(numbers)
    for x86, arm, argument in _SELF_ONLY.values():
        program.deny_when((x86, arm), argument, _JEQ, 0, False)
    program.deny_when(_SOCKETPAIR, 0, _JEQ, _AF_UNIX, False)
    program.deny_when(_IOCTL, 1, _JEQ, _TIOCSTI, True)
    program.deny_when(_IOCTL, 1, _JEQ, _TIOCLINUX, True)
    program.deny_when(_CLONE, 0, _JSET, _NAMESPACE_FLAGS, True)
    # clone3 hides its flags behind a pointer; "not implemented" makes libc fall back to clone.
    program.deny(_CLONE3, errno.ENOSYS)
    program.install()


def install_signal_rule(own_pid: int) -> None:
    """Let the calling process signal only itself: for kernels whose Landlock does not scope signals."""
    program = _Program()
    for numbers in _SIGNALS.values():
        program.deny(numbers)
    for x86, arm, argument in _SIGNALS_OWN.values():
        program.deny_when((x86, arm), argument, _JEQ, own_pid, False)
    program.install()
