/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills rc->primary and rc->geo after the right superblock has been chosen.  If only a few fields of the primary are
 * wrong, each is a finding, and the rest stays, since no other superblock has it.  Otherwise the primary is lost, and
 * another superblock, or a derived one, replaces it.
 */
#include <string.h>

#include "sb_choose.h"

#include "disk/agi.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "sb_derive.h"
#include "base/spot.h"

#define FEW_FIELDS 4 /* a primary with at most so many wrong fields is right in the others */

/* Returns the number of shared fields in which these two differ. */
static unsigned differences_of(const struct sb_candidate *a, const struct sb_candidate *b)
{
	unsigned differences = 0;
	const struct check check = check_counting(NULL, &differences);

	sb_compare(&check, a->sector, b->sector);
	return differences;
}

struct fields {
	const struct check *check;
	const struct sb_candidate *primary;
	struct words names;
	unsigned count;
};

/* Returns the name of the field, which is in the finding's id: "sb.secondary.dblocks". */
static const char *field_name(enum finding finding)
{
	return strrchr(finding_id(finding), '.') + 1;
}

/* Returns the problem that decoding the primary found in a field, if any: it is more precise than a difference. */
static const struct problem *known_problem(const struct sb_candidate *primary, uint32_t offset)
{
	for (unsigned i = 0; i < primary->problem_count && i < SB_CANDIDATE_PROBLEMS; i++) {
		const struct problem *p = &primary->problems[i];

		if (p->offset == offset && finding_severity(p->finding) != SEV_FATAL)
			return p;
	}
	return NULL;
}

static void field_differs(void *ctx, const struct problem *difference)
{
	struct fields *fields = ctx;
	const struct check *c = fields->check;
	const struct problem *known = known_problem(fields->primary, difference->offset);
	bool text = difference->got == difference->want;

	if (difference->finding == F_SB2_FEATURES_LOG_INCOMPAT)
		return;
	words_add(&fields->names, "%s%s", fields->count++ ? ", " : "", field_name(difference->finding));
	if (known)
		c->report(c->ctx, known);
	else
		problem(c, text ? F_SB_OUTVOTED_TEXT : F_SB_OUTVOTED, difference->offset, difference->got,
			difference->want);
}

/* Adds "4 matching backup superblocks" or "the superblock of AG 2", and the headers for and against it. */
static void add_witnesses(struct words *words, const struct sb_candidate *chosen)
{
	uint64_t ag_bytes = bytes_of_ag(&chosen->geo);

	if (chosen->alike > 1)
		words_add(words, "%u matching backup superblocks", chosen->alike);
	else
		words_add(words, "the superblock of AG %u", (unsigned)(chosen->position / ag_bytes));
	if (chosen->support.headers)
		words_add(words, ", confirmed by %u AG headers", chosen->support.headers);
	if (chosen->support.against)
		words_add(words, ", contradicted by %u", chosen->support.against);
	words_add(words, ".");
}

/*
 * True if the primary's label is to be used, not that of the others.  A label is set in the primary first, and a crash
 * may come before the others have it; but the primary must be sound, or just written by the replay.
 */
static bool label_is_newer(const struct repair *rc, const struct sb_candidate *primary)
{
	if (rc->run->log_replayed && rc->run->log_superblock)
		return primary->found;
	return primary->usable && !primary->problem_count && primary->geo.crc;
}

/*
 * Finds the root inode as if the primary was lost, if its number in rc->primary is invalid and does not follow from
 * other fields.  Puts the numbers of all inodes that follow from it into rc->primary, and reports those that were
 * wrong.
 */
static void adopt_root(struct repair *rc, const struct sb_candidates *all, const struct sb_candidate *chosen,
		       const struct check *check)
{
	const struct check silent = check_silent(NULL);
	struct sb_disk *sb = (struct sb_disk *)rc->primary;
	const struct sb_disk said = *sb;
	struct geometry geo;
	xino_t root;

	if (!sb_decode(&silent, rc->primary, SB_READ_BYTES, &geo) || geo.rootino.v != NULL_INO)
		return;
	root = sb_root_find(all, chosen);
	if (root.v == NULL_INO)
		return;
	sb_set_first_inodes(sb, root);
	check_eq(check, F_SB_ROOTINO, offsetof(struct sb_disk, rootino), be64_get(said.rootino), be64_get(sb->rootino));
	check_eq(check, F_SB_RBMINO, offsetof(struct sb_disk, rbmino), be64_get(said.rbmino), be64_get(sb->rbmino));
	check_eq(check, F_SB_RSUMINO, offsetof(struct sb_disk, rsumino), be64_get(said.rsumino), be64_get(sb->rsumino));
	if (geo.metadir)
		check_eq(check, F_SB_METADIRINO, offsetof(struct sb_disk, metadirino), be64_get(said.metadirino),
			 be64_get(sb->metadirino));
	sb_seal(rc->primary, geo.sector_size);
}

