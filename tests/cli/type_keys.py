#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""type_keys.py SHELL FOLDER - types into an interactive shell in a terminal, with the completions of FOLDER.

Each line of standard input is KEYS => TEXT: types KEYS, in which <T> is the tabulator, and waits until the shell shows
TEXT, at most 30 s. Prints KEYS with `completed`, or with what was shown instead.
"""
import os
import pty
import re
import select
import sys
import time

SHELLS = {
    "bash": (["bash", "--norc", "--noprofile"], "PS1='ready> '; . '{0}/winnow.bash'"),
    "zsh": (["zsh", "-f"], "PS1='ready> '; unsetopt prompt_sp; fpath=('{0}' $fpath); autoload -Uz compinit; compinit -D -u"),
    "fish": (["fish", "--no-config"], "function fish_prompt; echo -n 'ready> '; end; source '{0}/winnow.fish'"),
}

CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>()][0-9A-Z]?|[\x00-\x09\x0b\x0c\x0e-\x1f]")


class Terminal:
    def __init__(self, argv):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.environ["TERM"] = "dumb"
            os.execvp(argv[0], argv)
        self.shown = ""

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait(self, text, limit_s=30):
        """Returns whether the shell shows text, and what it has shown until then, without control characters."""
        end = time.monotonic() + limit_s
        while text not in self.shown and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.shown += CONTROLS.sub("", os.read(self.fd, 65536).decode(errors="replace"))
                except OSError:
                    break
        before, found, self.shown = self.shown.partition(text)
        return found != "", before + found


def main():
    argv, setup = SHELLS[sys.argv[1]]
    terminal = Terminal(argv)
    terminal.type(setup.format(os.path.realpath(sys.argv[2])) + "; echo set''up\n")
    if not terminal.wait("setup\r\n")[0] or not terminal.wait("ready> ")[0]:
        print("the shell does not start")
        return 1
    for line in sys.stdin:
        keys, wanted = line.rstrip("\n").split(" => ")
        terminal.type(keys.replace("<T>", "\t"))
        is_shown, shown = terminal.wait(wanted)
        print(f"{keys}: {'completed' if is_shown else repr(shown)}")
        terminal.type("\x15echo e''nd\n")
        terminal.wait("end\r\n")
        terminal.wait("ready> ")
    terminal.type("exit\n")
    return 0


sys.exit(main())
