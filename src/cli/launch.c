/* SPDX-License-Identifier: MIT */
#include "cli/launch.h"

#include "base/clock.h"
#include "cli/exit.h"
#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
static const int ignored[] = {SIGINT, SIGQUIT};
#define PASSED_ON_N (sizeof passed_on / sizeof passed_on[0])
#define IGNORED_N   (sizeof ignored / sizeof ignored[0])

/* A signal handler can only use a global for its target. */
static volatile sig_atomic_t child_pid;
static volatile sig_atomic_t has_stop_signal;

struct signals {
	struct sigaction passed_on[PASSED_ON_N];
	struct sigaction ignored[IGNORED_N];
	struct sigaction child;
	sigset_t mask;
};

static void
pass_on(int signal_number, siginfo_t *info, void *context)
{
	(void)context;
	int saved_errno = errno;
	/* Signals of the kernel (a terminal hangs up) reach the program directly. */
	if (info->si_code <= 0 && child_pid > 0)
		kill((pid_t)child_pid, signal_number);
	has_stop_signal |= signal_number == SIGTERM || signal_number == SIGHUP;
	errno = saved_errno;
}

static void
note_stop(int signal_number)
{
	(void)signal_number;
	has_stop_signal = 1;
}

/* All signals are blocked on return, so that none is lost before the child is known. */
static void
signals_take(struct signals *old)
{
	struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old->mask);
	for (size_t i = 0; i < PASSED_ON_N; i++) {
		sigaction(passed_on[i], NULL, &old->passed_on[i]);
		/* Ignored signals (nohup) stay ignored in both processes. */
		if (old->passed_on[i].sa_handler != SIG_IGN)
			sigaction(passed_on[i], &action, NULL);
	}
	has_stop_signal = 0;
	struct sigaction ignore = {.sa_handler = note_stop, .sa_flags = SA_RESTART};
	for (size_t i = 0; i < IGNORED_N; i++) {
		sigaction(ignored[i], NULL, &old->ignored[i]);
		if (old->ignored[i].sa_handler != SIG_IGN)
			sigaction(ignored[i], &ignore, NULL);
	}
	/* With SIGCHLD ignored, waitpid would not return the program's status. */
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigaction(SIGCHLD, &plain, &old->child);
}

static void
signals_restore(const struct signals *old)
{
	for (size_t i = 0; i < PASSED_ON_N; i++)
		sigaction(passed_on[i], &old->passed_on[i], NULL);
	for (size_t i = 0; i < IGNORED_N; i++)
		sigaction(ignored[i], &old->ignored[i], NULL);
	sigaction(SIGCHLD, &old->child, NULL);
	sigprocmask(SIG_SETMASK, &old->mask, NULL);
}

static int
check_program(const char *path)
{
	struct stat info;
	if (stat(path, &info) != 0)
		return errno;
	if (S_ISDIR(info.st_mode))
		return EISDIR;
	return access(path, X_OK) == 0 ? 0 : EACCES;
}

int
launch_find(const char *name, char out[PATH_MAX])
{
	if (*name == '\0')
		return ENOENT;
	if (strlen(name) >= PATH_MAX)
		return ENAMETOOLONG;
	if (strchr(name, '/')) {
		memcpy(out, name, strlen(name) + 1);
		return check_program(out);
	}
	const char *folders = getenv("PATH");
	if (!folders)
		folders = "/usr/local/bin:/usr/bin:/bin";
	int result = ENOENT;
	for (const char *folder = folders;; folder++) {
		size_t bytes = strcspn(folder, ":");
		int n = snprintf(out, PATH_MAX, "%.*s/%s", bytes ? (int)bytes : 1,
		                 bytes ? folder : ".", name);
		int error = n < PATH_MAX ? check_program(out) : ENAMETOOLONG;
		if (error == 0)
			return 0;
		if (error == EACCES)
			result = EACCES;
		folder += bytes;
		if (*folder == '\0')
			return result;
	}
}

