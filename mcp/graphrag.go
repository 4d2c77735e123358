package mcp

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// indexWait is how long a question waits for an index update before it takes the
// stored index: clients give up on slow tools.
const indexWait = 20 * time.Second

// graphRAGTool is ci_graph_rag: graph-rag of the command line with its parameters.
func graphRAGTool(g *graphs.Graphs) Tool {
	d, least := rag.Defaults(), 0
	_ = d.FromEnv(os.Getenv) // an error is reported by the call
	return Tool{
		Name: "ci_graph_rag",
		Description: message.New("Find the code that answers a question, with its callers and neighbours in the graph. " +
			"Use it when orient's code is not enough; not for a name that you know (get_code_snippet), nor to count or list (query_code_graph)."),
		Params: []Param{
			{Name: "query", Type: String, Required: true},
			{Name: "top_k", Type: Integer, Description: message.New("Per source"), Default: d.TopK, Minimum: &least},
			{Name: "depth", Type: Integer, Description: message.New("Of callers and callees, 0-5"), Default: d.Depth, Minimum: &least},
			{Name: "budget", Type: Integer, Description: message.New("Token budget of the answer"), Default: d.Budget, Minimum: &least},
			{Name: "fusion_depth", Type: Integer, Description: message.New("Steps in the graph, 0-5"), Default: d.FusionDepth, Minimum: &least},
			{Name: "include_virtual", Type: Boolean, Description: message.New("Also other repositories"), Default: false},
			{Name: "min_relevance", Type: Number, Default: d.MinRelevance, Minimum: &least},
			{Name: "rerank", Type: Boolean, Description: message.New("By a model"), Default: false},
			otherProject(),
			offsetParam(),
		},
		Effects:  Effects{ReadOnly: true, Idempotent: true, OpenWorld: d.Embedder != nil || g.AsksModels()},
		Meta:     whole(),
		TextOnly: true,
		Run: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			opts := rag.Options{
				TopK: a.Int("top_k"), Depth: a.Int("depth"), Budget: a.Int("budget"), FusionDepth: a.Int("fusion_depth"),
				IncludeVirtual: a.Bool("include_virtual"), MinRelevance: a.Float("min_relevance"), Rerank: a.Bool("rerank"),
				Offset: a.Int("offset"), Reserved: nextTokens(a),
			}
			if err := rag.Check(a.String("query"), opts); err != nil {
				return nil, err
			}
			if err := opts.FromEnv(os.Getenv); err != nil {
				return nil, err
			}
			var notes []string
			var err error
			if opts.Rerank {
				if opts.Model, notes, err = g.Model(ctx, p); err != nil {
					return nil, err
				}
			}
			if a.String(projectName) == graphs.Everywhere {
				answer, err := g.SearchEverywhere(ctx, a.String("query"), opts)
				if err != nil {
					return nil, err
				}
				answer.Metadata.Warn(notes...)
				return cutCandidates(answer, a)
			}
			return askNamed(ctx, g, p, a, func(graph *graphs.Graph) (any, error) {
				answer, err := graph.Search(ctx, a.String("query"), opts)
				if err != nil {
					return nil, err
				}
				answer.Metadata.Warn(notes...)
				return cutCandidates(answer, a)
			})
		},
	}
}

// candidatesPage is an answer with the call that returns what its budget left out.
type candidatesPage struct {
	Candidates []rag.Candidate `json:"candidates"`
	Metadata   rag.Metadata    `json:"metadata"`
	Next       *Next           `json:"next,omitempty"`
}

// cutCandidates adds that call. An answer is cut where clients would cut it, unless the caller
// sets a budget that is larger than a page.
func cutCandidates(answer *rag.Answer, a Arguments) (any, error) {
	const bytesPerToken = 4
	room := min(max(pageBytes, bytesPerToken*a.Int("budget")), maxResultChars)
	page, left := cutPage(answer.Candidates, 0, room, "")
	result := candidatesPage{Candidates: page, Metadata: answer.Metadata}
	result.Metadata.Count(page)
	result.Metadata.LeftOut += left
	if n := result.Metadata.LeftOut; n > 0 && len(page) > 0 {
		result.Next = nextCandidates(a, n, a.Int("offset")+len(page))
	}
	return result, nil
}

