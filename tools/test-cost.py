#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test-cost.py FILE COMMAND... - runs a test and adds a line to FILE: its CPU seconds, user and system, of all processes
that it started, those that outlived their parents too; its seconds by the clock; its exit status; the command.
`WN_COSTS=FILE tools/run-tests.sh BUILD` runs every test so."""
import ctypes
import os
import resource
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36  # sys/prctl.h

if len(sys.argv) < 3:
    sys.exit("usage: test-cost.py FILE COMMAND...")
into, command = os.path.abspath(sys.argv[1]), sys.argv[2:]
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
begin = time.monotonic()
try:
    status = subprocess.call(command)
except OSError as error:
    sys.exit(f"test-cost.py: {command[0]}: {error.strerror}")
took = time.monotonic() - begin
try:  # what is left has us for its parent now
    while os.waitpid(-1, os.WNOHANG)[0]:
        pass
except ChildProcessError:
    pass
used = resource.getrusage(resource.RUSAGE_CHILDREN)
words = " ".join(os.path.basename(word) for word in command)
with open(into, "a", encoding="utf-8") as costs:
    costs.write(f"{used.ru_utime + used.ru_stime:8.2f} {took:8.2f} {status:4d} {words}\n")
sys.exit(status if status >= 0 else 128 - status)
