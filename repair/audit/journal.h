/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes entries to systemd's journal, with fields for filters. */
#ifndef XFSCK_REPAIR_AUDIT_JOURNAL_H
#define XFSCK_REPAIR_AUDIT_JOURNAL_H

#include <stdio.h>

/* Begins an entry with its message; priority: as in syslog(3). NULL: out of memory. */
struct journal_entry;
struct journal_entry *journal_begin(int priority, const char *message);
/* Adds a field; name: capital letters and underscores. Invisible characters of the value, like newlines, become "?". */
__attribute__((format(printf, 3, 4))) void journal_field(struct journal_entry *entry, const char *name,
							 const char *format, ...);
/* Sends the entry, and frees it. 0 or negative errno; -ENOENT: no journal. */
int journal_send(struct journal_entry *entry);

#endif
