/* SPDX-License-Identifier: MIT */
/*
 * machine.h - facts of this machine that decide what a recording can tell.
 *
 * Each function writes one short text for people; where a fact cannot be read it says so.
 */
#ifndef WN_CLI_MACHINE_H
#define WN_CLI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

void machine_kernel(char *out, size_t out_bytes);
void machine_cpu(char *out, size_t out_bytes);
void machine_clock(char *out, size_t out_bytes);
void machine_perf(char *out, size_t out_bytes);
void machine_libc(char *out, size_t out_bytes);

/* What `winnow cc` instruments programs with. */
void machine_opari(char *out, size_t out_bytes);

/* The current folder. False if no trace can be written to it. */
bool machine_folder(char *out, size_t out_bytes);

#endif /* WN_CLI_MACHINE_H */
