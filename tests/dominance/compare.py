#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares, on damage as it happens in the field, what a repair by xfsck keeps with what the installed xfs_repair keeps.

A case is a kind of damage (kinds.py), a base (bases.py) and a seed. Both programs repair a copy; both results are
mounted and compared with what the base held, path by path. A case is flagged if the program refuses, crashes or hangs,
if the result is not clean for itself or for xfs_repair -n, does not mount or fails in use, if it keeps less than
xfs_repair's, or has more entries that did not exist before the damage, if a name is lost that its report does not
mention, if the report counts more files in place or fewer gone than there are, or if what is left does not survive
(afterlife.py)."""
import bisect
import json
import os
import re
import sys

sys.dont_write_bytecode = True
import afterlife
import bases
import cases
import content
import programs
import use


EXTENTS_INODE = re.compile(rb"IN..[\x01-\x03][^\x01]", re.DOTALL)  # magic, mode, version, and a format other than local


# ---- judging ----


def look(image, mounts, tools):
    """The content of a repaired image, and whether it can be used; None if it does not mount."""
    if not mounts.can_mount(image):
        return None, False
    with mounts.mounted(image) as root:
        found = content.Content(content.manifest(root, tools))
        return found, not use.failure(root) and not found.errors


def names_in(image, idle, inode):
    """Names that can be read in a damaged image, other than in what the base had as free space or log, or in inodes
    with extents, behind which the names stay that the inode itself once held; inode: their size."""
    names, at = set(), 0
    with open(image, "rb") as file:
        for start, end in idle + [(os.path.getsize(image), 0)]:
            file.seek(at)
            content = file.read(max(0, start - at))
            inodes = [match.start() for match in EXTENTS_INODE.finditer(content) if (at + match.start()) % inode == 0]
            for name in bases.NAME.finditer(content):
                before = bisect.bisect_right(inodes, name.start()) - 1
                if before < 0 or name.start() - inodes[before] >= inode:
                    names.add(name.group().decode())
            at = end
    return names


def silent(base, truth, found, left, damaged, output):
    """Names that are lost, but could be read, and are not in the output."""
    readable = names_in(damaged, base.idle, bases.superblock(base.image).inode_size)
    told = {name.decode() for name in bases.NAME.findall(output.encode())}
    lost = {os.path.basename(path) for path in truth.paths.keys() - left.kept} - found.names
    return sorted((lost & readable) - told)


def is_at(path, there, names):
    """Whether an object is at its path, but for names that the damage has altered: `names` are those of the truth."""
    parts, others = path.split("/"), there.split("/")
    return len(parts) == len(others) and all(a == b or b not in names | {"lost+found"} for a, b in zip(parts, others))


def account(truth, found, output):
    """Flags for what the summary counts better than it is; by paths and inodes, since nothing tells of other contents."""
    line = [line for line in output.splitlines() if line.startswith('{"type":"summary"')]
    told = json.loads(line[-1])["losses"] if line else None
    if not told:
        return []
    places = {}
    for path, entry in found.paths.items():
        places.setdefault(entry.ino, []).append(path)
    at_path = sum(
        any(is_at(path, there, truth.names) for there in places.get(entry.ino, ())) for path, entry in truth.paths.items()
    )
    gone = len({entry.ino for entry in truth.paths.values()} - places.keys())
    flags, missing = [], told["missing"]
    if told["in_place"] > at_path - 1:  # the root counts in a manifest only
        flags.append("tells %d in place of %d" % (told["in_place"], at_path - 1))
    if missing["most"] is not None and told["lost"] + missing["most"] < gone:
        flags.append("tells %d gone of %d" % (told["lost"] + missing["most"], gone))
    return flags


def losses(ours, theirs):
    """Flags for what xfs_repair keeps more of, and for ghosts beyond the entries that only we keep."""
    flags = []
    if len(ours.kept) < len(theirs.kept):
        flags.append("keeps less: %d < %d" % (len(ours.kept), len(theirs.kept)))
    if len(ours.same) < len(theirs.same):
        flags.append("less in place: %d < %d" % (len(ours.same), len(theirs.same)))
    only, more = theirs.kept - ours.kept, ours.kept - theirs.kept
    if len(only) > max(20, len(more) // 4):
        flags.append("only xfs_repair keeps %d: %s" % (len(only), " ".join(sorted(only)[:2])))
    if len(ours.ghosts) - len(theirs.ghosts) > max(0, len(more) - len(only)):
        flags.append("more ghosts: %d > %d" % (len(ours.ghosts), len(theirs.ghosts)))
    return flags


def ghosts(ours, theirs):
    """What to say of entries that did not exist before the damage, or not at that path; nothing if there are none."""
    if not ours.ghosts and not theirs.ghosts:
        return ""
    text = "; ghosts: %d, of xfs_repair %d" % (len(ours.ghosts), len(theirs.ghosts))
    return text + "".join(" " + path for path in sorted(ours.ghosts - theirs.ghosts)[:2])


class Case:
    """Damages a copy of a base, has it repaired twice, and compares."""

    def __init__(self, args, work, mounts, name, made):
        self.args, self.mounts, (self.kind, self.base, self.seed) = args, mounts, name
        self.damaged, self.ours, self.theirs = (os.path.join(work, name) for name in ("damaged", "ours", "theirs"))
        self.truth = cases.damaged(self.kind, self.base, self.seed, made, self.damaged, mounts, args.tools)
        self.flags, self.output = [], ""

    def title(self):
        return "%s %s %s" % (self.kind, self.base.name, self.seed)

    def hold_account(self):
        """Flag what tests/account finds amiss in the account of the repair, against what the kernel shows of the base, of the
        repaired image and, if it can, of the damaged one."""
        report, options = self.ours + ".account", "loop,ro,norecovery"
        before, after, damaged = (programs.Mounts(self.ours + suffix) for suffix in (".before", ".after", ".damaged"))
        with open(report, "w") as file:
            file.write("".join(line + "\n" for line in self.output.splitlines() if line.startswith("{")))
        with before.mounted(self.base.image, options) as was, after.tried(self.ours, options) as now:
            with damaged.tried(self.damaged, options) as broken:
                if now:
                    tool = os.path.join(self.args.tools, "..", "account", "account")
                    words = [tool, was, now, report, self.damaged, self.ours] + [broken] * bool(broken)
                    lines = programs.run(words, 10 * self.args.seconds)[1].splitlines()
                    if lines:
                        self.flags.append("tells what is not so, or not all, %d times: %s" % (len(lines), lines[0]))
                        self.output += "".join("amiss: " + line + "\n" for line in lines)
        os.unlink(report)

    def repaired_by_us(self, program, judge, survives):
        bases.copy(self.damaged, self.ours)
        status, self.output = program.repair(self.ours)
        if status is None:
            self.flags.append("hangs")
        elif status < 0 or status > 4:
            self.flags.append("crashes with %d" % status)
        elif status:
            self.flags.append("refuses with %d" % status)
        else:
            if not program.clean(self.ours):
                self.flags.append("not clean for itself")
            if not judge.clean(self.ours):
                self.flags.append("not clean for xfs_repair -n")
        if status == 0 and self.args.accounts and self.truth is self.base.truth:
            self.hold_account()
        alive = survives(self.ours, self.title())
        if status == 0 and alive.words:
            self.flags.append("does not survive: %s" % alive)
        found, fine = look(self.ours, self.mounts, self.args.tools)
        if found is None:
            self.flags.append("does not mount")
        elif not fine:
            self.flags.append("fails in use")
        return found, status, not alive.words

    def repaired_by_them(self, program, survives):
        """What is left, and whether it survives."""
        bases.copy(self.damaged, self.theirs)
        cases.repair_as_peer(program, self.theirs)
        alive = survives(self.theirs, self.title())
        return look(self.theirs, self.mounts, self.args.tools)[0], not alive.words

    def judge(self, ours, theirs, survives):
        """Returns what is left by each, as Left, and whether that of each survives."""
        found, status, alive = self.repaired_by_us(ours, theirs, survives)
        mine = content.Left(self.truth, found or content.NOTHING)
        left, peer_alive = self.repaired_by_them(theirs, survives)
        peer = content.Left(self.truth, left or content.NOTHING)
        self.flags += losses(mine, peer)
        if status == 0 and found and self.truth is self.base.truth:
            names = silent(self.base, self.truth, found, mine, self.damaged, self.output)
            if names:
                self.flags.append("silent about %d: %s" % (len(names), " ".join(names[:2])))
            self.flags += account(self.truth, found, self.output)
        return mine, peer, alive, peer_alive


# ---- the table ----


class Row:
    """Sums over cases"""

    def __init__(self):
        self.cases = self.flagged = self.all = 0
        self.counts, self.ghosts, self.alive = [0] * 4, [0] * 2, [0] * 2

    def add(self, case, mine, peer, *alive):
        self.cases += 1
        self.flagged += bool(case.flags)
        self.all += len(case.truth.paths)
        for i, paths in enumerate((mine.kept, peer.kept, mine.same, peer.same)):
            self.counts[i] += len(paths)
        for i, left in enumerate((mine, peer)):
            self.ghosts[i] += len(left.ghosts)
        for i, survives in enumerate(alive):
            self.alive[i] += survives

    def line(self, title):
        shares = "".join("%11.2f" % (100 * count / self.all) for count in self.counts)
        return "%-22s%6d%9d%s%9d%9d%9d%9d" % (title, self.cases, self.flagged, shares, *self.ghosts, *self.alive)


TITLE = "kind                   cases  flagged  kept by us, by xfs_repair;  unchanged by us, by xfs_repair (%); ghosts; survive"


def compare_all(args, made, work, mounts, _):
    ours, theirs = cases.checkers(args)
    survives = afterlife.Afterlife(mounts, work, ours, theirs, args.tools, 2, 1)
    rows, total = {}, Row()
    for name in cases.names(args, made):
        case = Case(args, work, mounts, name, made)
        sums = case.judge(ours, theirs, survives)
        for row in (rows.setdefault(case.kind, Row()), total):
            row.add(case, *sums)
        print("%s: %s%s" % (case.title(), "; ".join(case.flags) or "fine", ghosts(*sums[:2])), flush=True)
        if case.flags and args.keep:
            cases.keep(args.keep, case.title().replace(" ", "_"), case.damaged, case.flags, case.output)
    print(TITLE)
    for kind, row in rows.items():
        print(row.line(kind))
    print(total.line("all"))
    return total.flagged


def main():
    parser = cases.parser(__doc__, bases.HERE)
    parser.add_argument("--accounts", action="store_true", help="hold all of each account against what the kernel shows")
    return cases.main(parser.parse_args(), compare_all)


if __name__ == "__main__":
    sys.exit(main())
