/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the superblock (ondisk 01, "Secondary superblocks").  Most runs read one backup, find that it agrees with a
 * primary without faults, and use that.  Otherwise all superblocks that can be found are compared, if need be after a
 * search of the whole device.  Since everything else is judged by the geometry, an unconfirmed superblock is used only
 * if the user asks for it.
 */
#include "sb_choose.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spot.h"
#include "belongs.h"
#include "disk/agf.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "repair.h"
#include "report.h"
#include "report/quote.h"
#include "report/words.h"
#include "run.h"
#include "sb_candidates.h"

/*
 * Finds superblocks.  There is one at each multiple of the AG size, but only superblocks have that size; so any one
 * that is found leads to the others.
 */

#define BUFFER	(4u << 20) /* of the device, read at once */
#define MIB_LOG 20
#define SIZES	8 /* block sizes are 512 to 65536 bytes: so many powers of two */
#define TRIES	8 /* AGs to try with one size before another size */

static bool any_usable_secondary(const struct sb_candidates *list)
{
	for (size_t i = 1; i < list->count; i++)
		if (list->all[i].usable)
			return true;
	return false;
}

/* Reads the starts of the first AGs of this size; if one has a usable superblock, adds all of its geometry. */
static int try_ag_bytes(struct sb_candidates *list, uint64_t ag_bytes)
{
	if (ag_bytes < SB_MIN_AG_BYTES || ag_bytes > SB_MAX_AG_BYTES)
		return 0;
	for (unsigned agno = 1; agno <= TRIES && agno * ag_bytes < device_bytes(list->device); agno++) {
		size_t before = list->count;
		int ret = sb_candidates_add(list, agno * ag_bytes);

		if (ret)
			return ret;
		if (list->count > before && list->all[before].usable) {
			const struct geometry geo = list->all[before].geo;

			return sb_candidates_add_all(list, &geo);
		}
	}
	return 0;
}

/* Does the same for AGs of so many blocks, with each possible block size. */
static int look_at_blocks(struct sb_candidates *list, uint32_t agblocks)
{
	int ret = 0;

	for (unsigned log = SECTOR_LOG; log < SECTOR_LOG + SIZES && !ret; log++)
		ret = try_ag_bytes(list, (uint64_t)agblocks << log);
	return ret;
}

/* Takes the AG size from the first AGF, which is in the second sector, for any sector size. */
static int ask_first_agf(struct sb_candidates *list)
{
	int ret = 0;

	for (unsigned log = SECTOR_LOG; log < SECTOR_LOG + SIZES - 1 && !ret; log++) {
		struct agf_disk agf;

		if (device_read(list->device, &agf, 1u << log, sizeof(agf)) == -ENOMEM)
			return -ENOMEM;
		if (be32_get(agf.magicnum) == AGF_MAGIC)
			ret = look_at_blocks(list, be32_get(agf.length));
	}
	return ret;
}

/* Tries the sizes that mkfs chooses: 4 AGs on a single disk, more on an array, the largest possible on large ones. */
static int guess_like_mkfs(struct sb_candidates *list)
{
	static const unsigned counts[] = { 4, 16, 32, 8, 2 };
	uint64_t bytes = device_bytes(list->device);
	int ret = try_ag_bytes(list, SB_MAX_AG_BYTES);

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]) && !ret; i++) {
		for (unsigned log = SECTOR_LOG; log < SECTOR_LOG + SIZES && !ret; log++) {
			uint64_t blocks = bytes >> log;

			ret = try_ag_bytes(list, (blocks / counts[i] + (blocks % counts[i] != 0)) << log);
		}
	}
	return ret;
}

/*
 * Tries the likely places of backups: by the rest of the primary, by the length in the first AGF, and by the layout of
 * mkfs on a device of this size.  Each one that is found leads to the others.  Returns 0 or -ENOMEM.
 */
static int sb_search_likely(struct sb_candidates *list)
{
	const struct sb_disk *sb = (const struct sb_disk *)list->all[0].sector;
	uint32_t agblocks = be32_get(sb->agblocks);
	int ret;

	if (list->all[0].usable) {
		const struct geometry geo = list->all[0].geo;

		ret = sb_candidates_add_all(list, &geo);
	} else {
		ret = look_at_blocks(list, agblocks);
	}
	if (!ret && !any_usable_secondary(list))
		ret = ask_first_agf(list);
	if (!ret && !any_usable_secondary(list) && !list->all[0].usable)
		ret = guess_like_mkfs(list);
	return ret;
}

