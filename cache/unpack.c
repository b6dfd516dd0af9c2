/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks gzip, xz and zstd files as a stream. */
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "whole.h"

#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#define BUFFER		 (256u << 10) /* bytes */
#define ZSTD_OTHER	 (1u << 20)   /* the most bytes that a decoder takes besides its window */
#define MOST_INDEX	 (1u << 20)   /* the largest index that is read, in bytes */
#define ZSTD_HEADER_MOST 18u	      /* bytes of a frame header */

static const struct {
	const char *name;
	size_t len;
	const char *magic;
} packings[PACKINGS] = {
	[PACKING_GZIP] = { "gzip", 3, "\x1f\x8b\x08" },
	[PACKING_XZ] = { "xz", 6,
			 "\xfd"
			 "7zXZ\0" },
	[PACKING_ZSTD] = { "zstd", 4, "\x28\xb5\x2f\xfd" },
};

enum packing packing_of(const uint8_t bytes[static PACKING_MAGIC_LEN])
{
	for (enum packing i = PACKING_GZIP; i < PACKINGS; i++)
		if (memcmp(bytes, packings[i].magic, packings[i].len) == 0)
			return i;
	return PACKING_NONE;
}

const char *packing_name(enum packing packing)
{
	return packings[packing].name;
}

/* A file being unpacked. */
struct stream {
	int fd;
	uint64_t offset; /* byte in the file */
	uint64_t memory; /* bytes that the library may use */
	unpack_fn *fn;
	void *ctx;
	uint8_t in[BUFFER], out[BUFFER];
};

/* Reads more into `in`. Returns bytes, 0 at the end, or negative errno. */
__attribute__((unused)) static ssize_t more(struct stream *stream)
{
	ssize_t n;

	do
		n = pread(stream->fd, stream->in, sizeof(stream->in), (off_t)stream->offset);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	stream->offset += (uint64_t)n;
	return n;
}

__attribute__((unused)) static int put(struct stream *stream, size_t len)
{
	return len ? stream->fn(stream->ctx, stream->out, len) : 0;
}

static int unpack_gzip(struct stream *stream)
{
#ifdef HAVE_ZLIB
	z_stream z = { 0 };
	ssize_t n = 0;
	int ret = 0, state = Z_OK;

	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK) /* 16: expect a gzip header */
		return -ENOMEM;
	while (!ret) {
		if (!z.avail_in) {
			n = more(stream);
			if (n <= 0)
				break;
			z.next_in = stream->in;
			z.avail_in = (unsigned)n;
		}
		if (state == Z_STREAM_END && inflateReset(&z) != Z_OK) /* concatenated files */
			ret = -EBADMSG;
		z.next_out = stream->out;
		z.avail_out = BUFFER;
		state = inflate(&z, Z_NO_FLUSH);
		if (state == Z_MEM_ERROR)
			ret = -ENOMEM;
		else if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
			ret = -EBADMSG;
		if (!ret)
			ret = put(stream, BUFFER - z.avail_out);
	}
	inflateEnd(&z);
	return ret ? ret : n < 0 ? (int)n : state == Z_STREAM_END ? 0 : -EBADMSG;
#else
	(void)stream;
	return -EOPNOTSUPP;
#endif
}

static int unpack_xz(struct stream *stream)
{
#ifdef HAVE_LZMA
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret state = LZMA_OK;
	bool ended = false;
	ssize_t n = 0;
	int ret = 0;

	if (lzma_stream_decoder(&z, stream->memory, LZMA_CONCATENATED) != LZMA_OK)
		return -ENOMEM;
	while (!ret && state == LZMA_OK) {
		if (!z.avail_in && !ended) {
			n = more(stream);
			if (n < 0)
				break;
			ended = n == 0;
			z.next_in = stream->in;
			z.avail_in = (size_t)n;
		}
		z.next_out = stream->out;
		z.avail_out = BUFFER;
		state = lzma_code(&z, ended ? LZMA_FINISH : LZMA_RUN);
		if (state == LZMA_MEM_ERROR)
			ret = -ENOMEM;
		else if (state == LZMA_MEMLIMIT_ERROR)
			ret = -ENOBUFS;
		else if (state != LZMA_OK && state != LZMA_STREAM_END)
			ret = -EBADMSG;
		if (!ret)
			ret = put(stream, BUFFER - z.avail_out);
	}
	lzma_end(&z);
	return ret ? ret : n < 0 ? (int)n : 0;
#else
	(void)stream;
	return -EOPNOTSUPP;
#endif
}

#ifdef HAVE_ZSTD
/* Returns the logarithm of the largest allowed window: a frame states how far back it refers. */
static int window_log(const struct stream *stream)
{
	int log = 10; /* the minimum */

	while ((UINT64_C(2) << log) + ZSTD_OTHER <= stream->memory)
		log++;
	return log;
}
#endif

