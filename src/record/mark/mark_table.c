/* SPDX-License-Identifier: MIT */
/* mark_table.c - the function table that programs look up (winnow/mark.h). Its functions are called
 * directly from the code that contains the mark. */
#include "record/control/control.h"
#include "record/mark/mark.h"
#include "winnow/mark.h"

#define HERE __builtin_return_address(0)

static void *
on_name(const char *text)
{
	return mark_name_of(text);
}

static void
on_region_begin(void *name)
{
	mark_region_begin(name, HERE);
}

static void
on_label(void *name)
{
	mark_label(name, HERE);
}

static void
on_pause(void)
{
	wn_pause(wn_self, HERE);
}

static void
on_resume(void)
{
	wn_resume(wn_self, HERE);
}

extern const struct winnow_marks winnow_marks_1;

__attribute__((visibility("default"))) const struct winnow_marks winnow_marks_1 = {
    .size = sizeof winnow_marks_1,
    .name = on_name,
    .region_begin = on_region_begin,
    .region_end = mark_region_end,
    .label = on_label,
    .pause = on_pause,
    .resume = on_resume,
    .control = wn_control_tool,
};
