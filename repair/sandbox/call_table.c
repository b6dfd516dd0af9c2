/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may be called in the sandbox, and for what: names as in libseccomp. A name that this architecture, libseccomp or
 * C library does not have is skipped, so the lists hold what glibc and musl use on 64-bit machines: open and poll on
 * x86_64 are openat and ppoll on aarch64.
 */
#define _GNU_SOURCE 1

#include "call_table.h"

#include <errno.h>
#include <stddef.h>

#include "sandbox.h"

/* Calls without a family are allowed in each run. */
const struct allowed_call allowed_calls[] = {
	/* reading devices, and writing to them, to undo files, temporary files and reports */
	{ "read", 0 },
	{ "readv", 0 },
	{ "pread64", 0 },
	{ "preadv", 0 },
	{ "preadv2", 0 },
	{ "write", 0 },
	{ "writev", 0 },
	{ "pwrite64", 0 },
	{ "pwritev", 0 },
	{ "pwritev2", 0 },
	{ "lseek", 0 },	  /* holes of images; streams */
	{ "_llseek", 0 }, /* on 32-bit machines */
	{ "fsync", 0 },	  /* commit */
	{ "fdatasync", 0 },
	{ "sync_file_range", 0 },
	{ "fallocate", 0 }, /* space for a temporary file */
	{ "ftruncate", 0 }, /* an undo file that is begun again */
	{ "ftruncate64", 0 },
	{ "fadvise64", 0 }, /* for random reads; libblkid */
	{ "fadvise64_64", 0 },
	{ "arm_fadvise64_64", 0 },
	{ "readahead", 0 }, /* libblkid */

	/* log and realtime device, tests whether a device is in use, temporary files: Landlock decides which */
	{ "open", 0 },
	{ "openat", 0 },
	{ "openat2", 0 },
	{ "close", 0 },
	{ "stat", 0 },
	{ "stat64", 0 },
	{ "lstat", 0 },
	{ "lstat64", 0 },
	{ "fstat", 0 },
	{ "fstat64", 0 },
	{ "newfstatat", 0 },
	{ "fstatat64", 0 },
	{ "statx", 0 },
	{ "statfs", 0 },
	{ "statfs64", 0 },
	{ "fstatfs", 0 },
	{ "fstatfs64", 0 },
	{ "access", 0 },
	{ "faccessat", 0 },
	{ "faccessat2", 0 },
	{ "readlink", 0 },
	{ "readlinkat", 0 },
	{ "getdents", 0 }, /* loop devices */
	{ "getdents64", 0 },
	{ "getcwd", 0 }, /* libblkid and libmount make names absolute */
	{ "dup", 0 },
	{ "umask", 0 },
	{ "ioctl", 0 }, /* calls.c decides which */
	{ "fcntl", 0 }, /* O_DIRECT on and off */
	{ "fcntl64", 0 },
	{ "flock", 0 }, /* log and realtime device */

	/* names: the undo file gets one; some file systems only create files with a name */
	{ "link", 0 },
	{ "linkat", 0 },
	{ "unlink", 0 },
	{ "unlinkat", 0 },
	{ "rmdir", 0 }, /* the new directory of undo files, if none was written */
	{ "mkdir", 0 }, /* tests whether the directory of undo files exists */
	{ "mkdirat", 0 },

	/* memory; mmap() and mprotect(): see calls.c */
	{ "brk", 0 },
	{ "munmap", 0 },
	{ "mremap", 0 },
	{ "madvise", 0 },
	{ "mincore", 0 },
	{ "membarrier", 0 }, /* liburcu */

	/* threads, locks, signals; clone() and tgkill(): see calls.c */
	{ "futex", 0 },
	{ "futex_time64", 0 },
	{ "futex_waitv", 0 },
	{ "futex_wake", 0 }, /* newer calls for the same, since Linux 6.7 */
	{ "futex_wait", 0 },
	{ "futex_requeue", 0 },
	{ "set_robust_list", 0 },
	{ "get_robust_list", 0 },
	{ "set_tid_address", 0 },
	{ "rseq", 0 },
	{ "gettid", 0 },
	{ "getpid", 0 },
	{ "sched_yield", 0 },
	{ "sched_getaffinity", 0 }, /* malloc's arenas */
	{ "sched_getparam", 0 },
	{ "sched_getscheduler", 0 },
	{ "getcpu", 0 },
	{ "rt_sigaction", 0 },
	{ "rt_sigprocmask", 0 },
	{ "rt_sigpending", 0 },
	{ "sigaltstack", 0 },
	{ "rt_sigreturn", 0 },
	{ "rt_sigtimedwait", 0 }, /* sigwait() */
	{ "rt_sigtimedwait_time64", 0 },
	{ "restart_syscall", 0 },
	{ "exit", 0 },
	{ "exit_group", 0 },

	/* time, progress, data of the system and the run */
	{ "clock_gettime", 0 },
	{ "clock_gettime64", 0 },
	{ "clock_getres", 0 },
	{ "clock_nanosleep", 0 },
	{ "clock_nanosleep_time64", 0 },
	{ "nanosleep", 0 },
	{ "gettimeofday", 0 },
	{ "clock_getres_time64", 0 },
	{ "time", 0 },
	{ "poll", 0 },
	{ "ppoll", 0 },
	{ "ppoll_time64", 0 },
	{ "getrandom", 0 },
	{ "getrusage", 0 },
	{ "sysinfo", 0 },
	{ "uname", 0 },
	{ "getuid", 0 }, /* libblkid: is the environment to be trusted? */
	{ "geteuid", 0 },
	{ "getppid", 0 }, /* libuuid: for a new log, as the other ids */
	{ "getgid", 0 },
	{ "getegid", 0 },
	{ "getrlimit", 0 },

	{ "io_uring_setup", SANDBOX_URING }, /* each queue has a ring of its own */
	{ "io_uring_enter", SANDBOX_URING },
	{ "io_uring_register", SANDBOX_URING },

	/* only for existing connections: none is opened, even if one is lost */
	{ "sendto", SANDBOX_SERVER },
	{ "sendmsg", SANDBOX_SERVER },
	{ "recvfrom", SANDBOX_SERVER },
	{ "recvmsg", SANDBOX_SERVER },
	{ "shutdown", SANDBOX_SERVER },
	{ "getsockopt", SANDBOX_SERVER },
	{ "getsockname", SANDBOX_SERVER },
	{ "getpeername", SANDBOX_SERVER },
	{ "memfd_create", 0 }, /* a start of the device for libblkid */
	{ "eventfd2", SANDBOX_SERVER },

	/*
	 * Landlock limits where files are made or moved to, but not whose owner, mode, times and attributes are set:
	 * these calls also take paths, and paths of special files.
	 */
	{ "mknod", SANDBOX_TREE },
	{ "mknodat", SANDBOX_TREE },
	{ "symlink", SANDBOX_TREE },
	{ "symlinkat", SANDBOX_TREE },
	{ "rename", SANDBOX_TREE | SANDBOX_REPLACE },
	{ "renameat", SANDBOX_TREE | SANDBOX_REPLACE },
	{ "renameat2", SANDBOX_TREE | SANDBOX_REPLACE },
	{ "fchown", SANDBOX_TREE },
	{ "fchownat", SANDBOX_TREE },
	{ "chmod", SANDBOX_TREE }, /* fchmodat() without following links, by /proc */
	{ "fchmod", SANDBOX_TREE },
	{ "fchmodat", SANDBOX_TREE },
	{ "fchmodat2", SANDBOX_TREE },
	{ "utimensat", SANDBOX_TREE },
	{ "utimensat_time64", SANDBOX_TREE },
	{ "fsetxattr", SANDBOX_TREE },
	{ "lsetxattr", SANDBOX_TREE },
	{ "copy_file_range", SANDBOX_TREE },
	{ "syncfs", SANDBOX_TREE },

	{ "wait4", SANDBOX_PROGRAMS },
	{ "waitid", SANDBOX_PROGRAMS },
};
const size_t allowed_call_count = sizeof(allowed_calls) / sizeof(allowed_calls[0]);