// nextCandidates is the call for the candidates after the first ones, with the arguments
// that differ from their defaults.
func nextCandidates(a Arguments, remaining, offset int) *Next {
	n := further("ci_graph_rag", a, remaining, "candidates", offset)
	d := rag.Defaults()
	for name, value := range map[string]any{"top_k": d.TopK, "depth": d.Depth, "budget": d.Budget, "fusion_depth": d.FusionDepth, "min_relevance": d.MinRelevance} {
		if n.Arguments[name] == value {
			delete(n.Arguments, name)
		}
	}
	return n
}

// nextTokens is the most tokens of the budget that the call can take.
func nextTokens(a Arguments) int {
	const most = 99_999
	b, err := jsonrpc.Encode(map[string]any{"next": nextCandidates(a, most, most)})
	if err != nil { // arguments were read from JSON
		return 0
	}
	return rag.Tokens(string(b))
}

// maxHops is the most calls of a chain in each direction, on all its pages.
const maxHops = 5000

// callChainTool is ci_call_chain.
func callChainTool(g *graphs.Graphs) Tool {
	least := 0
	return Tool{
		Name:        "ci_call_chain",
		Description: message.New("The callers or callees of a symbol, step by step, with line and confidence of each call. Use it before you change a function; to find one, orient."),
		Params: []Param{
			{Name: "symbol", Type: String, Description: message.New("A name or its end: UserService.create"), Required: true},
			{Name: "direction", Type: String, Enum: rag.Directions(), Default: "both"},
			{Name: "depth", Type: Integer, Description: message.New("At most 10"), Default: rag.ChainDepth, Minimum: &least},
			otherProject(),
			offsetParam(),
		},
		Effects: Effects{ReadOnly: true, Idempotent: true},
		Meta:    whole(),
		Run: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			return askNamed(ctx, g, p, a, func(graph *graphs.Graph) (any, error) {
				chain, err := graph.CallChain(ctx, strings.TrimSpace(a.String("symbol")), rag.ChainOptions{
					Direction: a.String("direction"), Depth: a.Int("depth"), Limit: maxHops,
				})
				if err != nil {
					return nil, err
				}
				return cutChain(chain, a)
			})
		},
	}
}

// chainPage is a chain with as many of its hops as fit.
type chainPage struct {
	*rag.Chain
	Next *Next `json:"next,omitempty"`
}

func cutChain(c *rag.Chain, a Arguments) (any, error) {
	offset := a.Int("offset")
	if offset > 0 && offset >= c.Metadata.Hops {
		return nil, beyond(offset, c.Metadata.Hops, message.New("hops"))
	}
	taken, left := c.Page(offset, pageBytes, func(h *rag.Hop) int { return jsonSize(h, "") })
	if left == 0 {
		return chainPage{Chain: c}, nil
	}
	return chainPage{c, further("ci_call_chain", a, left, "hops", offset+taken)}, nil
}

// projectName is the name of that parameter.
const projectName = "project_name"

// otherProject is the parameter for another project.
func otherProject() Param {
	return Param{Name: projectName, Type: String, Description: message.New("Another project of list_projects")}
}

// askNamed is ask for the project that the arguments name, by default p.
func askNamed(ctx context.Context, g *graphs.Graphs, p *project.Project, a Arguments, question func(*graphs.Graph) (any, error)) (result any, err error) {
	err = g.In(ctx, p, a.String(projectName), graphs.OpenOptions{Wait: indexWait}, func(graph *graphs.Graph) (err error) {
		result, err = question(graph)
		return err
	})
	return result, err
}

// ask opens the code graph of a project, brought up to date within [indexWait], and asks it
// a question.
func ask(ctx context.Context, g *graphs.Graphs, p *project.Project, question func(*graphs.Graph) (any, error)) (result any, err error) {
	err = g.With(ctx, p, graphs.OpenOptions{Wait: indexWait}, func(graph *graphs.Graph) (err error) {
		result, err = question(graph)
		return err
	})
	return result, err
}
