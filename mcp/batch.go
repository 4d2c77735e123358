package mcp

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp/forms"
)

// batchTool is section 2.3 of the contract, and outputDir, lang, check, summary and prose. It is not
// idempotent: every run writes its own summary.
func batchTool(writers Writers, cache string) Tool {
	return Tool{
		Name:        "batch",
		Description: fixed("批量 Spec 生成"),
		Params: []Param{
			{Name: "projectRoot", Type: String, Path: true, Description: fixed("项目根目录（默认为当前工作目录）")},
			{Name: "force", Type: Boolean, Description: fixed("强制重新生成所有 spec"), Default: false, Spelled: true},
			{Name: "outputDir", Type: String, Description: message.New("Output folder"), Default: "specs"},
			langParam(),
			checkParam(),
			{Name: "summary", Type: Boolean, Description: message.New("Write a file about it, too"), Default: false},
			proseParam(),
			formatParam(),
			capabilitiesParam(),
		},
		Effects:      Effects{OpenWorld: writers != nil},
		FixedErrors:  true,
		Meta:         upfront(),
		Run:          runBatch(writers, cache),
		RefuseUnsafe: mayNotCheck,
	}
}

func runBatch(writers Writers, cache string) Run {
	return func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
		outer := p
		if root := a.String("projectRoot"); root != "" {
			inner, err := within(p, root)
			if err != nil {
				return nil, err
			}
			defer inner.Close() //nolint:errcheck // nothing was written through the handle itself
			p = inner
		}
		output, err := p.Rel(a.String("outputDir"))
		if err != nil {
			return nil, err
		}
		ctx = proseContext(ctx, a)
		w, notes, err := writers.open(ctx, p)
		if err != nil {
			return nil, err
		}
		r, err := batch.Run(ctx, p, batch.Options{
			Force: a.Bool("force"), OutputDir: output, Lang: a.String("lang"), Summary: a.Bool("summary"), Check: check(a), Writer: w, Notes: notes,
			Form: forms.Options(a.String("format"), a.String("capabilities")), Cache: cache,
		})
		if err != nil {
			return nil, err
		}
		if r.SummaryLogPath == "" {
			return cutBatch(r, nil), nil
		}
		summary, err := outer.Rel(filepath.Join(p.Root(), filepath.FromSlash(r.SummaryLogPath)))
		return cutBatch(r, &Next{Tool: "read_file", Arguments: map[string]any{"file_path": summary}}), err
	}
}

// batchPage is the result of a batch with as many of its modules as fit, those first that
// need attention.
type batchPage struct {
	*batch.Result
	Next *Next `json:"next,omitempty"`
}

// cutBatch cuts lists that are too long. The summary, which next
// reads, has all of them; without one, next is the same call with a summary.
func cutBatch(r *batch.Result, next *Next) batchPage {
	f := fitting{room: pageBytes}
	r.Failed, r.Warnings, r.Degraded = fit(&f, r.Failed), fit(&f, r.Warnings), fit(&f, r.Degraded)
	r.Successful, r.Skipped = fit(&f, r.Successful), fit(&f, r.Skipped)
	if f.left == 0 {
		return batchPage{Result: r}
	}
	if next == nil {
		next = &Next{Tool: "batch", Arguments: map[string]any{"summary": true}}
	}
	next.Remaining, next.Unit = f.left, "modules and warnings"
	return batchPage{r, next}
}

// within opens the project at root, which must lie inside p, also after its
// symbolic links are followed. The caller closes it.
func within(p *project.Project, root string) (*project.Project, error) {
	rel, err := p.Rel(root)
	if err != nil {
		return nil, err
	}
	inner, err := project.Open(filepath.Join(p.Root(), filepath.FromSlash(rel)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &project.MissingError{Path: rel}
	}
	if err != nil {
		return nil, err
	}
	if _, err := p.Rel(inner.Root()); err != nil { // a link may have changed since
		_ = inner.Close()
		return nil, err
	}
	return inner, nil
}
