/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is the same on every page. */
#ifndef XFSCK_REPAIR_HTML_PAGE_H
#define XFSCK_REPAIR_HTML_PAGE_H

/* Up to the title, behind it, and behind the heading; then the end. */
extern const char html_page_begin[], html_page_head[], html_page_open[], html_page_end[];

#endif
