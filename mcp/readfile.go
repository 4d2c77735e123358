package mcp

import (
	"context"
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// readFileTool is read_file of the code graph's contract. The result is the
// text of the file, with a header if it is only a part of the file.
func readFileTool() Tool {
	least := 0
	return Tool{
		Name:        "read_file",
		Description: fixed("Read the contents of a file from the project. Supports pagination for large files."),
		Params: []Param{
			filePathParam(),
			{Name: "offset", Type: Integer, Description: fixed("Line number to start reading from (0-based, optional)")},
			{Name: "limit", Type: Integer, Description: fixed("Maximum number of lines to read (optional)")},
			{
				Name: "column", Type: Integer, Minimum: &least, Default: 0,
				Description: message.New("Byte of a long line"),
			},
		},
		Effects:     Effects{ReadOnly: true, Idempotent: true},
		Meta:        whole(),
		ErrorPrefix: errorPrefix,
		Run:         readFile,
	}
}

func readFile(ctx context.Context, p *project.Project, a Arguments) (any, error) {
	path, limit := a.String("file_path"), -1
	if a.Has("limit") {
		if limit = a.Int("limit"); limit < 0 {
			return nil, message.Errorf("limit must not be negative: %d", limit)
		}
	}
	lines, last, err := linesOf(ctx, p, path, a.Int("offset"), limit)
	if err != nil {
		return nil, fileError("read", path, err)
	}
	next, err := cutLines(lines, last, path, a.Int("column"))
	switch {
	case err != nil:
		return nil, err
	case next != nil:
		return lines.Header() + "# " + next.text().In(message.From(ctx)) + "\n" + lines.Text, nil
	case a.Has("offset") || a.Has("limit") || a.Int("column") > 0:
		return lines.Header() + lines.Text, nil
	}
	return lines.Text, nil
}

// linesOf reads the requested lines, or the first of them if all are too large for
// memory. Last is the number of the last requested line.
func linesOf(ctx context.Context, p *project.Project, path string, offset, limit int) (lines *project.Lines, last int, err error) {
	const aFew = 1000
	lines, err = p.ReadLines(ctx, path, offset, limit)
	if _, tooLarge := errors.AsType[*project.TooLargeError](err); tooLarge {
		if lines, err = p.ReadLines(ctx, path, offset, aFew); err != nil {
			return nil, 0, err
		}
		if last = lines.Total; limit >= 0 {
			last = min(last, offset+limit)
		}
		return lines, last, nil
	}
	if err != nil {
		return nil, 0, err
	}
	return lines, lines.End, nil
}

// cutLines cuts lines to a page from a byte of the first line on, and returns the call
// for the rest up to the last requested line; nil if there is none.
func cutLines(lines *project.Lines, last int, path string, column int) (*Next, error) {
	if column > len(lines.Text) {
		return nil, message.Errorf("column %d is beyond the %d bytes of the text", column, len(lines.Text))
	}
	text := lines.Text[column:]
	page := cutText(text, pageBytes)
	lines.Text = page.text
	if len(page.text) == len(text) && lines.End == last {
		return nil, nil // nothing is left
	}
	if page.column > 0 {
		lines.End = lines.Start
		return readOn(path, lines.Start-1, column+page.column, last-lines.End+1), nil
	}
	lines.End = lines.Start - 1 + page.lines
	return readOn(path, lines.End, 0, last-lines.End), nil
}

// readOn is the call of read_file for a number of lines of a file from an index on, from a
// byte of the first one on.
func readOn(file string, offset, column, lines int) *Next {
	arguments := map[string]any{"file_path": file, "offset": offset, "limit": lines}
	if column > 0 {
		arguments["column"] = column
	}
	return &Next{Remaining: lines, Unit: unitLines, Tool: "read_file", Arguments: arguments}
}