/* Returns, with an errno, only on failure. */
static int
become_program(const char *path, char **argv, const struct library_env *env)
{
	if (env && !library_set_env(env))
		return ENOMEM;
	execvp(path, argv); /* not execv: scripts without #! need sh */
	return errno;
}

static uint64_t
time_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

/* Forwards no signal to a process id that may have been reused. */
static void
wait_for(pid_t pid, struct launch_outcome *outcome)
{
	siginfo_t info;
	struct rusage used = {0};
	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	child_pid = 0;
	while (wait4(pid, &outcome->wait_status, 0, &used) < 0 && errno == EINTR)
		;
	outcome->cpu_ns = time_ns(&used.ru_utime) + time_ns(&used.ru_stime);
}

/* Memory shared with the child until it executes the program. A pipe would need two descriptors,
 * which the limit of open files may not allow here although it does for the program. */
static int *
map_shared_error(void)
{
	void *map =
	    mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return map == MAP_FAILED ? NULL : map;
}

/* Replaces this process by the program, for limits of processes or memory that prevent a second
 * one. Returns, with an errno, only on failure. */
static int
run_in_our_place(const char *path, char **argv, int error)
{
	message("%s: cannot be watched by a second process: %s; the program runs unrecorded", path,
	        strerror(error));
	execvp(path, argv);
	return errno;
}

void
launch_program(const char *path, char **argv, const struct library_env *env, bool becomes_program,
               struct launch_outcome *outcome)
{
	struct signals old;
	int *error = map_shared_error();
	memset(outcome, 0, sizeof *outcome);
	signals_take(&old);
	uint64_t start_ns = wn_now_ns(CLOCK_MONOTONIC);
	pid_t pid = error ? fork() : -1;
	if (pid == 0) {
		signals_restore(&old);
		*error = become_program(path, argv, env);
		_exit(CLI_USAGE);
	}
	int fork_error = pid < 0 ? errno : 0;
	child_pid = pid;
	sigprocmask(SIG_SETMASK, &old.mask, NULL);
	if (pid > 0) {
		outcome->pid = pid;
		wait_for(pid, outcome);
		outcome->error = *error;
	}
	outcome->wall_ns = wn_now_ns(CLOCK_MONOTONIC) - start_ns;
	outcome->is_stopped = has_stop_signal;
	signals_restore(&old);
	if (pid < 0 && becomes_program)
		fork_error = run_in_our_place(path, argv, fork_error);
	if (pid < 0)
		outcome->error = fork_error;
	if (error)
		munmap(error, sizeof *error);
}

/* Redirects the descriptors `first` to 2 to nowhere while the program runs. */
static void
launch_redirected(int first, const char *path, char **argv, struct launch_outcome *outcome)
{
	int kept[3];
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	fflush(stdout);
	for (int fd = first; fd < 3; fd++) {
		kept[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		if (nowhere >= 0)
			dup2(nowhere, fd);
	}
	launch_program(path, argv, NULL, false, outcome);
	for (int fd = first; fd < 3; fd++) {
		if (kept[fd] >= 0)
			dup2(kept[fd], fd);
		close(kept[fd]);
	}
	close(nowhere);
}

void
launch_unseen(const char *path, char **argv, struct launch_outcome *outcome)
{
	launch_redirected(STDIN_FILENO, path, argv, outcome);
}

bool
launch_quietly(const char *path, char **argv)
{
	struct launch_outcome outcome;
	launch_redirected(STDOUT_FILENO, path, argv, &outcome);
	return outcome.error == 0 && WIFEXITED(outcome.wait_status) &&
	       WEXITSTATUS(outcome.wait_status) == 0;
}

int
launch_exit_code(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return CLI_SIGNAL + WTERMSIG(wait_status);
	return WEXITSTATUS(wait_status);
}
