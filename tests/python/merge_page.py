# SPDX-License-Identifier: GPL-2.0-or-later
# PAGE: prints the rows of the table of images
# For tests/suite/merge.
import html.parser, sys
class Page(html.parser.HTMLParser):
    rows, cell = [], False
    def handle_starttag(self, tag, attributes):
        if tag == "tr": self.rows.append([])
        if tag == "td": self.rows[-1].append(""); self.cell = True
    def handle_endtag(self, tag): self.cell &= tag != "td"
    def handle_data(self, data):
        if self.cell: self.rows[-1][-1] += data
page = Page(); page.feed(open(sys.argv[1]).read())
print("\n".join(sorted(" ".join(row[:3]) for row in page.rows if row)))
