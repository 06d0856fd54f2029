/* SPDX-License-Identifier: MIT */
#include "cli/run_report.h"

#include "cli/exit.h"
#include "cli/gates.h"
#include "cli/message.h"
#include "cli/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool
is_stdout(const struct run_report *r)
{
	return r->output && strcmp(r->output, "-") == 0;
}

static bool
check_use(const struct run_report *r, bool is_series)
{
	struct gates gates = {0};
	const char *option = r->fail_if->n ? "--fail-if" : r->is_viewed ? "--view" : NULL;
	if (is_series && option) {
		message("%s is about one recording, not a series", option);
		return false;
	}
	bool is_right =
	    gates_parse(r->fail_if, &gates) && gates_check_names(r->has_counters, &gates);
	gates_fini(&gates);
	return is_right;
}

bool
run_report_prepare(struct run_report *r, bool is_series)
{
	if (!check_use(r, is_series))
		return false;
	if (!r->output || is_stdout(r))
		return true;
	if (outfile_has_trace(r->output)) {
		message("--report %s: is a recording; the program is not run", r->output);
		return false;
	}
	if (newfile_open(r->output, &r->file) == 0)
		return true;
	message("--report %s: %s; the program is not run", r->output, strerror(errno));
	return false;
}

void
run_report_discard(struct run_report *r)
{
	if (r->file.to)
		newfile_discard(&r->file);
}

/* Runs a verb of this command with its standard output at `out_fd`. Returns its exit code. */
static int
run_verb(const char *const *words, int out_fd)
{
	int status;
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		union {
			const char *const *given;
			char *const *taken;
		} argv = {words};
		if (dup2(out_fd, STDOUT_FILENO) >= 0)
			execv("/proc/self/exe", argv.taken);
		message("winnow %s cannot be started: %s", words[1], strerror(errno));
		_exit(CLI_FAILURE);
	}
	if (pid < 0)
		return FAILURE("winnow %s cannot be started: %s", words[1], strerror(errno));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return CLI_FAILURE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_FAILURE;
}

static int
print(const struct run_report *r, const struct paths *traces, int out_fd)
{
	size_t n = 0;
	const char **words = calloc(traces->n + 2 * r->fail_if->n + 6, sizeof *words);
	if (!words)
		return FAILURE("out of memory");
	words[n++] = "winnow";
	words[n++] = "report";
	words[n++] = "--no-pager";
	for (size_t i = 0; i < r->fail_if->n; i++) {
		words[n++] = "--fail-if";
		words[n++] = r->fail_if->items[i];
	}
	words[n++] = "--";
	for (size_t i = 0; i < traces->n; i++)
		words[n++] = traces->items[i];
	int code = run_verb(words, out_fd);
	free(words);
	return code;
}

int
run_report_print(struct run_report *r, const struct paths *traces)
{
	int out_fd = r->file.to ? fileno(r->file.to) : is_stdout(r) ? STDOUT_FILENO : STDERR_FILENO;
	int code = print(r, traces, out_fd);
	if (r->file.to && newfile_commit(&r->file) != 0)
		message("--report %s: %s; no report", r->output, strerror(errno));
	const char *const view[] = {"winnow", "view", "--open", "--", traces->items[0], NULL};
	if (r->is_viewed)
		(void)run_verb(view, STDERR_FILENO);
	return code;
}
