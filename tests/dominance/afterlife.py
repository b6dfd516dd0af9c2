#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether repaired file systems survive: each is mounted, used in every directory (use.py) and synced, the power is cut,
the kernel recovers it, and everything must be there.

The power is cut without hardware and without a device mapper: while it is used, the image is a loop device on a file of
recorder.py, which keeps all writes and flushes in their order. A cut is the image as it was before, plus what is on
record up to a moment. One cut is at the last sync, with all that was written by then. Others are anywhere after the
first one: what was flushed is there, and of what was written later any part may be. Writes are not torn: a sector, and
a block that one write carries, arrives or does not.

Of each cut:
- it mounts; what was synced before it and not changed since is there, with its content, owner, attributes and times;
  nothing is there that was never there
- it can be used, and after that, neither the checker nor xfs_repair -n finds anything.
And while it is in use, nothing else changes than what is used, and no call fails as on a damaged file system.

A recovery that hangs blocks the machine, so nothing is mounted that the checker or xfs_repair -n finds damaged, after
the repair or after the cut; everything has a limit of time; and only the file system that is used is ever synced."""
import contextlib
import datetime
import errno
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import namedtuple

sys.dont_write_bytecode = True
import bases
import cases
import content
import programs
import recorder
import use

HERE = os.path.dirname(os.path.abspath(__file__))
USE_SECONDS = 300
FAULTS = ("not mounted", "missing or changed", "came back", "findings", "errors in use")


class Survival:
    """What went wrong: a number for each kind of fault, and in words."""

    def __init__(self):
        self.faults, self.words, self.cuts = dict.fromkeys(FAULTS, 0), [], 0

    def say(self, fault, when, text, number=1):
        self.faults[fault] += number
        self.words.append("%s: %s" % (when, text))

    def add(self, other):
        for fault, number in other.faults.items():
            self.faults[fault] += number
        self.cuts += other.cuts

    def __str__(self):
        return "; ".join(self.words) or "survives"

    def sums(self):
        return "%d cuts, " % self.cuts + ", ".join("%d %s" % (self.faults[fault], fault) for fault in FAULTS)


@contextlib.contextmanager
def recorded(image, work):
    """A file that is the image, and the record of what is written to it."""
    path, record = os.path.join(work, "disk"), os.path.join(work, "record")
    for name in (path, record):
        with open(name, "wb"):
            pass
    server = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "recorder.py"), path, image, record], stdout=subprocess.PIPE
    )
    try:
        if server.stdout.readline() != b"ready\n":
            raise SystemExit("this machine can't record writes")
        yield path, record
    finally:
        programs.run(["umount", "-l", path], 60)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()  # another process has a copy of all mounts of that time
            server.wait()
        server.stdout.close()


@contextlib.contextmanager
def attached(path):
    """A loop device that is a file."""
    status, loop = programs.run(["losetup", "--find", "--show", "--direct-io=on", path], 60)
    if status:
        raise SystemExit("losetup: " + loop)
    try:
        yield loop.strip()
    finally:
        programs.run(["losetup", "--detach", loop.strip()], 60)


def apply(image, writes):
    with open(image, "r+b") as file:
        for offset, data in writes:
            file.seek(offset)
            file.write(data)


def arrived(record, position, rng):
    """The writes that a cut at this position of a record leaves: up to the last flush all, after it any of them; without
    random numbers all."""
    safe, rest = [], []
    for write in recorder.writes(record, 0, position):
        if write is None:
            safe, rest = safe + rest, []
        else:
            rest.append(write)
    return safe + [write for write in rest if not rng or rng.random() < 0.5]


def moments(record, start, end):
    """Positions of a part of a record at which the power can be cut."""
    found = [start]
    for write in recorder.writes(record, start, end):
        found.append(found[-1] + recorder.HEADER.size + (len(write[1]) if write else 0))
    return found


class State:
    """Of which everything has been synced."""

    def __init__(self, state):
        self.position, self.content = state["position"], content.Content(state["manifest"])
        self.touched, self.fresh, self.ill = set(state["touched"]), set(state["fresh"]), state["ill"]

    def differences(self, found, step=None):
        """Paths that are missing or changed, and those that should not be there, where only a step may have changed
        anything, or nothing."""
        touched, fresh = (step.touched, step.fresh) if step else (set(), set())
        changed = [
            path
            for path, entry in self.content.paths.items()
            if entry.ino not in touched and found.paths.get(path) != entry
        ]
        surplus = [
            path
            for path in found.paths
            if path not in self.content.paths and not fresh.intersection(path.split("/"))
        ]
        return changed, surplus


Step = namedtuple("Step", "touched fresh")  # what several steps have changed, as a State says it of one
Cut = namedtuple("Cut", "path when state step")  # step: the state that was next, if use went on


class Afterlife:
    """Puts repaired images to the test."""

    AT_ONCE = 1  # cuts that are there at a time

    def __init__(self, mounts, work, checker, judge, tools, cuts, steps):
        self.mounts, self.work, self.checkers, self.tools = mounts, work, (checker, judge), tools
        self.cuts, self.steps = cuts, steps

    def clean(self, image, when, result):
        """Whether nothing is found in an image."""
        for checker, name in zip(self.checkers, ("xfsck -n", "xfs_repair -n")):
            status, output = checker.run(image, "-n")
            if status:
                result.say("findings", when, "%s %d %s" % (name, status, first_finding(output)))
                return False
        return True

    def use(self, image, seed, result):
        """Use an image while what is written is recorded; returns the states of which everything is synced."""
        with contextlib.ExitStack() as stack:
            path, record = stack.enter_context(recorded(image, self.work))
            root = stack.enter_context(self.mounts.tried(stack.enter_context(attached(path)), "noatime"))
            if not root:
                result.say("not mounted", "after the repair", "does not mount: " + self.mounts.why)
                return []
            command = [sys.executable, os.path.join(HERE, "use.py"), root, record, self.tools, seed, str(self.steps)]
            status, output = programs.run(command, USE_SECONDS)
        try:
            told = json.loads(output)
        except ValueError:
            result.say("errors in use", "in use", "ends with %s: %s" % (status, output[-300:]))
            return []
        return self.states(told, result)

    @staticmethod
    def states(told, result):
        if "ill" in told:
            result.say("errors in use", "in use", " ".join(told["ill"][:2]), len(told["ill"]))
        return [State(state) for state in told.get("states", [])]

    def compare(self, when, state, found, step, result):
        changed, surplus = state.differences(found, step)
        if changed:
            what = "; the first: " + difference(state.content.paths[changed[0]], found.paths.get(changed[0]))
            texts = "%d of %d missing or changed: %s" % (len(changed), len(state.content.paths), short(changed) + what)
            result.say("missing or changed", when, texts, len(changed))
        if surplus:
            result.say("came back", when, "%d came back: %s" % (len(surplus), short(surplus)), len(surplus))
        new = set(found.errors) - set(state.content.errors)
        if new:
            result.say("missing or changed", when, "%d can't be read: %s" % (len(new), short(sorted(new))), len(new))

    def looked(self, cuts, result):
        """Have the kernel recover cuts; yields what is in each, None if it can't be told."""
        for cut in cuts:
            with self.mounts.tried(cut.path, "loop,noatime") as root:
                if root:
                    found, error = content.manifest(root, self.tools), use.failure(root)
                else:
                    result.say("not mounted", cut.when, "recovery fails: " + self.mounts.why)
            yield (found, error) if root else None

    def recover(self, cuts, result):
        """Have the kernel recover cuts, and look what is there."""
        for cut, looked in zip(cuts, self.looked(cuts, result)):
            if not looked:
                continue
            manifest, error = looked
            if error not in (0, errno.ENOSPC):
                result.say("errors in use", cut.when, "fails in use: " + os.strerror(error))
            self.compare(cut.when, cut.state, content.Content(manifest), cut.step, result)
            self.clean(cut.path, cut.when, result)

    def cut_at(self, image, states, position, rng, when):
        """Cut the power at a position of the record; what was flushed later is lost, and with random numbers a part of
        what was not flushed."""
        path = os.path.join(self.work, "cut-%d" % position)
        bases.copy(image, path)
        apply(path, arrived(os.path.join(self.work, "record"), position, rng))
        os.truncate(path, os.path.getsize(image))
        last = max(i for i, state in enumerate(states) if state.position <= position)
        step = states[last + 1] if last + 1 < len(states) and states[last].position < position else None
        return Cut(path, when, states[last], step)

    def try_cuts(self, made, result):
        """Recover these cuts, so many at once."""
        while cuts := list(itertools.islice(made, self.AT_ONCE)):
            sound = []
            for cut in cuts:
                result.cuts += 1
                status, output = self.checkers[0].run(cut.path, "-n")
                if status:
                    result.say("findings", cut.when, "before recovery xfsck -n %s %s" % (status, first_finding(output)))
                else:
                    sound.append(cut)
            self.recover(sound, result)
            for cut in cuts:
                bases.remove(cut.path)

    def cuts_of(self, image, states, rng):
        record, start, end = os.path.join(self.work, "record"), states[0].position, states[-1].position
        yield self.cut_at(image, states, end, None, "cut at the last sync")
        between = moments(record, start, end)
        for position in rng.sample(between, min(self.cuts - 1, len(between))):
            yield self.cut_at(image, states, position, rng, "cut at byte %d of the record" % position)

    def __call__(self, image, seed):
        """Use a repaired image and cut the power; the image stays as it is, and the record is there until the next time."""
        result, rng = Survival(), random.Random(seed)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.work, "record"))
        if not self.clean(image, "after the repair", result):
            return result
        disk = os.path.join(self.work, "used")
        bases.copy(image, disk)
        states = self.use(disk, seed, result)
        for number, (before, after) in enumerate(zip(states, states[1:]), 1):
            self.compare("in step %d" % number, before, after.content, after, result)
            if after.ill:
                result.say("errors in use", "in step %d" % number, after.ill[0], len(after.ill))
        if states:
            self.try_cuts(self.cuts_of(image, states, rng), result)
        bases.remove(disk)
        return result


