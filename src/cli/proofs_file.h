/* SPDX-License-Identifier: MIT */
/* proofs_file.h - the file in which `winnow prove` keeps proofs. */
#pragma once

#include "simulate/proofs.h"

#include <stdbool.h>

/* Reads a file; `may_lack`: one that does not exist has no proofs. Returns the exit code, after a
 * message. */
int proofs_file_read(const char *path, bool may_lack, struct wn_proofs *out);

/* Adds proofs to a file, which is created or replaced as a whole. `abouts`: [n] a text for each.
 * Returns the exit code, after a message. */
int proofs_file_add(const char *path, const struct wn_proof *proofs, const char *const *abouts,
                    size_t n);
