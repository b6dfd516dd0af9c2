# SPDX-License-Identifier: GPL-2.0-or-later
# PAGE: the policy of the page has the checksum of its script
# For tests/suite/html.
import base64, hashlib, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
script = re.search("<script>(.*?)</script>", page, re.S)[1]
checksum = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
sys.exit(0 if f"script-src 'sha256-{checksum}'" in page else f"it should be {checksum}")
