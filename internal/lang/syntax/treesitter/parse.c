// A parse in two calls: tree-sitter reads the text, then its tree is written into the caller's records. The library is compiled as a part of this
// file, so that its memory functions are inlined, and its subtrees can be read.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The memory of a parse is taken from a few chunks, in order, and dropped as a whole. A block that is freed before serves the next one of its size.
// A block has its size before it. The sizes of small blocks are multiples of STEP bytes, those of others powers of two.
enum { STEP = 16, SMALL = 1024, CLASSES = SMALL / STEP + 64 };
enum { FIRST_CHUNK = 256 << 10, LARGEST_CHUNK = 4 << 20 };

typedef struct block {
	size_t size;        // that was asked for
	struct block *next; // of those that are free; a used block has its data here
} block;

typedef struct chunk {
	struct chunk *next;
	size_t size;
} chunk;

// The size of a chunk of text or memory, in bytes, that counts as a step.
enum { PER_STEP = 256 };

// A lookup in the table of a grammar, which is a search.
typedef struct {
	uint32_t key;
	uint16_t value;
} lookup;

enum { LOOKUPS = 8192 };

// The steps and memory of a parse are counted. Above a limit it is cancelled, and if blocks that were freed and not used again take as much again. A step is a block allocated, or a chunk of text read. Both depend only
// on the text and the grammar, so that the result is the same on fast and slow machines.
typedef struct rs_parser {
	chunk *chunks; // the first is in use
	char *at, *end;
	block *free[CLASSES];
	int64_t live, steps;            // bytes held, and steps, since the parse began
	int64_t taken;                  // bytes taken from chunks
	int64_t most_live, most_steps;
	size_t stop;                    // the cancellation flag, which other threads may set
	struct TSTree *tree;
	const struct TSLanguage *language;
	lookup lookups[LOOKUPS]; // that are remembered; state 0 is never looked up
} rs_parser;

// The parser whose parse runs in this thread.
static _Thread_local rs_parser *running;

static void take_chunk(rs_parser *p, size_t need) {
	size_t size = p->chunks && p->chunks->size < LARGEST_CHUNK / 2 ? 2 * p->chunks->size : p->chunks ? LARGEST_CHUNK : FIRST_CHUNK;
	if (size < need + sizeof(chunk) + STEP) size = need + sizeof(chunk) + STEP;
	chunk *c = malloc(size);
	if (!c) {
		fprintf(stderr, "out of memory for a parser: %zu bytes\n", size);
		abort();
	}
	*c = (chunk){p->chunks, size};
	p->chunks = c;
	p->at = (char *)(c + 1) + STEP - sizeof(size_t); // so that data is aligned to STEP
	p->end = (char *)c + size;
}

// Returns the bytes that a block for size bytes takes, and its class.
static inline size_t room(size_t size, unsigned *class) {
	size_t total = (size + sizeof(size_t) + STEP - 1) & ~(size_t)(STEP - 1);
	if (total < sizeof(block)) total = sizeof(block);
	if (total <= SMALL) {
		*class = (unsigned)(total / STEP);
		return total;
	}
	unsigned bits = 64 - (unsigned)__builtin_clzll(total - 1);
	*class = SMALL / STEP + bits;
	return (size_t)1 << bits;
}

static inline void count_step(rs_parser *p, size_t bytes) {
	p->steps += 1 + (int64_t)(bytes / PER_STEP);
	if (p->steps > p->most_steps) __atomic_store_n(&p->stop, 1, __ATOMIC_RELAXED);
#ifdef RS_SLOW // see TestResultIndependentOfSpeed
	for (volatile int i = 0; i < RS_SLOW; i++) {}
#endif
}

static inline void count_bytes(rs_parser *p, size_t size, size_t before) {
	p->live += (int64_t)size - (int64_t)before;
	if (p->live > p->most_live || p->taken > 2 * p->most_live) __atomic_store_n(&p->stop, 1, __ATOMIC_RELAXED);
	count_step(p, size);
}

static inline block *take(rs_parser *p, size_t size) {
	unsigned class;
	size_t total = room(size, &class);
	block *b = p->free[class];
	if (b) {
		p->free[class] = b->next;
	} else {
		if ((size_t)(p->end - p->at) < total) take_chunk(p, total);
		b = (block *)p->at;
		p->at += total;
		p->taken += (int64_t)total;
	}
	b->size = size;
	return b;
}

static inline void give(rs_parser *p, block *b) {
	unsigned class;
	room(b->size, &class);
	b->next = p->free[class];
	p->free[class] = b;
}

