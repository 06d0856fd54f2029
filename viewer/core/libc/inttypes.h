/* SPDX-License-Identifier: MIT */
#ifndef WN_CORE_INTTYPES_H
#define WN_CORE_INTTYPES_H
#include <stdint.h>
#define PRIu32 "u"
#define PRIu64 "llu"
#define PRIx64 "llx"
#define PRIi64 "lli"
#define PRId64 "lld"
#endif
