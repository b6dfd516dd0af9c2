/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the accounts of inodes, inode by inode (ondisk 12, D3 to D6, D8 to D10): the entries and other links that
 * point to an inode, and their types, against its link count, type, `..` and parent pointers.
 */
#include "locate.h"

#include "check/facts.h"
#include "disk/inobt.h"
#include "repair.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

#define ALL_INODE_ACCOUNTS ((1u << INODE_ACCOUNT_NR) - 1)

/* All facts about one inode. */
struct subject {
	xino_t ino;
	const struct inode_fact *inode; /* NULL: not in use, or unreadable */
	const struct link_fact *links;	/* by kind */
	size_t nlinks;
};

/* Returns the number of links of one kind, and the first. */
static size_t of_kind(const struct subject *s, enum link_kind kind, const struct link_fact **ret_first)
{
	size_t first = 0, end;

	while (first < s->nlinks && s->links[first].kind < kind)
		first++;
	for (end = first; end < s->nlinks && s->links[end].kind == kind;)
		end++;
	*ret_first = s->links + first;
	return end - first;
}

/* True if the inode may be in use but unreadable: the inobt says so, or is unknown. */
static bool maybe_in_use(const struct locate *l, xino_t ino)
{
	const struct geometry *geo = &l->rc->geo;
	agno_t agno = agno_of_ino(geo, ino);
	uint32_t agino = agino_of_ino(geo, ino).v, start;
	size_t count, behind;
	const struct chunk_fact *chunks = locate_chunks(l, agno, BT_INO, &count);

	if (l->gaps.blind[agno.v])
		return true;
	behind = ordered_behind(chunks, count, MEMBER(chunks, record.start), agino);
	if (!behind)
		return false;
	start = chunks[behind - 1].record.start.v;
	return agino - start < INODES_PER_CHUNK && !(chunks[behind - 1].record.free >> (agino - start) & 1);
}

static void at_link(struct locate *l, const struct link_fact *link)
{
	locate_at_inode(l, OBJ_DIRECTORY, link->directory);
	l->w->place.name = (struct name_view){ link->name, link->namelen };
}

/* Reports the links to an inode that is not in use. */
static void say_dangling(struct locate *l, const struct subject *s)
{
	bool explained = maybe_in_use(l, s->ino);

	l->settled |= ALL_INODE_ACCOUNTS; /* one finding covers the differences in all accounts */
	for (size_t i = 0; i < s->nlinks; i++) {
		const struct link_fact *link = &s->links[i];

		if (link->kind == LINK_ROOTED)
			locate_at_inode(l, OBJ_INODE, s->ino);
		else
			at_link(l, link);
		if (link->kind == LINK_ENTRY)
			locate_say_unless(l, explained, ACCOUNT_LINKS, F_DIR_ENTRY_DANGLING, NO_INDEX, s->ino.v, 0);
		else if (link->kind == LINK_DOTDOT)
			locate_say_unless(l, explained, ACCOUNT_LINKS, F_DIR_DOTDOT_DANGLING, NO_INDEX, s->ino.v, 0);
		else if (link->kind == LINK_ROOTED)
			locate_say_unless(l, explained, ACCOUNT_LINKS, F_INODE_ROOTED_DANGLING, NO_INDEX, s->ino.v, 0);
	}
}

#define ENTRIES_NAMED 8 /* with more entries, the link count is more likely to be wrong */

/* Reports each entry if there are more than the link count: perhaps one of them should point elsewhere. */
static void say_surplus(struct locate *l, const struct subject *s, uint64_t links)
{
	const struct link_fact *entries;
	size_t count = of_kind(s, LINK_ENTRY, &entries);

	/* with parent pointers, and for directories, other comparisons find the wrong entry */
	if (l->rc->geo.parent || s->inode->ftype == FT_DIR || links <= s->inode->nlink || count < 2 ||
	    count > ENTRIES_NAMED)
		return;
	for (size_t i = 0; i < count; i++) {
		at_link(l, &entries[i]);
		locate_say(l, ACCOUNT_LINKS, F_DIR_ENTRY_SURPLUS, NO_INDEX, s->ino.v, count);
	}
}

/*
 * Collects the directories that name a reported inode: they help to find its path.  Of too many, those with the lowest
 * numbers stay, so that it does not matter which thread finds which.
 */
