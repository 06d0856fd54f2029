/* SPDX-License-Identifier: MIT */
/*
 * page_html.h - the page of `winnow view`, which viewer/ builds to viewer/page.html, embedded in
 * the binary.
 *
 * It contains each of these markers once, on a line of its own: @FIRST@ for the data of the first
 * drawing; @DATA@ for the rest; and in the policy @CONNECT@, which a server replaces by "
 * connect-src 'self';" and a file by nothing. See viewer/README.md.
 */
#pragma once

#include <stdint.h>

/* The page's bytes, without a final 0 in the size. */
extern const unsigned char wn_page_html[];
/* Number of bytes. */
extern const uint64_t wn_page_html_bytes;
