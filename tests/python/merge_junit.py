# SPDX-License-Identifier: GPL-2.0-or-later
# REPORT: prints the suites of a JUnit report
# For tests/suite/merge.
import sys, xml.etree.ElementTree as tree
for s in sorted(tree.parse(sys.argv[1]).getroot(), key=lambda s: (s.get("hostname"), s.get("name"))):
    print(s.get("hostname"), s.get("name"), int(s.get("errors") != "0"), int(s.get("failures") != "0"))
