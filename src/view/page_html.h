/* SPDX-License-Identifier: MIT */
/*
 * page_html.h - the page of `winnow view`, which viewer/ builds to viewer/page.html, in the binary.
 *
 * It holds markers on lines of their own, each once: @FIRST@, where the part of the data goes that
 * is drawn first; @DATA@, where the rest goes; and within the policy @CONNECT@, which a server
 * replaces by " connect-src 'self';" and a file by nothing. viewer/README.md says what goes in.
 */
#ifndef WN_VIEW_PAGE_HTML_H
#define WN_VIEW_PAGE_HTML_H

#include <stdint.h>

/** The page's bytes; not ended by a 0 that counts. */
extern const unsigned char wn_page_html[];
/** How many they are. */
extern const uint64_t wn_page_html_bytes;

#endif
