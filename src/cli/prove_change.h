/* SPDX-License-Identifier: MIT */
/* prove_change.h - predicts a change of the source from the recording before it, and takes the
 * measured time from recordings after it. */
#pragma once

#include "cli/options.h"
#include "report/proof.h"

struct prove_change {
	const char *file;       /* before the change */
	struct wn_trace *trace; /* borrowed */
	const struct option_list *cutoffs, *changes;
	int n_news;
	char **news; /* [n_news] recordings after it */

	struct wn_report_prediction *r; /* of the one before; set by prove_change() */
	char note[320];
};

/* Sets proofs[0], the run before the change, and proofs[1], the one after it. Returns the exit
 * code, after a message. Release with prove_change_fini() in any case. */
int prove_change(struct prove_change *c, struct wn_report_proof proofs[2]);
void prove_change_fini(struct prove_change *c);
