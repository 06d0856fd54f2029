/* SPDX-License-Identifier: MIT */
/*
 * costs.c - from samples (measure.c) to what each tool adds to each program.
 *
 *   costs < samples.csv                          a table, and whether each bar holds
 *   costs --svg PREFIX BAR TITLE < samples.csv   a figure of the programs whose label begins so
 *
 * What a tool adds is its wall time against the plain run of the same round, in percent: the median
 * over the rounds, and the quartiles. Bars, by the label's first part (Langdal et al. 2017, figures
 * 2 to 4): bots 2; sched 3, static chunks below 32 iterations 25; task 2.7; any without a tool 1.
 * "fine" and "tiny" are the same kernels with a hundredth of the work, and have no bar. A bar
 * "holds" or "FAILS"; where the quartiles lie on both sides of it, "holds?" or "fails?".
 *
 * In the figure what lies outside of the axis is at its end, as a triangle, with its figure.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX   128
#define TOOLS_MAX  8
#define ROUNDS_MAX 128

#define LABELS 170
#define PLOT   560
#define TOP    74
#define LINE   13
#define GAP    8

struct row {
	char name[64];
	int n[TOOLS_MAX];
	double wall_s[TOOLS_MAX][ROUNDS_MAX];
};

struct spread {
	double lower, median, upper;
};

static struct row rows[ROWS_MAX];
static char tools[TOOLS_MAX][32];
static int n_rows, n_tools;

/* dark enough on white, and apart for the colour-blind */
static const char *const colours[TOOLS_MAX] = {"",        "#0072b2", "#d55e00", "#009e73",
                                               "#7a4ea3", "#8c6d1f", "#b0357a", "#444444"};

static int
tool_of(const char *name)
{
	for (int i = 0; i < n_tools; i++)
		if (strcmp(tools[i], name) == 0)
			return i;
	if (n_tools == TOOLS_MAX)
		exit(1);
	strcpy(tools[n_tools], name);
	return n_tools++;
}

static struct row *
row_of(const char *name)
{
	for (int i = 0; i < n_rows; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	if (n_rows == ROWS_MAX)
		exit(1);
	strcpy(rows[n_rows].name, name);
	return &rows[n_rows++];
}

static void
read_samples(const char *prefix)
{
	char text[512], program[64], tool[32];
	double tasks, chunks, cpu_s, wall_s;
	int round;

	tool_of("plain");
	while (fgets(text, sizeof text, stdin)) {
		if (sscanf(text, "%63[^,],%lf,%lf,%31[^,],%d,%lf,%lf", program, &tasks, &chunks,
		           tool, &round, &cpu_s, &wall_s) != 7 ||
		    strncmp(program, prefix, strlen(prefix)) != 0)
			continue;
		struct row *row = row_of(program + strlen(prefix));
		int t = tool_of(tool);
		if (row->n[t] < ROUNDS_MAX)
			row->wall_s[t][row->n[t]++] = wall_s;
	}
}

static int
compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Between the two nearest values. */
static double
quantile(const double *sorted, int n, double q)
{
	double at = q * (n - 1);
	int below = (int)at;
	int above = below + 1 < n ? below + 1 : below;

	return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

static bool
added_percent(const struct row *row, int tool, struct spread *out)
{
	double values[ROUNDS_MAX];
	int n = row->n[tool] < row->n[0] ? row->n[tool] : row->n[0];

	if (n == 0)
		return false;
	for (int i = 0; i < n; i++)
		values[i] = 100 * (row->wall_s[tool][i] / row->wall_s[0][i] - 1);
	qsort(values, (size_t)n, sizeof *values, compare);
	*out = (struct spread){quantile(values, n, 0.25), quantile(values, n, 0.5),
	                       quantile(values, n, 0.75)};
	return true;
}

struct axis {
	double from, to, step;
};

/* Holds all medians up to four times the bar; further out is cut off. */
static struct axis
axis_for(double bar)
{
	double least = 0, most = bar * 1.25;

	for (int i = 0; i < n_rows; i++) {
		for (int t = 1; t < n_tools; t++) {
			struct spread s;
			if (!added_percent(&rows[i], t, &s))
				continue;
			most = fmax(most, fmin(s.median * 1.1, 4 * bar));
			least = fmin(least, fmax(s.median * 1.1, -bar));
		}
	}
	double step = pow(10, floor(log10((most - least) / 4)));
	if ((most - least) / step > 20)
		step *= 5;
	else if ((most - least) / step > 8)
		step *= 2;
	return (struct axis){floor(least / step) * step, ceil(most / step) * step, step};
}

static double
place(const struct axis *a, double percent)
{
	double share = (percent - a->from) / (a->to - a->from);

	return LABELS + PLOT * fmin(1, fmax(0, share));
}

static void
draw_grid(const struct axis *a, double bar, double bottom)
{
	for (double at = a->from; at <= a->to + a->step / 2; at += a->step) {
		double x = place(a, at);
		bool is_zero = fabs(at) < a->step / 2;
		printf("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x,
		       TOP - 6, x, bottom, is_zero ? "#666" : "#ddd");
		printf("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g%%</text>\n", x,
		       bottom + 16, is_zero ? 0 : at);
	}
	double x = place(a, bar);
	printf("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#c00\" "
	       "stroke-dasharray=\"5 4\"/>\n<text x=\"%.1f\" y=\"%d\" fill=\"#c00\" "
	       "text-anchor=\"middle\">%g%%</text>\n",
	       x, TOP - 6, x, bottom, x, TOP - 10, bar);
}

static void
draw_mark(const struct axis *a, struct spread s, double y, const char *colour)
{
	double x = place(a, s.median);

	printf("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
	       "stroke-width=\"2\" stroke-opacity=\"0.45\"/>\n",
	       place(a, s.lower), y, place(a, s.upper), y, colour);
	if (s.median > a->to) {
		printf("<path d=\"M%.1f %.1fl-7 -4v8z\" fill=\"%s\"/>\n", x, y, colour);
		printf("<text x=\"%.1f\" y=\"%.1f\">%.0f%%</text>\n", x + 4, y + 4, s.median);
	} else if (s.median < a->from) {
		printf("<path d=\"M%.1f %.1fl7 -4v8z\" fill=\"%s\"/>\n", x, y, colour);
		printf("<text x=\"%.1f\" y=\"%.1f\">%.0f%%</text>\n", x + 11, y + 4, s.median);
	} else {
		printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.6\" fill=\"%s\"/>\n", x, y, colour);
	}
}

static void
draw_legend(void)
{
	double x = LABELS;

	for (int t = 1; t < n_tools; t++) {
		printf("<circle cx=\"%.1f\" cy=\"44\" r=\"4\" fill=\"%s\"/>\n", x + 4, colours[t]);
		printf("<text x=\"%.1f\" y=\"48\">%s</text>\n", x + 13, tools[t]);
		x += 28 + 6.4 * (double)strlen(tools[t]);
	}
}

static void
draw_bands(int height)
{
	for (int i = 0; i < n_rows; i++) {
		int top = TOP + i * height;
		if (i % 2 == 0)
			printf("<rect x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\" "
			       "fill=\"#f6f6f6\"/>\n",
			       top, LABELS + PLOT + 60, height);
	}
}

static void
draw(const char *title, double bar)
{
	struct axis a = axis_for(bar);
	int height = (n_tools - 1) * LINE + GAP;
	int bottom = TOP + n_rows * height;

	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
	       "font-family=\"sans-serif\" font-size=\"12\">\n"
	       "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
	       "<text x=\"12\" y=\"22\" font-size=\"15\" font-weight=\"bold\">%s</text>\n",
	       LABELS + PLOT + 60, bottom + 40, title);
	draw_legend();
	draw_bands(height);
	draw_grid(&a, bar, bottom);
	for (int i = 0; i < n_rows; i++) {
		double top = TOP + (double)i * height;
		printf("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LABELS - 10,
		       top + height / 2.0 + 4, rows[i].name);
		for (int t = 1; t < n_tools; t++) {
			struct spread s;
			if (added_percent(&rows[i], t, &s))
				draw_mark(&a, s, top + GAP / 2.0 + (t - 0.5) * LINE, colours[t]);
		}
	}
	printf("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">wall time added; "
	       "median and "
	       "quartiles</text>\n</svg>\n",
	       LABELS + PLOT / 2, bottom + 34);
}

