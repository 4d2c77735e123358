package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lockfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// The files of approvals in the user's data folder.
const (
	approvalsFile = "mcp-approved.json"
	approvalsGate = "mcp-approved.lock"
)

// Approvals are the servers of projects that the user has approved. A project's file
// comes with the project, may be written by anybody, and names programs to run and
// URLs that receive secrets; so nothing in it is used without approval. An approval is
// for the hash of an entry: an entry that changes must be approved again.
type Approvals struct{ home string }

// ErrUnapproved is returned for a server of a project that is not approved, or
// has changed since it was.
var ErrUnapproved = message.Errorf("it stands in a project's file and was not approved as it is now")

// NewApprovals returns the approvals in the user's data folder, which need not
// exist. A nil *Approvals approves nothing.
func NewApprovals(home string) *Approvals { return &Approvals{home} }

// approval is an approval as stored.
type approval struct {
	File   string    `json:"file"`
	Server string    `json:"server"`
	Hash   string    `json:"hash"`
	At     time.Time `json:"at"`
}

func (a approval) of(s Server) bool { return a.File == s.File && a.Server == s.Name }

// Check returns nil for a server that may be used: one of the user's own, or an approved one
// of a project. Otherwise the error is ErrUnapproved, or that of reading the
// approvals.
func (a *Approvals) Check(s Server) error {
	if !s.Project {
		return nil
	}
	if a == nil {
		return ErrUnapproved
	}
	root, err := os.OpenRoot(a.home)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrUnapproved
	}
	if err != nil {
		return message.Errorf("approvals: %w", err)
	}
	defer func() { _ = root.Close() }()
	list, err := readApprovals(root)
	if err != nil {
		return err
	}
	for _, one := range list {
		if one.of(s) && one.Hash == s.Hash {
			return nil
		}
	}
	return ErrUnapproved
}

// Approve approves servers as they are now.
func (a *Approvals) Approve(ctx context.Context, servers ...Server) error {
	return a.change(ctx, servers, true)
}

// Revoke revokes the approval of servers.
func (a *Approvals) Revoke(ctx context.Context, servers ...Server) error {
	return a.change(ctx, servers, false)
}

// change replaces the approvals of servers.
func (a *Approvals) change(ctx context.Context, servers []Server, approve bool) (err error) {
	if err := os.MkdirAll(a.home, 0o755); err != nil {
		return message.Errorf("approvals: %w", err)
	}
	root, err := os.OpenRoot(a.home)
	if err != nil {
		return message.Errorf("approvals: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	open, err := lockfile.LockExclusive(ctx, root, approvalsGate)
	if err != nil {
		return message.Errorf("approvals: %w", err)
	}
	defer func() { err = errors.Join(err, open()) }()
	list, err := readApprovals(root)
	if err != nil {
		return err
	}
	for _, s := range servers {
		list = without(list, s)
		if approve {
			list = append(list, approval{File: s.File, Server: s.Name, Hash: s.Hash, At: time.Now().UTC().Truncate(time.Second)})
		}
	}
	return writeApprovals(root, list)
}

func without(list []approval, s Server) []approval {
	kept := []approval{}
	for _, one := range list {
		if !one.of(s) {
			kept = append(kept, one)
		}
	}
	return kept
}

// approvalsForm is the format of the file.
type approvalsForm struct {
	Approved []approval `json:"approved"`
}

func readApprovals(root *os.Root) ([]approval, error) {
	text, err := openfile.ReadIn(root.Name(), approvalsFile, openfile.MaxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var form approvalsForm
	if err == nil {
		err = json.Unmarshal(text, &form)
	}
	if err != nil {
		return nil, message.Errorf("approvals: %s: %w", approvalsFile, err)
	}
	return form.Approved, nil
}

// writeApprovals replaces the file atomically.
func writeApprovals(root *os.Root, list []approval) error {
	text, err := json.MarshalIndent(approvalsForm{list}, "", "  ")
	if err != nil {
		return err
	}
	const temp = approvalsFile + ".new" // nobody else writes it: the lock is held
	if err := root.WriteFile(temp, append(text, '\n'), 0o600); err != nil {
		return message.Errorf("approvals: %w", err)
	}
	if err := root.Rename(temp, approvalsFile); err != nil {
		return message.Errorf("approvals: %w", err)
	}
	return nil
}
