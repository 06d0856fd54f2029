/* SPDX-License-Identifier: MIT */
/* known.h - what is known of an entry point of an OpenMP runtime (known.def). Used by the recorder
 * and by the command line, which inspects programs before they run. */
#pragma once

/* What a wait or a task in an entry point means for a recording. */
enum wn_entry {
	WN_ENTRY_OTHER = 0, /* not the name of an entry point */
	WN_ENTRY_SEEN,      /* recorded, or proven to need no recording */
	WN_ENTRY_UNSEEN,    /* known to wait or to create tasks, which are not recorded */
	WN_ENTRY_UNKNOWN    /* unknown: it may do either */
};

enum wn_entry_why {
	WN_WHY_NONE = 0, /* unknown */
	WN_WHY_WRAPPED,
	WN_WHY_OMPT,
	WN_WHY_PART,
	WN_WHY_SETTING,
	WN_WHY_LOCK,
	WN_WHY_MEMORY,
	WN_WHY_MESSAGE,
	WN_WHY_ATOMIC,
	WN_WHY_DEVICE,
	WN_WHY_OPENACC,
	WN_WHY_PLUGIN,
	WN_WHY_UNSEEN,
	WN_WHY_N
};

/* Looks a name up, without its version. `why` may be NULL. Cost: a few microseconds for a name of
 * an entry point, a few instructions for others. Threads: any. */
enum wn_entry wn_entry_of(const char *name, enum wn_entry_why *why);

/* Explains why entry points of this kind are no limitation, or are one; never NULL. */
const char *wn_entry_reason(enum wn_entry_why why);
