// Package store defines how code graphs are stored.
//
// A [Graph] is the stored graph of one project: its files, with the parser's results, and the nodes and edges made
// from them. A [Store] holds the graphs of several projects by name. Package codegraph/sqlite implements it with a
// database file per project; package codegraph/storetest is a test suite for implementations.
package store

import (
	"context"
	"os"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// FileID identifies a file in a graph. 0 is the project itself, which owns the edges that belong to no single file:
// containment of folders, dependencies.
type FileID uint32

// File is the stored record of one source file.
type File struct {
	ID       FileID
	Path     string // relative to the project, with "/"
	Language string
	Size     int64     // bytes
	ModTime  time.Time // as reported by the file system, in nanoseconds
	Stamp    uint64    // further file system metadata, to detect changes that keep size and time; 0 if unavailable
	Hash     string    // SHA-256 of the content, hex
	// Facts is what resolution needs of the file, encoded; see package code. Lookups are the names that its
	// resolution looked up, encoded. Words are those of its text, encoded; see package search/words. All are opaque
	// here, and nil if a call says that it leaves them out. In an update, nil keeps the stored value.
	Facts   []byte
	Lookups []byte
	Words   []byte
	// Unresolved counts the call sites without an edge, by reason.
	Unresolved  map[string]int
	ParseErrors int
}

// State describes a graph as a whole. Project, Root, Serial and Identity are set by the store and ignored in an
// update.
type State struct {
	Project  string       // the project's name
	Root     string       // its folder, absolute
	BuiltAt  time.Time    // when the graph was last updated
	Commit   string       // the git commit checked out at that time; "" without git
	Version  string       // of the program that wrote it
	Schema   int          // version of the facts: a different one requires a full index
	NextNode codegraph.ID // the lowest unused id
	NextFile FileID
	// Serial grows with each update, except [Update.Touch]. Identity is random for each graph built. A derived form records both to
	// detect that it is stale.
	Serial   uint64
	Identity string
	// Inputs are files other than the project's sources that the graph depends on.
	Inputs []Input
}

// Input is the state of an input file when the graph was made.
type Input struct {
	Path    string    `json:"path"` // absolute
	Size    int64     `json:"size"` // bytes
	ModTime time.Time `json:"mod_time"`
	Hash    string    `json:"hash"` // SHA-256 of the content, hex
}

// Counts are the sizes of a graph.
type Counts struct {
	Files  int
	Nodes  map[codegraph.Label]int
	Edges  map[codegraph.Relationship]int
	Size   int64 // bytes on disk
	Errors int   // parse errors in all files
	// Unresolved counts the call sites without an edge, by reason.
	Unresolved map[string]int
}

// Node is a node with its file and its index among the nodes of that file.
type Node struct {
	codegraph.Node
	File    FileID
	Ordinal int
}

// Edge is an edge with the file that it was found in.
type Edge struct {
	codegraph.Edge
	File FileID
}

// Update is an atomic change of a graph. Its parts are applied in the order of the fields. Dropping what does not
// exist is no error.
type Update struct {
	DropFiles []FileID       // with the edges found in them, and with their nodes as by DropNodes
	DropNodes []codegraph.ID // with all edges at them, whatever file they were found in
	DropEdges []FileID       // the edges found in these files
	Files     []File         // inserted, or replaced by ID
	Nodes     []Node         // inserted, or replaced by ID; edges at them stay
	Edges     []Edge         // inserted; an existing edge with the same From, Type and To is an error
	// Prune drops the nodes with these labels, of no file, to which no edge leads then.
	Prune []codegraph.Label
	State State
	// Touch says that only sizes, times and stamps of files are other ones, which nothing is derived from: the serial
	// stays.
	Touch bool
}

// Graph is the stored graph of one project. There may be many concurrent readers, in this process and in others,
// which are never blocked by the writer; each call sees a consistent state. A graph that was replaced stays
// readable as it was. If stored data is found damaged, the error is a [*DamagedError]. Callbacks must not call
// methods of the graph.
type Graph interface {
	State(ctx context.Context) (State, error)
	Counts(ctx context.Context) (Counts, error)
	// Files returns all files, sorted by path, without Facts, Lookups and Words.
	Files(ctx context.Context) ([]File, error)
	// Facts calls yield with the encoded facts of the files, or of all files if ids is nil, in the order of their
	// ids. The slice is valid only during the call.
	Facts(ctx context.Context, ids []FileID, yield func(id FileID, facts []byte) error) error
	// Lookups does the same with the lookups of all files.
	Lookups(ctx context.Context, yield func(id FileID, lookups []byte) error) error
	// Words does the same with the words of the files, or of all files if ids is nil.
	Words(ctx context.Context, ids []FileID, yield func(id FileID, words []byte) error) error
	// NodesOf returns the nodes of a file, sorted by ordinal.
	NodesOf(ctx context.Context, file FileID) ([]Node, error)
	// All calls node for every node of the files, or of all files if ids is nil, in the order of their ids, and then edge
	// for every edge that was found in them, sorted by From, Type (in any order, but grouped) and To. Either function may
	// be nil. All calls see one state.
	All(ctx context.Context, ids []FileID, node func(Node) error, edge func(Edge) error) error
	// Touched returns the files of which nodes, edges or words were written or deleted since an earlier state of this
	// graph, 0 for what is of no file, sorted. It is nil if that is not known.
	Touched(ctx context.Context, serial uint64) ([]FileID, error)
	// Virtual returns the virtual edges from the named symbols, or all for nil, sorted by source, target, type and
	// contract.
	Virtual(ctx context.Context, symbols []string) ([]VirtualEdge, error)

	// Current reports whether this graph has been neither replaced nor removed.
	Current(ctx context.Context) (bool, error)
	// Derived returns the path for a file derived from the graph, such as a snapshot. Deleting the project removes
	// it, and any file whose name is this one followed by a dot and more.
	Derived() string

	// Update applies u in one transaction. The error wraps [ErrNotLocked] if the store does not hold the project's
	// lock, see [Store.Lock], and [ErrReplaced] if the graph is not current.
	Update(ctx context.Context, u Update) error
	// SetVirtual replaces all virtual edges, in one transaction. Its errors are those of Update; two edges with one
	// ID are an error, too. It does not change Serial.
	SetVirtual(ctx context.Context, edges []VirtualEdge) error
	Close() error
}

// Builder fills a new graph, which replaces the old one on Commit and is removed on Discard. It takes over the
// virtual edges of the old graph if they can be read. It is not safe for concurrent use.
type Builder interface {
	// Add inserts Files, Nodes and Edges; other fields of the update are ignored. After an error the builder can
	// only be discarded.
	Add(ctx context.Context, u Update) error
	// Commit replaces the project's graph. If it fails, the old graph stays.
	Commit(ctx context.Context, s State) error
	Discard() error // does nothing after Commit
}

// Project is a project known to a store.
type Project struct {
	Name    string
	Root    string    // absolute
	BuiltAt time.Time // zero if it cannot be read
}

// Store holds the graphs of several projects.
type Store interface {
	// Projects returns the stored projects, sorted by name.
	Projects(ctx context.Context) ([]Project, error)
	// Name returns the name of the project in a folder, or the one it would get: the folder's base name, followed
	// by the first digits of the path's hash if another project has that name.
	Name(ctx context.Context, root string) (string, error)
	// Open opens the graph of the project in a folder. The error wraps [ErrNone] if there is none; it is a
	// [*DamagedError] if the graph cannot be read, and a [*VersionError] if a newer program wrote it.
	Open(ctx context.Context, root string) (Graph, error)
	// Build starts a new graph for the project in a folder. The error wraps [ErrNotLocked] if the store does not
	// hold the project's lock; it is a [*VersionError] if the graph to replace was written by a newer program.
	Build(ctx context.Context, root string) (Builder, error)
	// Lock makes the caller the only writer of a project until release is called or the process ends. The error is
	// a [*LockedError] if the lock is held, also by this store, and a [*ReadOnlyError] if nothing can be written.
	Lock(ctx context.Context, root string) (release func() error, err error)
	// Delete removes a project and all its data. The error wraps [ErrNone] if there is no such project, and is a
	// [*LockedError] if its lock is held.
	Delete(ctx context.Context, name string) error
	// Wipe removes all projects, or none if the lock of one is held.
	Wipe(ctx context.Context) error
	Close() error
}

// ErrNone is returned for a project without a stored graph.
var ErrNone = message.Errorf("not indexed yet")

// ErrNotLocked is returned for a write without the project's lock.
var ErrNotLocked = message.Errorf("the project's lock is not held")

// ErrReplaced is returned by an update of a graph that is not current.
var ErrReplaced = message.Errorf("the index was replaced or deleted since it was opened")

// ReadOnlyError says that the folder of the graphs cannot be written.
type ReadOnlyError struct{ Path string }

func (e *ReadOnlyError) text() message.Text {
	return message.New("the data folder %s cannot be written", e.Path)
}

func (e *ReadOnlyError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *ReadOnlyError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint names the setting for another folder.
func (e *ReadOnlyError) Hint() message.Text {
	return message.New("set REVERSE_SPEC_HOME to a folder that can be written")
}

// LockedError says that another writer holds the project's lock.
type LockedError struct {
	Project string
	PID     int           // 0 if unknown
	Host    string        // the machine of the process; "" for this one
	Since   time.Time     // zero when PID is 0
	Waited  time.Duration // how long this process waited; 0 if it did not
}

func (e *LockedError) text() message.Text {
	text := message.New("another process is indexing project %s", e.Project)
	switch {
	case e.Host != "":
		text = message.New("another process (%d on %s) has been indexing project %s since %s", e.PID, e.Host, e.Project, e.Since.Format(time.DateTime))
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

// Hint says to try again.
func (e *LockedError) Hint() message.Text { return message.New("try again when it is done") }

func (e *LockedError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *LockedError) In(lang message.Lang) string { return e.text().In(lang) }

// DamagedError says that a stored graph could not be read and was moved aside.
type DamagedError struct {
	Path   string // its former path
	KeptAs string // its new path; "" if it could not be moved because another process writes it
	Reason error
	Shared bool // in a shared store: Path names its server, and nothing is moved
}

func (e *DamagedError) text() message.Text {
	if e.Shared {
		return message.New("the shared graph at %s is damaged: %v", e.Path, e.Reason)
	}
	if e.KeptAs == "" {
		return message.New("the index %s is damaged: %v (another process is writing it: wait for it, then index again)", e.Path, e.Reason)
	}
	return message.New("the index %s is damaged: %v (it was kept as %s, and the next index builds a new one)", e.Path, e.Reason, e.KeptAs)
}

func (e *DamagedError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *DamagedError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *DamagedError) Unwrap() error { return e.Reason }

// VersionError says that a graph was written by a newer program.
type VersionError struct {
	Path       string
	Got, Known int
	Shared     bool // a shared store, whose server Path names
}

func (e *VersionError) text() message.Text {
	if e.Shared {
		return message.New("the shared graph at %s is of version %d, this program knows up to %d: update reverse-spec", e.Path, e.Got, e.Known)
	}
	return message.New("the index %s is of version %d, this program knows up to %d: update reverse-spec, or delete the file", e.Path, e.Got, e.Known)
}

func (e *VersionError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *VersionError) In(lang message.Lang) string { return e.text().In(lang) }
