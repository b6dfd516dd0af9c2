# SPDX-License-Identifier: GPL-2.0-or-later
# TEXT: nothing in it moves a cursor or ends a line
# For tests/suite/paths.
import sys, unicodedata
text = open(sys.argv[1], "rb").read().decode()  # valid UTF-8
assert not [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")]
for words in (' "/a/b/c/deep" (AG', ' "/a/q\\"uote\\\\back" (AG', ' "/a/new\\x0aline \\x1b[31mred" (AG',
              ' "/a/grün \\xe2\\x80\\xaeturned" (AG', ' "/a/broken \\xff\\xc0\\x80" (AG', ' "/a/dir\\xff/link" (AG',
              ' "/a/b/linked" (AG', ' "/a/b/c" (AG', ' "/other/device" (AG'):
    assert words in text, words