static inline void *data_of(block *b) { return (char *)b + offsetof(block, next); }
static inline block *block_of(void *data) { return (block *)((char *)data - offsetof(block, next)); }

static inline void *rs_malloc(size_t size) {
	block *b = take(running, size);
	count_bytes(running, size, 0);
	return data_of(b);
}

static inline void *rs_calloc(size_t n, size_t size) { return memset(rs_malloc(n * size), 0, n * size); }

static inline void rs_free(void *data) {
	if (!data) return;
	block *b = block_of(data);
	running->live -= (int64_t)b->size;
	give(running, b);
}

static inline void *rs_realloc(void *data, size_t size) {
	if (!data) return rs_malloc(size);
	block *b = block_of(data);
	unsigned class;
	size_t before = b->size;
	if (room(before, &class) == room(size, &class)) {
		b->size = size;
	} else {
		b = take(running, size);
		memcpy(data_of(b), data, before < size ? before : size);
		give(running, block_of(data));
	}
	count_bytes(running, size, before);
	return data_of(b);
}

#define ts_malloc rs_malloc
#define ts_calloc rs_calloc
#define ts_realloc rs_realloc
#define ts_free rs_free

// A lookup in the table of a language is remembered.
static inline lookup *remembered(uint16_t state, uint16_t symbol) {
	return &running->lookups[(state * 61u + symbol) % LOOKUPS];
}
#define RS_KNOWN(language, state, symbol)                                    \
	lookup *known = remembered(state, symbol);                                 \
	uint32_t known_key = (uint32_t)(state) << 16 | (symbol);                   \
	if (known->key == known_key) return known->value
#define RS_REMEMBER(v) (known->key = known_key, known->value = (v))

#include "library.h"

// The functions by which scanners take memory.
TS_PUBLIC void *(*ts_current_malloc)(size_t) = rs_malloc;
TS_PUBLIC void *(*ts_current_calloc)(size_t, size_t) = rs_calloc;
TS_PUBLIC void *(*ts_current_realloc)(void *, size_t) = rs_realloc;
TS_PUBLIC void (*ts_current_free)(void *) = rs_free;

#include "parse.h"

rs_parser *rs_parser_new(const TSLanguage *language) {
	rs_parser *p = calloc(1, sizeof(rs_parser));
	p->language = language;
	return p;
}

// All memory is dropped but the largest chunk that is not too large to keep.
void rs_parser_clear(rs_parser *p) {
	chunk *keep = NULL;
	for (chunk *c = p->chunks, *next; c; c = next) {
		next = c->next;
		if (c->size <= LARGEST_CHUNK && (!keep || c->size > keep->size)) {
			free(keep);
			keep = c;
		} else {
			free(c);
		}
	}
	memset(p, 0, offsetof(rs_parser, language));
	if (keep) {
		keep->next = NULL;
		p->chunks = keep;
		p->at = (char *)(keep + 1) + STEP - sizeof(size_t);
		p->end = (char *)keep + keep->size;
	}
}

void rs_parser_free(rs_parser *p) {
	rs_parser_clear(p);
	free(p->chunks);
	free(p);
}

void rs_stop(rs_parser *p) { __atomic_store_n(&p->stop, 1, __ATOMIC_RELAXED); }
int64_t rs_steps(const rs_parser *p) { return p->steps; }

typedef struct {
	const char *text;
	uint32_t length;
} source;

static const char *read_chunk(void *payload, uint32_t at, TSPoint point, uint32_t *length) {
	(void)point;
	const source *s = payload;
	count_step(running, 0);
	*length = at >= s->length ? 0 : s->length - at < PER_STEP ? s->length - at : PER_STEP;
	return at >= s->length ? "" : s->text + at;
}

uint32_t rs_parse(rs_parser *p, const char *text, uint32_t length, int64_t steps, int64_t bytes) {
	running = p;
	p->most_steps = steps, p->most_live = bytes;
	TSParser *parser = ts_parser_new();
	if (ts_parser_set_language(parser, p->language)) {
		p->live = 0, p->steps = 0;
		source s = {text, length};
		ts_parser_set_cancellation_flag(parser, &p->stop);
		p->tree = ts_parser_parse(parser, NULL, (TSInput){&s, read_chunk, TSInputEncodingUTF8});
	}
	ts_parser_delete(parser);
	running = NULL;
	if (!p->tree) return 0;
	// A limit may have been met at the very end: from here on the flag is the caller's.
	__atomic_store_n(&p->stop, 0, __ATOMIC_RELAXED);
	return ts_node_descendant_count(ts_tree_root_node(p->tree));
}

