/* SPDX-License-Identifier: MIT */
#include "cli/proofs_file.h"

#include "cli/exit.h"
#include "cli/message.h"
#include "cli/newfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads a whole file of at most WN_PROOFS_BYTES_MAX bytes. NULL with errno. */
static char *
read_all(const char *path, size_t *n_bytes)
{
	FILE *from = fopen(path, "rb");
	char *text = NULL;
	int error = 0;
	if (!from)
		return NULL;
	text = malloc(WN_PROOFS_BYTES_MAX + 1);
	*n_bytes = text ? fread(text, 1, WN_PROOFS_BYTES_MAX + 1, from) : 0;
	if (!text || ferror(from))
		error = text ? EIO : ENOMEM;
	else if (*n_bytes > WN_PROOFS_BYTES_MAX)
		error = EFBIG;
	fclose(from);
	if (error) {
		free(text);
		errno = error;
		return NULL;
	}
	return text;
}

/* Reads the text too, which the caller frees. */
static int
read_text(const char *path, bool may_lack, char **text, size_t *n_bytes, struct wn_proofs *out)
{
	wn_err err = {.msg = ""};
	*out = (struct wn_proofs){NULL, 0};
	*n_bytes = 0;
	*text = read_all(path, n_bytes);
	if (!*text && may_lack && errno == ENOENT)
		return CLI_OK;
	if (!*text)
		return FAILURE("%s: %s", path, strerror(errno));
	if (wn_proofs_read(*text, *n_bytes, out, &err) == WN_OK)
		return CLI_OK;
	message("%s: %s; it is not used", path, err.msg);
	free(*text);
	*text = NULL;
	return CLI_FAILURE;
}

int
proofs_file_read(const char *path, bool may_lack, struct wn_proofs *out)
{
	char *text;
	size_t n_bytes;
	int code = read_text(path, may_lack, &text, &n_bytes, out);
	free(text);
	return code;
}

int
proofs_file_add(const char *path, const struct wn_proof *proofs, const char *const *abouts,
                size_t n)
{
	struct wn_proofs old;
	struct newfile f;
	char *text;
	size_t n_bytes;
	int code = read_text(path, true, &text, &n_bytes, &old);
	if (code != CLI_OK)
		return code;
	if (old.n + n > WN_PROOFS_MAX) {
		code = FAILURE("%s: more than %u proofs; nothing added", path, WN_PROOFS_MAX);
	} else if (newfile_open(path, &f) != 0) {
		code = FAILURE("%s: %s; nothing kept", path, strerror(errno));
	} else {
		if (text)
			fwrite(text, 1, n_bytes, f.to);
		else
			fputs(WN_PROOFS_HEAD, f.to);
		for (size_t i = 0; i < n; i++)
			wn_proof_write(&proofs[i], abouts[i], f.to);
		if (newfile_commit(&f) != 0) {
			code = FAILURE("%s: %s; nothing kept", path, strerror(errno));
		}
	}
	wn_proofs_fini(&old);
	free(text);
	return code;
}
