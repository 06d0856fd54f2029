/* SPDX-License-Identifier: MIT */
/* svg.c - writes a picture as a self-contained document: shapes in order, texts and a legend. */
#include "picture/svg.h"
#include "base/decimal.h"
#include "base/error.h"
#include "page/private.h"

#define LEGEND_HEIGHT 34.0f

/* Colours of places: Paul Tol's bright colours and one more, distinguishable by colour-blind
 * readers. */
static const char *const places[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
                                     "#aa3377", "#997700", "#44bb99", "#9aa3b2"};
#define N_PLACES (sizeof places / sizeof *places)

static const char style[] =
    "text{font:11px sans-serif;fill:#1f2733}.s{font-size:10px;fill:#5b6675}"
    ".n{font-weight:bold;fill:#1a56a8}.e{fill:none;stroke:#8c96a5}.c{stroke:#c01818;stroke-width:2."
    "2}"
    ".d{stroke:#7a3fa0;stroke-dasharray:4 "
    "3}.o{fill:none;stroke:#aeb8c6}.b{fill:#fff;stroke:#5b6675;"
    "stroke-width:1.4}.p{stroke:#c01818;stroke-width:2}.k{fill:#fff;stroke:#1f2733;stroke-width:1."
    "3}"
    ".m{stroke:#fff;stroke-width:.5}.x{opacity:.28}.z{stroke:#1a56a8;stroke-width:3}";

static void
hex(const struct svg *o, unsigned red, unsigned green, unsigned blue)
{
	static const char digits[] = "0123456789abcdef";
	char text[7] = {'#',
	                digits[red >> 4],
	                digits[red & 15],
	                digits[green >> 4],
	                digits[green & 15],
	                digits[blue >> 4],
	                digits[blue & 15]};
	o->write(o->to, text, sizeof text);
}

/* Interpolates two colours in 255 steps. */
static unsigned
mix(unsigned from, unsigned to, unsigned step)
{
	return (from * (255 - step) + to * step + 127) / 255;
}

/* Interpolates from a pale colour to the place's own. */
static void
tinted(const struct svg *o, const char *place, uint8_t ramp)
{
	unsigned rgb[3];
	for (int i = 0; i < 3; i++) {
		unsigned high = (unsigned char)place[1 + 2 * i],
			 low = (unsigned char)place[2 + 2 * i];
		rgb[i] = (high >= 'a' ? high - 'a' + 10 : high - '0') << 4 |
		         (low >= 'a' ? low - 'a' + 10 : low - '0');
		rgb[i] = mix(mix(rgb[i], 255, 140), rgb[i], ramp);
	}
	hex(o, rgb[0], rgb[1], rgb[2]);
}

/* Without the problem: grey. Grains with it: from orange to red. Groups: by their share of problem
 * grains. */
static void
fill(const struct svg *o, const struct page_view *v, const struct page_shape *s)
{
	svg_raw(o, " fill=\"");
	if (v->is_by_place)
		svg_raw(o, places[s->colour < N_PLACES ? s->colour : N_PLACES - 1]);
	else if (s->ramp == 0)
		svg_raw(o, "#ccd3de");
	else if (v->tint > 0 && v->tint < N_PLACES)
		tinted(o, places[v->tint - 1], s->ramp);
	else if (s->kind == PAGE_GRAIN || (s->kind == PAGE_BAR && !(s->flags & PAGE_F_MORE)))
		hex(o, mix(0xf4, 0xc0, s->ramp), mix(0xb2, 0x18, s->ramp),
		    mix(0x4a, 0x18, s->ramp));
	else
		hex(o, mix(0xd8, 0xc4, s->ramp), mix(0xcd, 0x3a, s->ramp),
		    mix(0xd0, 0x3a, s->ramp));
	svg_raw(o, "\"");
}

static void
box(const struct svg *o, const struct page_shape *s, double offset, double round)
{
	svg_pair(o, "<rect x=\"", (double)s->x + offset, "\" y=\"", (double)s->y + offset, "\"");
	svg_pair(o, " width=\"", (double)s->w - (offset > 0 ? offset : -offset), "\" height=\"",
	         (double)s->h - (offset > 0 ? offset : -offset), "\"");
	if (round > 0)
		svg_pair(o, " rx=\"", round, "\" ry=\"", round, "\"");
}

