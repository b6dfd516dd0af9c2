# SPDX-License-Identifier: GPL-2.0-or-later
"""Kernels other than that of this machine, which mount what it does not: version 4, realtime groups, metadata directories,
zones, quotas.

JUDGE in the environment is the command of a program that mounts images in a kernel of its own. It is called as

    JUDGE --keep [--no-judge] --bring FILE... --run SCRIPT IMAGE[,rt=FILE][,opts=MOUNT_OPTIONS]...

It mounts each image in turn with these options, runs SCRIPT, unmounts it, and keeps what was written. The script and the
brought programs, which are in its PATH, find the mount point in $M and the device in $D. Without --no-judge, the program
then checks, reads and uses the file system in all ways that its kernel offers. Of each image it prints first what the
script printed, and what is wrong, indented; then a line: "IMAGE: sound", "IMAGE: NOT MOUNTED", or "IMAGE: " and what is
wrong, in short. uml_judge in this folder is one."""
import json
import os
import shlex

import bases
import programs

HERE = os.path.dirname(os.path.abspath(__file__))
BROUGHT = ["there.py", "use.py", "bases.py", "content.py"]
SECONDS = 3600
FIRST = '{"there":'  # how the answer of there.py begins


class Answer:
    """What became of an image. told: what there.py says, None if it says nothing; mounted; wrong: in words, or empty"""

    def __init__(self, verdict, lines):
        self.told = next((json.loads(line)["there"] for line in lines if line.startswith(FIRST)), None)
        others = [line for line in lines if not line.startswith(FIRST)]
        self.mounted = not verdict.startswith("NOT MOUNTED")
        self.wrong = "" if verdict.startswith("sound") else " / ".join([verdict[:150]] + others[:3])
        if not self.wrong and self.told is None:
            self.wrong = "no answer: " + " / ".join(others[:3])


class Judge:
    def __init__(self, command, tools, work):
        self.command, self.tools, self.script = shlex.split(command), tools, os.path.join(work, "script")

    def run(self, images, options, what, *arguments, judged=False):
        """Run there.py in images, one after the other; returns their answers."""
        with open(self.script, "w") as file:
            words = [what, *map(str, arguments)]
            file.write("#!/bin/sh\nexec python3 -B \"$(command -v there.py)\" %s\n" % " ".join(map(shlex.quote, words)))
        os.chmod(self.script, 0o755)
        command = self.command + ["--keep"] + ([] if judged else ["--no-judge"])
        for path in [os.path.join(HERE, name) for name in BROUGHT] + [os.path.join(self.tools, "manifest")]:
            command += ["--bring", path]
        command += ["--run", self.script]
        for image in images:
            realtime = bases.realtime(image)
            command.append(image + (",rt=" + realtime if realtime else "") + (",opts=" + options if options else ""))
        status, output = programs.run(command, SECONDS)
        return self.answers(images, status, output)

    @staticmethod
    def answers(images, status, output):
        found, lines = {}, []
        for line in output.splitlines():
            image = next((image for image in images if line.startswith(image + ": ")), None)
            if image:
                found[image] = Answer(line[len(image) + 2 :], lines)
                lines = []
            else:
                lines.append(line.strip())
        missing = "the judge ends with %s: %s" % (status, " / ".join(lines[-3:]))
        return [found.get(image) or Answer(missing, []) for image in images]
