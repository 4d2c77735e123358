package explore

import (
	"context"
	"errors"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// UnknownProjectError says that no graph is stored under a name.
type UnknownProjectError struct {
	Name      string
	Available []string
}

func (e *UnknownProjectError) text() message.Text {
	return message.New("Project '%s' not found. Available projects: %s", suggest.Quote(e.Name), strings.Join(e.Available, ", "))
}

// Error is the contract's sentence.
func (e *UnknownProjectError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *UnknownProjectError) In(lang message.Lang) string { return e.text().In(lang) }

// Projects returns the names of the projects that are stored, sorted.
func Projects(ctx context.Context, s store.Store) ([]string, error) {
	list, err := s.Projects(ctx)
	names := make([]string, 0, len(list))
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names, err
}

// RootOf returns the folder of the project that is stored under a name. The error is
// an [*UnknownProjectError].
func RootOf(ctx context.Context, s store.Store, name string) (string, error) {
	list, err := s.Projects(ctx)
	if err != nil {
		return "", err
	}
	names := make([]string, 0, len(list))
	for _, p := range list {
		if p.Name == name {
			return p.Root, nil
		}
		names = append(names, p.Name)
	}
	return "", &UnknownProjectError{name, names}
}

// DeleteProject removes the graph of a project; its files stay as they are. The
// errors are an [*UnknownProjectError] and [store.LockedError].
func DeleteProject(ctx context.Context, s store.Store, name string) error {
	err := s.Delete(ctx, name)
	if !errors.Is(err, store.ErrNone) {
		return err
	}
	names, err := Projects(ctx, s)
	return errors.Join(err, &UnknownProjectError{name, names})
}
