/* SPDX-License-Identifier: MIT */
/* core.h - what the files of this folder share. */
#ifndef WN_CORE_CORE_H
#define WN_CORE_CORE_H

#include "page/page.h"

/* The page that is open. */
struct page *core_page(void);

#endif /* WN_CORE_CORE_H */
