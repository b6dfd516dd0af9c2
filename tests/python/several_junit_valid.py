# SPDX-License-Identifier: GPL-2.0-or-later
# REPORT SUITES: is valid for Ant's and Jenkins' schemas
# For tests/suite/several.
import re, sys
import xml.etree.ElementTree as tree

def fail(*why):
    print(*why)
    sys.exit(1)

root = tree.parse(sys.argv[1]).getroot()
if root.tag != "testsuites" or root.attrib or len(root) != int(sys.argv[2]):
    fail("root", root.tag, root.attrib, len(root))
number = re.compile(r"[0-9]+").fullmatch
seconds = re.compile(r"[0-9]+\.[0-9]+").fullmatch
token = re.compile(r"\S(.*\S)?").fullmatch
suite_attributes = {"name": token, "package": token, "id": number, "hostname": token, "tests": number, "failures": number,
                    "errors": number, "skipped": number, "time": seconds,
                    "timestamp": re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}").fullmatch}
names = None

def check(element, attributes):
    if element.attrib.keys() != attributes.keys():
        fail(element.tag, "has", element.attrib)
    for name, good in attributes.items():
        if not good(element.attrib[name]):
            fail(element.tag, name, "is", element.attrib[name])

for place, suite in enumerate(root):
    check(suite, suite_attributes)
    if suite.tag != "testsuite" or int(suite.get("id")) != place:
        fail("suite", place)
    tags = [child.tag for child in suite]
    if tags != ["properties"] + ["testcase"] * (len(tags) - 3) + ["system-out", "system-err"]:
        fail("children", tags)
    for item in suite[0]:
        check(item, {"name": token, "value": lambda _: True})
    cases = suite[1:-2]
    counts = dict(tests=len(cases), failure=0, error=0, skipped=0)
    for case in cases:
        check(case, {"name": token, "classname": token, "time": seconds})
        if case.get("classname").count(".") != 1:
            fail("class", case.get("classname"))
        if len(case) > 1:
            fail("more than one outcome of", case.get("name"))
        for outcome in case:
            counts[outcome.tag] += 1
            if outcome.tag != "skipped":
                check(outcome, {"type": token, "message": token})
    wanted = [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
    if [str(count) for count in counts.values()] != wanted:
        fail("counts", counts, "are told as", wanted)
    failed = counts["failure"] + counts["error"] > 0
    status = {item.get("name"): item.get("value") for item in suite[0]}["exit_status"]
    if failed != (status != "0"):
        fail(suite.get("name"), "exit status", status, "with", counts)
    these = [case.get("name") for case in cases]
    if names not in (None, these) or len(set(these)) != len(these):
        fail("tests are", these, "and", names)
    names = these
    print(suite.get("name"), "failed" if counts["failure"] else "", "error" if counts["error"] else "")
