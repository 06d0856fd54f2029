#!/bin/sh
# SPDX-License-Identifier: MIT
#
# full.sh BUILD [N] - kill.sh with N kills (200) of each kind of program.
exec "$(dirname "$0")/kill.sh" "${1:?build folder}" "${2:-200}"
