package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// replaceTool is surgical_replace_code of the code graph's contract. It differs
// in one point: a target that occurs in the file more than once is an error, and
// not replaced at its first place.
func replaceTool() Tool {
	return Tool{
		Name: "surgical_replace_code",
		Description: fixed("Surgically replace an exact code block in a file using diff-match-patch. " +
			"Only modifies the exact target block, leaving the rest unchanged."),
		Params: []Param{
			filePathParam(),
			{Name: "target_code", Type: String, Description: fixed("Exact code block to replace"), Required: true},
			{Name: "replacement_code", Type: String, Description: fixed("New code to insert"), Required: true, Empty: true},
		},
		Effects:     Effects{Destructive: true},
		ErrorPrefix: errorPrefix,
		Run:         replaceCode,
	}
}

func replaceCode(ctx context.Context, p *project.Project, a Arguments) (any, error) {
	path := a.String("file_path")
	_, err := p.Replace(ctx, path, a.String("target_code"), a.String("replacement_code"), writablePlaces(ctx))
	if refused, ok := errors.AsType[*project.ReplaceError](err); ok {
		return nil, &contractError{
			text: fmt.Sprintf("Failed to apply surgical replacement in %s. Target code not found or patches failed.", path),
			hint: hintOf(refused),
		}
	}
	if err != nil {
		return nil, fileError("edit", path, err)
	}
	return "Successfully applied surgical code replacement in: " + path, nil
}
