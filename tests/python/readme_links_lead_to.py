# SPDX-License-Identifier: GPL-2.0-or-later
# DOCUMENT...: links of installed documents lead to installed documents
# For tests/suite/readme.
import os, re, sys
given, wrong, links = sys.argv[1:], 0, 0
for top in given:
    inside = [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]
    for document in [name for name in [top, *inside] if name.endswith(".md")]:
        with open(document, encoding="utf-8") as text:
            for link in re.findall(r"\]\(([^)#]+)", text.read()):
                if "://" in link:
                    continue
                path = os.path.normpath(os.path.join(os.path.dirname(document), link))
                links += 1
                if not os.path.exists(path) or not any(path == one or path.startswith(one + "/") for one in given):
                    print(f"{document} leads to {path}")
                    wrong = 1
sys.exit(wrong or links < 10)
