package sqlite

import (
	"fmt"
	"slices"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// schema is the layout of a kind of database.
type schema struct {
	application int32    // PRAGMA application_id, identifies our files
	tables      []string // required in every version
	create      string   // creates the tables of the current version
	index       string   // creates the indexes, after the tables are filled
	// steps are the migrations, the first from version 1 to 2. The current version, PRAGMA user_version, is
	// len(steps)+1.
	steps []string
}

// version returns the current version.
func (s *schema) version() int { return len(s.steps) + 1 }

// graphSchema is the layout of a project's database.
//
// Repeated texts are stored as numbers: labels, relationships, languages, kinds, paths and reasons of table word, a
// rule with its confidence of table how. Unused words stay until the graph is rebuilt. The edges are clustered by
// their source, and need no index for it. Names are looked up in the snapshot; older databases have indexes of them.
var graphSchema = schema{
	application: 0x52535047, // "RSPG"
	tables:      []string{"state", "word", "how", "file", "facts", "lookups", "unresolved", "node", "edge", "tally"},
	create: `
CREATE TABLE state(
	id INTEGER PRIMARY KEY CHECK(id = 1), project TEXT NOT NULL, root TEXT NOT NULL, built_at INTEGER, git_commit TEXT NOT NULL,
	version TEXT NOT NULL, facts_schema INTEGER NOT NULL, next_node INTEGER NOT NULL, next_file INTEGER NOT NULL,
	serial INTEGER NOT NULL, identity TEXT NOT NULL, inputs TEXT NOT NULL DEFAULT '');
CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE how(id INTEGER PRIMARY KEY, rule TEXT NOT NULL, confidence REAL NOT NULL);
CREATE TABLE file(
	id INTEGER PRIMARY KEY, path TEXT NOT NULL, language INTEGER NOT NULL, size INTEGER NOT NULL, mod_time INTEGER,
	hash NOT NULL, parse_errors INTEGER NOT NULL, stamp INTEGER NOT NULL DEFAULT 0);
CREATE TABLE facts(file INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE lookups(file INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE words(file INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE unresolved(file INTEGER, reason INTEGER, n INTEGER NOT NULL, PRIMARY KEY(file, reason)) WITHOUT ROWID;
CREATE TABLE node(
	id INTEGER PRIMARY KEY, file INTEGER NOT NULL, ordinal INTEGER NOT NULL, label INTEGER NOT NULL, kind INTEGER NOT NULL,
	qualified_name TEXT NOT NULL, name TEXT NOT NULL, path INTEGER NOT NULL, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL,
	flags INTEGER NOT NULL, language INTEGER NOT NULL, version INTEGER NOT NULL, signature TEXT NOT NULL, doc TEXT NOT NULL,
	decorators TEXT NOT NULL);
CREATE TABLE edge(
	src INTEGER, type INTEGER, dst INTEGER, file INTEGER NOT NULL, line INTEGER NOT NULL, count INTEGER NOT NULL,
	how INTEGER NOT NULL, PRIMARY KEY(src, type, dst)) WITHOUT ROWID;
CREATE TABLE tally(kind INTEGER, word INTEGER, n INTEGER NOT NULL, PRIMARY KEY(kind, word)) WITHOUT ROWID;
` + createTouched + createVirtual,
	index: `
CREATE INDEX node_by_file ON node(file, ordinal);
CREATE INDEX edge_by_dst ON edge(dst);
CREATE INDEX edge_by_file ON edge(file);
`,
	steps: []string{
		"ALTER TABLE state ADD COLUMN inputs TEXT NOT NULL DEFAULT '';", // 2: inputs other than sources
		createVirtual, // 3: edges to other repositories
		"CREATE TABLE words(file INTEGER PRIMARY KEY, data BLOB NOT NULL);", // 4: words of files
		"ALTER TABLE file ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;",     // 5: changes that keep size and time
		createTouched, // 6: what updates touched
	},
}

// createTouched creates the table of the last update that wrote or deleted rows of a file's nodes, edges or words; file 0 is what belongs
// to no file. A file that was not touched since the graph was built is not in it.
const createTouched = "CREATE TABLE touched(file INTEGER PRIMARY KEY, serial INTEGER NOT NULL);\n"

// createVirtual creates the table of virtual edges. Other programs, which know only the columns before rule, may
// fill it; times are in RFC 3339.
const createVirtual = `
CREATE TABLE virtual_edges(
	id TEXT PRIMARY KEY, source_repo TEXT NOT NULL, source_symbol TEXT NOT NULL, target_repo TEXT NOT NULL, target_symbol TEXT NOT NULL,
	edge_type TEXT NOT NULL, contract_type TEXT NOT NULL, confidence REAL NOT NULL, confidence_level TEXT NOT NULL,
	exact_match REAL NOT NULL DEFAULT 0, signature_similarity REAL NOT NULL DEFAULT 0, contract_bonus REAL NOT NULL DEFAULT 0,
	created_at TEXT NOT NULL DEFAULT '', updated_at TEXT NOT NULL DEFAULT '',
	rule TEXT NOT NULL DEFAULT '', source_file TEXT NOT NULL DEFAULT '', source_line INTEGER NOT NULL DEFAULT 0,
	target_root TEXT NOT NULL DEFAULT '', target_file TEXT NOT NULL DEFAULT '', start_line INTEGER NOT NULL DEFAULT 0,
	end_line INTEGER NOT NULL DEFAULT 0, signature TEXT NOT NULL DEFAULT '');
CREATE INDEX virtual_by_source ON virtual_edges(source_symbol);
`

// mark returns the statement that sets the application id.
func (s *schema) mark() string { return fmt.Sprintf("PRAGMA application_id = %d", s.application) }

// stamp sets the application id and version of a database.
func (s *schema) stamp(c *sqlite.Conn) error {
	return run(c, s.mark(), fmt.Sprintf("PRAGMA user_version = %d", s.version()))
}

// migrate brings a database from its version to the current one, within the caller's transaction.
func (s *schema) migrate(c *sqlite.Conn, from int) error {
	for i, step := range s.steps[from-1:] {
		if err := sqlitex.ExecuteScript(c, step, nil); err != nil {
			return message.Errorf("migrate to version %d: %w", from+i+1, err)
		}
	}
	return s.stamp(c)
}

// condition says whether a database has the layout of its schema.
type condition int

const (
	whole      condition = iota
	incomplete           // tables are missing
)

// inspect returns the version and the condition of a database.
func (s *schema) inspect(c *sqlite.Conn) (version int, _ condition, err error) {
	at, err := number(c, "PRAGMA user_version")
	if err != nil {
		return 0, whole, err
	}
	var names []string
	err = each(c, "SELECT name FROM sqlite_schema WHERE type = 'table'", nil, func(row *sqlite.Stmt) error {
		names = append(names, row.ColumnText(0))
		return nil
	})
	switch {
	case err != nil:
		return 0, whole, err
	case at > int64(s.version()):
		return int(at), whole, nil // newer: its tables may differ
	case at < 1 || slices.ContainsFunc(s.tables, func(t string) bool { return !slices.Contains(names, t) }):
		return int(at), incomplete, nil
	}
	return int(at), whole, nil
}
