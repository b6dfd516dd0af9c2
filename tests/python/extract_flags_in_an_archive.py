# SPDX-License-Identifier: GPL-2.0-or-later
# ARCHIVE: its inode flags are those that the suite set
# For tests/suite/extract.
import sys, tarfile
flags = {m.name: set(m.pax_headers.get("SCHILY.fflags", "").split(",")) for m in tarfile.open(sys.argv[1])}
assert flags["plain"] == {"schg", "sync", "noatime", "nodump"}, flags["plain"]
assert flags["hinted"] == {"nodump"} and flags["other"] == {""} and flags["dir"] == {"sappnd", "nodump"}, flags
