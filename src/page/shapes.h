/* SPDX-License-Identifier: MIT */
/*
 * shapes.h - what a picture is made of: records that are only painted, in order, and texts. Places
 * are pixels of the picture, from its top left; a part of a shape may lie outside.
 *
 * The same bytes come from native code and from the page's worker (tests: suite `page`).
 */
#ifndef WN_PAGE_SHAPES_H
#define WN_PAGE_SHAPES_H

#include <stdint.h>

enum page_shape_kind {
	/* rectangles */
	PAGE_GRAIN = 0, /* one grain */
	PAGE_CLOSED,    /* a group, or several members of one, seen as one. Of the map: filled. Of
	                   the structure: a rounded box of constant size, filled with paper */
	PAGE_OPEN,      /* frame of a group whose members are drawn after it: no fill */
	PAGE_CARD,      /* several groups of one shape, as a pile of closed boxes: this is the front
	                   one, the next are 3 and 6 pixels up and to the right. Its text says how many
	                 */
	PAGE_STRIP,     /* frame of a strip: grains beside each other, by length or in order */
	PAGE_BAR,       /* some grains of a strip, side by side: as high as the longest of them */
	/* circles that fill their rectangle */
	PAGE_FORK,
	PAGE_JOIN,
	/* lines from (x, y) to (x + w, y + h); w and h may be negative */
	PAGE_LINE,       /* straight */
	PAGE_BEND,       /* leaves and arrives upright, with a bend between */
	PAGE_DEPENDENCE, /* a bend: must end before the other starts; selected: of the node that is,
	                    rogue: made or joined it, more: it ends at what holds the other */
	PAGE_SHAPE_KIND_N
};

enum page_shape_flag {
	PAGE_F_PROBLEM = 1,    /* has the chosen problem, or holds a grain that has */
	PAGE_F_CRITICAL = 2,   /* is, or holds something, on the critical path. Of a line: it is */
	PAGE_F_DIM = 4,        /* not what is looked for */
	PAGE_F_MORE = 8,       /* there is more inside than is drawn */
	PAGE_F_MISSING = 16,   /* what is inside is not here yet: drawn as well as is known */
	PAGE_F_SELECTED = 32,  /* the node that the view has selected */
	PAGE_F_ROGUE = 64,     /* outlived the task that created it */
	PAGE_F_ESTIMATED = 128 /* times are shares of a measured total */
};

#define PAGE_NO_NODE   UINT32_MAX
#define PAGE_NO_COLOUR 255u /* of a shape of several places, or of none */

struct page_shape {
	float x, y, w, h;
	uint32_t node;  /* the first of what it stands for; PAGE_NO_NODE of lines between groups */
	uint8_t kind;   /* enum page_shape_kind */
	uint8_t flags;  /* enum page_shape_flag */
	uint8_t ramp;   /* how bad: 0 = not at all, 255 = worst. Of grains the severity, of groups
	                   the share of grains inside that have the problem */
	uint8_t colour; /* by place: 0 to 7, the places with most work first; 8 = all others;
	                   PAGE_NO_COLOUR */
};
_Static_assert(sizeof(struct page_shape) == 24, "records of 24 bytes");

enum page_text_style {
	PAGE_TEXT = 0,
	PAGE_TEXT_SMALL,
	PAGE_TEXT_COUNT, /* x 1,000 */
	PAGE_TEXT_MARK   /* the sign of an enum page_mark */
};

struct page_text {
	float x, y;       /* of the base line, at its begin (anchor 0), middle (1) or end (2) */
	uint32_t at;      /* its first byte in the picture's bytes */
	uint16_t n_bytes; /* UTF-8 */
	uint8_t anchor, style;
};
_Static_assert(sizeof(struct page_text) == 16, "records of 16 bytes");

#endif /* WN_PAGE_SHAPES_H */
