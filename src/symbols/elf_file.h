/* SPDX-License-Identifier: MIT */
/* elf_file.h - opens files whose names come from a trace or another file, which are untrusted:
 * only regular files, without blocking, and verified by build id, CRC or span. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wn_module;

/* Opens a regular file for reading, or returns -1: no such file, a FIFO, a device, a socket ... */
int wn_regular_file_open(const char *path);

/* Returns whether the ELF file has exactly this build id of n bytes, n > 0. The descriptor stays
 * open. */
bool wn_elf_has_build_id(int fd, const uint8_t *build_id, size_t n);

/* Returns whether the file has this CRC-32 (the one .gnu_debuglink records). Reads the whole file.
 */
bool wn_file_has_crc32(int fd, uint32_t crc);

/* Returns whether this file is still the one that was mapped. The build ids must be equal; if
 * neither side has one, the span of the loadable segments must equal the recorded one. */
bool wn_elf_is_module(int fd, const struct wn_module *module);
