#!/bin/sh
# SPDX-License-Identifier: MIT
#
# nightly.sh BUILD [N] [FIRST_SEED] - N random programs (2000) from a seed on (today's), each by every
# compiler and on every runtime. TAP, with totals at the end. Safe to run twice at once.
exec "$(dirname "$0")/run.sh" "${1:?build folder}" "${2:-2000}" "${3:-$(date +%Y%m%d)0000}" --all