static const char *
class_of(const struct page_shape *s, const char *plain, const char *problem)
{
	return s->flags & PAGE_F_PROBLEM ? problem : plain;
}

static void
edge(const struct svg *o, const struct page_shape *s)
{
	double x = (double)s->x, y = (double)s->y, to_x = x + (double)s->w, to_y = y + (double)s->h;
	svg_raw(o, s->kind == PAGE_DEPENDENCE   ? "<path class=\"e d\" d=\"M"
	           : s->flags & PAGE_F_CRITICAL ? "<path class=\"e c\" d=\"M"
	                                        : "<path class=\"e\" d=\"M");
	svg_pair(o, "", x, " ", y, "");
	if (s->kind == PAGE_LINE || s->w == 0) {
		svg_pair(o, "L", to_x, " ", to_y, "\"/>\n");
		return;
	}
	struct svg_bend bend = {x, y, to_x, to_y, SVG_NO_GAP, 0, false};
	svg_bend(o, &bend);
}

/* A pile of three, the first in front. */
static void
card(const struct svg *o, const struct page_shape *s)
{
	for (int k = 2; k >= 0; k--) {
		struct page_shape one = *s;
		one.x += (float)(3 * k);
		one.y -= (float)(3 * k);
		box(o, &one, 0, 6);
		svg_raw(o, class_of(s, " class=\"b\"/>", " class=\"b p\"/>"));
	}
	svg_raw(o, "\n");
}

static void
shape(const struct svg *o, const struct page_view *v, const struct page_shape *s)
{
	bool is_map = v->kind == PAGE_MAP, is_dim = s->flags & PAGE_F_DIM;
	bool is_lit = s->flags & PAGE_F_SELECTED;
	if (is_dim || is_lit)
		svg_raw(o, is_dim ? "<g class=\"x\">" : "<g class=\"z\">");
	switch ((enum page_shape_kind)s->kind) {
	case PAGE_GRAIN:
	case PAGE_BAR:
		box(o, s, 0, 0);
		fill(o, v, s);
		svg_raw(o, !is_map && s->flags & PAGE_F_CRITICAL ? " stroke=\"#c01818\"/>\n"
		           : is_map && s->w > 6 && s->h > 6      ? " class=\"m\"/>\n"
		                                                 : "/>\n");
		break;
	case PAGE_CLOSED:
		box(o, s, 0, is_map ? 0 : 6);
		if (is_map)
			fill(o, v, s);
		svg_raw(o, is_map ? (s->w > 6 && s->h > 6 ? " class=\"m\"/>\n" : "/>\n")
		                  : class_of(s, " class=\"b\"/>\n", " class=\"b p\"/>\n"));
		break;
	case PAGE_OPEN:
		box(o, s, 0, 6);
		svg_raw(o, class_of(s, " class=\"o\"/>\n",
		                    " class=\"o\" style=\"stroke:#e08c8c\"/>\n"));
		break;
	case PAGE_STRIP:
		box(o, s, 0, 4);
		svg_raw(o, class_of(s, " class=\"b\" style=\"stroke-width:1\"/>\n",
		                    " class=\"b p\" style=\"stroke-width:1\"/>\n"));
		break;
	case PAGE_CARD:
		card(o, s);
		break;
	case PAGE_FORK:
	case PAGE_JOIN:
		svg_pair(o, "<ellipse cx=\"", (double)(s->x + s->w / 2), "\" cy=\"",
		         (double)(s->y + s->h / 2), "\"");
		svg_pair(o, " rx=\"", (double)(s->w / 2), "\" ry=\"", (double)(s->h / 2), "\"");
		svg_raw(o, s->flags & PAGE_F_CRITICAL ? " class=\"k p\"/>\n" : " class=\"k\"/>\n");
		break;
	case PAGE_LINE:
	case PAGE_BEND:
	case PAGE_DEPENDENCE:
		edge(o, s);
		break;
	case PAGE_SHAPE_KIND_N:
		break;
	}
	if (is_dim || is_lit)
		svg_raw(o, "</g>\n");
}

static void
words(const struct svg *o, const char *bytes, const struct page_text *t)
{
	static const char *const anchors[] = {"start", "middle", "end"};
	static const char *const classes[] = {"", " class=\"s\"", " class=\"n\"", " class=\"n\""};
	svg_pair(o, "<text x=\"", (double)t->x, "\" y=\"", (double)t->y, "\" text-anchor=\"");
	svg_raw(o, anchors[t->anchor]);
	svg_raw(o, "\"");
	svg_raw(o, classes[t->style]);
	svg_raw(o, ">");
	svg_words(o, bytes + t->at, t->n_bytes);
	svg_raw(o, "</text>\n");
}

