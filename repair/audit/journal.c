/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends entries in the journal's native protocol: a datagram with a line "NAME=value" per field. This needs neither
 * systemd's library nor a program, which on some systems cannot do this.
 */
#define _GNU_SOURCE 1

#include "journal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "report/quote.h"

/* Identifies entries of audits: journalctl MESSAGE_ID=... */
#define MESSAGE_ID "7f1c5f0d6a0c4a9db5e1c3a2f8d94e61"

struct journal_entry {
	FILE *out;
	char *text;
	size_t size;
};

struct journal_entry *journal_begin(int priority, const char *message)
{
	struct journal_entry *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->out = open_memstream(&e->text, &e->size);
	if (!e->out) {
		free(e);
		return NULL;
	}
	fprintf(e->out, "MESSAGE_ID=" MESSAGE_ID "\nSYSLOG_IDENTIFIER=xfsck\nPRIORITY=%d\n", priority);
	journal_field(e, "MESSAGE", "%s", message);
	return e;
}

void journal_field(struct journal_entry *e, const char *name, const char *format, ...)
{
	char *value;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&value, format, args);
	va_end(args);
	if (length < 0)
		return;
	fprintf(e->out, "%s=", name);
	quote_sentence(e->out, value);
	fputc('\n', e->out);
	free(value);
}

int journal_send(struct journal_entry *e)
{
	const struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "/run/systemd/journal/socket" };
	const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret = fd < 0 ? -errno : 0;

	if (fclose(e->out) && !ret)
		ret = -ENOMEM;
	if (!ret && sendto(fd, e->text, e->size, MSG_NOSIGNAL, (const struct sockaddr *)&address, sizeof(address)) < 0)
		ret = -errno;
	if (fd >= 0)
		close(fd);
	free(e->text);
	free(e);
	return ret;
}