class Elsewhere(Afterlife):
    """The same in the kernel of a judge (judge.py), which also says what it finds itself. Its devices may not pass on what
    flushes them, so a cut is all that was written up to a moment. A realtime device has no record: at any cut, all is there
    that was ever written to it, so any later step may have changed a file."""

    AT_ONCE = 8

    def __init__(self, kernel, mount, *arguments):
        super().__init__(*arguments)
        self.kernel, self.mount = kernel, mount

    def use(self, image, seed, result):
        size = os.path.getsize(image)
        os.truncate(image, size + use.Marks.SIZE)
        with recorded(image, self.work) as (path, record):
            if bases.realtime(image):
                os.symlink(os.path.abspath(bases.realtime(image)), path + ".rt")
            answer = self.kernel.run([path], self.mount, "use", seed, self.steps)[0]
            if bases.realtime(image):
                os.unlink(path + ".rt")
        if answer.wrong:
            result.say("errors in use" if answer.mounted else "not mounted", "after the repair", answer.wrong)
            return []
        position, marks = 0, {}
        for write in recorder.writes(record):
            position += recorder.HEADER.size + (len(write[1]) if write else 0)
            if write and write[0] >= size:
                number = next((i for i in range(self.steps + 1) if write[1].startswith(use.Marks.text(i))), None)
                marks.setdefault(number, position)
        for state in answer.told.get("states", []):
            state["position"] = marks[state["position"]]
        return self.states(answer.told, result)

    def cut_at(self, image, states, position, rng, when):
        cut = super().cut_at(image, states, position, None, when)
        if not bases.realtime(image):
            return cut
        bases.copy(os.path.join(self.work, "used.rt"), cut.path + ".rt")
        later = [state for state in states if state.position > cut.state.position]
        touched, fresh = (set().union(*(getattr(state, field) for state in later)) for field in ("touched", "fresh"))
        return cut._replace(step=Step(touched, fresh))

    def looked(self, cuts, result):
        answers = self.kernel.run([cut.path for cut in cuts], self.mount, "look", judged=True) if cuts else []
        for cut, answer in zip(cuts, answers):
            if answer.wrong:
                fault = "findings" if answer.mounted else "not mounted"
                result.say(fault, cut.when, "the judge: " + answer.wrong)
            yield (answer.told["manifest"], answer.told["error"]) if answer.told else None


