// Package store is where code graphs are kept.
//
// A [Graph] is the stored graph of one project: its files, with what a parser
// found in them, and the nodes and edges made of that. A [Store] holds the graphs
// of several projects and knows them by name. Package store/sqlite keeps each in
// a database file of its own; store/storetest is the suite that any store passes.
package store

import (
	"context"
	"os"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// FileID identifies a file in a graph. 0 is the project itself, to which belong
// the edges that no single file says: containment of folders, dependencies.
type FileID uint32

// File is what is kept of one source file.
type File struct {
	ID       FileID
	Path     string // relative to the project, with "/"
	Language string
	Size     int64     // bytes
	ModTime  time.Time // as the file system says, to the nanosecond
	Stamp    uint64    // more that the file system says, to see a change that keeps both; 0 for nothing
	Hash     string    // SHA-256 of the content, hex
	// Facts are what resolution needs of the file, encoded; see package code.
	// Lookups are the names that resolving it asked for, encoded. Words are those of
	// its text, encoded; see package search/words. All are opaque here, and nil where
	// a call says that it leaves them out. In an update, nil leaves what is stored of
	// the file as it is.
	Facts   []byte
	Lookups []byte
	Words   []byte
	// Unresolved counts the call sites without an edge by the reason.
	Unresolved  map[string]int
	ParseErrors int
}

// State describes a graph as a whole. Project, Root, Serial and Identity are the
// store's: what an update says of them does not count.
type State struct {
	Project  string       // the project's name
	Root     string       // its folder, absolute
	BuiltAt  time.Time    // when the graph was last brought up to date
	Commit   string       // the git commit that was checked out then; "" without git
	Version  string       // of the program that wrote it
	Schema   int          // of the facts: another one asks for a full index
	NextNode codegraph.ID // the first id never given out
	NextFile FileID
	// Serial grows by one with each update, and Identity is another one, by chance,
	// for each graph that was built: derived forms carry those that they are of.
	Serial   uint64
	Identity string
	// Inputs are files other than the project's sources that the graph was made with.
	Inputs []Input
}

// Input is a file as it was when a graph was made with it.
type Input struct {
	Path    string    `json:"path"` // absolute
	Size    int64     `json:"size"` // bytes
	ModTime time.Time `json:"mod_time"`
	Hash    string    `json:"hash"` // SHA-256 of the content, hex
}

// Counts are how much a graph holds.
type Counts struct {
	Files  int
	Nodes  map[codegraph.Label]int
	Edges  map[codegraph.Relationship]int
	Size   int64 // bytes on disk
	Errors int   // parse errors of all files
	// Unresolved counts call sites without an edge by the reason.
	Unresolved map[string]int
}

// Node is a node with the file it belongs to and its place among that file's.
type Node struct {
	codegraph.Node
	File    FileID
	Ordinal int
}

// Edge is an edge with the file that says it.
type Edge struct {
	codegraph.Edge
	File FileID
}

// Update is a change of a graph, made whole or not at all. The parts are applied
// in the order of the fields. To drop what is not there changes nothing.
type Update struct {
	DropFiles []FileID       // with the edges they say, and with their nodes as by DropNodes
	DropNodes []codegraph.ID // the edges at them go with them, whoever says them
	DropEdges []FileID       // what these files say, before it is said anew
	Files     []File         // inserted, or replaced by ID
	Nodes     []Node         // inserted, or replaced by ID; edges at them stay
	Edges     []Edge         // inserted; one from, of and to the same there already is an error
	State     State
}

// Graph is the stored graph of one project. Readers may be many, in this process
// and in others, and are never held up by the writer; each call sees a graph that
// is whole. A graph that another was built in place of stays readable as it was.
// Reading may find the stored graph damaged: the error is then a [*DamagedError].
// The functions given to a graph may not call it.
type Graph interface {
	State(ctx context.Context) (State, error)
	Counts(ctx context.Context) (Counts, error)
	// Files returns all files, sorted by path, without Facts, Lookups and Words.
	Files(ctx context.Context) ([]File, error)
	// Facts calls yield with the encoded facts of the files, all for nil ids, in
	// the order of their ids. The slice is yield's only during the call.
	Facts(ctx context.Context, ids []FileID, yield func(id FileID, facts []byte) error) error
	// Lookups does so with the lookups of all files.
	Lookups(ctx context.Context, yield func(id FileID, lookups []byte) error) error
	// Words does so with the words of all files.
	Words(ctx context.Context, yield func(id FileID, words []byte) error) error
	// NodesOf returns the nodes of a file by their ordinals.
	NodesOf(ctx context.Context, file FileID) ([]Node, error)
	// All calls the functions with every node, in the order of ids, and then with
	// every edge, in the order of From, Type (by no rule, but all of one together)
	// and To; a nil function is left out. Nodes and edges are of one state.
	All(ctx context.Context, node func(Node) error, edge func(Edge) error) error
	// Virtual returns the virtual edges that start at the named symbols, all for nil,
	// sorted by source, target, type and contract.
	Virtual(ctx context.Context, symbols []string) ([]VirtualEdge, error)

	// Current reports whether the store still has this graph, and not another that
	// was built since, or none.
	Current(ctx context.Context) (bool, error)
	// Derived returns the path of a file, there or not, for a form derived from the
	// graph, such as a snapshot. It goes when the project is deleted, with any file
	// beside it whose name begins with its and a dot.
	Derived() string

	// Update applies a change in one transaction. The error is [ErrNotLocked]
	// (wrapped) when the store does not hold the project's lock, see [Store.Lock],
	// and [ErrReplaced] (wrapped) when the graph is not current.
	Update(ctx context.Context, u Update) error
	// SetVirtual puts edges in the place of all virtual edges, in one transaction.
	// The errors are those of Update, and one for two edges of one ID. It is no
	// update: Serial stays as it is.
	SetVirtual(ctx context.Context, edges []VirtualEdge) error
	Close() error
}

// Builder fills a new graph that takes the place of the old one, if any, when it
// is committed, and leaves no trace when it is not. The virtual edges of the old
// graph are the new one's too, as far as they can be read. It is for one goroutine.
type Builder interface {
	// Add inserts. Only Files, Nodes and Edges of the update count. After an error
	// the builder can only be discarded.
	Add(ctx context.Context, u Update) error
	// Commit puts the graph in its place. When it fails the old one stays.
	Commit(ctx context.Context, s State) error
	Discard() error // does nothing after Commit
}

// Project is one project that a store knows.
type Project struct {
	Name    string
	Root    string    // absolute
	BuiltAt time.Time // zero for one that cannot be read
}

// Store holds the graphs of several projects.
type Store interface {
	// Projects returns what is stored, sorted by name.
	Projects(ctx context.Context) ([]Project, error)
	// Name returns the name of the project in a folder: the one it has, or the one
	// it would get, which is the folder's and, where another project has that, with
	// the first digits of the folder's hash behind it.
	Name(ctx context.Context, root string) (string, error)
	// Open opens the graph of the project in a folder. The error is [ErrNone]
	// (wrapped) when there is none, a [*DamagedError] when there was one that
	// cannot be read, and a [*VersionError] for one of a newer program.
	Open(ctx context.Context, root string) (Graph, error)
	// Build starts a new graph for the project in a folder. The error is
	// [ErrNotLocked] (wrapped) when the store does not hold the project's lock, and
	// a [*VersionError] where it would take the place of a newer program's graph.
	Build(ctx context.Context, root string) (Builder, error)
	// Lock makes the caller the one writer of a project until release is called or
	// the process ends. The error is a [*LockedError] when there is another, be it
	// this store, and a [*ReadOnlyError] where nothing can be written.
	Lock(ctx context.Context, root string) (release func() error, err error)
	// Delete removes a project by its name, with all that is kept of it. The error
	// is [ErrNone] (wrapped) for one that is not there, and a [*LockedError] for one
	// whose lock is held, by whomever.
	Delete(ctx context.Context, name string) error
	// Wipe removes all projects, or none when the lock of one is held.
	Wipe(ctx context.Context) error
	Close() error
}

// ErrNone is the error for a project without a stored graph.
var ErrNone = message.Errorf("not indexed yet")

// ErrNotLocked is the error for a write without the project's lock.
var ErrNotLocked = message.Errorf("the project's lock is not held")

// ErrReplaced is the error for the update of a graph that is not current.
var ErrReplaced = message.Errorf("the index was replaced or deleted since it was opened")

// ReadOnlyError says that the folder of the graphs cannot be written.
type ReadOnlyError struct{ Path string }

func (e *ReadOnlyError) text() message.Text {
	return message.New("the data folder %s cannot be written", e.Path)
}

func (e *ReadOnlyError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *ReadOnlyError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint says where else graphs can be.
func (e *ReadOnlyError) Hint() message.Text {
	return message.New("set REVERSE_SPEC_HOME to a folder that can be written")
}

// LockedError says that another writes the project's graph.
type LockedError struct {
	Project string
	PID     int           // 0 when not known
	Since   time.Time     // zero when PID is 0
	Waited  time.Duration // how long it was waited for; 0 for not at all
}

func (e *LockedError) text() message.Text {
	text := message.New("another process is indexing project %s", e.Project)
	switch {
	case e.PID == os.Getpid():
		text = message.New("this process has been indexing project %s since %s", e.Project, e.Since.Format(time.TimeOnly))
	case e.PID != 0:
		text = message.New("another process (%d) has been indexing project %s since %s", e.PID, e.Project, e.Since.Format(time.TimeOnly))
	}
	if e.Waited > 0 {
		return message.New("%s; after %s it is still at work", text, e.Waited)
	}
	return text
}

// Hint says that it passes.
func (e *LockedError) Hint() message.Text { return message.New("try again when it is done") }

func (e *LockedError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *LockedError) In(lang message.Lang) string { return e.text().In(lang) }

// DamagedError says that a stored graph could not be read and was kept aside.
type DamagedError struct {
	Path   string // where it was
	KeptAs string // where it is now; "" when it could not be moved, as another process writes it
	Reason error
}

func (e *DamagedError) text() message.Text {
	if e.KeptAs == "" {
		return message.New("the index %s is damaged: %v (another process is writing it: wait for it, then index again)", e.Path, e.Reason)
	}
	return message.New("the index %s is damaged: %v (it was kept as %s, and the next index builds a new one)", e.Path, e.Reason, e.KeptAs)
}

func (e *DamagedError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *DamagedError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *DamagedError) Unwrap() error { return e.Reason }

// VersionError says that a graph was written by a newer program.
type VersionError struct {
	Path       string
	Got, Known int
}

func (e *VersionError) text() message.Text {
	return message.New("the index %s is of version %d, this program knows up to %d: update reverse-spec, or delete the file", e.Path, e.Got, e.Known)
}

func (e *VersionError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *VersionError) In(lang message.Lang) string { return e.text().In(lang) }
