/* SPDX-License-Identifier: MIT */
/* totals.h - what the thread has executed, by enum wn_property. */
#ifndef WN_TESTS_COUNT_TOTALS_H
#define WN_TESTS_COUNT_TOTALS_H

#include "record/counters/slot.h"

const uint64_t *totals_of_slot(void);
const uint64_t *totals_of_oracle(void);
/* What the thread touches from here on is touched for the first time. */
void begins_in_slot(void);
void begins_in_oracle(void);

#endif /* WN_TESTS_COUNT_TOTALS_H */
