# SPDX-License-Identifier: GPL-2.0-or-later
# DISK START LENGTH COMMAND...: runs a command while these bytes are locked
# For tests/suite/partitions.
import fcntl, os, struct, subprocess, sys
path, start, length, *command = sys.argv[1:]
fd = os.open(path, os.O_RDWR)
lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, int(start), int(length), 0)
fcntl.fcntl(fd, 37, lock) # F_OFD_SETLK
sys.exit(subprocess.run(command).returncode)
