package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// listDirectoryTool is list_directory of the code graph's contract.
func listDirectoryTool() Tool {
	return Tool{
		Name:        "list_directory",
		Description: fixed("List contents of a directory in the project."),
		Params: []Param{
			{
				Name: "directory_path", Type: String, Path: true, Default: ".",
				Description: fixed("Relative path to directory from project root (default: '.')"),
			},
			offsetParam(),
		},
		Effects:     Effects{ReadOnly: true, Idempotent: true},
		Meta:        whole(),
		ErrorPrefix: errorPrefix,
		Run:         listDirectory,
	}
}

func listDirectory(ctx context.Context, p *project.Project, a Arguments) (any, error) {
	path, offset := a.String("directory_path"), a.Int("offset")
	f, err := p.ReadFolder(ctx, path, offset+pageBytes)
	switch {
	case err != nil:
		return nil, folderError(ctx, path, err)
	case f.Total == 0:
		return nil, &contractError{
			text: fmt.Sprintf("The directory '%s' is empty.", path),
			hint: message.New("there is nothing in it"),
		}
	case offset >= f.Total:
		return nil, beyond(offset, f.Total, message.New("entries"))
	}
	names, _ := cutPage(f.Names, offset, pageBytes, "")
	text := (&project.Folder{Names: names, Total: len(names)}).String()
	if left := f.Total - offset - len(names); left > 0 {
		text += "… " + further("list_directory", a, left, unitEntries, offset+len(names)).text().In(message.From(ctx))
	}
	return strings.TrimSuffix(text, "\n"), nil
}

// folderError is fileError for a folder.
func folderError(ctx context.Context, path string, err error) error {
	var (
		outside   *project.OutsideError
		missing   *project.MissingError
		notFolder *project.NotFolderError
	)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &outside):
		return fileError("list", path, err)
	case errors.As(err, &missing):
		return &contractError{text: fmt.Sprintf("'%s' is not a valid directory.", path), hint: hintOf(missing)}
	case errors.As(err, &notFolder):
		return &contractError{text: fmt.Sprintf("'%s' is not a valid directory.", path), hint: hintOf(notFolder)}
	case len(path) > maxShown:
		return err
	default:
		return &contractError{text: fmt.Sprintf("Could not list contents of '%s'.", path), hint: hintOf(err)}
	}
}
