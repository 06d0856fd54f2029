/* SPDX-License-Identifier: MIT */
/* document.h - writes one document to standard output or to a file, which is never a recording and
 * appears only when complete (newfile.h). */
#pragma once

#include "graph/grain_names.h"
#include "winnow/base.h"

#include <stdio.h>

typedef wn_status document_fn(const void *user, FILE *to, wn_err *err);

/* path: NULL and "-" are standard output. Prints errors. Returns the exit code. */
int document_write(const char *path, document_fn *write, const void *user);

/* Selects shortened or whole names of grains for a document. Prints which, and the size of whole
 * names. */
void choose_names(const char *of, struct wn_names *names, bool are_whole);
