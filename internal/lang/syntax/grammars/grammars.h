// What the parsers export: each returns its language, given its tables.
typedef struct TSLanguage TSLanguage;
extern const TSLanguage *tree_sitter_c(const void *const *tables);
extern const TSLanguage *tree_sitter_c_sharp(const void *const *tables);
extern const TSLanguage *tree_sitter_cpp(const void *const *tables);
extern const TSLanguage *tree_sitter_go(const void *const *tables);
extern const TSLanguage *tree_sitter_java(const void *const *tables);
extern const TSLanguage *tree_sitter_javascript(const void *const *tables);
extern const TSLanguage *tree_sitter_kotlin(const void *const *tables);
extern const TSLanguage *tree_sitter_php(const void *const *tables);
extern const TSLanguage *tree_sitter_python(const void *const *tables);
extern const TSLanguage *tree_sitter_ruby(const void *const *tables);
extern const TSLanguage *tree_sitter_rust(const void *const *tables);
extern const TSLanguage *tree_sitter_scala(const void *const *tables);
extern const TSLanguage *tree_sitter_swift(const void *const *tables);
extern const TSLanguage *tree_sitter_tsx(const void *const *tables);
extern const TSLanguage *tree_sitter_typescript(const void *const *tables);
