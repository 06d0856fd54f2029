/* SPDX-License-Identifier: MIT */
/*
 * measure.c - runs programs under tools, interleaved, and writes one line per run.
 *
 *   measure ROUNDS SCRATCH TOOLS PROGRAMS > samples.csv
 *
 * TOOLS     a line each: NAME [VARIABLE=VALUE]... [@COMMAND] [+WORD]...     "%o" in a value or word
 *           is a path in SCRATCH; what a run leaves there, or there with a suffix, is counted and
 *           removed. COMMAND is run in the place of the program's: another build of the same.
 *           The WORDs are a command that runs the program, and come before it
 * PROGRAMS  a line each: NAME TASKS CHUNKS [VARIABLE=VALUE]... COMMAND [ARGUMENT]...
 *
 * In each round each program runs once under every tool, in an order that turns by one from round
 * to round: what the machine does meanwhile hits all tools alike. A first round is not counted.
 * CPU time is user and system time of the whole process, and of those it has waited for, as wait4
 * tells it. "#" starts a comment.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LINES_MAX 64
#define WORDS_MAX 32
#define TEXT_MAX  4096

struct line {
	char text[TEXT_MAX];
	char *word[WORDS_MAX + 1];
	int n_words;
};

struct run {
	double cpu_s;
	double wall_s;
	long rss_kib;
	uint64_t out_bytes;
};

static struct line tools[LINES_MAX], programs[LINES_MAX];

static void
fail(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, errno ? strerror(errno) : "malformed");
	exit(1);
}

static int
read_lines(const char *path, struct line *lines)
{
	FILE *in = fopen(path, "r");
	int n = 0;

	if (in == NULL)
		fail(path);
	while (n < LINES_MAX && fgets(lines[n].text, TEXT_MAX, in)) {
		struct line *l = &lines[n];

		l->n_words = 0;
		for (char *word = strtok(l->text, " \t\n"); word && l->n_words < WORDS_MAX;
		     word = strtok(NULL, " \t\n"))
			l->word[l->n_words++] = word;
		l->word[l->n_words] = NULL;
		if (l->n_words > 0 && l->word[0][0] != '#')
			n++;
	}
	fclose(in);
	return n;
}

static bool
is_setting(const char *word)
{
	const char *equals = strchr(word, '=');

	return equals && equals != word && !memchr(word, '/', (size_t)(equals - word));
}

/* With out_path in the place of "%o". */
static void
put_path(const char *word, const char *out_path, char text[TEXT_MAX])
{
	const char *mark = strstr(word, "%o");

	if (mark)
		snprintf(text, TEXT_MAX, "%.*s%s%s", (int)(mark - word), word, out_path, mark + 2);
	else
		snprintf(text, TEXT_MAX, "%s", word);
}

static void
set(const char *setting, const char *out_path)
{
	char text[TEXT_MAX];
	char *equals;

	put_path(setting, out_path, text);
	equals = strchr(text, '=');
	*equals = '\0';
	setenv(text, equals + 1, 1);
}

/* Never returns. The program's own output goes nowhere; what it says in error is shown. */
static void
become(const struct line *tool, const struct line *program, const char *out_path)
{
	static char before[WORDS_MAX][TEXT_MAX];
	char *words[2 * WORDS_MAX + 1];
	int command = 3, n_before = 0;
	int nowhere = open("/dev/null", O_WRONLY);

	dup2(nowhere, STDOUT_FILENO);
	while (program->word[command] && is_setting(program->word[command]))
		set(program->word[command++], out_path);
	const char *path = program->word[command];
	for (int i = 1; i < tool->n_words; i++) {
		if (tool->word[i][0] == '@')
			path = tool->word[i] + 1;
		else if (tool->word[i][0] == '+')
			put_path(tool->word[i] + 1, out_path, before[n_before++]);
		else
			set(tool->word[i], out_path);
	}
	if (n_before > 0) /* a command has something to say */
		dup2(nowhere, STDERR_FILENO);
	for (int i = 0; i < n_before; i++)
		words[i] = before[i];
	for (int i = command; i <= program->n_words; i++)
		words[n_before + i - command] = program->word[i];
	execv(n_before ? words[0] : path, words);
	_exit(127);
}

static double
now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Bytes of all files whose name starts with out_path, which are then gone. */
static uint64_t
collect(const char *out_path)
{
	char pattern[TEXT_MAX + 1];
	glob_t found;
	uint64_t bytes = 0;

	snprintf(pattern, sizeof pattern, "%s*", out_path);
	if (glob(pattern, 0, NULL, &found) != 0)
		return 0;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct stat info;

		if (stat(found.gl_pathv[i], &info) == 0)
			bytes += (uint64_t)info.st_size;
		unlink(found.gl_pathv[i]);
	}
	globfree(&found);
	return bytes;
}

static struct run
run_once(const struct line *tool, const struct line *program, const char *out_path)
{
	struct rusage usage;
	int status;
	double start_s = now_s();
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (pid == 0)
		become(tool, program, out_path);
	if (wait4(pid, &status, 0, &usage) != pid)
		fail("wait4");
	double wall_s = now_s() - start_s;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		fprintf(stderr, "measure: %s under %s: status 0x%x\n", program->word[0],
		        tool->word[0], (unsigned)status);
		exit(1);
	}
	return (struct run){seconds(usage.ru_utime) + seconds(usage.ru_stime), wall_s,
	                    usage.ru_maxrss, collect(out_path)};
}

int
main(int argc, char **argv)
{
	char out_path[TEXT_MAX - 64];

	if (argc != 5) {
		fprintf(stderr, "usage: measure ROUNDS SCRATCH TOOLS PROGRAMS\n");
		return 2;
	}
	int n_rounds = atoi(argv[1]);
	int n_tools = read_lines(argv[3], tools);
	int n_programs = read_lines(argv[4], programs);

	snprintf(out_path, sizeof out_path, "%s/run", argv[2]);
	printf("program,tasks,chunks,tool,round,cpu_s,wall_s,rss_kib,out_bytes\n");
	for (int p = 0; p < n_programs; p++) {
		if (programs[p].n_words < 4) {
			errno = 0;
			fail(programs[p].word[0]);
		}
		for (int round = 0; round <= n_rounds; round++) {
			for (int i = 0; i < n_tools; i++) {
				const struct line *tool = &tools[(i + round) % n_tools];
				struct run r = run_once(tool, &programs[p], out_path);

				if (round == 0)
					continue;
				printf("%s,%s,%s,%s,%d,%.6f,%.6f,%ld,%llu\n", programs[p].word[0],
				       programs[p].word[1], programs[p].word[2], tool->word[0],
				       round, r.cpu_s, r.wall_s, r.rss_kib,
				       (unsigned long long)r.out_bytes);
				fflush(stdout);
			}
		}
	}
	return 0;
}
