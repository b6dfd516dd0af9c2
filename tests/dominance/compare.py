#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares, on damage as it happens in the field, what a repair by xfsck keeps with what the installed xfs_repair keeps.

A case is a kind of damage (kinds.py), a base (bases.py) and a seed. Both programs repair a copy; both results are
mounted and compared with what the base held, path by path. A case is flagged if the program refuses, crashes or hangs,
if the result is not clean for itself or for xfs_repair -n, does not mount or fails in use, if it keeps less than
xfs_repair's, or if a name is lost that its report does not mention."""
import argparse
import contextlib
import fnmatch
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import bases
import content
import kinds


# ---- running programs ----


def run(command, seconds):
    """Exit status and output; the status is negative for a signal, None if it took too long."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return None, output.decode("utf-8", "replace")
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


class Mounts:
    """Mounts images in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def _mount(self, image, options):
        return run(["mount", "-t", "xfs", "-o", "loop,nouuid" + options, image, self.folder], 120)

    def _unmount(self):
        status, output = run(["umount", self.folder], 120)
        if status:
            subprocess.run(["umount", "-l", self.folder])
            raise SystemExit("can't unmount %s: %s" % (self.folder, output))

    def can_mount(self, image):
        status, _ = self._mount(image, "")
        if status == 0:
            self._unmount()
        return status == 0

    @contextlib.contextmanager
    def mounted(self, image, options=""):
        status, output = self._mount(image, "," + options if options else "")
        if status:
            raise SystemExit("%s does not mount: %s" % (image, output))
        try:
            yield self.folder
        finally:
            self._unmount()


class Program:
    """A checker: a command with {img} and perhaps {json} in it; other: consents that it may ask for"""

    CONSENTS = (["-o", "force_geometry"], ["-o", "shrink"], ["--accept-loss"])

    def __init__(self, command, seconds):
        self.words = shlex.split(command)
        if "{img}" not in command:
            self.words.append("{img}")
        self.seconds = seconds

    def run(self, image, *options):
        report = image + ".json"
        words = [word.replace("{img}", image).replace("{json}", report) for word in self.words]
        status, output = run(words[:1] + list(options) + words[1:], self.seconds)
        if os.path.exists(report):
            with open(report, errors="replace") as file:
                output += file.read()
            os.unlink(report)
        return status, output

    def repair(self, image):
        """As a user would: with what the program asks for"""
        given = []
        status, output = self.run(image)
        if status == 2:
            given.append("-L")
            status, output = self.run(image, *given)
        for consent in self.CONSENTS:
            if status == 1 and " ".join(consent) in output:
                given += consent
                status, output = self.run(image, *given)
        return status, output

    def clean(self, image):
        return self.run(image, "-n")[0] == 0


# ---- judging ----


def usable(root):
    """Whether files can be made, written and removed."""
    folder = os.path.join(root, ".in-use")
    try:
        os.mkdir(folder)
        for i in range(40):
            with open("%s/%d" % (folder, i), "wb") as file:
                file.write(bytes(5000))
        shutil.rmtree(folder)
        return True
    except OSError:
        return False


def look(image, mounts, tools):
    """The content of a repaired image, and whether it can be used; None if it does not mount."""
    if not mounts.can_mount(image):
        return None, False
    with mounts.mounted(image) as root:
        found = content.Content(content.manifest(root, tools))
        return found, usable(root) and not found.errors


def names_in(image, idle):
    """Names that can be read in a damaged image, other than in what the base had as free space or log."""
    names, at = set(), 0
    with open(image, "rb") as file:
        for start, end in idle + [(os.path.getsize(image), 0)]:
            file.seek(at)
            names.update(name.decode() for name in bases.NAME.findall(file.read(max(0, start - at))))
            at = end
    return names


def silent(base, truth, found, left, damaged, output):
    """Names that are lost, but could be read, and are not in the output."""
    readable = names_in(damaged, base.idle)
    told = {name.decode() for name in bases.NAME.findall(output.encode())}
    lost = {os.path.basename(path) for path in truth.paths.keys() - left.kept} - found.names
    return sorted((lost & readable) - told)


