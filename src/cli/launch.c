/* SPDX-License-Identifier: MIT */
#include "cli/launch.h"

#include "cli/exit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int passed_on[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
static const int ignored[] = {SIGINT, SIGQUIT};
#define PASSED_ON_N (sizeof passed_on / sizeof passed_on[0])
#define IGNORED_N   (sizeof ignored / sizeof ignored[0])

/* A signal handler has no other way to know its target. */
static volatile sig_atomic_t child_pid;

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
	/* What the kernel sends (a terminal hangs up) reaches the program by itself. */
	if (info->si_code <= 0 && child_pid > 0)
		kill((pid_t)child_pid, signal_number);
	errno = saved_errno;
}

/* All signals are blocked on return, so that none gets lost before the child is known. */
static void
signals_take(struct signals *old)
{
	struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old->mask);
	for (size_t i = 0; i < PASSED_ON_N; i++) {
		sigaction(passed_on[i], NULL, &old->passed_on[i]);
		/* What is ignored (nohup) stays ignored, on both sides. */
		if (old->passed_on[i].sa_handler != SIG_IGN)
			sigaction(passed_on[i], &action, NULL);
	}
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	for (size_t i = 0; i < IGNORED_N; i++)
		sigaction(ignored[i], &ignore, &old->ignored[i]);
	/* Where SIGCHLD is ignored, waitpid would not tell how the program ended. */
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

static void
become_program(const char *path, char **argv, const struct library_env *env, int error_fd)
{
	int error = ENOMEM;
	if (!env || library_set_env(env)) {
		execvp(path, argv); /* and not execv: a script without #! is run by sh */
		error = errno;
	}
	ssize_t written = write(error_fd, &error, sizeof error);
	(void)written; /* the parent sees the missing status then */
	_exit(CLI_USAGE);
}

static uint64_t
now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The errno that the child left if it could not become the program, else 0. */
static int
read_error(int fd)
{
	int error = 0;
	ssize_t got;
	do
		got = read(fd, &error, sizeof error);
	while (got < 0 && errno == EINTR);
	return got == sizeof error ? error : 0;
}

static uint64_t
time_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

/* Nothing is passed on to a process id that may belong to somebody else already. */
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

void
launch_program(const char *path, char **argv, const struct library_env *env,
               struct launch_outcome *outcome)
{
	int error_pipe[2];
	struct signals old;
	memset(outcome, 0, sizeof *outcome);
	if (pipe2(error_pipe, O_CLOEXEC) != 0) {
		outcome->error = errno;
		return;
	}
	signals_take(&old);
	uint64_t start_ns = now_ns();
	pid_t pid = fork();
	if (pid == 0) {
		signals_restore(&old);
		become_program(path, argv, env, error_pipe[1]);
	}
	outcome->error = pid < 0 ? errno : 0;
	child_pid = pid;
	sigprocmask(SIG_SETMASK, &old.mask, NULL);
	close(error_pipe[1]);
	if (pid > 0) {
		outcome->pid = pid;
		outcome->error = read_error(error_pipe[0]);
		wait_for(pid, outcome);
	}
	outcome->wall_ns = now_ns() - start_ns;
	close(error_pipe[0]);
	signals_restore(&old);
}

int
launch_exit_code(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return CLI_SIGNAL + WTERMSIG(wait_status);
	return WEXITSTATUS(wait_status);
}