def difference(was, now):
    if not now:
        return "missing"
    pairs = zip(("inode", "type", "content", "attributes"), was, now)
    return ", ".join("%s was %s, is %s" % (field, old, new) for field, old, new in pairs if old != new)


def short(paths):
    return " ".join(path[-50:] for path in paths[:2])


def first_finding(output):
    """A line of a checker's output that says what was found: one that ends with an id, if it is xfsck's."""
    lines = [line.strip() for line in output.splitlines()]
    named = [line for line in lines if re.search(r"\([a-z_0-9]+(\.[a-z_0-9]+)+\)$", line)]
    other = [line for line in lines if line and not re.match(r"Phase|- |Repair may fail|the image and|No modify|Cannot get", line)]
    return (named + other + [""])[0][:150]


# ---- make afterlife ----


def keep_cuts(path, repaired, record):
    """Keep of what cuts are made, for these differ each time: the repaired image, and the record of its use if it was used."""
    bases.copy(repaired, path + ".repaired")
    if os.path.exists(record):
        shutil.move(record, path + ".record")


def one(args, made, work, mounts, afterlife, checker, peer, name):
    """Damage, repair twice, and put both to the test. Returns what became of ours, None if it is not repaired, and of
    xfs_repair's."""
    kind, base, seed = name
    damaged, repaired = os.path.join(work, "damaged"), os.path.join(work, "repaired")
    cases.damaged(kind, base, seed, made, damaged, mounts, args.tools)
    bases.copy(damaged, repaired)
    status, output = checker.repair(repaired)
    ours = afterlife(repaired, "%s/%s/%s" % (kind, base.name, seed)) if status == 0 else None
    if args.keep and ours and ours.words:
        title = "%s_%s_%s" % (kind, base.name, seed)
        cases.keep(args.keep, title, damaged, ours.words, output)
        keep_cuts(os.path.join(args.keep, title), repaired, os.path.join(work, "record"))
    theirs = None
    if args.peer:
        bases.copy(damaged, repaired)
        cases.repair_as_peer(peer, repaired)
        theirs = afterlife(repaired, "%s/%s/%s" % (kind, base.name, seed))
    return ours, theirs, status


