/* SPDX-License-Identifier: MIT */
/* core.h - what the files of this folder share. */
#ifndef WN_CORE_CORE_H
#define WN_CORE_CORE_H

#include "page/page.h"
#include "page/table.h"

/* The page that is open. */
struct page *core_page(void);
/* The table in use, and where what fails is told (core_table_why()). */
struct table *core_table(void);
wn_err *core_failure(void);

#endif /* WN_CORE_CORE_H */