static void
note(const struct svg *o, double x, double y, const char *text)
{
	svg_pair(o, "<text x=\"", x, "\" y=\"", y, "\" class=\"s\">");
	svg_raw(o, text);
	svg_raw(o, "</text>\n");
}

static void
patch(const struct svg *o, const struct page_view *v, double x, double y, uint8_t kind,
      uint8_t ramp, uint8_t flags)
{
	struct page_shape s = {(float)x, (float)y, 16, 10, 0, kind, flags, ramp, 0};
	shape(o, v, &s);
}

/* Writes the legend of marks, if there are any. */
static double
signs(const struct svg *o, const struct page *p, double x, double y)
{
	if (p->n_marks == 0)
		return x;
	note(o, x, y + 9,
	     "\xe2\x96\xb2 slower than before, \xe2\x96\xbc faster, \xe2\x89\xa0 changed, + "
	     "created, "
	     "\xe2\x88\x92 vanished");
	return x + 300;
}

static void
legend(const struct svg *o, const struct page *p, const struct page_view *v)
{
	struct page_view plain = *v;
	char count[WN_DECIMAL_BYTES];
	double y = (double)v->height + 12, x = 8;
	plain.is_by_place = 0;
	bool is_map = v->kind == PAGE_MAP;
	if (!v->is_by_place) {
		patch(o, &plain, x, y, PAGE_GRAIN, 0, 0);
		note(o, x + 20, y + 9, "no problem");
		patch(o, &plain, x + 90, y, PAGE_GRAIN, 1, PAGE_F_PROBLEM);
		patch(o, &plain, x + 108, y, PAGE_GRAIN, 255, PAGE_F_PROBLEM);
		note(o, x + 128, y + 9, "with one, worse to the right");
		x += 290;
	}
	x = signs(o, p, x, y);
	if (is_map) {
		note(o, x, y + 9,
		     "Across: cores. Down: time, at best. Filled: work. White: idle. Height:");
		wn_decimal_time((uint64_t)v->h, count);
		note(o, x + 360, y + 9, count);
		return;
	}
	struct page_shape critical = {(float)x,  (float)y + 5,    20, 0, NO_NODE,
	                              PAGE_LINE, PAGE_F_CRITICAL, 0,  0};
	shape(o, v, &critical);
	note(o, x + 26, y + 9, "critical path");
	struct page_shape fork = {(float)x + 110, (float)y, 10, 10, NO_NODE, PAGE_FORK, 0, 0, 0};
	shape(o, v, &fork);
	note(o, x + 126, y + 9, "fork, join");
	struct page_shape closed = {(float)x + 190, (float)y, 16, 10, NO_NODE,
	                            PAGE_CLOSED,    0,        0,  0};
	shape(o, v, &closed);
	note(o, x + 212, y + 9, "closed group; piled: several of one shape");
}

static void
put_bytes(void *to, const char *bytes, size_t n)
{
	bytes_add(to, bytes, n);
}

wn_status
page_svg(struct page *p, const struct page_view *view, struct page_answer *out, wn_err *err)
{
	struct page_picture picture;
	wn_status st = page_draw(p, view, &picture, err);
	const struct svg svg = {&p->answer, put_bytes, 2}, *o = &svg;
	if (st != WN_OK)
		return st;
	p->answer.n = 0;
	svg_pair(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", (double)view->width,
	         "\" height=\"", (double)(view->height + LEGEND_HEIGHT), "\"");
	svg_pair(o, " viewBox=\"0 0 ", (double)view->width, " ",
	         (double)(view->height + LEGEND_HEIGHT), "\">\n<style>");
	svg_raw(o, style);
	svg_raw(o, "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
	for (uint32_t i = 0; i < picture.n_shapes; i++)
		shape(o, view, &picture.shapes[i]);
	for (uint32_t i = 0; i < picture.n_texts; i++)
		words(o, picture.bytes, &picture.texts[i]);
	legend(o, p, view);
	svg_raw(o, "</svg>\n");
	if (p->answer.is_out_of_memory)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	*out = (struct page_answer){p->answer.at, p->answer.n};
	return WN_OK;
}
