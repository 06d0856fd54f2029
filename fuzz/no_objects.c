/* SPDX-License-Identifier: MIT */
/*
 * no_objects.c - in the place of symbols/object.c: every file of code is missing, or another than
 * the one that was recorded. What a fuzzed trace names is thus never opened, and an input does the
 * same on every machine. What is known of a place without its file (the file's name, the offset)
 * is still looked up and printed.
 */
#include "symbols/object.h"
#include "symbols/symbols.h"

wn_status
wn_object_open(struct wn_object *object, const struct wn_module *module)
{
	object->state = module->build_id_bytes ? WN_OBJECT_STALE : WN_OBJECT_MISSING;
	return WN_OK;
}

wn_status
wn_object_read_units(struct wn_object *object)
{
	(void)object;
	return WN_OK;
}

const char *
wn_object_variable(struct wn_object *object, uint64_t addr, uint64_t *offset)
{
	(void)object;
	(void)addr;
	(void)offset;
	return NULL;
}

const char *
wn_object_symbol(const struct wn_object *object, uint64_t addr, bool *is_start)
{
	(void)object;
	(void)addr;
	*is_start = false;
	return NULL;
}

void
wn_object_fini(struct wn_object *object)
{
	*object = (struct wn_object){0};
}
