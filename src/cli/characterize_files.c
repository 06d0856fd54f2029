/* SPDX-License-Identifier: MIT */
#include "cli/characterize_files.h"

#include "cli/document.h"
#include "cli/exit.h"
#include "cli/message.h"
#include "export/characterize.h"

#include <limits.h>
#include <stdio.h>

/* A picture: its kind and components. */
struct picture {
	const struct wn_characterization *r;
	size_t across, up;
};

static wn_status
write_scree(const void *user, FILE *to, wn_err *err)
{
	return wn_draw_scree(((const struct picture *)user)->r, to, err);
}

static wn_status
write_loadings(const void *user, FILE *to, wn_err *err)
{
	return wn_draw_loadings(((const struct picture *)user)->r, to, err);
}

static wn_status
write_scores(const void *user, FILE *to, wn_err *err)
{
	const struct picture *p = user;
	return wn_draw_scores(p->r, p->across, p->up, to, err);
}

static wn_status
write_dendrogram(const void *user, FILE *to, wn_err *err)
{
	return wn_draw_dendrogram(((const struct picture *)user)->r, to, err);
}

static wn_status
write_cutoffs(const void *user, FILE *to, wn_err *err)
{
	const struct wn_cutoffs *c = user;
	return wn_draw_cutoffs(c->points, c->n, &c->range, c->by_mean, to, err);
}

static wn_status
write_csv(const void *user, FILE *to, wn_err *err)
{
	return wn_export_characterization(user, to, err);
}

static int
draw(const char *prefix, const char *name, document_fn *write, const void *user)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof path, "%s-%s.svg", prefix, name);
	if (n > 0 && (size_t)n < sizeof path)
		return document_write(path, write, user);
	return FAILURE("--svg: the path is too long");
}

/* Plots components in pairs: first and second, third and fourth, ...; the last of an odd number
 * with the first. */
static int
draw_planes(const char *prefix, const struct wn_characterization *r)
{
	int code = CLI_OK;
	size_t n = r->n_kept > 1 || r->pca.n_components < 2 ? r->n_kept : 2;
	for (size_t k = 0; k < n && n > 1 && code == CLI_OK; k += 2) {
		char name[64];
		struct picture p = {r, k, k + 1};
		if (k + 1 == n)
			p = (struct picture){r, 0, k};
		snprintf(name, sizeof name, "scores-%zu-%zu", p.across + 1, p.up + 1);
		code = draw(prefix, name, write_scores, &p);
	}
	return code;
}

int
characterize_draw(const char *prefix, const struct wn_characterization *r)
{
	struct picture p = {.r = r};
	if (r->none != WN_ANALYSED)
		return FAILURE("--svg: nothing was analysed; no picture written");
	int code = draw(prefix, "scree", write_scree, &p);
	if (code == CLI_OK)
		code = draw(prefix, "loadings", write_loadings, &p);
	if (code == CLI_OK)
		code = draw_planes(prefix, r);
	if (code == CLI_OK)
		code = draw(prefix, "dendrogram", write_dendrogram, &p);
	return code;
}

int
characterize_draw_cutoffs(const char *prefix, const struct wn_cutoffs *c)
{
	return draw(prefix, "cutoffs", write_cutoffs, c);
}

int
characterize_write_csv(const char *path, const struct wn_characterization *r)
{
	return document_write(path, write_csv, r);
}
