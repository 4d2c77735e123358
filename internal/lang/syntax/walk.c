// A tree in a few cgo calls: parse, then walk with a
// cursor into the buffer of records of the caller. The prototypes are tree-sitter's public C
// API; its header is not visible outside the binding's package.
#include "walk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
typedef struct {
	void *payload;
	const char *(*read)(void *payload, uint32_t at, TSPoint point, uint32_t *length);
	int encoding; // 0: UTF-8
} TSInput;

typedef struct TSParser TSParser;
TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
TSTree *ts_parser_parse(TSParser *, const TSTree *, TSInput);
void ts_tree_delete(TSTree *);
TSNode ts_tree_root_node(const TSTree *);
TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
uint16_t ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
bool ts_node_is_named(TSNode);
bool ts_node_is_missing(TSNode);
bool ts_node_is_extra(TSNode);
bool ts_node_has_error(TSNode);
uint32_t ts_node_child_count(TSNode);
uint32_t ts_node_descendant_count(TSNode);
uint32_t ts_language_symbol_count(const TSLanguage *);
const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
uint32_t ts_language_field_count(const TSLanguage *);
const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

// The steps and memory of a parse are counted. Above a
// limit the parse is cancelled. Each block of memory carries its size. A step is a
// block allocated, or a chunk of text read. Both depend only on the text
// and the grammar, so that the result is the same on fast and slow machines.
typedef union {
	size_t size;
	max_align_t align;
} block;

// The size of a chunk of text or memory, in bytes.
enum { CHUNK = 256 };

static _Thread_local struct {
	long long live;  // bytes held, since the parse began
	long long steps; // since the parse began
	rs_limits limits;
	size_t *stop; // the parser's cancellation flag, which other threads may set
} use;

size_t *rs_flag_new(void) { return calloc(1, sizeof(size_t)); }
void rs_flag_free(size_t *flag) { free(flag); }
void rs_flag_set(size_t *flag) { if (flag) __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

static void step(size_t bytes) {
	use.steps += 1 + (long long)(bytes / CHUNK);
	if (use.steps > use.limits.steps) rs_flag_set(use.stop);
#ifdef RS_SLOW // see TestResultIndependentOfSpeed
	for (volatile int i = 0; i < RS_SLOW; i++) {}
#endif
}

static void *counted(block *b, size_t size, size_t before) {
	if (!b) {
		fprintf(stderr, "out of memory for a parser: %zu bytes\n", size);
		abort();
	}
	b->size = size;
	use.live += (long long)size - (long long)before;
	if (use.stop && use.live > use.limits.bytes) rs_flag_set(use.stop);
	step(size);
	return b + 1;
}

static void *count_malloc(size_t size) { return counted(malloc(sizeof(block) + size), size, 0); }
static void *count_calloc(size_t n, size_t size) { return counted(calloc(1, sizeof(block) + n * size), n * size, 0); }

static void *count_realloc(void *p, size_t size) {
	if (!p) return count_malloc(size);
	block *b = (block *)p - 1;
	size_t before = b->size;
	return counted(realloc(b, sizeof(block) + size), size, before);
}

static void count_free(void *p) {
	if (!p) return;
	block *b = (block *)p - 1;
	use.live -= (long long)b->size;
	free(b);
}

// Before main, so that every block has a size.
__attribute__((constructor)) static void count_memory(void) {
	ts_set_allocator(count_malloc, count_calloc, count_realloc, count_free);
}

uint32_t rs_kind_count(const TSLanguage *l) { return ts_language_symbol_count(l); }
const char *rs_kind_name(const TSLanguage *l, uint16_t k) { return ts_language_symbol_name(l, k); }
uint32_t rs_field_count(const TSLanguage *l) { return ts_language_field_count(l); }
const char *rs_field_name(const TSLanguage *l, uint16_t f) { return ts_language_field_name_for_id(l, f); }

static void record(rs_node *r, const TSTreeCursor *c, uint32_t parent) {
	TSNode n = ts_tree_cursor_current_node(c);
	r->start = ts_node_start_byte(n);
	r->end = ts_node_end_byte(n);
	r->parent = parent;
	r->next = 0;
	r->kind = ts_node_symbol(n);
	r->field = ts_tree_cursor_current_field_id(c);
	// A rule of one hidden token that is missing does not say so itself.
	bool lacks = r->start == r->end && ts_node_has_error(n) && ts_node_child_count(n) == 0;
	r->flags = (ts_node_is_named(n) ? RS_NAMED : 0) | (lacks || ts_node_is_missing(n) ? RS_MISSING : 0) |
	           (ts_node_is_extra(n) ? RS_EXTRA : 0) | (ts_node_has_error(n) ? RS_HAS_ERROR : 0);
}

typedef struct {
	const char *text;
	uint32_t length;
} source;

static const char *read_chunk(void *payload, uint32_t at, TSPoint point, uint32_t *length) {
	(void)point;
	const source *s = payload;
	step(0);
	*length = at >= s->length ? 0 : s->length - at < CHUNK ? s->length - at : CHUNK;
	return at >= s->length ? "" : s->text + at;
}

// rs_parse returns NULL when the parse took too many steps or too much memory, or the
// flag was set. It sets *steps to the number of steps taken. Each parse has its own parser: a
// used one keeps blocks and takes fewer steps.
TSTree *rs_parse(const TSLanguage *language, const char *text, uint32_t length, rs_limits limits, size_t *flag, int64_t *steps) {
	TSParser *p = ts_parser_new();
	TSTree *t = NULL;
	if (ts_parser_set_language(p, language)) {
		source s = {text, length};
		use.live = 0, use.steps = 0, use.limits = limits, use.stop = flag;
		ts_parser_set_cancellation_flag(p, flag);
		t = ts_parser_parse(p, NULL, (TSInput){&s, read_chunk, 0});
		*steps = use.steps;
		use.stop = NULL;
	}
	ts_parser_delete(p);
	// A limit may have been met at the very end: from here on the flag is the caller's.
	if (t && flag) __atomic_store_n(flag, 0, __ATOMIC_RELAXED);
	return t;
}

void rs_tree_free(TSTree *t) { ts_tree_delete(t); }
uint32_t rs_count(const TSTree *t) { return ts_node_descendant_count(ts_tree_root_node(t)); }

// rs_flatten writes at most room nodes in pre-order and returns how many; parents
// are found through the records themselves, so depth costs no memory and no
// recursion. It stops when the flag is set.
uint32_t rs_flatten(const TSTree *t, rs_node *nodes, uint32_t room, const size_t *flag) {
	uint32_t count = 0, at = 0;
	if (room == 0) return 0;
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(t));
	record(&nodes[count++], &c, 0);
	for (bool up = false;;) {
		if (!up && ts_tree_cursor_goto_first_child(&c)) {
			// the new node's parent is the current one
		} else {
			nodes[at].next = count;
			if (at == 0) break;
			at = nodes[at].parent;
			if (!ts_tree_cursor_goto_next_sibling(&c)) {
				ts_tree_cursor_goto_parent(&c);
				up = true;
				continue;
			}
		}
		up = false;
		if (count == room) break; // rs_count was short: cannot happen, must not crash
		if (count % 4096 == 0 && flag && __atomic_load_n(flag, __ATOMIC_RELAXED)) break;
		record(&nodes[count], &c, at);
		at = count++;
	}
	ts_tree_cursor_delete(&c);
	return count;
}
