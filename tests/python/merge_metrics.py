# SPDX-License-Identifier: GPL-2.0-or-later
# FILE: prints the values, as the reference parser reads them
# For tests/suite/merge.
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
clean, harm = {}, {}
for family in parse(open(sys.argv[1]).read()):
    for s in family.samples:
        key = (s.labels["host"], s.labels["device"])
        if s.name == "xfsck_clean": clean[key] = int(s.value)
        if s.name == "xfsck_findings" and s.labels["severity"] in ("fatal", "corrupt", "xref"):
            harm[key] = harm.get(key, 0) + int(s.value)
for key in sorted(clean): print(*key, clean[key], harm[key])
