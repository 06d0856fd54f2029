/* SPDX-License-Identifier: MIT */
#include "export/svg_parts.h"

#include "base/decimal.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define LEGEND_LINES 8
#define N_FILLS      (sizeof fills / sizeof *fills)

static const char *const fills[] = {"#8FB4D9", "#F2D479", "#B79BC9", "#7CC4BE",
                                    "#C9A98B", "#A9B0BA", "#D8A3B8", "#B5C77E"};

const char svg_style[] =
    "<style>"
    "text{font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2933}"
    ".e path{fill:none;stroke-width:1.1}"
    ".create path{stroke:#2E8B57}.sync path{stroke:#FF7F50}.continue path,.scope "
    "path{stroke:#52606d}"
    ".rogue{stroke-dasharray:2 3}"
    ".depend path{stroke:#7B4FB5;stroke-dasharray:5 3}"
    ".d{fill:#7B4FB5}.dc{fill:#7B4FB5;stroke:#E00000;stroke-width:1.6}"
    ".critical path,path.critical{stroke:#E00000;stroke-width:2.4}"
    ".g rect{stroke:#3e4c59;stroke-width:.8}"
    ".g .c{stroke:#E00000;stroke-width:2.4}"
    ".f{fill:#2E8B57}.j{fill:#FF7F50}.s{fill:#DEB887;stroke:#3e4c59;stroke-width:.8}"
    ".fc,.jc{stroke:#E00000;stroke-width:1.6}.fc{fill:#2E8B57}.jc{fill:#FF7F50}"
    "</style>\n";

const char svg_paper[] = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";

void
svg_begin(struct wn_out *o, int64_t width, int64_t height)
{
	wn_out_format(o,
	              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PRId64 " %" PRId64
	              "\" width=\"%" PRId64 "\" height=\"%" PRId64 "\">\n",
	              width, height, width, height);
	wn_out_text(o, svg_style);
}

const char *
svg_fill(const struct wn_export *x, const struct wn_export_place *place)
{
	return place ? fills[(size_t)(place - x->places) % N_FILLS] : "#DDE1E6";
}

void
svg_title(struct wn_out *o, int64_t y, const char *command)
{
	wn_out_format(o, "<text x=\"24\" y=\"%" PRId64 "\" font-size=\"19\" font-weight=\"600\">",
	              y);
	wn_out_xml(o, command);
	wn_out_text(o, "</text>\n");
}

void
svg_text(struct wn_out *o, int64_t x, int64_t y, const char *anchor)
{
	wn_out_format(
	    o, "<text x=\"%" PRId64 "\" y=\"%" PRId64 "\" font-size=\"15\" text-anchor=\"%s\">", x,
	    y, anchor);
}

void
svg_marks(struct wn_out *o, int64_t y)
{
	wn_out_format(o,
	              "<circle class=\"f\" cx=\"34\" cy=\"%" PRId64 "\" r=\"6\"/>"
	              "<circle class=\"j\" cx=\"104\" cy=\"%" PRId64 "\" r=\"6\"/>"
	              "<path class=\"critical\" d=\"M168 %" PRId64 "h28\"/>",
	              y - 5, y - 5, y - 5);
}

void
svg_marks_names(struct wn_out *o, int64_t y)
{
	svg_text(o, 46, y, "start");
	wn_out_text(o, "fork</text>");
	svg_text(o, 116, y, "start");
	wn_out_text(o, "join</text>");
	svg_text(o, 203, y, "start");
	wn_out_text(o, "critical path</text>");
}

static bool
has_dependences(const struct wn_export *x)
{
	return x->g->n_dependents > 0;
}

static bool
has_rogues(const struct wn_export *x)
{
	for (wn_grain id = 0; id < x->g->n; id++)
		if (x->g->flags[id] & WN_GF_ROGUE && wn_is_drawn(x->g, id) && wn_export_has(x, id))
			return true;
	return false;
}

static void
put_depend(struct wn_out *o, bool has_groups, int64_t y)
{
	wn_out_format(o, "<g class=\"e depend\"><path d=\"M28 %" PRId64 "h34\"/></g>", y - 5);
	svg_text(o, 70, y, "start");
	wn_out_text(o, "waits for, by a depend clause</text>\n");
	if (has_groups) {
		svg_text(o, 318, y, "start");
		wn_out_text(o, "between groups, with how many</text>\n");
		return;
	}
	wn_out_format(o, "<path class=\"d\" d=\"M318 %" PRId64 "l4 4l-4 4l-4 -4z\"/>", y - 9);
	svg_text(o, 342, y, "start");
	wn_out_text(o, "all before it precede all behind</text>\n");
}

