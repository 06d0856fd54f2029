/* SPDX-License-Identifier: MIT */
/* served.h - the page without a run, for a server: it reads run.grains from the same folder. */
#pragma once

#include "winnow/base.h"

/**
 * @param out  written only on success; wn_free() it. [*n] bytes of HTML, whose policy allows
 * requests to its origin.
 * @return WN_OK · WN_E_NOMEM · WN_E_INVARIANT (the page that is embedded lacks a marker)
 */
WN_MUST_CHECK wn_status wn_view_served_page(char **out, size_t *n, wn_err *err);
