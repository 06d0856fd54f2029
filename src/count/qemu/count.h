/* SPDX-License-Identifier: MIT */
/*
 * count.h - what is put into the program's code when it is translated.
 */
#ifndef WN_QEMU_COUNT_H
#define WN_QEMU_COUNT_H

#include "count/qemu/api.h"

#include <stdbool.h>

/* Before the first block. `checks`: each instruction is counted a second time, one by one, and each
 * access is told by itself. */
void count_begin(bool is_x86_64, bool checks);

/* Any thread; what it takes of memory stays, as translated code does. */
void count_translated(struct qemu_plugin_tb *tb);

#endif /* WN_QEMU_COUNT_H */
