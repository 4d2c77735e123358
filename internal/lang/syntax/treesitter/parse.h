#include <stddef.h>
#include <stdint.h>

// One syntax node, in pre-order. 20 bytes.
typedef struct {
	uint32_t start, end; // bytes
	uint32_t parent;     // index; the root's is 0
	uint32_t next;       // index of the first node after this one's subtree
	uint16_t kind;       // 65535: an error
	uint8_t field;       // 0: none
	uint8_t flags;
} rs_node;

enum { RS_NAMED = 1, RS_MISSING = 2, RS_EXTRA = 4, RS_HAS_ERROR = 8 };

typedef struct TSLanguage TSLanguage;

// A parser of one language, its memory and the tree that it has read last.
typedef struct rs_parser rs_parser;

rs_parser *rs_parser_new(const TSLanguage *language);
void rs_parser_free(rs_parser *p);

// Drops the tree, and makes the parser ready for the next text.
void rs_parser_clear(rs_parser *p);

// Parses text and returns the number of nodes; 0 if that takes more steps or memory than the limits, or if rs_stop was called.
uint32_t rs_parse(rs_parser *p, const char *text, uint32_t length, int64_t steps, int64_t bytes);

// Writes the nodes. Returns how many it wrote: fewer than rs_parse said if rs_stop was called.
uint32_t rs_flatten(rs_parser *p, rs_node *nodes, uint32_t count);

// Stops a parse; any thread may call it.
void rs_stop(rs_parser *p);

// The steps of the last parse.
int64_t rs_steps(const rs_parser *p);

uint32_t rs_kind_count(const TSLanguage *language);
const char *rs_kind_name(const TSLanguage *language, uint16_t kind);
uint32_t rs_field_count(const TSLanguage *language);
const char *rs_field_name(const TSLanguage *language, uint16_t field);
