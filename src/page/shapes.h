/* SPDX-License-Identifier: MIT */
/*
 * shapes.h - the elements of a picture: records that are painted in order, and texts. Coordinates
 * are pixels of the picture from its top left; part of a shape may lie outside.
 *
 * Native code and the page's worker produce the same bytes (tests: suite `page`).
 */
#pragma once

#include <stdint.h>

enum page_shape_kind {
	/* rectangles */
	PAGE_GRAIN = 0, /* one grain */
	PAGE_CLOSED, /* a group, or several members of one, drawn as one. Map: filled. Structure: a
	                rounded box of constant size, filled with paper */
	PAGE_OPEN,   /* frame of a group whose members are drawn after it: no fill */
	PAGE_CARD, /* several groups of one shape, as a pile of closed boxes: this is the front one,
	              the next are 3 and 6 pixels up and to the right. Its text is their number */
	PAGE_STRIP, /* frame of a strip: grains side by side, by length or in order */
	PAGE_BAR,   /* some grains of a strip, side by side: as high as the longest */
	/* circles that fill their rectangle */
	PAGE_FORK,
	PAGE_JOIN,
	/* lines from (x, y) to (x + w, y + h); w and h may be negative */
	PAGE_LINE,       /* straight */
	PAGE_BEND,       /* leaves and arrives vertically, with a bend between */
	PAGE_DEPENDENCE, /* a bend from a predecessor to a successor; selected: of the selected
	                    node, rogue: created or joined it, more: ends at an ancestor */
	PAGE_SHAPE_KIND_N
};

enum page_shape_flag {
	PAGE_F_PROBLEM = 1,    /* has the selected problem, or contains a grain that has */
	PAGE_F_CRITICAL = 2,   /* is, or contains something, on the critical path; a line is */
	PAGE_F_DIM = 4,        /* does not match the filter */
	PAGE_F_MORE = 8,       /* contains more than is drawn */
	PAGE_F_MISSING = 16,   /* content is not loaded: drawn from estimates */
	PAGE_F_SELECTED = 32,  /* the node that the view has selected */
	PAGE_F_ROGUE = 64,     /* outlived the task that created it */
	PAGE_F_ESTIMATED = 128 /* times are shares of a measured total */
};

#define PAGE_NO_NODE   UINT32_MAX
#define PAGE_NO_COLOUR 255u /* for a shape of several places, or of none */

struct page_shape {
	float x, y, w, h;
	uint32_t
	    node;     /* the first node that it represents; PAGE_NO_NODE for lines between groups */
	uint8_t kind; /* enum page_shape_kind */
	uint8_t flags; /* enum page_shape_flag */
	uint8_t ramp;  /* severity: 0 = none, 255 = worst. For groups the share of their grains with
	                  the problem */
	uint8_t colour; /* colour by place: 0 to 7, the places with most work first; 8 = all others;
	                   PAGE_NO_COLOUR */
};
_Static_assert(sizeof(struct page_shape) == 24, "records of 24 bytes");

enum page_text_style {
	PAGE_TEXT = 0,
	PAGE_TEXT_SMALL,
	PAGE_TEXT_COUNT, /* x 1,000 */
	PAGE_TEXT_MARK   /* a sign of enum page_mark */
};

struct page_text {
	float x, y;       /* position of the base line's begin (anchor 0), middle (1) or end (2) */
	uint32_t at;      /* offset of its first byte in the picture's bytes */
	uint16_t n_bytes; /* UTF-8 */
	uint8_t anchor, style;
};
_Static_assert(sizeof(struct page_text) == 16, "records of 16 bytes");
