/* SPDX-License-Identifier: MIT */
/* count.h - instrumentation of the program's code when it is translated. */
#pragma once

#include "count/qemu/api.h"

#include <stdbool.h>

/* Call before the first block. `checks`: counts each instruction a second time, individually, and
 * reports each access individually. */
void count_begin(bool is_x86_64, bool checks);

/* Thread-safe. Its memory is never freed, because translated code is not either. */
void count_translated(struct qemu_plugin_tb *tb);