/* In percent; 0 = none. */
static double
bar_of(const char *program, const char *tool)
{
	int chunk;

	if (strncmp(program, "fine/", 5) == 0 || strncmp(program, "tiny/", 5) == 0)
		return 0;
	if (strcmp(tool, "no-tool") == 0)
		return 1;
	if (strncmp(program, "bots/", 5) == 0)
		return 2;
	if (strncmp(program, "task/", 5) == 0)
		return 2.7;
	return sscanf(program, "sched/static:%d", &chunk) == 1 && chunk < 32 ? 25 : 3;
}

static const char *
verdict(struct spread added, double bar)
{
	if (added.upper <= bar)
		return "holds";
	if (added.lower > bar)
		return "FAILS";
	return added.median <= bar ? "holds?" : "fails?";
}

static void
print_table(void)
{
	printf("\n%-22s %-16s %26s  %s\n", "program", "tool", "% added (quartiles)", "bar");
	for (int i = 0; i < n_rows; i++) {
		for (int t = 1; t < n_tools; t++) {
			struct spread s;
			if (!added_percent(&rows[i], t, &s))
				continue;
			double bar = bar_of(rows[i].name, tools[t]);
			printf("%-22s %-16s %7.2f (%7.2f to %7.2f)", rows[i].name, tools[t],
			       s.median, s.lower, s.upper);
			if (bar > 0)
				printf("  %4.1f  %s", bar, verdict(s, bar));
			putchar('\n');
		}
	}
}

int
main(int argc, char **argv)
{
	bool is_figure = argc == 5 && strcmp(argv[1], "--svg") == 0;

	if (!is_figure && argc != 1) {
		fprintf(stderr, "usage: costs [--svg PREFIX BAR TITLE] < samples\n");
		return 2;
	}
	read_samples(is_figure ? argv[2] : "");
	if (n_rows == 0 || n_tools < 2) {
		fprintf(stderr, "costs: no samples\n");
		return 1;
	}
	if (is_figure)
		draw(argv[4], strtod(argv[3], NULL));
	else
		print_table();
	return 0;
}