int64_t
svg_n_links(const struct wn_export *x)
{
	return has_dependences(x) + has_rogues(x);
}

int64_t
svg_links(struct wn_out *o, const struct wn_export *x, bool has_groups, int64_t y)
{
	if (has_dependences(x)) {
		y += LEGEND_LINE;
		put_depend(o, has_groups, y);
	}
	if (has_rogues(x)) {
		y += LEGEND_LINE;
		wn_out_format(
		    o, "<g class=\"e create\"><path class=\"rogue\" d=\"M28 %" PRId64 "h34\"/></g>",
		    y - 5);
		svg_text(o, 70, y, "start");
		wn_out_text(o, "from its creator, which did not wait for it</text>\n");
	}
	return y;
}

/* Skips places without grains, as in a part of the graph. */
static bool
is_used(const struct wn_export_place *place)
{
	return place->n_grains || place->n_implicit;
}

uint32_t
svg_n_places(const struct wn_export *x)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < x->n_places && n < LEGEND_LINES; i++)
		n += is_used(&x->places[i]);
	return n;
}

/* Formats a count or a time; for incomplete counts, the counted part. */
static void
put_amount(struct wn_out *o, const struct wn_export *x, uint64_t amount, bool is_count,
           bool is_part)
{
	char text[WN_DECIMAL_BYTES];
	if (is_part && amount == 0)
		wn_out_text(o, "not counted");
	else
		wn_out_format(o, "%s%s", is_part ? "at least " : "",
		              is_count ? wn_decimal_count(amount, text)
		                       : wn_export_duration(x, amount, text));
}

int64_t
svg_places(struct wn_out *o, const struct wn_export *x, uint32_t n, int64_t y,
           const uint64_t *weights, const bool *is_unknown)
{
	char count[40];
	const struct wn_path *path = weights ? x->g->path : NULL;
	bool is_count = path && !*path->unit;
	for (uint32_t i = 0; i < x->n_places && n > 0; i++) {
		const struct wn_export_place *place = &x->places[i];
		if (!is_used(place))
			continue;
		wn_out_format(o,
		              "<rect x=\"24\" y=\"%" PRId64
		              "\" width=\"20\" height=\"16\" rx=\"3\" fill=\"%s\" "
		              "stroke=\"#3e4c59\" stroke-width=\".8\"/>",
		              y - 13, svg_fill(x, place));
		svg_text(o, 54, y, "start");
		wn_out_xml(o, place->text);
		wn_out_text(o, "</text>");
		svg_text(o, 380, y, "end");
		wn_out_text(o, wn_export_count(place, count));
		wn_out_text(o, "</text>");
		svg_text(o, is_count ? 520 : 470, y, "end");
		uint64_t weight = weights ? weights[i] : place->work_ns;
		bool is_part = is_unknown && is_unknown[i];
		put_amount(o, x, weight, is_count, is_part);
		wn_out_text(o, "</text>");
		if (is_count && !(is_part && weight == 0)) {
			svg_text(o, 527, y, "start");
			wn_out_xml(o, path->name);
			wn_out_text(o, "</text>");
		}
		wn_out_text(o, "\n");
		y += LEGEND_LINE;
		n--;
	}
	return y;
}

const struct wn_counts *
svg_path_counter(const struct wn_graph *g)
{
	return g->path ? wn_counts_named(g, g->path->name) : NULL;
}

/* Writes the weight on the requested path. */
static void
put_weight(struct wn_out *o, const struct wn_export *x, wn_grain id)
{
	const struct wn_path *path = x->g->path;
	if (!path || strcmp(path->name, "work") == 0)
		return;
	wn_out_text(o, "\n");
	wn_out_xml(o, path->name);
	const struct wn_counts *counts = svg_path_counter(x->g);
	wn_out_text(o, " ");
	put_amount(o, x, path->weight[id], !*path->unit, counts && wn_count_is_unknown(counts, id));
}

