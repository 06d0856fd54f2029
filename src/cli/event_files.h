/* SPDX-License-Identifier: MIT */
/*
 * event_files.h - events that the kernel lists in files, by name.
 *
 *   ROOT/PMU/events/NAME   "event=0x0016": the number that perf_event_open(2) takes as config
 *   ROOT/PMU/type          the PMU's type
 *   ROOT/PMU/cpus          the CPUs that it belongs to; other units, such as memory controllers,
 *                          have no such file
 *
 * AArch64's kernels list those architectural events (PMUv3) that the processor implements. An
 * event that it does not count has no error there: its count stays 0. So a number is used only if
 * its file exists.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define EVENT_FILES_ROOT "/sys/bus/event_source/devices"

/**
 * Finds an event of a CPU's unit by its name.
 *
 * @param root    folder of the units; EVENT_FILES_ROOT.
 * @param name    event's name, in letters of any case; names with a '/' are not found.
 * @param type    written on success: perf_event_attr.type.
 * @param config  written on success: perf_event_attr.config.
 *
 * @return whether there is one whose file has nothing but an event's number. If several units have
 * it (processors with CPUs of several kinds), the first by name.
 *
 * Cost     reads the folder; one file for each unit of a CPU.
 * Threads  safe.
 */
bool event_file_find(const char *root, const char *name, uint32_t *type, uint64_t *config);
