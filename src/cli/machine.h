/* SPDX-License-Identifier: MIT */
/*
 * machine.h - describes properties of this machine that affect recordings.
 *
 * Each function writes one short text; "unknown" properties are named as such.
 */
#ifndef WN_CLI_MACHINE_H
#define WN_CLI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

void machine_kernel(char *out, size_t out_bytes);
void machine_cpu_model(char *out, size_t out_bytes);
void machine_cpu(char *out, size_t out_bytes);
void machine_clock(char *out, size_t out_bytes);
void machine_perf(char *out, size_t out_bytes);
/* Is it known here when threads are off the CPU? */
void machine_switches(char *out, size_t out_bytes);
/* Limits of CPU time, and other facts that recordings contain. */
void machine_limits(char *out, size_t out_bytes);
void machine_libc(char *out, size_t out_bytes);

/* Describes the tools that `winnow cc` uses. */
void machine_opari(char *out, size_t out_bytes);

/* Describes the current folder. False if no trace can be written to it. */
bool machine_folder(char *out, size_t out_bytes);

#endif /* WN_CLI_MACHINE_H */
