// The whole tree in a few crossings of the cgo border: parse, then walk with a
// cursor into one buffer of records, the caller's. The prototypes are tree-sitter's public C
// API; its header is not visible outside the binding's package.
#include "walk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;

TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
void ts_parser_set_timeout_micros(TSParser *, uint64_t);
void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
void ts_parser_reset(TSParser *);
TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
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

// What the parser holds is counted, so that no text makes it hold more than its
// due, and so is the processor time it takes: over a limit the parse is cancelled.
// Each block carries its size. The time is looked at now and then when a block is
// asked for; it is not that of the clock on the wall, which depends on who else
// has work for the machine.
typedef union {
	size_t size;
	max_align_t align;
} block;

static _Thread_local struct {
	long long live, limit; // bytes, since the parse began
	long long end;         // the thread's processor time when the parse must end, microseconds
	unsigned asked;        // for blocks, since the time was looked at
	size_t *stop;          // the parser's cancellation flag, which others set, too
} use;

static long long processor_micros(void) {
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (long long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

size_t *rs_flag_new(void) { return calloc(1, sizeof(size_t)); }
void rs_flag_free(size_t *flag) { free(flag); }
void rs_flag_set(size_t *flag) { if (flag) __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

static void *counted(block *b, size_t size, size_t before) {
	if (!b) {
		fprintf(stderr, "out of memory for a parser: %zu bytes\n", size);
		abort();
	}
	b->size = size;
	use.live += (long long)size - (long long)before;
	if (use.stop && use.live > use.limit) rs_flag_set(use.stop);
	if (++use.asked % 256 == 0 && use.stop && processor_micros() > use.end) rs_flag_set(use.stop);
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

TSParser *rs_parser_new(const TSLanguage *language) {
	TSParser *p = ts_parser_new();
	if (!p) return NULL;
	if (!ts_parser_set_language(p, language)) {
		ts_parser_delete(p);
		return NULL;
	}
	return p;
}

void rs_parser_free(TSParser *p) { ts_parser_delete(p); }
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

// rs_parse returns NULL when the parse ran out of time or memory. cost becomes the
// processor time it took. Should a parse go on without asking for memory, the
// clock on the wall ends it, much later.
TSTree *rs_parse(TSParser *p, const char *text, uint32_t length, rs_limits limits, size_t *flag, int64_t *cost) {
	long long begin = processor_micros();
	ts_parser_set_timeout_micros(p, limits.micros * 20);
	use.live = 0, use.limit = (long long)limits.bytes, use.end = begin + (long long)limits.micros, use.stop = flag;
	ts_parser_set_cancellation_flag(p, flag);
	TSTree *t = ts_parser_parse_string(p, NULL, text, length);
	ts_parser_set_cancellation_flag(p, NULL);
	use.stop = NULL;
	if (!t) ts_parser_reset(p);
	// A limit may have been met at the very end: from here on the flag is the caller's.
	if (t && flag) __atomic_store_n(flag, 0, __ATOMIC_RELAXED);
	*cost = processor_micros() - begin;
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
