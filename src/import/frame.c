/* SPDX-License-Identifier: MIT */
#include "import/frame.h"

#include "base/error.h"
#include "base/mem.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void
frame_fini(struct frame *f)
{
	for (size_t i = 0; i < f->n_columns; i++) {
		wn_free(f->columns[i].name);
		wn_free(f->columns[i].numbers);
		wn_free(f->columns[i].texts);
	}
	for (size_t i = 0; i < f->n_texts; i++)
		wn_free(f->texts[i]);
	WN_FREE_ALL(f->columns, f->line, f->waits.values, f->waits.first, f->waits.is_missing,
	            f->texts, f->text_hash);
	*f = (struct frame){0};
}

void
frame_note(struct frame *f, bool is_loss, const char *fmt, ...)
{
	struct wn_import_result *r = f->result;
	r->is_damaged |= is_loss;
	if (wn_grow(&r->notes, &r->capacity, r->n_notes + 1, sizeof *r->notes) != 0)
		return;
	struct wn_import_note *note = &r->notes[r->n_notes++];
	va_list args;
	va_start(args, fmt);
	note->is_loss = is_loss;
	vsnprintf(note->text, sizeof note->text, fmt, args);
	va_end(args);
}

struct frame_column *
frame_find(const struct frame *f, const char *name)
{
	for (size_t i = 0; i < f->n_columns; i++)
		if (strcmp(f->columns[i].name, name) == 0)
			return &f->columns[i];
	return NULL;
}

struct frame_column *
frame_add(struct frame *f, const char *name, enum wn_cell_kind cell, bool is_derived)
{
	if (wn_grow(&f->columns, &f->columns_capacity, f->n_columns + 1, sizeof *f->columns) != 0)
		return NULL;
	size_t n_bytes = strlen(name) + 1;
	struct frame_column c = {
	    .name = wn_calloc(n_bytes, 1), .cell = cell, .is_derived = is_derived};
	if (cell == WN_CELL_NUMBER)
		c.numbers = wn_calloc(f->n_rows, sizeof *c.numbers);
	else
		c.texts = wn_calloc(f->n_rows, sizeof *c.texts);
	if (!c.name || (!c.numbers && !c.texts)) {
		wn_free(c.name);
		wn_free(c.numbers);
		wn_free(c.texts);
		return NULL;
	}
	memcpy(c.name, name, n_bytes);
	for (size_t i = 0; i < f->n_rows; i++) {
		if (c.numbers)
			c.numbers[i] = (double)NAN;
		else
			c.texts[i] = WN_NO_TEXT;
	}
	f->columns[f->n_columns] = c;
	return &f->columns[f->n_columns++];
}

static uint64_t
hash_of(const char *bytes, size_t n)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (uint8_t)bytes[i]) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 29;
}

static size_t
text_slot(const struct frame *f, const char *bytes, size_t n)
{
	size_t slot = (size_t)hash_of(bytes, n) & (f->text_hash_size - 1);
	for (; f->text_hash[slot]; slot = (slot + 1) & (f->text_hash_size - 1)) {
		const char *text = f->texts[f->text_hash[slot] - 1];
		if (strncmp(text, bytes, n) == 0 && text[n] == '\0')
			break;
	}
	return slot;
}

static bool
grow_text_hash(struct frame *f)
{
	size_t size = f->text_hash_size ? 2 * f->text_hash_size : 256;
	uint32_t *table = wn_calloc(size, sizeof *table);
	if (!table)
		return false;
	wn_free(f->text_hash);
	f->text_hash = table;
	f->text_hash_size = size;
	for (size_t i = 0; i < f->n_texts; i++)
		table[text_slot(f, f->texts[i], strlen(f->texts[i]))] = (uint32_t)i + 1;
	return true;
}

uint32_t
frame_text(struct frame *f, const char *bytes, size_t n)
{
	if (2 * f->n_texts >= f->text_hash_size && !grow_text_hash(f))
		return WN_NO_TEXT;
	size_t slot = text_slot(f, bytes, n);
	if (f->text_hash[slot])
		return f->text_hash[slot] - 1;
	if (f->n_texts >= UINT32_MAX - 2 ||
	    wn_grow(&f->texts, &f->texts_capacity, f->n_texts + 1, sizeof *f->texts) != 0)
		return WN_NO_TEXT;
	char *copy = wn_calloc(n + 1, 1);
	if (!copy)
		return WN_NO_TEXT;
	if (n)
		memcpy(copy, bytes, n);
	f->texts[f->n_texts] = copy;
	f->text_hash[slot] = (uint32_t)++f->n_texts;
	return (uint32_t)f->n_texts - 1;
}

const char *
frame_text_at(const struct frame *f, const struct frame_column *c, size_t row)
{
	return c && c->texts && c->texts[row] != WN_NO_TEXT ? f->texts[c->texts[row]] : NULL;
}

static void
trim(const char **text, size_t *n)
{
	while (*n && isspace((unsigned char)**text)) {
		++*text;
		--*n;
	}
	while (*n && isspace((unsigned char)(*text)[*n - 1]))
		--*n;
}

static bool
is_word(const char *text, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(text, word, n) == 0;
}