static void note_namers(const struct locate *l, const struct subject *s)
{
	const struct link_fact *entries;
	const size_t count = of_kind(s, LINK_ENTRY, &entries);

	for (size_t i = 0; i < count; i++)
		if ((ino_set_count(l->namers) >= 2 * NAMERS_MOST && ino_set_keep_lowest(l->namers, NAMERS_MOST)) ||
		    ino_set_put(l->namers, entries[i].directory))
			break; /* without memory, they are incomplete */
}

static void compare_count(struct locate *l, const struct subject *s)
{
	const struct link_fact *first;
	uint64_t links = of_kind(s, LINK_ENTRY, &first) + of_kind(s, LINK_DOT, &first) +
			 of_kind(s, LINK_DOTDOT, &first) + of_kind(s, LINK_ROOTED, &first);
	bool named =
		of_kind(s, LINK_ENTRY, &first) || of_kind(s, LINK_ROOTED, &first) || dir_is_root(&l->rc->geo, s->ino);
	/* a directory without an entry, even if its count is right by `.` and the `..` of its children */
	bool lost = s->inode->ftype == FT_DIR && !named && links;
	bool explained;

	if (links == s->inode->nlink && !lost)
		return;
	locate_at_inode(l, OBJ_INODE, s->ino);
	note_namers(l, s);
	/* links may be missing: from any directory of an AG without an inobt, and a directory's own `.` */
	explained = links < s->inode->nlink &&
		    (l->gaps.any_blind || (s->inode->ftype == FT_DIR && locate_inode_unknown(l, s->ino, GAP_CONTENTS)));
	if (named || (links > s->inode->nlink && !lost))
		locate_say_unless(l, explained, ACCOUNT_LINKS, F_INODE_NLINK_COUNT, NO_INDEX, s->inode->nlink, links);
	else
		locate_say_unless(l, explained, ACCOUNT_LINKS, F_INODE_ORPHAN, NO_INDEX, s->inode->nlink, links);
	say_surplus(l, s, links);
}

static void compare_types(struct locate *l, const struct subject *s)
{
	enum ftype of_mode = s->inode->ftype;

	for (size_t i = 0; i < s->nlinks && s->links[i].kind <= LINK_ROOTED; i++) {
		const struct link_fact *link = &s->links[i];
		enum ftype ftype = link->ftype == FT_WHITEOUT ? FT_CHR : link->ftype; /* ondisk 06 */

		at_link(l, link);
		if (link->kind == LINK_ROOTED)
			locate_at_inode(l, OBJ_INODE, s->ino);
		if (link->metadata != s->inode->metadata)
			locate_say(l, ACCOUNT_FTYPE, F_DIR_ENTRY_OTHER_TREE, NO_INDEX, s->ino.v, 0);
		else if (l->rc->geo.ftype && ftype != of_mode) {
			l->settled |=
				1u << ACCOUNT_PARENTS; /* only entries with the type of directories are posted there */
			locate_say(l, ACCOUNT_FTYPE, F_DIR_ENTRY_FTYPE_INODE, NO_INDEX, ftype, of_mode);
		}
	}
}

/* Compares the `..` of a directory with the entries that point to it. */
static void compare_parent(struct locate *l, const struct subject *s)
{
	const struct link_fact *entries, *parents;
	size_t nentries = of_kind(s, LINK_ENTRY, &entries), nparents = of_kind(s, LINK_PARENT, &parents);

	/* without exactly one of each there is nothing to compare; the cause is reported elsewhere */
	l->settled |= (nentries != 1 || nparents != 1) ? 1u << ACCOUNT_PARENTS : 0;
	for (size_t i = 0; i < nentries && dir_is_root(&l->rc->geo, s->ino); i++) {
		at_link(l, &entries[i]);
		locate_say(l, ACCOUNT_PARENTS, F_DIR_ENTRY_ROOT, NO_INDEX, s->ino.v, 0);
	}
	if (dir_is_root(&l->rc->geo, s->ino))
		return;
	for (size_t i = 0; i < nentries && nentries > 1; i++) {
		at_link(l, &entries[i]);
		locate_say(l, ACCOUNT_PARENTS, F_DIR_LINKED_AGAIN, NO_INDEX, s->ino.v, nentries);
	}
	if (nentries != 1 || nparents != 1 || parents->directory.v == entries->directory.v)
		return;
	locate_at_inode(l, OBJ_DIRECTORY, s->ino);
	locate_say(l, ACCOUNT_PARENTS, F_DIR_DOTDOT_PARENT, NO_INDEX, parents->directory.v, entries->directory.v);
}

