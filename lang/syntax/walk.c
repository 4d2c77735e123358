// The whole tree in a few crossings of the cgo border: parse, then walk with a
// cursor into one buffer of records, the caller's. The prototypes are tree-sitter's public C
// API; its header is not visible outside the binding's package.
#include "walk.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;

TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
void ts_parser_set_timeout_micros(TSParser *, uint64_t);
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
uint32_t ts_node_descendant_count(TSNode);
uint32_t ts_language_symbol_count(const TSLanguage *);
const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
uint32_t ts_language_field_count(const TSLanguage *);
const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

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
	r->flags = (ts_node_is_named(n) ? RS_NAMED : 0) | (ts_node_is_missing(n) ? RS_MISSING : 0) |
	           (ts_node_is_extra(n) ? RS_EXTRA : 0) | (ts_node_has_error(n) ? RS_HAS_ERROR : 0);
}

// rs_parse returns NULL when the parse ran out of time or memory.
TSTree *rs_parse(TSParser *p, const char *text, uint32_t length, uint64_t timeout_micros) {
	ts_parser_set_timeout_micros(p, timeout_micros);
	TSTree *t = ts_parser_parse_string(p, NULL, text, length);
	if (!t) ts_parser_reset(p);
	return t;
}

void rs_tree_free(TSTree *t) { ts_tree_delete(t); }
uint32_t rs_count(const TSTree *t) { return ts_node_descendant_count(ts_tree_root_node(t)); }

// rs_flatten writes at most room nodes in pre-order and returns how many; parents
// are found through the records themselves, so depth costs no memory and no
// recursion.
uint32_t rs_flatten(const TSTree *t, rs_node *nodes, uint32_t room) {
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
		record(&nodes[count], &c, at);
		at = count++;
	}
	ts_tree_cursor_delete(&c);
	return count;
}
