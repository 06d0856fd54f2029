/* SPDX-License-Identifier: MIT */
#include "cli/pager.h"

#include "cli/launch.h"
#include "cli/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_disabled;
static pid_t pager_pid;

void
pager_disable(void)
{
	is_disabled = true;
}

/* A command with characters of the shell is not looked up. */
static bool
is_found(const char *command)
{
	char name[256], path[PATH_MAX];
	if (strpbrk(command, "|&;<>()$`\\\"'*?[#~=%"))
		return true;
	command += strspn(command, " \t");
	size_t n = strcspn(command, " \t");
	snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : 0), command);
	return launch_find(name, path) == 0;
}

/* NULL: none. */
static const char *
choose_pager(void)
{
	const char *command = getenv("WINNOW_PAGER");
	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	bool is_none = command[strspn(command, " \t")] == '\0' || strcmp(command, "cat") == 0;
	return is_none || !is_found(command) ? NULL : command;
}

/* Later code that reads the terminal's width sees a pipe. */
static void
keep_width(void)
{
	struct winsize size;
	char columns[16];
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return;
	snprintf(columns, sizeof columns, "%u", size.ws_col);
	setenv("COLUMNS", columns, 0);
}

static void
become_pager(const char *command, const int *ends)
{
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void
pager_begin(void)
{
	int ends[2];
	const char *command;
	progress_end();
	if (is_disabled || pager_pid || !isatty(STDOUT_FILENO) || !(command = choose_pager()))
		return;
	keep_width();
	fflush(stdout);
	if (pipe(ends) != 0)
		return;
	pager_pid = fork();
	if (pager_pid == 0)
		become_pager(command, ends);
	if (pager_pid > 0) {
		signal(SIGINT, SIG_IGN);
		signal(SIGQUIT, SIG_IGN);
		dup2(ends[1], STDOUT_FILENO);
		if (isatty(STDERR_FILENO))
			dup2(ends[1], STDERR_FILENO);
	} else {
		pager_pid = 0;
	}
	close(ends[0]);
	close(ends[1]);
}

void
pager_end(void)
{
	if (!pager_pid)
		return;
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pager_pid, NULL, 0) < 0 && errno == EINTR)
		;
	pager_pid = 0;
}
