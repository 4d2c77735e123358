package explore

import (
	"context"
	"errors"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// UnknownProjectError says that there is no stored graph with a name.
type UnknownProjectError struct {
	Name      string
	Available []string
}

func (e *UnknownProjectError) text() message.Text {
	return message.New("Project '%s' not found. Available projects: %s", suggest.Quote(e.Name), strings.Join(e.Available, ", "))
}

// Error returns the contract's sentence.
func (e *UnknownProjectError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *UnknownProjectError) In(lang message.Lang) string { return e.text().In(lang) }

// Projects returns the sorted names of the stored projects.
func Projects(ctx context.Context, s store.Store) ([]string, error) {
	list, err := s.Projects(ctx)
	names := make([]string, 0, len(list))
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names, err
}

// RootOf returns the folder of a stored project. The error is an [*UnknownProjectError] if there is none with the
// name.
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

// DeleteProject removes the stored graph of a project, but none of its files. The error is an
// [*UnknownProjectError] or a [*store.LockedError].
func DeleteProject(ctx context.Context, s store.Store, name string) error {
	err := s.Delete(ctx, name)
	if !errors.Is(err, store.ErrNone) {
		return err
	}
	names, err := Projects(ctx, s)
	return errors.Join(err, &UnknownProjectError{name, names})
}
