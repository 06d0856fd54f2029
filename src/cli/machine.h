/* SPDX-License-Identifier: MIT */
/*
 * machine.h - describes properties of this machine that affect recordings.
 *
 * Each function writes one short text; "unknown" properties are named as such.
 */
#pragma once

#include "trace/trace_format.h"

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

/* CPUs that are measured at a time; more take too many threads. */
#define MACHINE_SPEEDS_MAX 256u

/*
 * Measures how fast CPUs run arithmetic while all of them do, by the CPU time of a thread on each.
 *
 * @param cpus     [n_words] bit k of word w: CPU 64 w + k.
 * @param speeds   [MACHINE_SPEEDS_MAX], by number of the CPU.
 *
 * Returns how many there are; 0: fewer than two or too many CPUs, or one could not be measured.
 * Takes about 2 ms.
 */
size_t machine_cpu_speeds(const uint64_t *cpus, size_t n_words, struct wn_cpu_speed_record *speeds);

/* By how much the speeds of CPUs that share cores with others differ usually, in 1/1000: as little
 * as is assumed of a virtual machine, and as much as one recording is believed. */
#define MACHINE_SPREAD_USUAL 1250u

/* Measures by how much the speeds of the CPUs that this process may use differ at times: several
 * times in half of a second. Returns the fastest one's speed / the slowest one's, in 1/1000, at
 * the moment at which that was largest, on a virtual machine at least MACHINE_SPREAD_USUAL; 0:
 * unknown. */
uint32_t machine_cpu_spread(void);

/* Describes the current folder. False if no trace can be written to it. */
bool machine_folder(char *out, size_t out_bytes);
