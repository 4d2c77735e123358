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
	application int32    // PRAGMA application_id: what is whose
	tables      []string // that must be there, in every version
	create      string   // makes the tables as they are now
	index       string   // makes the indexes, once the tables are filled
	// steps lead from one version to the next, the first from version 1 to 2. The
	// version, PRAGMA user_version, is the number of steps and one.
	steps []string
}

// version returns the version that create makes.
func (s *schema) version() int { return len(s.steps) + 1 }

// graphSchema is the layout of a project's database.
//
// Texts that many rows share are numbers there: labels, relationships, languages,
// kinds, paths and reasons of table word, a rule with its confidence of table how.
// Words that are no longer used stay until the graph is built anew. The edges are
// clustered by where they start, and need no index for that.
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
` + createVirtual,
	index: `
CREATE INDEX node_by_qualified_name ON node(qualified_name);
CREATE INDEX node_by_name ON node(name);
CREATE INDEX node_by_file ON node(file, ordinal);
CREATE INDEX edge_by_dst ON edge(dst);
CREATE INDEX edge_by_file ON edge(file);
`,
	steps: []string{
		"ALTER TABLE state ADD COLUMN inputs TEXT NOT NULL DEFAULT '';", // 2: what else than sources a graph was made with
		createVirtual, // 3: edges to other repositories
		"CREATE TABLE words(file INTEGER PRIMARY KEY, data BLOB NOT NULL);", // 4: the words of files
		"ALTER TABLE file ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;",     // 5: changes that keep size and time
	},
}

// createVirtual makes the table of virtual edges. Others may fill it who know only
// the columns before rule; times are as in RFC 3339.
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

// mark is the statement that gives a database the mark of its kind.
func (s *schema) mark() string { return fmt.Sprintf("PRAGMA application_id = %d", s.application) }

// stamp marks a database as one of this kind and version.
func (s *schema) stamp(c *sqlite.Conn) error {
	return run(c, s.mark(), fmt.Sprintf("PRAGMA user_version = %d", s.version()))
}

// migrate takes a database from its version to the present one, within the
// caller's transaction.
func (s *schema) migrate(c *sqlite.Conn, from int) error {
	for i, step := range s.steps[from-1:] {
		if err := sqlitex.ExecuteScript(c, step, nil); err != nil {
			return message.Errorf("migrate to version %d: %w", from+i+1, err)
		}
	}
	return s.stamp(c)
}

// Of a database that is no graph, or not one that can be read.
type condition int

const (
	whole   condition = iota
	lacking           // tables are missing
)

// inspect returns the version of a database, and what it is.
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
		return int(at), whole, nil // its tables may be others
	case at < 1 || slices.ContainsFunc(s.tables, func(t string) bool { return !slices.Contains(names, t) }):
		return int(at), lacking, nil
	}
	return int(at), whole, nil
}