// The children of a node, of which the ones before child are written.
typedef struct {
	const Subtree *child, *end;
	const TSSymbol *aliases;
	const TSFieldMapEntry *field, *field_end;
	uint32_t position;   // where the child before ends
	uint32_t structural; // index of child, without extras
	uint32_t at;         // index of the node, or of the one that is shown for it
	uint16_t inherited;  // the field of the children of a hidden node; 0: none
	bool hidden;
} level;

typedef Array(level) levels;

static void enter(levels *stack, const TSLanguage *language, Subtree parent, uint32_t start, uint32_t at, uint16_t inherited, bool hidden) {
	const Subtree *children = ts_subtree_children(parent);
	uint16_t production = parent.ptr->production_id;
	array_grow_by(stack, 1);
	level *l = array_back(stack); // filled in place: a copy waits for what was just written
	l->child = children;
	l->end = children + parent.ptr->child_count;
	l->aliases = ts_language_alias_sequence(language, production);
	ts_language_field_map(language, production, &l->field, &l->field_end);
	l->position = start - ts_subtree_padding(*children).bytes;
	l->structural = 0;
	l->at = at;
	l->inherited = inherited;
	l->hidden = hidden;
}

static uint16_t field_of(const level *l) {
	for (const TSFieldMapEntry *f = l->field; f < l->field_end; f++) {
		if (!f->inherited && f->child_index == l->structural) return f->field_id;
	}
	return l->hidden ? l->inherited : 0;
}

static inline void record(rs_node *r, const TSLanguage *language, Subtree s, TSSymbol alias, uint32_t start, uint32_t parent, uint16_t field) {
	r->start = start;
	r->end = start + ts_subtree_size(s).bytes;
	r->parent = parent;
	r->kind = ts_language_public_symbol(language, alias ? alias : ts_subtree_symbol(s));
	r->field = (uint8_t)field;
	bool error = ts_subtree_error_cost(s) > 0;
	bool is_named = alias ? ts_language_symbol_metadata(language, alias).named : ts_subtree_named(s);
	// A rule of one hidden token that is missing does not say so itself.
	bool lacks = error && r->start == r->end && ts_subtree_visible_child_count(s) == 0;
	r->flags = (is_named ? RS_NAMED : 0) | (lacks || ts_subtree_missing(s) ? RS_MISSING : 0) | (ts_subtree_extra(s) ? RS_EXTRA : 0) |
	           (error ? RS_HAS_ERROR : 0);
}

uint32_t rs_flatten(rs_parser *p, rs_node *nodes, uint32_t count) {
	if (count == 0) return 0;
	running = p;
	p->most_live = p->most_steps = INT64_MAX / 2; // the limits are those of the parse
	const TSLanguage *language = p->tree->language;
	Subtree root = p->tree->root;
	uint32_t n = 0;
	levels stack = array_new();
	record(&nodes[n++], language, root, 0, ts_subtree_padding(root).bytes, 0, 0);
	nodes[0].next = n;
	if (ts_subtree_child_count(root)) enter(&stack, language, root, nodes[0].start, 0, 0, false);
	while (stack.size > 0) {
		level *l = array_back(&stack);
		if (l->child == l->end) {
			if (!l->hidden) nodes[l->at].next = n;
			stack.size--;
			continue;
		}
		Subtree s = *l->child++;
		uint32_t start = l->position + ts_subtree_padding(s).bytes, at = l->at;
		l->position = start + ts_subtree_size(s).bytes;
		TSSymbol alias = 0;
		uint16_t field = 0;
		if (!ts_subtree_extra(s)) {
			if (l->aliases) alias = l->aliases[l->structural];
			field = field_of(l);
			l->structural++;
		}
		if (!alias && !ts_subtree_visible(s)) {
			if (ts_subtree_visible_child_count(s) > 0) enter(&stack, language, s, start, at, field, true);
			continue;
		}
		if (n == count || (n % 4096 == 0 && __atomic_load_n(&p->stop, __ATOMIC_RELAXED))) break;
		record(&nodes[n], language, s, alias, start, at, field);
		if (ts_subtree_child_count(s)) {
			enter(&stack, language, s, start, n, 0, false);
		} else {
			nodes[n].next = n + 1;
		}
		n++;
	}
	running = NULL;
	return n;
}

uint32_t rs_kind_count(const TSLanguage *l) { return ts_language_symbol_count(l); }
const char *rs_kind_name(const TSLanguage *l, uint16_t k) { return ts_language_symbol_name(l, k); }
uint32_t rs_field_count(const TSLanguage *l) { return ts_language_field_count(l); }
const char *rs_field_name(const TSLanguage *l, uint16_t f) { return ts_language_field_name_for_id(l, f); }
