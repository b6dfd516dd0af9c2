# SPDX-License-Identifier: GPL-2.0-or-later
# REPORT IMAGE: prints the findings in a JUnit report
# For tests/suite/several.
import sys, xml.etree.ElementTree as tree
suite = next(suite for suite in tree.parse(sys.argv[1]).getroot() if suite.get("name") == sys.argv[2])
for failure in suite.iter("failure"):
    sys.stdout.write(failure.text)
