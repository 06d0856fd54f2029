#!/bin/sh
# SPDX-License-Identifier: MIT
#
# full.sh BUILD [N] - run.sh on all compilers, runtimes and numbers of threads, N times each (20).
WN_CHOICE=all exec "$(dirname "$0")/run.sh" "${1:?build folder}" "${2:-20}"
