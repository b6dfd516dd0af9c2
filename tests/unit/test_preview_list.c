/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list beside a preview: it is read as written, and refused if it is damaged. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../repair/commit/preview_list.h"

static const struct preview_head head = {
	.uuid = { 1, 2, 3 },
	.mends = true,
	.consents = 1u << CONSENT_LOSSES | 1u << CONSENT_UNREADABLE,
	.redo = { .offset = 4096, .bytes = 1024, .crc = 0xfedcba98 },
	.bytes = { 1 << 20, 0, 1 << 16 },
	.changed = { true, false, true },
};

static const struct preview_range ranges[] = {
	{ .device = 0, .offset = 0, .len = 512, .layer = LAYER_MEND, .before = 1, .after = UINT32_MAX },
	{ .device = 0, .offset = 4096, .len = 1024, .redo = true, .layer = LAYERS, .lost = true, .after = 7 },
	{ .device = 2, .offset = 65024, .len = 512, .layer = LAYER_LOG, .before = 0, .after = 3 },
	{ .device = 0, .offset = 1024, .len = 2048, .same = true, .layer = LAYERS, .before = 9 },
};

#define RANGES (sizeof(ranges) / sizeof(ranges[0]))

/* Writes a list and returns its lines; the caller frees them. */
static char *write_list(size_t *ret_len)
{
	struct report_json json = { 0 };
	char *text = NULL;

	json.out = open_memstream(&text, ret_len);
	assert_non_null(json.out);
	preview_put_head(&json, &head);
	for (size_t i = 0; i < RANGES; i++)
		preview_put_range(&json, &ranges[i]);
	preview_put_end(&json, RANGES);
	assert_int_equal(json.error, 0);
	fclose(json.out);
	return text;
}

/* True if all of it can be read and its end is valid. */
static bool is_list(const char *text, size_t len)
{
	struct json_in json = { .in = fmemopen((void *)text, len, "r") };
	struct preview_head got;
	struct preview_range range;
	bool good, end = false;

	assert_non_null(json.in);
	good = preview_get_head(&json, &got);
	for (uint64_t n = 0; good && !end; n++)
		good = preview_get_range(&json, &got, n, &range, &end);
	json_in_free(&json);
	fclose(json.in);
	return good;
}

static void what_is_written_is_read(void **state)
{
	struct preview_head got;
	struct preview_range range;
	struct json_in json = { 0 };
	size_t len;
	char *text = write_list(&len);
	bool end;

	(void)state;
	json.in = fmemopen(text, len, "r");
	assert_non_null(json.in);
	assert_true(preview_get_head(&json, &got));
	assert_memory_equal(got.uuid, head.uuid, sizeof(got.uuid));
	assert_int_equal(got.redo.offset, head.redo.offset);
	assert_int_equal(got.redo.bytes, head.redo.bytes);
	assert_int_equal(got.redo.crc, head.redo.crc);
	assert_true(got.mends && got.consents == head.consents && got.changed[0] && !got.changed[1] && got.changed[2]);
	for (size_t i = 0; i < RANGES; i++) {
		assert_true(preview_get_range(&json, &got, i, &range, &end));
		assert_false(end);
		assert_int_equal(range.device, ranges[i].device);
		assert_int_equal(range.offset, ranges[i].offset);
		assert_int_equal(range.len, ranges[i].len);
		assert_int_equal(range.same, ranges[i].same);
		assert_int_equal(range.lost, ranges[i].lost);
		assert_int_equal(range.redo, ranges[i].redo);
		assert_int_equal(range.layer, ranges[i].layer);
		assert_int_equal(range.before, ranges[i].before);
		assert_int_equal(range.after, ranges[i].after);
	}
	assert_true(preview_get_range(&json, &got, RANGES, &range, &end));
	assert_true(end);
	json_in_free(&json);
	fclose(json.in);
	free(text);
}

static void what_is_cut_off_is_refused(void **state)
{
	size_t len;
	char *text = write_list(&len);

	(void)state;
	assert_true(is_list(text, len));
	for (size_t n = 1; n + 1 < len; n++)
		assert_false(is_list(text, n));
	free(text);
}

/* Returns a text with one occurrence of something replaced; the caller frees it. */
static char *replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char *out = NULL;

	assert_non_null(at);
	assert_true(asprintf(&out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
	return out;
}

static void impossible_values_are_refused(void **state)
{
	static const char *const edits[][2] = {
		{ "\"format\":2", "\"format\":1" },
		{ "\"format\":2", "\"format\":3" },
		{ "\"losses\"", "\"looses\"" },
		{ "\"bytes\":1048576", "\"bytes\":-1" },
		{ "\"bytes\":1048576", "\"bytes\":512" },
		{ "\"uuid\":\"0", "\"uuid\":\"g" },
		{ "\"crc\":", "\"crc\":1" },
		{ "\"offset\":4096", "\"offset\":1048576" },
		{ "\"offset\":4096", "\"offset\":4097" },
		{ "\"bytes\":1024", "\"bytes\":0" },
		{ "\"bytes\":1024", "\"bytes\":\"18446744073709551104\"" },
		{ "\"device\":\"data\"", "\"device\":\"date\"" },
		{ "\"device\":\"realtime\"", "\"device\":\"log\"" },
		{ "\"offset\":65024", "\"offset\":65536" },
		{ "\"offset\":65024", "\"offset\":\"18446744073709551104\"" },
		{ "\"layer\":\"mend\"", "\"layer\":\"none\"" },
		{ "\"layer\":\"mend\"", "\"layer\":3" },
		{ "\"before\":1", "\"before\":4294967296" },
		{ "\"before\":1", "\"before\":true" },
		{ "\"after\":7", "\"after\":null" },
		{ "\"type\":\"same\"", "\"type\":\"some\"" },
		{ "\"ranges\":4", "\"ranges\":5" },
	};
	size_t len;
	char *text = write_list(&len);

	(void)state;
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		char *edited = replaced(text, edits[i][0], edits[i][1]);

		if (is_list(edited, strlen(edited)))
			fail_msg("%s", edits[i][1]);
		free(edited);
	}
	free(text);
}

static void each_device_has_its_file(void **state)
{
	static const char *const names[][3] = {
		{ "a/b.qcow2", "a/b-log.qcow2", "a/b-rt.qcow2" },
		{ "preview", "preview-log", "preview-rt" },
		{ ".qcow2", ".qcow2-log", ".qcow2-rt" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (unsigned device = 0; device < 3; device++) {
			char *name = preview_overlay(names[i][0], device);

			assert_string_equal(name, names[i][device]);
			free(name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(what_is_cut_off_is_refused),
		cmocka_unit_test(impossible_values_are_refused),
		cmocka_unit_test(each_device_has_its_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