static int pptr_cmp(const struct link_fact *a, const struct link_fact *b)
{
	if (a->directory.v != b->directory.v)
		return a->directory.v < b->directory.v ? -1 : 1;
	if (a->directory_gen != b->directory_gen)
		return a->directory_gen < b->directory_gen ? -1 : 1;
	return (a->name_hash > b->name_hash) - (a->name_hash < b->name_hash);
}

/* Collects an inode with a parent pointer that matches no entry.  Stops if there are too many, or memory is out. */
static void note_stray(struct locate *l, xino_t ino)
{
	if (l->strays && (ino_set_count(l->strays) > facts_near_most(l->rc) || ino_set_put(l->strays, ino)))
		l->strays = NULL;
}

/* Compares entries with parent pointers.  Both are sorted by directory, generation and hash of the name. */
static void compare_pptrs(struct locate *l, const struct subject *s)
{
	const struct link_fact *entries, *pptrs;
	size_t nentries = of_kind(s, LINK_ENTRY, &entries), npptrs = of_kind(s, LINK_PPTR, &pptrs), i = 0, j = 0;

	while (i < nentries || j < npptrs) {
		int order = i == nentries ? 1 : j == npptrs ? -1 : pptr_cmp(&entries[i], &pptrs[j]);
		const struct link_fact *link = order <= 0 ? &entries[i] : &pptrs[j];

		locate_at_inode(l, OBJ_INODE, s->ino);
		l->w->place.name = (struct name_view){ link->name, link->namelen };
		if (order < 0)
			locate_say_unless(l, locate_inode_unknown(l, s->ino, GAP_CONTENTS), ACCOUNT_PPTRS, F_PPTR_LACKS,
					  NO_INDEX, 0, link->directory.v);
		if (order > 0) {
			note_stray(l, s->ino);
			locate_say_unless(l, locate_inode_unknown(l, link->directory, GAP_CONTENTS), ACCOUNT_PPTRS,
					  F_PPTR_STRAY, NO_INDEX, link->directory.v, 0);
		}
		i += order <= 0;
		j += order >= 0;
	}
}

static void compare(struct locate *l, const struct subject *s)
{
	if (!s->inode) {
		say_dangling(l, s);
		return;
	}
	compare_count(l, s);
	compare_types(l, s);
	if (s->inode->ftype == FT_DIR)
		compare_parent(l, s);
	if (l->pptrs)
		compare_pptrs(l, s);
}

/* Returns the index of the first inode in the evidence with at least this number; ino NULL: behind the last. */
static size_t inode_from(const struct evidence_records *r, const xino_t *ino)
{
	return ino ? ordered_from(r->inodes, r->ninodes, MEMBER(r->inodes, ino), ino->v) : r->ninodes;
}

/* Returns the same for links. */
static size_t link_from(const struct evidence_records *r, const xino_t *ino)
{
	return ino ? ordered_from(r->links, r->nlinks, MEMBER(r->links, key), ino->v) : r->nlinks;
}

void locate_inodes(struct locate *l, xino_t first, const xino_t *end, unsigned settled[LEDGER_BUCKETS])
{
	const struct evidence_records *r = &l->records;
	size_t i = inode_from(r, &first), ninodes = inode_from(r, end);
	size_t k = link_from(r, &first), nlinks = link_from(r, end);

	while (i < ninodes || k < nlinks) {
		struct subject s = { .links = r->links + k };

		s.ino = k < nlinks ? r->links[k].key : r->inodes[i].ino;
		if (i < ninodes && r->inodes[i].ino.v <= s.ino.v) {
			s.ino = r->inodes[i].ino;
			s.inode = &r->inodes[i++];
			while (i < ninodes && r->inodes[i].ino.v == s.ino.v)
				i++; /* from overlapping chunks, which were reported */
		}
		while (k < nlinks && r->links[k].key.v == s.ino.v) {
			k++;
			s.nlinks++;
		}
		l->settled = 0;
		compare(l, &s);
		settled[ledger_bucket(s.ino)] |= l->settled;
	}
}