/*
 * Corrects the feature inobtcnt without finobt in rc->primary, which is invalid, if the first AGI shows that there are
 * finobts: sets finobt and reports it.  Otherwise the fields of the finobt would be cleared in the AGIs as leftovers.
 */
static void adopt_finobt(struct repair *rc, const struct check *check)
{
	const struct check silent = check_silent(NULL);
	struct sb_disk *sb = (struct sb_disk *)rc->primary;
	const uint32_t features = be32_get(sb->features_ro_compat);
	struct agi_disk agi;
	struct geometry geo;

	if ((features & (SB_RO_COMPAT_INOBTCNT | SB_RO_COMPAT_FINOBT)) != SB_RO_COMPAT_INOBTCNT ||
	    !sb_decode(&silent, rc->primary, SB_READ_BYTES, &geo) ||
	    device_read(rc->run->device, &agi, ag_sector_offset(&geo, (agno_t){ 0 }, AGI_SECTOR), sizeof(agi)) ||
	    be32_get(agi.magicnum) != AGI_MAGIC ||
	    !agbno_valid(&geo, (agno_t){ 0 }, (agbno_t){ be32_get(agi.free_root) }))
		return;
	problem(check, F_SB_FEATURE_NEEDS, offsetof(struct sb_disk, features_ro_compat), SB_RO_COMPAT_INOBTCNT,
		SB_RO_COMPAT_FINOBT);
	sb->features_ro_compat = be32_put(features | SB_RO_COMPAT_FINOBT);
	sb_seal(rc->primary, geo.sector_size);
}

static be32_t compat_of(const struct sb_candidate *candidate)
{
	return ((const struct sb_disk *)candidate->sector)->features_compat;
}

/* Returns how many usable superblocks have these compatible feature bits. */
static unsigned count_compat(const struct sb_candidates *all, be32_t bits)
{
	unsigned count = 0;

	for (size_t i = 0; i < all->count; i++)
		count += all->all[i].usable && be32_get(compat_of(&all->all[i])) == be32_get(bits);
	return count;
}

/*
 * Corrects the primary's compatible feature bits if more superblocks agree on other bits, and reports them.  There is
 * no other evidence, since this program knows none of these features.
 */
static void adopt_compat(struct repair *rc, const struct sb_candidates *all, const struct check *check)
{
	struct sb_disk *sb = (struct sb_disk *)rc->primary;
	const be32_t said = sb->features_compat;
	be32_t most = said;

	if (!all->all[0].geo.crc)
		return;
	for (size_t i = 1; i < all->count; i++) {
		const be32_t bits = compat_of(&all->all[i]);

		if (all->all[i].usable && count_compat(all, bits) > count_compat(all, most))
			most = bits;
	}
	if (be32_get(most) == be32_get(said))
		return;
	problem(check, F_SB_OUTVOTED, offsetof(struct sb_disk, features_compat), be32_get(said), be32_get(most));
	sb->features_compat = most;
	sb_seal(rc->primary, all->all[0].geo.sector_size);
}

static enum phase_result adopt_primary(struct repair *rc, const struct sb_candidates *all)
{
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);

	adopt_root(rc, all, all->all, &check);
	adopt_finobt(rc, &check);
	adopt_compat(rc, all, &check);
	return sb_decode(&check, rc->primary, SB_READ_BYTES, &rc->geo) ? PHASE_DONE : PHASE_STOP;
}

static enum phase_result adopt_fields(struct repair *rc, const struct sb_candidates *all,
				      const struct sb_candidate *chosen)
{
	const struct sb_candidate *primary = all->all;
	const struct sb_disk *disk = (const struct sb_disk *)primary->sector;
	uint8_t right[SB_CANDIDATE_BYTES];
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);
	struct fields fields = { .check = &check, .primary = primary };
	const struct check compare = { NULL, field_differs, &fields };
	struct words note = { 0 };

	if (!primary->found)
		problem(&check, F_BLOCK_MAGIC, 0, be32_get(disk->magicnum), SB_MAGIC);
	if (chosen->geo.crc)
		crc_check(&check, rc->primary, chosen->geo.sector_size, offsetof(struct sb_disk, crc));
	memcpy(right, chosen->sector, sizeof(right));
	if (label_is_newer(rc, primary))
		memcpy(((struct sb_disk *)right)->fname, disk->fname, sizeof(disk->fname));
	sb_compare(&compare, primary->sector, right);
	sb_overrule(rc->primary, right);
	sb_seal(rc->primary, chosen->geo.sector_size);
	if (fields.count) {
		words_add(&note, "Wrong in the primary superblock: %s. The values of the others are used: ",
			  fields.names.text);
		add_witnesses(&note, chosen);
		report_note(rc->report, note.text);
	}
	adopt_root(rc, all, chosen, &check);
	return sb_decode(&check, rc->primary, SB_READ_BYTES, &rc->geo) ? PHASE_DONE : PHASE_STOP;
}

