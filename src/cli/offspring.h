/* SPDX-License-Identifier: MIT */
/* offspring.h - finds processes of a recording that outlive the launched one. */
#pragma once

#include <stddef.h>

/* Counts visible processes that started with WINNOW_BACK=`channel_path` in their environment or
 * were forked by one that did; zombies do not count. `pid` is set to one of them. Reads /proc once.
 */
size_t offspring_count(const char *channel_path, long *pid);
