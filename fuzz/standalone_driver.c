/* SPDX-License-Identifier: MIT */
/*
 * standalone_driver.c - runs a fuzz entry on files and folders of files, without libFuzzer: the
 * corpus as an ordinary test, with any compiler. Prints TAP; a defect aborts.
 */
#include "harness.h"

#include "tests/tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void
run_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat info;
	if (!file || fstat(fileno(file), &info) != 0) {
		ok(false, "%s can be read", path);
		if (file)
			fclose(file);
		return;
	}
	size_t size_bytes = (size_t)info.st_size;
	/* exactly as long as the input, so that a sanitizer sees a byte too far */
	uint8_t *bytes = malloc(size_bytes ? size_bytes : 1);
	bool is_read = bytes && fread(bytes, 1, size_bytes, file) == size_bytes;
	fclose(file);
	if (is_read)
		LLVMFuzzerTestOneInput(bytes, size_bytes);
	free(bytes);
	const char *name = strrchr(path, '/');
	ok(is_read, "%s does no harm", name ? name + 1 : path);
}

static void
run_folder(const char *path)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, alphasort);
	if (n < 0) {
		ok(false, "%s can be listed", path);
		return;
	}
	for (int i = 0; i < n; i++) {
		char file[4096];
		if (entries[i]->d_name[0] != '.' && snprintf(file, sizeof file, "%s/%s", path,
		                                             entries[i]->d_name) < (int)sizeof file)
			run_file(file);
		free(entries[i]);
	}
	free(entries);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct stat info;
		if (stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode))
			run_folder(argv[i]);
		else
			run_file(argv[i]);
	}
	return done();
}
