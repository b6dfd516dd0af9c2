# SPDX-License-Identifier: GPL-2.0-or-later
"""What can be seen of a mounted file system, and how much of one is left in another."""
import os
import re
import subprocess
from collections import namedtuple

DIRECTORY, REGULAR = 0o040000, 0o100000

# what: type, size, and content, target or device; attributes: all the rest that must not change
Entry = namedtuple("Entry", "ino type what attributes")


def manifest(root, tools):
    """A line for each object, as tests/tools/manifest.c prints them."""
    output = subprocess.run([os.path.join(tools, "manifest"), root], capture_output=True, timeout=300)
    return output.stdout.decode("ascii") + ("" if output.returncode == 0 else "./* E%d\n" % output.returncode)


def parse(line):
    """The path and the entry of a line, or None for what could not be read."""
    words = line.split()
    if len(words) < 4:
        return words[0], None
    fields = dict(word.split("=", 1) for word in words[4:])
    mode = int(words[2], 8)
    kind = mode & 0o170000
    # what the error is called stands in place of a value
    if any(re.match(r"E[A-Z]+$", value) for value in fields.values()):
        return words[0], None
    what = (kind, fields.get("size"), fields.get("content") or fields.get("target") or fields.get("device"))
    attributes = [words[2], words[3], fields.get("project"), fields.get("attributes")]
    if kind != DIRECTORY:  # whose links and times change with what comes into them
        attributes += [fields["links"], fields["modified"]]
    return words[0], Entry(int(words[1]), kind, what if kind != DIRECTORY else kind, tuple(attributes))


class Content:
    """paths: entry by path; errors: paths that could not be read"""

    def __init__(self, text):
        self.paths, self.errors = {}, []
        for line in text.splitlines():
            path, entry = parse(line)
            if entry:
                self.paths[path] = entry
            else:
                self.errors.append(path)
        self.names = {os.path.basename(path) for path in self.paths}


def findable(entry):
    """What an entry is known by where its path has changed: the content if there is any, else the inode."""
    if entry.type == REGULAR and entry.what[1] != "0":
        return entry.what
    return entry.what, entry.ino


LOST_FOUND = "./lost+found"


class Left:
    """How much of the truth is left: same: paths at which nothing has changed; kept: paths whose object is there, under
    whatever name, with the right content; ghosts: entries that the truth has not, other than in lost+found. What lies
    below a directory whose name was altered still has its entries there."""

    def __init__(self, truth, found):
        known = {findable(entry) for entry in found.paths.values()}
        self.same, self.kept = set(), set()
        entries = {entry_of(path, truth.paths) for path in truth.paths}
        self.ghosts = {
            path
            for path in found.paths.keys() - truth.paths.keys()
            if not in_lost_found(path) and entry_of(path, found.paths) not in entries
        }
        for path, entry in truth.paths.items():
            there = found.paths.get(path)
            if there and there.what == entry.what:
                self.kept.add(path)
                if there.attributes == entry.attributes:
                    self.same.add(path)
            elif findable(entry) in known:
                self.kept.add(path)


def entry_of(path, paths):
    """The directory by its inode number, the name, and the inode number that the entry points to."""
    parent, _, name = path.rpartition("/")
    return paths[parent].ino if parent in paths else None, name, paths[path].ino


def in_lost_found(path):
    return path == LOST_FOUND or path.startswith(LOST_FOUND + "/")


NOTHING = Content("")
