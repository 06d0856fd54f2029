/* SPDX-License-Identifier: MIT */
/* calibration.h - profiles of what recording costs (winnow-calibrate(1)), one for each build of the
 * recorder and runtime library: files in ${XDG_CACHE_HOME:-~/.cache}/winnow/. */
#pragma once

#include "trace/trace_calibration.h"

#include <limits.h>
#include <stdbool.h>

/* What a profile is valid for. */
struct calibration_key {
	char cpu[128], recorder[72], runtime[128]; /* as in struct wn_calibration */
	char runtime_path[PATH_MAX];
};

/* For the recorder library and the runtime that recorded a trace with this header. False: unknown
 * runtime, or a file cannot be read. */
bool calibration_key_of(const struct wn_trace_header *header, struct calibration_key *out);

/* Path of its profile. False: there is no folder for it (neither XDG_CACHE_HOME nor HOME). */
bool calibration_path(const struct calibration_key *key, char out[PATH_MAX]);

/* Makes the folder of profiles; `folder` is its path, or empty where there is none (neither
 * XDG_CACHE_HOME nor HOME). Returns 0 if a profile can be written there, or an errno. */
int calibration_make_folder(char folder[PATH_MAX]);

/* Writes it, and the folder. 0, or an errno. */
int calibration_save(const struct calibration_key *key, const char *text, size_t n_bytes);

/* How much the speeds of the CPUs differ at times is the machine's, whatever the runtime. Returns
 * the larger of this spread and those in the machine's profiles for this recorder, and sets it in
 * them. */
uint32_t calibration_share_spread(const struct calibration_key *key, uint32_t spread);

/* Raises the spread that the machine's profiles have to one that a recording has seen. Costs
 * nothing if theirs is as large; without profiles, or where they cannot be written, nothing
 * changes. */
void calibration_raise_spread(const char *trace_path, uint32_t spread);

/* Writes whether there are profiles for this recorder library. */
void calibration_describe(const char *library, char *out, size_t out_bytes);

/* Adds the profile to a trace that has been finished, if there is one for it: with a message if it
 * is damaged. Nothing is added where counters are read with the clock. `makes_one`: if there is
 * none, and it could be kept, measures it, unless WINNOW_CALIBRATE=never or the process is a rank
 * of a parallel job, whose other ranks keep the machine busy. */
void calibration_attach(const char *trace_path, bool makes_one);
