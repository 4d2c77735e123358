package mcp

import (
	"context"
	"fmt"

	"github.com/reverse-spec/reverse-spec/workspace"
)

// readFileTool is read_file of the code graph's contract. It answers with the
// text of the file alone, under a header when a part was asked for.
func readFileTool() Tool {
	return Tool{
		Name:        "read_file",
		Description: "Read the contents of a file from the project. Supports pagination for large files.",
		Params: []Param{
			filePathParam(),
			{Name: "offset", Type: Integer, Description: "Line number to start reading from (0-based, optional)"},
			{Name: "limit", Type: Integer, Description: "Maximum number of lines to read (optional)"},
		},
		Effects:     Effects{ReadOnly: true, Idempotent: true},
		Meta:        whole(),
		ErrorPrefix: errorPrefix,
		Run:         readFile,
	}
}

func readFile(ctx context.Context, p *workspace.Project, a Arguments) (any, error) {
	path, limit := a.String("file_path"), -1
	if a.Has("limit") {
		if limit = a.Int("limit"); limit < 0 {
			return nil, fmt.Errorf("行数不能为负数: %d (limit must not be negative)", limit)
		}
	}
	lines, err := p.ReadLines(ctx, path, a.Int("offset"), limit)
	if err != nil {
		return nil, fileError("read", path, err)
	}
	if a.Has("offset") || a.Has("limit") {
		return lines.Header() + lines.Text, nil
	}
	return lines.Text, nil
}