def losses(ours, theirs):
    """Flags for what xfs_repair keeps more of."""
    flags = []
    if len(ours.kept) < len(theirs.kept):
        flags.append("keeps less: %d < %d" % (len(ours.kept), len(theirs.kept)))
    if len(ours.same) < len(theirs.same):
        flags.append("less in place: %d < %d" % (len(ours.same), len(theirs.same)))
    only, more = theirs.kept - ours.kept, ours.kept - theirs.kept
    if len(only) > max(20, len(more) // 4):
        flags.append("only xfs_repair keeps %d: %s" % (len(only), " ".join(sorted(only)[:2])))
    return flags


class Case:
    """Damages a copy of a base, has it repaired twice, and compares."""

    def __init__(self, args, work, mounts, kind, base, seed, others):
        self.args, self.mounts, self.kind, self.base, self.seed = args, mounts, kind, base, seed
        self.damaged, self.ours, self.theirs = (os.path.join(work, name) for name in ("damaged", "ours", "theirs"))
        rng = random.Random("%s/%s/%s" % (kind, base.name, seed))
        bases.copy(base.image, self.damaged)
        self.truth = kinds.damage(kind, kinds.Target(base, others, self.damaged, rng, mounts, args.tools))
        self.flags, self.output = [], ""

    def title(self):
        return "%s %s %s" % (self.kind, self.base.name, self.seed)

    def repaired_by_us(self, program, judge):
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
        found, fine = look(self.ours, self.mounts, self.args.tools)
        if found is None:
            self.flags.append("does not mount")
        elif not fine:
            self.flags.append("fails in use")
        return found, status

    def repaired_by_them(self, program):
        bases.copy(self.damaged, self.theirs)
        program.repair(self.theirs)
        if not program.clean(self.theirs):
            program.run(self.theirs)
        return look(self.theirs, self.mounts, self.args.tools)[0]

    def judge(self, ours, theirs):
        """Returns what is left by each, as Left."""
        found, status = self.repaired_by_us(ours, theirs)
        mine = content.Left(self.truth, found or content.NOTHING)
        peer = content.Left(self.truth, self.repaired_by_them(theirs) or content.NOTHING)
        self.flags += losses(mine, peer)
        if status == 0 and found and self.truth is self.base.truth:
            names = silent(self.base, self.truth, found, mine, self.damaged, self.output)
            if names:
                self.flags.append("silent about %d: %s" % (len(names), " ".join(names[:2])))
        return mine, peer

    def keep(self, folder):
        path = os.path.join(folder, self.title().replace(" ", "_"))
        os.makedirs(folder, exist_ok=True)
        bases.copy(self.damaged, path + ".img")
        with open(path + ".report", "w") as file:
            file.write("".join(flag + "\n" for flag in self.flags) + "\n" + self.output)


# ---- the table ----


class Row:
    """Sums over cases"""

    def __init__(self):
        self.cases = self.flagged = self.all = 0
        self.counts = [0] * 4

    def add(self, case, mine, peer):
        self.cases += 1
        self.flagged += bool(case.flags)
        self.all += len(case.truth.paths)
        for i, paths in enumerate((mine.kept, peer.kept, mine.same, peer.same)):
            self.counts[i] += len(paths)

    def line(self, title):
        shares = "".join("%11.2f" % (100 * count / self.all) for count in self.counts)
        return "%-20s%6d%9d%s" % (title, self.cases, self.flagged, shares)


TITLE = "kind                 cases  flagged  kept by us, by xfs_repair;  unchanged by us, by xfs_repair (%)"


def compare_all(args, made, work, mounts):
    ours, theirs = Program(args.tool, args.seconds), Program("xfs_repair -f {img}", 10 * args.seconds)
    rows, total = {}, Row()
    for seed in args.seeds:
        for kind in args.kinds:
            for base in made:
                others = [other.image for other in made if other is not base]
                case = Case(args, work, mounts, kind, base, seed, others)
                mine, peer = case.judge(ours, theirs)
                for row in (rows.setdefault(kind, Row()), total):
                    row.add(case, mine, peer)
                print("%s: %s" % (case.title(), "; ".join(case.flags) or "fine"), flush=True)
                if case.flags and args.keep:
                    case.keep(args.keep)
    print(TITLE)
    for kind, row in rows.items():
        print(row.line(kind))
    print(total.line("all"))
    return total.flagged


# ---- options ----


def numbers(text):
    """3 or 1-4"""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not match:
        raise argparse.ArgumentTypeError("%s is no range of numbers, such as 1-3" % text)
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def chosen(table):
    """A type of option: names of a table, and patterns of names, with commas or spaces between"""

    def choose(text):
        result = []
        for pattern in text.replace(",", " ").split():
            found = fnmatch.filter(table, pattern)
            if not found:
                raise argparse.ArgumentTypeError("%s is none of: %s" % (pattern, " ".join(table)))
            result += [name for name in found if name not in result]
        return result or list(table)

    return choose


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", help="folder for the bases, which stay for the next time")
    parser.add_argument("tools", help="folder of the tool 'manifest'")
    parser.add_argument("--tool", required=True, help="the checker, as in 'xfsck --json={json} {img}'")
    parser.add_argument("--seeds", type=numbers, default="1")
    parser.add_argument("--kinds", type=chosen(kinds.KINDS), default="*")
    parser.add_argument("--bases", type=chosen(bases.BASES), default="*")
    parser.add_argument("--entries", type=int, default=6000, help="about so many are made in a base")
    parser.add_argument("--seconds", type=int, default=300, help="time for one run of the checker")
    parser.add_argument("--keep", help="folder for the damaged images and reports of flagged cases")
    return parser.parse_args()


def make_bases(args, mounts):
    made = []
    for name in args.bases:
        try:
            made.append(bases.make_base(name, args.home, args.entries, args.tools, mounts))
        except bases.Unavailable as reason:
            print("base %s is left out: %s" % (name, reason))
    return made


def main():
    args = options()
    # so that what is mounted is unmounted
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit("stopped"))
    os.makedirs(args.home, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.home) as work:
        mounts = Mounts(os.path.join(work, "mnt"))
        made = make_bases(args, mounts)
        if not made:
            sys.exit("no base can be made here")
        return 1 if compare_all(args, made, work, mounts) else 0


if __name__ == "__main__":
    sys.exit(main())