static int unpack_zstd(struct stream *stream)
{
#ifdef HAVE_ZSTD
	ZSTD_DStream *z = ZSTD_createDStream();
	size_t state = 1; /* 0: a frame has ended */
	ssize_t n = 0;
	int ret = 0;

	if (!z)
		return -ENOMEM;
	ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, window_log(stream));
	while (!ret && (n = more(stream)) > 0) {
		ZSTD_inBuffer in = { stream->in, (size_t)n, 0 };
		ZSTD_outBuffer out = { .size = BUFFER };

		/* a full buffer may mean that more output is pending */
		while (!ret && (in.pos < in.size || (state && out.pos == out.size))) {
			out = (ZSTD_outBuffer){ stream->out, BUFFER, 0 };
			state = ZSTD_decompressStream(z, &out, &in);
			if (ZSTD_isError(state))
				ret = ZSTD_getErrorCode(state) == ZSTD_error_frameParameter_windowTooLarge ? -ENOBUFS
				      : ZSTD_getErrorCode(state) == ZSTD_error_memory_allocation	   ? -ENOMEM
													   : -EBADMSG;
			else
				ret = put(stream, out.pos);
		}
	}
	ZSTD_freeDStream(z);
	return ret ? ret : n < 0 ? (int)n : state ? -EBADMSG : 0;
#else
	(void)stream;
	return -EOPNOTSUPP;
#endif
}

int unpack(int fd, enum packing packing, uint64_t memory, unpack_fn *fn, void *ctx)
{
	static int (*const unpackers[PACKINGS])(struct stream * stream) = {
		[PACKING_GZIP] = unpack_gzip,
		[PACKING_XZ] = unpack_xz,
		[PACKING_ZSTD] = unpack_zstd,
	};
	struct stream *stream = malloc(sizeof(*stream));
	int ret;

	if (!stream)
		return -ENOMEM;
	stream->fd = fd;
	stream->offset = 0;
	stream->memory = memory;
	stream->fn = fn;
	stream->ctx = ctx;
	ret = unpackers[packing](stream);
	free(stream);
	return ret;
}

/* ---- stated size ---- */

#define GZIP_SIZE_LEN 4u /* at the end: unpacked size modulo 2^32 */

static uint64_t stated_by_gzip(int fd, uint64_t size)
{
	uint8_t end[GZIP_SIZE_LEN];

	if (size < sizeof(end) || whole_read(fd, size - sizeof(end), end, sizeof(end), -EIO))
		return 0;
	return end[0] | (uint64_t)end[1] << 8 | (uint64_t)end[2] << 16 | (uint64_t)end[3] << 24;
}

/* Reads it from the index of the last stream. */
static uint64_t stated_by_xz(int fd, uint64_t size)
{
	uint64_t stated = 0;
#ifdef HAVE_LZMA
	uint8_t footer[LZMA_STREAM_HEADER_SIZE], *bytes;
	uint64_t memory = MOST_INDEX;
	lzma_stream_flags flags;
	lzma_index *index = NULL;
	size_t at = 0;

	if (size < sizeof(footer) || whole_read(fd, size - sizeof(footer), footer, sizeof(footer), -EIO) ||
	    lzma_stream_footer_decode(&flags, footer) != LZMA_OK || flags.backward_size > MOST_INDEX ||
	    flags.backward_size > size - sizeof(footer))
		return 0;
	bytes = malloc(flags.backward_size);
	if (bytes && !whole_read(fd, size - sizeof(footer) - flags.backward_size, bytes, flags.backward_size, -EIO) &&
	    lzma_index_buffer_decode(&index, &memory, NULL, bytes, &at, flags.backward_size) == LZMA_OK) {
		stated = lzma_index_uncompressed_size(index);
		lzma_index_end(index, NULL);
	}
	free(bytes);
#else
	(void)fd;
	(void)size;
#endif
	return stated;
}

/* Reads it from the first frame, if present. */
static uint64_t stated_by_zstd(int fd, uint64_t size)
{
#ifdef HAVE_ZSTD
	uint8_t header[ZSTD_HEADER_MOST] = { 0 };
	const size_t len = size < sizeof(header) ? size : sizeof(header);
	unsigned long long stated;

	if (whole_read(fd, 0, header, len, -EIO))
		return 0;
	stated = ZSTD_getFrameContentSize(header, len);
	return stated == ZSTD_CONTENTSIZE_UNKNOWN || stated == ZSTD_CONTENTSIZE_ERROR ? 0 : stated;
#else
	(void)fd;
	(void)size;
	return 0;
#endif
}

uint64_t unpack_stated_size(int fd, enum packing packing, uint64_t size)
{
	static uint64_t (*const stated_by[PACKINGS])(int fd, uint64_t size) = {
		[PACKING_GZIP] = stated_by_gzip,
		[PACKING_XZ] = stated_by_xz,
		[PACKING_ZSTD] = stated_by_zstd,
	};

	return stated_by[packing](fd, size);
}
