package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// writeFileTool is write_file of the code graph's contract.
func writeFileTool() Tool {
	return Tool{
		Name:        "write_file",
		Description: fixed("Write content to a file, creating it if it doesn't exist."),
		Params: []Param{
			filePathParam(),
			{Name: "content", Type: String, Description: fixed("Content to write to the file"), Required: true, Empty: true},
		},
		Effects:     Effects{Destructive: true, Idempotent: true},
		ErrorPrefix: errorPrefix,
		Run:         writeFile,
	}
}

func writeFile(ctx context.Context, p *project.Project, a Arguments) (any, error) {
	path := a.String("file_path")
	if err := p.SaveFile(ctx, path, []byte(a.String("content")), writablePlaces(ctx)); err != nil {
		return nil, fileError("write", path, err)
	}
	return "Successfully wrote file: " + path, nil
}