wn_status
svg_tooltip(struct wn_out *o, const struct wn_export *x, wn_grain id, char **lineage,
            size_t *lineage_capacity, wn_err *err)
{
	const struct wn_graph *g = x->g;
	const struct wn_export_place *place = wn_export_place(x, id);
	const char *name = wn_export_lineage(x, id, lineage, lineage_capacity);
	char time[16];
	if (!name)
		return wn_no_memory(err);
	wn_out_format(o, "<title>%s %" PRIu32 " (", wn_export_kind(g, id), id);
	wn_out_xml(o, name);
	wn_out_text(o, ")");
	if (place) {
		wn_out_text(o, "\n");
		wn_out_xml(o, place->text);
	}
	wn_out_format(o, "\nwork %s", wn_export_duration(x, wn_work_ns(g, id), time));
	put_weight(o, x, id);
	if (g->flags[id] & WN_GF_CREATION_KNOWN)
		wn_out_format(o, "\ncreation %s",
		              wn_export_duration(x, wn_creation_ns(g, id), time));
	if (g->flags[id] & WN_GF_STARTED)
		wn_out_format(o, "\nthread %" PRIu32, g->thread[id]);
	if (g->flags[id] & WN_GF_CANCELLED)
		wn_out_text(o, "\ncancelled");
	if (wn_export_label(g, id)) {
		wn_out_text(o, "\n");
		wn_out_xml(o, wn_export_label(g, id));
	}
	wn_out_text(o, "</title>");
	return WN_OK;
}

void
svg_end(struct wn_out *o, const struct wn_node *node, int64_t x, int64_t y)
{
	wn_out_format(o,
	              "<rect class=\"s\" x=\"%" PRId64 "\" y=\"%" PRId64
	              "\" width=\"%d\" height=\"%d\" rx=\"2\"/>"
	              "<text x=\"%" PRId64 "\" y=\"%" PRId64
	              "\" font-size=\"10\" text-anchor=\"middle\">%s</text>\n",
	              x - WN_SIZE_END / 2, y, WN_SIZE_END, WN_SIZE_END, x, y + 11,
	              node->id.kind == WN_NODE_START ? "S" : "E");
}

void
svg_ends(struct wn_out *o, int64_t x, int64_t y1, int64_t y2)
{
	struct wn_node node = {.id.kind = WN_NODE_START};
	svg_end(o, &node, x, y1 - WN_SIZE_END);
	node.id.kind = WN_NODE_END;
	svg_end(o, &node, x, y2);
}

void
svg_gate(struct wn_out *o, const struct wn_node *node, int64_t x, int64_t y)
{
	wn_out_format(o, "<path class=\"d%s\" d=\"M%" PRId64 " %" PRId64 "l4 4l-4 4l-4 -4z\"/>\n",
	              node->is_critical ? "c" : "", x, y);
}

void
svg_fork(struct wn_out *o, int64_t x, int64_t y, bool is_fork, bool is_critical)
{
	wn_out_format(
	    o, "<circle class=\"%s%s\" cx=\"%" PRId64 "\" cy=\"%" PRId64 "\" r=\"%d\"/>\n",
	    is_fork ? "f" : "j", is_critical ? "c" : "", x, y + WN_SIZE_FORK / 2, WN_SIZE_FORK / 2);
}

static void
put_bytes(void *to, const char *bytes, size_t n)
{
	wn_out_bytes(to, bytes, n);
}

void
svg_bend_in(struct wn_out *o, const struct svg_bend *bend)
{
	struct svg s = {o, put_bytes, 0};
	svg_bend(&s, bend);
}

void
svg_curve(struct wn_out *o, const struct wn_edge *edge, int64_t gap, int64_t x1, int64_t y1,
          int64_t x2, int64_t y2)
{
	bool is_to_join = edge->to.kind == WN_NODE_JOIN || edge->to.kind == WN_NODE_END;
	struct svg_bend bend = svg_bend_between(x1, y1, x2, y2);
	bend.gap = is_to_join ? (double)gap : SVG_NO_GAP;
	svg_bend_in(o, &bend);
}

wn_status
svg_edges(struct wn_out *o, const struct wn_export *x, struct svg_edges_now *now,
          wn_status (*put)(const struct wn_edge *edge, void *user), void *user)
{
	wn_status st = WN_OK;
	for (int critical = 0; critical < 2; critical++) {
		now->is_critical = critical;
		for (enum wn_edge_kind k = WN_EDGE_CREATE; st == WN_OK && k < WN_EDGE_KIND_N; k++) {
			now->kind = k;
			wn_out_format(o, "<g class=\"e %s\">\n",
			              critical ? "critical" : wn_export_edge_kind(k));
			st = wn_export_edges(x, put, user);
			wn_out_text(o, "</g>\n");
		}
	}
	return st;
}