/* Returns the offset of the next sector of the buffer from `from` on with a superblock's magic; >= len: none. */
static uint32_t next_magic(const uint8_t *buffer, uint32_t from, uint32_t len)
{
	static const uint8_t magic[] = { 'X', 'F', 'S', 'B' };

	while (from < len && memcmp(buffer + from, magic, sizeof(magic)) != 0)
		from += SECTOR_SIZE;
	return from;
}

static void note_displaced(struct sb_displaced *displaced, const struct sb_candidate *candidate)
{
	const uint64_t ag_bytes = bytes_of_ag(&candidate->geo);

	if (!displaced->count)
		*displaced = (struct sb_displaced){ candidate->position, ag_bytes, 1, candidate->geo };
	else if (ag_bytes == displaced->ag_bytes && (candidate->position - displaced->first) % ag_bytes == 0)
		displaced->count++;
}

static int search_buffer(struct sb_candidates *list, const uint8_t *buffer, uint64_t start, uint32_t len,
			 bool (*enough)(void *ctx), void *ctx, bool *ret_enough)
{
	for (uint32_t at = next_magic(buffer, 0, len); at < len; at = next_magic(buffer, at + SECTOR_SIZE, len)) {
		size_t before = list->count;
		struct geometry geo;
		int ret = sb_candidates_add(list, start + at);

		if (ret)
			return ret;
		if (list->count == before)
			continue;
		/* a superblock at an invalid place may belong to a file system in a file of this one */
		if (!list->all[before].usable) {
			if (list->all[before].decoded)
				note_displaced(&list->displaced, &list->all[before]);
			list->count = before;
			continue;
		}
		geo = list->all[before].geo;
		ret = sb_candidates_add_all(list, &geo);
		if (ret)
			return ret;
		*ret_enough = enough(ctx);
		if (*ret_enough)
			return 0;
	}
	return 0;
}

/*
 * Searches the whole device, with progress, until enough(ctx) is true, which is called after each usable superblock
 * that is found.  Returns 0 or -ENOMEM.
 */
static int sb_search_device(struct sb_candidates *list, struct report *report, bool (*enough)(void *ctx), void *ctx)
{
	uint8_t *buffer = device_buffer(list->device, BUFFER);
	uint64_t bytes = device_bytes(list->device), done = 0;
	bool found = false;
	int ret = 0;

	if (!buffer)
		return -ENOMEM;
	report_progress(report,
			&(struct report_work){
				.look = report_look_count, .ctx = &done, .total = bytes >> MIB_LOG, .unit = "MiB" });
	for (uint64_t start = 0; (start = device_next_data(list->device, start, BUFFER)) < bytes && !ret && !found;
	     start += BUFFER) {
		uint32_t len = bytes - start < BUFFER ? (uint32_t)(bytes - start) : BUFFER;

		if (device_gone(list->device))
			break;
		if (device_read(list->device, buffer, start, len) == -ENOMEM)
			ret = -ENOMEM;
		else
			ret = search_buffer(list, buffer, start, len & ~(SECTOR_SIZE - 1), enough, ctx, &found);
		__atomic_store_n(&done, (start + len) >> MIB_LOG, __ATOMIC_RELAXED);
	}
	/* `done` must outlive its reader */
	report_progress_end(report);
	device_buffer_free(buffer);
	return ret;
}

static void weigh(void *ctx, struct sb_candidate *candidate)
{
	struct sb_choice *choice = ctx;

	candidate->support = sb_witness(choice->rc->run->device, &candidate->geo, choice->list.buffer);
}

/* Chooses among those found so far.  True: the choice is confirmed, and the search can end. */
static bool decided(void *ctx)
{
	struct sb_choice *choice = ctx;

	choice->chosen = sb_vote(&choice->list, weigh, choice);
	return choice->chosen && sb_confirmed(choice->chosen);
}

/* True if there are usable superblocks besides the primary, and all are alike it. */
static bool agree(const struct sb_candidates *list)
{
	for (size_t i = 1; i < list->count; i++)
		if (!list->all[i].usable || !sb_candidates_alike(&list->all[0], &list->all[i]))
			return false;
	return list->count > 1;
}

/*
 * True if the primary has no fault, the next superblock, or the headers of the only AG, agree, and there is none behind
 * the end of the file system: chooses the primary.
 */
