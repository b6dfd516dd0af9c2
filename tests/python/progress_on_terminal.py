# SPDX-License-Identifier: GPL-2.0-or-later
# FOLDER SECONDS COMMAND...: runs a command on a terminal, and writes the final screen
# For tests/suite/progress.
import fcntl, os, pty, struct, sys, termios, time
work, longest, command = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    os.execv(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 100, 0, 0))
seen, last, silent = b"", time.monotonic(), 0
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError: # the other end is closed
        break
    now = time.monotonic()
    if now - last > silent:
        silent, after = now - last, seen[-100:]
    last = now
    seen += piece
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
screen = []
for line in seen.replace(b"\r\n", b"\n").split(b"\n"):
    shown = bytearray()
    for part in line.split(b"\r"):
        shown[:len(part)] = part
    screen.append(bytes(shown).rstrip())
open(work + "/seen", "wb").write(seen)
open(work + "/screen", "wb").write(b"\n".join(screen))
if silent > longest:
    print("silent for %.1f s after %r" % (silent, after))
    status = 99
sys.exit(status)