def chosen_cases(args, made):
    names = cases.names(args, made)
    if args.count and args.count < len(names):
        names = random.Random(len(names)).sample(names, args.count)
    return names


def all_of_them(args, made, work, mounts, judge):
    checkers = cases.checkers(args)
    how = (mounts, work, *checkers, args.tools, args.cuts, args.steps)
    until = datetime.datetime.now() + datetime.timedelta(minutes=args.minutes) if args.minutes else None
    mine, peer = Survival(), Survival()
    repairs = dying = refused = peer_repairs = peer_dying = 0
    for name in chosen_cases(args, made):
        if until and datetime.datetime.now() >= until:
            print("the time is over")
            break
        afterlife = Elsewhere(judge, name[1].mount, *how) if name[1].elsewhere else Afterlife(*how)
        ours, theirs, status = one(args, made, work, mounts, afterlife, *checkers, name)
        if ours:
            repairs, dying = repairs + 1, dying + bool(ours.words)
            mine.add(ours)
        else:
            refused += 1
        if theirs:
            peer_repairs, peer_dying = peer_repairs + 1, peer_dying + bool(theirs.words)
            peer.add(theirs)
        text = str(ours) if ours else "not repaired, exit status %s" % status
        print("%s %s %s: %s" % (name[0], name[1].name, name[2], text) + (" | xfs_repair: %s" % theirs if theirs else ""))
        sys.stdout.flush()
    if args.peer:
        print("xfs_repair: %d repairs, %d do not survive: %s" % (peer_repairs, peer_dying, peer.sums()))
    print("xfsck: %d repairs, %d do not survive: %s; %d not repaired" % (repairs, dying, mine.sums(), refused))
    return dying or not repairs


def main():
    parser = cases.parser(__doc__, bases.BASES)
    parser.set_defaults(entries=600)
    parser.add_argument("--count", type=int, default=0, help="so many cases, chosen at random, instead of all")
    parser.add_argument("--cuts", type=int, default=3, help="of the power, after each repair")
    parser.add_argument("--steps", type=int, default=2, help="of use, each followed by a sync")
    parser.add_argument("--minutes", type=int, default=0, help="begin no case after so many")
    parser.add_argument("--no-peer", dest="peer", action="store_false", help="do not put xfs_repair to the test")
    return cases.main(parser.parse_args(), all_of_them)


if __name__ == "__main__":
    sys.exit(main())
