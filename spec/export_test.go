package spec

import (
	"context"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// Assemble returns the context that a [Writer] is given of a target.
func Assemble(ctx context.Context, p *project.Project, tree *source.Tree, o model.ContextOptions) (model.Context, error) {
	return newMaterial(p, tree, "en", time.Time{}).forModel().Context(ctx, o)
}

// ShortPlace is shortPlace.
var ShortPlace = shortPlace
