/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries in the journal of systemd, with fields that programs select by. */
#ifndef XFSCK_REPAIR_AUDIT_JOURNAL_H
#define XFSCK_REPAIR_AUDIT_JOURNAL_H

#include <stdio.h>

/* Begin an entry with its message; priority: of syslog(3). NULL: no memory. */
struct journal_entry;
struct journal_entry *journal_begin(int priority, const char *message);
/* Add a field: a name of capital letters and underscores. What does not show of its value, as newlines, becomes "?". */
__attribute__((format(printf, 3, 4))) void journal_field(struct journal_entry *entry, const char *name,
							 const char *format, ...);
/* Send it, and free it. 0 or negative errno; -ENOENT: there is no journal here. */
int journal_send(struct journal_entry *entry);

#endif
