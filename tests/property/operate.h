/* SPDX-License-Identifier: MIT */
/* operate.h - what simulate.c and operate.c share. */
#ifndef WN_PROPERTY_OPERATE_H
#define WN_PROPERTY_OPERATE_H

#include "simulate.h"

void sim_grow(void *array, size_t *capacity, size_t need, size_t size_bytes);
struct sim_event *sim_event(struct sim *s, uint32_t thread, enum wn_event_code code, uint64_t at);
struct sim_event *sim_event_at(struct sim *s, uint32_t thread, enum wn_event_code code,
                               uint64_t addr, uint32_t aux);
void sim_item(struct sim *s, uint32_t grain, enum item_kind kind, uint32_t what, uint64_t ns);
void sim_pass(struct sim *s, uint32_t thread, enum activity activity, uint64_t ns);
uint32_t sim_grain_new(struct sim *s, uint32_t thread, uint8_t kind, uint32_t parent);
void sim_task_inline(struct sim *s, uint32_t thread, uint32_t grain);
void simulator_ready(struct sim *s, uint32_t grain);
void sim_suspend(struct sim *s, uint32_t thread);
void sim_wait_begin(struct sim *s, uint32_t thread, enum wn_sync_kind kind);
bool sim_wait_step(struct sim *s, uint32_t thread); /* true = the wait is over */
/* Sibling `before` was made first, and their clauses say that `id` waits for it. */
bool sim_depends(const struct sim *s, uint32_t id, uint32_t before);
/* All of them have ended, and the thread knows. */
bool sim_is_free(const struct sim *s, uint32_t thread, uint32_t id);
/* The thread fulfils an event, if there is one to fulfil; only of a body that is over if it must.
 */
void sim_fulfill(struct sim *s, uint32_t thread, bool is_over_only);
bool sim_in_group(const struct sim *s, const struct sim_grain *g, uint32_t group);
void sim_region_over(struct sim *s, uint32_t team, uint64_t at);
void sim_late_events(struct sim *s, uint32_t thread);

/* One step of the operation at which the grain on top of the thread's stack is. */
void sim_operate(struct sim *s, uint32_t thread);

#endif /* WN_PROPERTY_OPERATE_H */
