/* SPDX-License-Identifier: MIT */
/*
 * document.h - writing one document where the user wants it: to standard output, or to a file,
 * which is never a recording and is there only when it is whole (newfile.h).
 */
#ifndef WN_CLI_DOCUMENT_H
#define WN_CLI_DOCUMENT_H

#include "graph/names.h"
#include "winnow/base.h"

#include <stdio.h>

typedef wn_status document_fn(const void *user, FILE *to, wn_err *err);

/*
 * path: NULL and "-" are standard output. Says what went wrong as `verb`. Returns the exit code.
 */
int document_write(const char *verb, const char *path, document_fn *write, const void *user);

/* Names of grains in a document: shortened where they are long, or whole. Says which, and how large
 * whole names make it. */
void choose_names(const char *verb, const char *of, struct wn_names *names, bool are_whole);

#endif /* WN_CLI_DOCUMENT_H */