static bool obvious(struct sb_choice *choice)
{
	struct sb_candidates *list = &choice->list;
	const struct geometry geo = list->all[0].geo;
	struct sb_candidate *primary;

	if (!list->all[0].usable || list->all[0].problem_count)
		return false;
	if (geo.agcount > 1)
		choice->error = sb_candidates_add(list, bytes_of_ag(&geo));
	if (!choice->error)
		choice->error = sb_candidates_add_behind(list, &geo);
	if (choice->error)
		return false;
	primary = list->all;
	if (geo.agcount == 1 && list->count == 1) {
		weigh(choice, primary);
		if (primary->support.headers == 0 || primary->support.against > 0)
			return false;
	} else if (!agree(list)) {
		return false;
	} else {
		primary->alike = 2;
	}
	choice->chosen = primary;
	return true;
}

static const struct sb_candidate *any_unsupported(const struct sb_candidates *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->all[i].unsupported)
			return &list->all[i];
	return NULL;
}

/* Asks the user before a repair destroys the current contents of the device. */
static void ask_for_contents(const struct repair *rc, const struct device_contents *other)
{
	struct words note = { 0 };

	if (rc->run->consents >> CONSENT_CONTENTS & 1)
		return;
	consent_ask(&rc->run->consents, CONSENT_CONTENTS);
	words_add(&note, "%s %s. A repair as XFS would destroy it.", device_name(rc->run->device), other->what);
	report_note(rc->report, note.text);
}

/*
 * True if the device begins with other contents, according to libblkid: then it was probably named by mistake.  Even if
 * it was XFS before, repairing the rest of it would destroy the new contents, so that needs the user's consent, also if
 * the user asks for XFS.  Puts a sentence for the user into `message` of size bytes.
 */
static bool is_of_others(const struct sb_choice *choice, char *message, size_t size)
{
	const struct repair *rc = choice->rc;
	const struct options *o = rc->run->options;
	struct device_contents other;

	if (choice->list.all[0].found)
		return false;
	device_describe(rc->run->device, "xfs", &other);
	if (!other.what[0])
		return false;
	if (o->force_geometry || o->assume_xfs) {
		ask_for_contents(rc, &other);
		return false;
	}
	snprintf(message, size,
		 "%s %s: is it the right device? %s%sIf this device used to hold XFS, work on a copy: xfsck -n -o "
		 "force_geometry "
		 "COPY",
		 device_name(rc->run->device), other.what, other.advice, other.advice[0] ? " " : "");
	return true;
}

/* Adds superblocks of file systems that are larger than the ones found so far.  Returns 0 or -ENOMEM. */
static int look_behind(struct sb_candidates *list)
{
	const size_t count = list->count;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const struct geometry geo = list->all[i].geo;

		if (list->all[i].usable)
			ret = sb_candidates_add_behind(list, &geo);
	}
	return ret;
}

/* Searches for superblocks until the choice is clear, and sets choice->chosen.  Returns 0 or a negative errno. */
static int look(struct sb_choice *choice)
{
	const struct options *o = choice->rc->run->options;
	int ret;

	if (obvious(choice) || choice->error)
		return choice->error;
	ret = sb_search_likely(&choice->list);
	if (!ret)
		ret = look_behind(&choice->list);
	if (ret || decided(choice))
		return ret;
	if (choice->chosen ? o->force_geometry : any_unsupported(&choice->list) != NULL)
		return 0;
	report_note(choice->rc->report, "Searching the whole device for superblocks.");
	ret = sb_search_device(&choice->list, choice->rc->report, decided, choice);
	if (!ret)
		decided(choice);
	return ret;
}

/* Reports why this program does not check the file system of a superblock other than the primary. */
static void say_unsupported(struct sb_choice *choice, const struct sb_candidate *candidate)
{
	struct spot spot = spot_of(choice->rc, OBJ_SUPERBLOCK, NO_AGNO);

	for (unsigned i = 0; i < candidate->problem_count && i < SB_CANDIDATE_PROBLEMS; i++)
		if (finding_severity(candidate->problems[i].finding) == SEV_FATAL)
			spot_report(&spot, &candidate->problems[i]);
}

#define DISPLACED_LIKELY 4u /* superblocks; fewer are enough if the file system has no more */

/* Advises to check the file system that begins in the middle of the device; with -n, as nothing else confirms it. */
static void advise_offset(const struct sb_choice *choice, uint64_t first)
{
	const struct run *run = choice->rc->run;
	char *advice = NULL;
	size_t size;
	FILE *out = open_memstream(&advice, &size);

	if (!out)
		return;
	fprintf(out,
		"if the file system begins at byte %" PRIu64
		" of the device, check it there: xfsck -n --offset=%" PRIu64 " ",
		first, device_base(run->device) + first);
	quote_shell(out, run->options->device);
	if (!fclose(out))
		report_advise(choice->rc->report, advice);
	free(advice);
}