/* ---- calls that only foreign code can make ---- */

const char *const hostile_calls[] = {
	/* other programs and processes; starting a process just fails, see calls.c */
	"execve",
	"execveat",
	"ptrace",
	"process_vm_readv",
	"process_vm_writev",
	"process_madvise",
	"process_mrelease",
	"kcmp",
	"pidfd_open",
	"pidfd_getfd",
	"pidfd_send_signal",
	"tkill",
	"rt_sigqueueinfo",
	"rt_tgsigqueueinfo",
	/* connections */
	"socket",
	"socketpair",
	"connect",
	"bind",
	"listen",
	"accept",
	"accept4",
	"sendmmsg",
	"recvmmsg",
	"sendto",
	"sendmsg",
	"recvfrom",
	"recvmsg",
	/* files that are not ours */
	"chmod",
	"fchmod",
	"fchmodat",
	"fchmodat2",
	"chown",
	"lchown",
	"fchown",
	"fchownat",
	"rename",
	"renameat",
	"renameat2",
	"symlink",
	"symlinkat",
	"mknod",
	"mknodat",
	"truncate",
	"truncate64",
	"creat",
	"setxattr",
	"lsetxattr",
	"fsetxattr",
	"setxattrat",
	"removexattr",
	"lremovexattr",
	"fremovexattr",
	"removexattrat",
	"utime",
	"utimes",
	"futimesat",
	"utimensat",
	"chroot",
	"pivot_root",
	"mount",
	"umount",
	"umount2",
	"mount_setattr",
	"open_tree",
	"move_mount",
	"fsopen",
	"fsconfig",
	"fsmount",
	"fspick",
	"open_by_handle_at",
	"name_to_handle_at",
	"fanotify_init",
	"file_setattr",
	"quotactl",
	"quotactl_fd",
	"swapon",
	"swapoff",
	"acct",
	/* privileges, namespaces, and the kernel itself */
	"unshare",
	"setns",
	"setuid",
	"setgid",
	"setreuid",
	"setregid",
	"setresuid",
	"setresgid",
	"setgroups",
	"setfsuid",
	"setfsgid",
	"capset",
	"keyctl",
	"add_key",
	"request_key",
	"bpf",
	"perf_event_open",
	"userfaultfd",
	"init_module",
	"finit_module",
	"delete_module",
	"kexec_load",
	"kexec_file_load",
	"reboot",
	"syslog",
	"personality",
	"modify_ldt",
	"iopl",
	"ioperm",
	"settimeofday",
	"clock_settime",
	"adjtimex",
	"clock_adjtime",
	"sethostname",
	"setdomainname",
	"vhangup",
	"lookup_dcookie",
	"seccomp",
	"landlock_create_ruleset",
	"memfd_secret",
	"io_uring_setup",
	"io_uring_enter",
	"io_uring_register",
	"io_setup",
	"io_submit",
};
const size_t hostile_call_count = sizeof(hostile_calls) / sizeof(hostile_calls[0]);