bool
cell_is_missing(const char *text, size_t n)
{
	trim(&text, &n);
	return n == 0 || is_word(text, n, "NA") || is_word(text, n, "NaN");
}

bool
cell_number(const char *text, size_t n, double *value)
{
	trim(&text, &n);
	uint64_t whole = 0;
	size_t i = 0;
	for (; i < n && i < 15 && text[i] >= '0' && text[i] <= '9'; i++)
		whole = 10 * whole + (uint64_t)(text[i] - '0');
	if (i == n && n > 0) {
		*value = (double)whole;
		return true;
	}
	if (is_word(text, n, "TRUE") || is_word(text, n, "T") || is_word(text, n, "true")) {
		*value = 1;
		return true;
	}
	if (is_word(text, n, "FALSE") || is_word(text, n, "F") || is_word(text, n, "false")) {
		*value = 0;
		return true;
	}
	char copy[64], *end;
	if (n == 0 || n >= sizeof copy)
		return false;
	memcpy(copy, text, n);
	copy[n] = '\0';
	*value = strtod(copy, &end);
	return *end == '\0' && end != copy;
}

bool
frame_begin_waits(struct frame *f)
{
	f->waits.first = wn_calloc(f->n_rows + 1, sizeof *f->waits.first);
	f->waits.is_missing = wn_calloc(f->n_rows, 1);
	return f->waits.first && f->waits.is_missing;
}

/* Values come newest first and are reversed in place. */
bool
frame_put_waits(struct frame *f, size_t row, const char *text, size_t n, bool *is_bad)
{
	struct frame_lists *l = &f->waits;
	*is_bad = false;
	l->first[row] = l->n_values;
	l->first[row + 1] = l->n_values;
	l->is_missing[row] = 1;
	if (cell_is_missing(text, n))
		return true;
	trim(&text, &n);
	if (n < 2 || text[0] != '[' || text[n - 1] != ']') {
		*is_bad = true;
		return true;
	}
	for (size_t at = 1; at < n;) {
		size_t end = at;
		double value;
		while (end < n - 1 && text[end] != ';')
			end++;
		bool is_nothing = cell_is_missing(text + at, end - at);
		if (!is_nothing &&
		    (!cell_number(text + at, end - at, &value) || !(value >= 0) || value > 9e15)) {
			l->n_values = l->first[row];
			*is_bad = true;
			return true;
		}
		if (!is_nothing && value > 0) { /* the placeholder is ignored */
			if (wn_grow(&l->values, &l->values_capacity, l->n_values + 1,
			            sizeof *l->values) != 0)
				return false;
			l->values[l->n_values++] = (uint64_t)value;
		}
		at = end + 1;
	}
	for (size_t a = l->first[row], b = l->n_values; a + 1 < b; a++) {
		uint64_t swap = l->values[a];
		l->values[a] = l->values[--b];
		l->values[b] = swap;
	}
	l->first[row + 1] = l->n_values;
	l->is_missing[row] = 0;
	return true;
}

static bool
select_waits(struct frame *f, const uint32_t *order, size_t n)
{
	struct frame_lists *l = &f->waits, kept = {0};
	if (!l->first)
		return true;
	kept.first = wn_calloc(n + 1, sizeof *kept.first);
	kept.is_missing = wn_calloc(n, 1);
	kept.values = wn_calloc(l->n_values, sizeof *kept.values);
	if (!kept.first || !kept.is_missing || !kept.values) {
		wn_free(kept.first);
		wn_free(kept.is_missing);
		wn_free(kept.values);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t from = l->first[order[i]], to = l->first[order[i] + 1];
		kept.first[i] = kept.n_values;
		kept.is_missing[i] = l->is_missing[order[i]];
		if (to > from)
			memcpy(kept.values + kept.n_values, l->values + from,
			       (to - from) * sizeof *kept.values);
		kept.n_values += to - from;
	}
	kept.first[n] = kept.n_values;
	kept.values_capacity = l->n_values;
	WN_FREE_ALL(l->values, l->first, l->is_missing);
	*l = kept;
	return true;
}

wn_status
frame_select(struct frame *f, const uint32_t *order, size_t n, wn_err *err)
{
	/* each column is permuted through a single scratch column */
	double *numbers = wn_calloc(n, sizeof *numbers);
	uint32_t *texts = wn_calloc(n, sizeof *texts);
	wn_status st = WN_OK;
	if (!numbers || !texts || !select_waits(f, order, n))
		WN_TRY(wn_no_memory(err));
	for (size_t c = 0; c < f->n_columns; c++) {
		struct frame_column *column = &f->columns[c];
		for (size_t i = 0; i < n; i++) {
			if (column->numbers)
				numbers[i] = column->numbers[order[i]];
			else
				texts[i] = column->texts[order[i]];
		}
		if (column->numbers)
			memcpy(column->numbers, numbers, n * sizeof *numbers);
		else
			memcpy(column->texts, texts, n * sizeof *texts);
	}
	for (size_t i = 0; i < n; i++)
		texts[i] = f->line[order[i]];
	memcpy(f->line, texts, n * sizeof *texts);
	f->n_rows = n;
out:
	wn_free(numbers);
	wn_free(texts);
	return st;
}
