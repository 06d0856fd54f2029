/* SPDX-License-Identifier: MIT */
/*
 * elf_file.h - opening files whose names come from a trace or from another file, that is, from
 * anyone: only regular files, never blocking, and only believed when they prove who they are.
 */
#ifndef WN_SYMBOLS_ELF_FILE_H
#define WN_SYMBOLS_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wn_module;

/* A descriptor for reading a regular file, or -1: no such file, a FIFO, a device, a socket ... */
int wn_regular_file_open(const char *path);

/* Does the ELF file carry exactly this build id? n bytes, n > 0. The descriptor stays open. */
bool wn_elf_has_build_id(int fd, const uint8_t *build_id, size_t n);

/* Has the file this CRC-32 (the one .gnu_debuglink records)? Reads it to the end. */
bool wn_file_has_crc32(int fd, uint32_t crc);

/*
 * Is this file, still, the one that was mapped? The build ids must be equal; where neither side
 * has one, the span of the loadable segments must be the one recorded.
 */
bool wn_elf_is_module(int fd, const struct wn_module *module);

#endif /* WN_SYMBOLS_ELF_FILE_H */
