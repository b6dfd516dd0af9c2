# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs checkers, and the kernel, on images, none of which may take forever."""
import contextlib
import os
import shlex
import signal
import subprocess
import time

MOUNT_SECONDS = 120


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
        try:
            output, _ = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            raise SystemExit("%s can't be killed: the kernel hangs in it" % " ".join(command)) from None
        return None, output.decode("utf-8", "replace")
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(60)
        raise


def let_go(image):
    """Wait until the kernel lets go of an image that was unmounted, which takes a moment if another process has a copy of
    all mounts of that time."""
    for _ in range(300):
        if not run(["losetup", "--noheadings", "--output", "NAME", "--associated", image], MOUNT_SECONDS)[1].strip():
            return
        time.sleep(0.1)
    raise SystemExit("%s is mounted elsewhere" % image)


class Mounts:
    """Mounts images in a folder of its own. why: what the last mount said."""

    def __init__(self, folder):
        self.folder, self.why = folder, ""
        os.makedirs(folder, exist_ok=True)

    def _mount(self, image, options):
        """Exit status and output; where others attach loop devices at the same time, more than one try may be needed."""
        for _ in range(20):
            status, output = run(["mount", "-t", "xfs", "-o", "nouuid,nodev," + options, image, self.folder], MOUNT_SECONDS)
            if not status or "loop device" not in output:
                break
            time.sleep(0.2)
        self.why = output.strip().split("\n")[0]
        return status

    def _unmount(self, image):
        status, output = run(["umount", self.folder], MOUNT_SECONDS)
        if status:
            subprocess.run(["umount", "-l", self.folder])
            raise SystemExit("can't unmount %s: %s" % (self.folder, output))
        let_go(image)

    @contextlib.contextmanager
    def tried(self, image, options="loop"):
        """The folder, or None if the image does not mount."""
        status = self._mount(image, options)
        try:
            yield self.folder if status == 0 else None
        finally:
            if status == 0:
                self._unmount(image)

    def can_mount(self, image):
        with self.tried(image) as root:
            return root is not None

    @contextlib.contextmanager
    def mounted(self, image, options="loop"):
        with self.tried(image, options) as root:
            if not root:
                raise SystemExit("%s does not mount: %s" % (image, self.why))
            yield root


class Program:
    """A checker: a command with {img} and perhaps {json} in it."""

    CONSENTS = (["-o", "force_geometry"], ["-o", "shrink"], ["--accept-loss"])

    def __init__(self, command, seconds):
        self.words = shlex.split(command)
        if "{img}" not in command:
            self.words.append("{img}")
        self.seconds = seconds

    def run(self, image, *options):
        report, place = image + ".json", self.words.index("{img}")
        if os.path.exists(image + ".rt"):
            options += ("-r", image + ".rt")
        words = self.words[:place] + list(options) + self.words[place:]
        status, output = run([word.replace("{img}", image).replace("{json}", report) for word in words], self.seconds)
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
            if status in (1, 2) and " ".join(consent) in output:
                given += consent
                status, output = self.run(image, *given)
        return status, output

    def clean(self, image):
        return self.run(image, "-n")[0] == 0
