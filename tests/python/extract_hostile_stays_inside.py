# SPDX-License-Identifier: GPL-2.0-or-later
# ARCHIVE: no name leads out of the folder where it is unpacked
# For tests/suite/extract_hostile.
import sys, tarfile
links = set()
names = set()
for member in tarfile.open(sys.argv[1]):
    parts = member.name.split("/")
    if member.name.startswith("/") or ".." in parts:
        sys.exit("a name leads out: %r" % member.name)
    for i in range(1, len(parts)):
        if "/".join(parts[:i]) in links:
            sys.exit("a name lies below a link: %r" % member.name)
    if member.name in links or (member.issym() and member.name in names):
        sys.exit("a link has the name of something else: %r" % member.name)
    names.add(member.name)
    if member.issym():
        links.add(member.name)
    if member.islnk() and (member.linkname.startswith("/") or ".." in member.linkname.split("/")):
        sys.exit("a link leads out: %r to %r" % (member.name, member.linkname))
