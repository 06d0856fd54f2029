/* SPDX-License-Identifier: MIT */
/* pfm.h - finds a processor's event by the name that libpfm4 has for it. The library is loaded at
 * the first lookup (base/load.h) and stays loaded. */
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>

/* Writes type, config, config1 and config2 of *attr. Returns false with the reason in *why, which
 * stays valid. One thread at a time. */
bool pfm_find(const char *name, struct perf_event_attr *attr, const char **why);

/* Returns NULL if events can be looked up, or else the reason why not. */
const char *pfm_missing(void);
