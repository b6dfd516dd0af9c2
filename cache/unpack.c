/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks files that were compressed by gzip, xz or zstd, as a stream. */
#include "unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define BUFFER	    (256u << 10) /* bytes */
#define MOST_MEMORY (1ull << 30) /* bytes that a stream may ask for */

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

/* A file that is unpacked. */
struct stream {
	int fd;
	uint64_t offset; /* in it: byte */
	unpack_fn *fn;
	void *ctx;
	uint8_t in[BUFFER], out[BUFFER];
};

/* Read on into `in`. Bytes, 0 at the end, or negative errno. */
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

	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK) /* 16: with gzip's header */
		return -ENOMEM;
	while (!ret) {
		if (!z.avail_in) {
			n = more(stream);
			if (n <= 0)
				break;
			z.next_in = stream->in;
			z.avail_in = (unsigned)n;
		}
		if (state == Z_STREAM_END && inflateReset(&z) != Z_OK) /* one such file behind the other */
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

	if (lzma_stream_decoder(&z, MOST_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
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
		if (state == LZMA_MEM_ERROR || state == LZMA_MEMLIMIT_ERROR)
			ret = -ENOMEM;
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

static int unpack_zstd(struct stream *stream)
{
#ifdef HAVE_ZSTD
	ZSTD_DStream *z = ZSTD_createDStream();
	size_t state = 1; /* 0: a frame has ended */
	ssize_t n = 0;
	int ret = 0;

	if (!z)
		return -ENOMEM;
	/* what --long=30 of zstd(1) takes, which is MOST_MEMORY */
	ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, 30);
	while (!ret && (n = more(stream)) > 0) {
		ZSTD_inBuffer in = { stream->in, (size_t)n, 0 };
		ZSTD_outBuffer out = { .size = BUFFER };

		/* a full buffer may mean that there is more to come */
		while (!ret && (in.pos < in.size || (state && out.pos == out.size))) {
			out = (ZSTD_outBuffer){ stream->out, BUFFER, 0 };
			state = ZSTD_decompressStream(z, &out, &in);
			if (ZSTD_isError(state))
				ret = -EBADMSG;
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

int unpack(int fd, enum packing packing, unpack_fn *fn, void *ctx)
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
	stream->fn = fn;
	stream->ctx = ctx;
	ret = unpackers[packing](stream);
	free(stream);
	return ret;
}
