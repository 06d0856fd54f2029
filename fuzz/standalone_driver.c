/* SPDX-License-Identifier: MIT */
/*
 * standalone_driver.c - runs a fuzz entry on the members of archives (fuzz/corpus.sh) and on single
 * files, without libFuzzer: the corpus as an ordinary test, with any compiler. Prints TAP; a defect
 * aborts.
 *
 * An archive is what `ar` writes: AR_MAGIC, then members that begin on even bytes. A member is 60
 * bytes of text, of which the first 16 are the name and the ten from byte 48 on the size, and its
 * content. A name ends with a slash. A longer one is "/N": byte N of the member "//".
 */
#include "harness.h"

#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define AR_MAGIC      "!<arch>\n"
#define AR_HEAD_BYTES 60u

/* The input is exactly as long as its memory, so that a sanitizer sees a byte too far. */
static void
run_input(const char *name, const uint8_t *content, size_t size_bytes)
{
	uint8_t *bytes = malloc(size_bytes ? size_bytes : 1);
	if (bytes) {
		memcpy(bytes, content, size_bytes);
		LLVMFuzzerTestOneInput(bytes, size_bytes);
		free(bytes);
	}
	ok(bytes, "%s does no harm", name);
}

/* Copies the name of a member; names holds the long ones. */
static void
member_name(char name[64], const char *head, const char *names)
{
	const char *from = head;
	if (head[0] == '/' && head[1] >= '0' && head[1] <= '9' && names)
		from = names + strtoul(head + 1, NULL, 10);
	size_t n = strcspn(from, "/");
	snprintf(name, 64, "%.*s", (int)n, from);
}

static void
run_archive(const char *path, const uint8_t *bytes, size_t size_bytes)
{
	const char *names = NULL;
	size_t at = strlen(AR_MAGIC), n_run = 0;
	while (size_bytes - at >= AR_HEAD_BYTES) {
		const char *head = (const char *)bytes + at;
		size_t n = strtoul(head + 48, NULL, 10);
		at += AR_HEAD_BYTES;
		if (n > size_bytes - at)
			break;
		if (memcmp(head, "// ", 3) == 0) {
			names = (const char *)bytes + at;
		} else {
			char name[64];
			member_name(name, head, names);
			run_input(name, bytes + at, n);
			n_run++;
		}
		at += n;
		at += at % 2 && at < size_bytes;
	}
	ok(at == size_bytes && n_run > 0, "%s was read to its end", path);
}

static void
run_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat info;
	size_t size_bytes = 0;
	uint8_t *bytes = NULL;
	bool is_read = file && fstat(fileno(file), &info) == 0;
	if (is_read) {
		size_bytes = (size_t)info.st_size;
		bytes = calloc(size_bytes + 1, 1);
		is_read = bytes && fread(bytes, 1, size_bytes, file) == size_bytes;
	}
	if (file)
		fclose(file);
	if (!is_read)
		ok(false, "%s can be read", path);
	else if (size_bytes >= strlen(AR_MAGIC) && memcmp(bytes, AR_MAGIC, strlen(AR_MAGIC)) == 0)
		run_archive(path, bytes, size_bytes);
	else
		run_input(path, bytes, size_bytes);
	free(bytes);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		run_file(argv[i]);
	return done();
}
