/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts IMAGE [RTIMAGE]: prints the facts that a traversal passes to a sink (repair/base/sink.h), one per line, in the
 * order of a single worker: the input of the ledger.  To compare two images, or two builds, sort the lines.  Blocks are
 * "group:start+length".  In names, bytes other than printable ASCII are octal.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include "mend/rounds/check_again.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "report.h"

static void say_blocks(const char *what, group_t group, uint64_t start, uint64_t len)
{
	printf("%s %" PRIu32 ":%" PRIu64 "+%" PRIu64, what, group.v, start, len);
}

static void say_owner(uint64_t owner, uint64_t offset, uint8_t flags)
{
	printf(" owner %" PRId64 " offset %" PRIu64 " flags %u\n", (int64_t)owner, offset, flags);
}

static void say_name(const uint8_t *name, uint8_t len)
{
	putchar(' ');
	for (unsigned i = 0; i < len; i++)
		printf(name[i] > ' ' && name[i] < 127 && name[i] != '\\' ? "%c" : "\\%03o", name[i]);
	putchar('\n');
}

static const char *tree_name(enum btree_kind kind, bool finobt)
{
	if (finobt)
		return kind == BT_INO ? "inobt" : "finobt";
	return kind == BT_BNO ? "bnobt" : "cntbt";
}

static void say_claim(void *ctx, unsigned worker, const struct claim *claim)
{
	(void)ctx, (void)worker;
	say_blocks("claim", claim->at.group, claim->at.start.v, claim->at.len);
	say_owner(claim->owner, claim->offset, claim->flags);
}

static void say_alone(void *ctx, unsigned worker, const struct blocks *b)
{
	(void)ctx, (void)worker;
	say_blocks("alone", b->group, b->start.v, b->len);
	putchar('\n');
}

static void say_free(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *b)
{
	(void)ctx, (void)worker;
	say_blocks("free", b->group, b->start.v, b->len);
	printf(" by %s\n", tree_name(kind, false));
}

static void say_rmap(void *ctx, unsigned worker, group_t group, const struct rmap_record *record)
{
	(void)ctx, (void)worker;
	say_blocks("rmap", group, record->start.v, record->len);
	say_owner(record->owner, record->offset, record->flags);
}

static void say_refcount(void *ctx, unsigned worker, group_t group, const struct refcount_record *record)
{
	(void)ctx, (void)worker;
	say_blocks("refcount", group, record->start.v, record->len);
	printf(" count %" PRIu32 "%s\n", record->refcount, record->cow ? " cow" : "");
}

static void say_chunk(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *record)
{
	(void)ctx, (void)worker;
	printf("chunk %" PRIu32 ":%" PRIu32 " holes %04x count %u free %u %016" PRIx64 " by %s\n", agno.v,
	       record->start.v, record->holemask, record->count, record->freecount, record->free,
	       tree_name(kind, true));
}

static void say_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	(void)ctx, (void)worker;
	printf("inode %" PRIu64 " mode %06o nlink %" PRIu32 " gen %" PRIu32 " size %" PRIu64 " nblocks %" PRIu64 "\n",
	       inode->ino.v, inode->mode, inode->nlink, inode->gen, inode->size, inode->nblocks);
}

static void say_entry(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	static const uint8_t dots[] = { '.', '.' };

	(void)ctx, (void)worker;
	printf("entry %" PRIu64 " to %" PRIu64 " ftype %u", entry->directory.v, entry->target.v, entry->ftype);
	if (entry->dot || entry->dotdot)
		say_name(dots, entry->dot ? 1 : 2);
	else
		say_name(entry->name, entry->namelen);
}

static void say_pptr(void *ctx, unsigned worker, const struct pptr_fact *pptr)
{
	(void)ctx, (void)worker;
	printf("pptr %" PRIu64 " to %" PRIu64 " gen %" PRIu32, pptr->child.v, pptr->parent.v, pptr->parent_gen);
	say_name(pptr->name, pptr->namelen);
}

static void say_unlinked(void *ctx, unsigned worker, agno_t agno, agino_t agino)
{
	(void)ctx, (void)worker;
	printf("unlinked %" PRIu32 ":%" PRIu32 "\n", agno.v, agino.v);
}

static void say_rooted(void *ctx, unsigned worker, xino_t ino, bool metadata)
{
	(void)ctx, (void)worker;
	printf("rooted %" PRIu64 "%s\n", ino.v, metadata ? " metadata" : "");
}

static void open_image(struct repair *rc, const struct options *options)
{
	const struct device_options how = { .engine = ENGINE_AUTO };
	char message[512];

	if (device_open(options->device, &how, &rc->run->device, message, sizeof(message)))
		errx(1, "%s", message);
	rc->run->max_workers = 1;
	rc->run->memory = memory_share(0, rc->run->max_workers);
	rc->findings = findings_new(1);
	rc->report = report_silent(options, stderr);
	if (!rc->findings || !rc->report || hash_key_random(&rc->run->key))
		errx(1, "can't begin");
}

int main(int argc, char **argv)
{
	static const struct sink_ops ops = { .claim = say_claim,
					     .alone = say_alone,
					     .free_extent = say_free,
					     .rmap = say_rmap,
					     .refcount = say_refcount,
					     .chunk = say_chunk,
					     .inode = say_inode,
					     .entry = say_entry,
					     .pptr = say_pptr,
					     .unlinked = say_unlinked,
					     .rooted = say_rooted };
	struct options options = { .program = "facts", .no_modify = true, .progress = PROGRESS_NEVER };
	struct run run = { .options = &options };
	struct repair rc = { .run = &run };
	struct sink sink = { &ops, NULL, &run.key };

	if (argc != 2 && argc != 3)
		errx(2, "usage: facts IMAGE [RTIMAGE]");
	options.device = argv[1];
	options.rt_device = argv[2];
	open_image(&rc, &options);
	if (phase_superblock(&rc) != PHASE_DONE || check_sums(&rc, &sink) != PHASE_DONE)
		errx(1, "%s can't be traversed", options.device);
	report_silent_free(rc.report);
	check_forget(&rc);
	if (rc.run->rt_device)
		device_close(rc.run->rt_device);
	device_close(rc.run->device);
	return fflush(stdout) || ferror(stdout);
}
