/* SPDX-License-Identifier: MIT */
#include "cli/explain.h"
#include "base/path.h"
#include "job/rank.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

__attribute__((format(printf, 3, 4))) static bool
explain_refusal(char *out, size_t out_bytes, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(out, out_bytes, fmt, args);
	va_end(args);
	return true;
}

bool
explain_impossible(const struct inspection *inspection, char *out, size_t out_bytes)
{
	const char *what = inspection->kind == INSPECT_SCRIPT ? inspection->interpreter : "it";
	if (inspection->kind == INSPECT_UNREADABLE)
		return false;
	if (inspection->is_32_bit)
		return explain_refusal(
		    out, out_bytes, "%s is a 32-bit program, and the recorder is a 64-bit library",
		    what);
	if (inspection->is_other_machine)
		return explain_refusal(out, out_bytes, "%s is built for another kind of processor",
		                       what);
	if (inspection->is_static)
		return explain_refusal(
		    out, out_bytes,
		    "%s is statically linked%s: no library can be loaded into it; link "
		    "it dynamically",
		    what,
		    inspection->has_libgomp_inside  ? " with libgomp"
		    : inspection->has_libomp_inside ? " with libomp"
						    : "");
	if (inspection->is_privileged)
		return explain_refusal(
		    out, out_bytes,
		    "%s runs with another user's rights (set-user-ID, set-group-ID or "
		    "capabilities), and the loader then ignores LD_PRELOAD",
		    what);
	if (inspection->has_libgomp_inside && !inspection->is_instrumented)
		return explain_refusal(out, out_bytes,
		                       "libgomp is linked into the program: its calls cannot be "
		                       "intercepted; link libgomp dynamically, or compile the "
		                       "program with 'winnow cc --opari'");
	return false;
}

bool
explain_certain(const struct inspection *inspection, char *out, size_t out_bytes)
{
	bool has_runtime = inspection->has_libgomp_inside || inspection->has_libomp_inside;
	bool is_launcher = inspection->kind == INSPECT_SCRIPT || inspection->is_32_bit ||
	                   (inspection->is_static && !has_runtime);
	return !is_launcher && explain_impossible(inspection, out, out_bytes);
}

static bool
is_tool_disabled(void)
{
	const char *value = getenv("OMP_TOOL");
	return value && strcasecmp(value, "disabled") == 0;
}

static const struct inspected_runtime *
runtime_without_ompt(const struct inspection *inspection)
{
	for (size_t i = 0; i < inspection->n_runtimes; i++)
		if (inspection->runtimes[i].family == INSPECT_LIBOMP &&
		    !inspection->runtimes[i].has_ompt)
			return &inspection->runtimes[i];
	return NULL;
}

static const char *
what_ended_early(int wait_status)
{
	return WIFSIGNALED(wait_status) ? " before it was killed" : "";
}

static void
explain_script(const struct inspection *inspection, char *out, size_t out_bytes)
{
	if (inspection->preload_reset[0])
		explain_refusal(
		    out, out_bytes,
		    "line %llu of the script sets %s itself, so the recorder is not loaded into "
		    "the programs that it starts; name the program behind the script instead",
		    (unsigned long long)inspection->preload_reset_line, inspection->preload_reset);
	else if (inspection->is_shell_script)
		explain_refusal(
		    out, out_bytes,
		    "it is a shell script, and no process it started reported an OpenMP runtime "
		    "(statically linked, or started with an environment of its own?); name the "
		    "program behind the script instead");
	else
		explain_refusal(
		    out, out_bytes,
		    "neither its interpreter %s nor what that started reported an OpenMP runtime",
		    inspection->interpreter);
}

/* Programs that start others, some of them without the recorder's environment. */
static const char *
starts_others(const char *program)
{
	static const char *const clean[] = {"sudo",        "su",        "doas",   "runuser",
	                                    "pkexec",      "ssh",       "docker", "podman",
	                                    "systemd-run", "machinectl"};
	static const char *const others[] = {"env",     "sh",   "bash",    "dash",   "zsh",
	                                     "ksh",     "fish", "busybox", "xargs",  "nohup",
	                                     "timeout", "nice", "setpriv", "chroot", "unshare",
	                                     "make",    "find", "setsid"};
	const char *base = wn_base_name(program);
	for (size_t i = 0; i < sizeof clean / sizeof *clean; i++)
		if (strcmp(base, clean[i]) == 0)
			return "may have another environment, without the recorder; put 'winnow "
			       "record' behind it";
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(base, others[i]) == 0)
			return "in an environment without LD_PRELOAD (env -i), with other rights, "
			       "or "
			       "linked statically, is not seen; name that program instead";
	return NULL;
}

void
explain_nothing(const struct inspection *inspection, const char *program, int wait_status,
                char *out, size_t out_bytes)
{
	const char *others = starts_others(program);
	bool has_libomp = inspect_has(inspection, INSPECT_LIBOMP) || inspection->has_libomp_inside;
	bool has_libgomp = inspect_has(inspection, INSPECT_LIBGOMP);
	const struct inspected_runtime *silent = runtime_without_ompt(inspection);

	if (inspection->missing[0] && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 127)
		explain_refusal(out, out_bytes, "a library it needs is not found: %s",
		                inspection->missing);
	else if (explain_impossible(inspection, out, out_bytes))
		return;
	else if (has_libomp && is_tool_disabled())
		explain_refusal(
		    out, out_bytes,
		    "OMP_TOOL=disabled is set, so libomp loads no tool; unset it to record");
	else if (silent)
		explain_refusal(out, out_bytes, "%s is built without tool support (OMPT)",
		                silent->path);
	else if (inspection->kind == INSPECT_SCRIPT && !has_libomp && !has_libgomp)
		explain_script(inspection, out, out_bytes);
	else if (inspection->has_tool_inside)
		explain_refusal(
		    out, out_bytes,
		    "libomp and an OMPT tool are linked into the program: that libomp uses this "
		    "tool, and no other once it accepts; link libomp dynamically, or leave the "
		    "tool out");
	else if (has_libomp || has_libgomp)
		explain_refusal(
		    out, out_bytes,
		    "it links %s, but no process reported an OpenMP construct%s; one that runs "
		    "behind another root folder, in another container or in an environment of "
		    "its own cannot",
		    has_libomp && has_libgomp ? "libomp and libgomp"
		    : has_libomp              ? "libomp"
					      : "libgomp",
		    what_ended_early(wait_status));
	else if (inspection->kind == INSPECT_UNREADABLE)
		explain_refusal(out, out_bytes,
		                "its file cannot be read, so the reason is not known");
	else if (wn_rank_is_launcher(program))
		explain_refusal(out, out_bytes,
		                "no OpenMP runtime and no MPI was seen in what %s starts, which "
		                "other nodes may do "
		                "without the recorder's environment; put 'winnow record' behind "
		                "it: %s ... winnow "
		                "record -o DIR PROGRAM",
		                wn_base_name(program), wn_base_name(program));
	else if (others)
		explain_refusal(out, out_bytes, "no OpenMP runtime was seen; what %s starts %s",
		                wn_base_name(program), others);
	else
		explain_refusal(
		    out, out_bytes,
		    "no OpenMP runtime was seen: it links none (nor do its %zu libraries), and "
		    "neither it nor what it started reported one",
		    inspection->n_libraries);
}