/*
 * Reports that all superblocks are displaced, as on a whole disk, in a partition that used to begin elsewhere, or in an
 * array with another first member.
 */
static void say_displaced(const struct sb_choice *choice)
{
	const struct sb_displaced *displaced = &choice->list.displaced;
	struct words note = { 0 }, distances = { 0 };

	if (displaced->count < 2)
		return;
	words_add(&note,
		  "%u superblocks lie at the right distances from each other (an allocation group has %" PRIu64
		  " bytes), the first at byte %" PRIu64
		  ", where none should be: does the device begin where it should? "
		  "Are the members of an array in the right order?",
		  displaced->count, displaced->ag_bytes, displaced->first);
	report_note(choice->rc->report, note.text);
	if (wrong_order_say(choice->rc->run->device, &displaced->geo, &distances)) {
		words_add(&distances, ".");
		report_note(choice->rc->report, distances.text);
	}
	if (displaced->count >= DISPLACED_LIKELY || displaced->count == displaced->geo.agcount)
		advise_offset(choice, displaced->first);
}

/* Reports why no superblock can be used, and tries to derive one from the rest of the device. */
static enum phase_result do_without(struct sb_choice *choice)
{
	const struct sb_candidate *unsupported = any_unsupported(&choice->list);
	struct spot spot = spot_of(choice->rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);
	struct geometry geo;
	uint64_t bad, bytes;
	bool derived = false;
	int ret;

	if (!device_unreadable(choice->rc->run->device, 0, SECTOR_SIZE, &bad, &bytes))
		sb_decode(&check, choice->rc->primary, SB_READ_BYTES, &geo);
	if (unsupported) {
		if (unsupported != choice->list.all)
			say_unsupported(choice, unsupported);
		return PHASE_STOP;
	}
	ret = sb_adopt_derived(choice->rc, &choice->list, &derived);
	if (ret)
		return failed(choice->rc, "deriving the superblock", ret);
	if (!derived) {
		problem(&check, F_SB_NONE, 0, 0, 0);
		say_displaced(choice);
	}
	return derived ? PHASE_DONE : PHASE_STOP;
}

static enum phase_result adopt_choice(struct sb_choice *choice)
{
	struct repair *rc = choice->rc;
	const struct sb_candidate *chosen = choice->chosen;
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);

	if (!sb_confirmed(chosen) && !rc->run->options->force_geometry) {
		problem(&check, F_SB_UNCONFIRMED, 0, chosen->geo.agcount, chosen->geo.agblocks);
		return PHASE_STOP;
	}
	return sb_adopt(rc, &choice->list, chosen);
}

/* Reports that one byte of the primary has changed, and corrects it in rc->primary. */
static void say_put_back(struct repair *rc, struct sb_candidate *primary)
{
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);

	crc_check(&check, rc->primary, primary->geo.sector_size, offsetof(struct sb_disk, crc));
	sb_byte_put_back(rc->primary, primary);
	report_note(rc->report, "One byte of the primary superblock has changed, according to its checksum. "
				"The original value is used.");
}

enum phase_result sb_look(struct repair *rc, struct sb_choice *choice)
{
	char message[2048];
	bool others = false;
	int ret;

	*choice = (struct sb_choice){ .rc = rc };
	ret = sb_candidates_init(&choice->list, rc->run->device);
	if (!ret)
		others = is_of_others(choice, message, sizeof(message));
	if (!ret && !others && choice->list.all[0].put_back)
		say_put_back(rc, choice->list.all);
	if (!ret && !others)
		ret = look(choice);
	if (ret)
		return failed(rc, "looking for superblocks", ret);
	if (!others)
		return PHASE_DONE;
	report_advise(rc->report, ADVICE_ANOTHER_DEVICE);
	return trouble(rc, message);
}

bool sb_is_contested(const struct sb_choice *choice)
{
	return choice->chosen && sb_confirmed(choice->chosen) && choice->list.count > 1;
}

enum phase_result sb_take(struct sb_choice *choice)
{
	enum phase_result result = choice->chosen ? adopt_choice(choice) : do_without(choice);
	int ret = result == PHASE_DONE ? sb_uuid_learn(choice->rc) : 0;

	return ret ? failed(choice->rc, "looking for the metadata UUID", ret) : result;
}