static enum phase_result adopt_whole(struct repair *rc, const struct sb_candidates *all,
				     const struct sb_candidate *chosen)
{
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);
	const struct check silent = check_silent(NULL);
	const struct sb_candidate *primary = &all->all[0];
	struct words note = { 0 };
	xino_t root = sb_root_find(all, chosen);
	uint64_t bad, bad_bytes;

	if (!primary->found && !device_unreadable(rc->run->device, 0, SECTOR_SIZE, &bad, &bad_bytes))
		problem(&check, F_BLOCK_MAGIC, 0, be32_get(((const struct sb_disk *)primary->sector)->magicnum),
			SB_MAGIC);
	problem(&check, F_SB_LOST, 0, chosen->alike, 0);
	memset(rc->primary, 0, SB_READ_BYTES);
	memcpy(rc->primary, chosen->sector, SB_CANDIDATE_BYTES);
	sb_promote(rc->primary, root);
	sb_seal(rc->primary, chosen->geo.sector_size);
	if (!sb_decode(&silent, rc->primary, SB_READ_BYTES, &rc->geo))
		return PHASE_STOP;
	rc->geo.counters_lost = true;
	words_add(&note, "The primary superblock is unusable. Using ");
	add_witnesses(&note, chosen);
	words_add(&note,
		  " Values kept only in the primary (counters, quota inode numbers) are lost and will be recomputed.");
	report_note(rc->report, note.text);
	return PHASE_DONE;
}

/*
 * True if the superblock at the primary's place is a backup as written by mkfs (ondisk 01): it has the geometry, but no
 * value that only the primary has.
 */
static bool is_secondary(const struct sb_candidate *primary)
{
	const struct sb_disk *disk = (const struct sb_disk *)primary->sector;

	return primary->found && disk->inprogress && be64_get(disk->rootino) == NULL_INO;
}

enum phase_result sb_adopt(struct repair *rc, const struct sb_candidates *all, const struct sb_candidate *chosen)
{
	const struct sb_candidate *primary = all->all;

	if (is_secondary(primary))
		return adopt_whole(rc, all, chosen);
	if (chosen == primary)
		return adopt_primary(rc, all);
	return differences_of(primary, chosen) <= FEW_FIELDS ? adopt_fields(rc, all, chosen)
							     : adopt_whole(rc, all, chosen);
}

static void say_derived(struct repair *rc, const struct sb_candidate *candidate, const struct sb_derived *derived)
{
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);
	struct words note = { 0 };

	problem(&check, F_SB_DERIVED, 0, candidate->geo.agcount, candidate->geo.agblocks);
	words_add(&note,
		  "No superblock is left. Its values are taken from %u %s and from the first inodes; features without "
		  "a trace are assumed to be off. Counters and quota inode numbers will be recomputed.%s",
		  derived->witnesses ? derived->witnesses : candidate->support.headers,
		  derived->witnesses ? "blocks that hold their own address" : "AGFs and AGIs",
		  derived->log_known ? "" : " The place of the log is unknown: its blocks count as unowned.");
	report_note(rc->report, note.text);
}

/* Adds the realtime section to the derived superblock.  candidate->usable: false if too little confirms the result. */
static int complete(struct repair *rc, struct sb_candidate *candidate, struct sb_derived *derived)
{
	const struct sb_support support = candidate->support;
	int ret;

	if (!candidate->usable || support.headers + derived->witnesses <= support.against) {
		candidate->usable = false;
		return 0;
	}
	ret = sb_derive_rt(rc, &candidate->geo, (struct sb_disk *)rc->primary, &derived->missing);
	sb_seal(rc->primary, candidate->geo.sector_size);
	sb_candidate_decode(candidate, rc->primary, 0);
	candidate->support = support;
	candidate->usable = candidate->usable && !derived->missing && !ret;
	return ret;
}

int sb_adopt_derived(struct repair *rc, struct sb_candidates *all, bool *ret_adopted)
{
	struct sb_derived derived = { .sector = all->buffer };
	struct sb_candidate candidate = { 0 };
	struct words note = { 0 };
	int ret;

	*ret_adopted = false;
	if (sb_derive(rc->run->device, &derived, &ret)) {
		memcpy(rc->primary, derived.sector, SB_READ_BYTES);
		sb_candidate_decode(&candidate, rc->primary, 0);
		derived.missing = "headers of AGs that agree";
	}
	if (candidate.usable) {
		candidate.support = sb_witness(rc->run->device, &candidate.geo, all->buffer);
		ret = complete(rc, &candidate, &derived);
	}
	if (candidate.usable) {
		rc->geo = candidate.geo;
		rc->geo.counters_lost = true;
		say_derived(rc, &candidate, &derived);
		*ret_adopted = true;
	} else if (derived.missing) {
		words_add(&note, "AG headers are left, but without a superblock xfsck also needs %s.", derived.missing);
		report_note(rc->report, note.text);
	}
	return ret;
}
