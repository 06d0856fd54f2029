/* SPDX-License-Identifier: MIT */
/*
 * offspring.h - which processes of a recording are still there after the launched one has ended.
 */
#ifndef WN_CLI_OFFSPRING_H
#define WN_CLI_OFFSPRING_H

#include <stddef.h>

/* Processes, visible here, that started with WINNOW_BACK=`channel_path` in their environment or
 * were forked by one that did; zombies do not count. `pid` is set to one of them. Reads /proc once.
 */
size_t offspring_count(const char *channel_path, long *pid);

#endif /* WN_CLI_OFFSPRING_H */
