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
typedef struct TSTree TSTree;

// The limits of a parse.
typedef struct {
	int64_t steps, bytes;
} rs_limits;

// A flag that stops a parse from another thread.
size_t *rs_flag_new(void);
void rs_flag_set(size_t *flag);
void rs_flag_free(size_t *flag);
TSTree *rs_parse(const TSLanguage *language, const char *text, uint32_t length, rs_limits limits, size_t *flag, int64_t *steps);
uint32_t rs_count(const TSTree *tree);
uint32_t rs_flatten(const TSTree *tree, rs_node *nodes, uint32_t room, const size_t *flag);
void rs_tree_free(TSTree *tree);
uint32_t rs_kind_count(const TSLanguage *language);
const char *rs_kind_name(const TSLanguage *language, uint16_t kind);
uint32_t rs_field_count(const TSLanguage *language);
const char *rs_field_name(const TSLanguage *language, uint16_t field);
