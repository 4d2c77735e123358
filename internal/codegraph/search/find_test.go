package search_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
)

// shop is the graph of a small program.
func shop(t *testing.T) *codeGraph {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/shop.txtar")
	check(t, err)
	dir := t.TempDir()
	for _, f := range archive.Files {
		path := filepath.Join(dir, f.Name)
		check(t, os.MkdirAll(filepath.Dir(path), 0o750))
		check(t, os.WriteFile(path, f.Data, 0o600))
	}
	return indexed(t, dir)
}

func names(nodes []codegraph.Node) (list []string) {
	for _, n := range nodes {
		list = append(list, n.Name)
	}
	return list
}

func TestFindKnowsWhatIsMeant(t *testing.T) {
	g := shop(t)
	for question, want := range map[string]string{
		"take back an order":                  "Cancel",
		"where is money given back":           "Cancel",
		"refunding payments":                  "refundPayment", // not its test
		"which function talks to the gateway": "refundPayment",
		"parse an HTTP date":                  "ParseHTTPDate",
		"remove expired sessions":             "expire_old",
		"delete the keys of old sessions":     "expire_old",
		"Orders":                              "Orders",
		"order":                               "Order",
		"session_store":                       "SessionStore",
		"SessionStore.expire_old":             "expire_old",
		"如何发送邮件":                              "发送邮件",
	} {
		nodes := g.ask(t, question)
		if len(nodes) == 0 || nodes[0].Name != want {
			t.Errorf("%s: %v, want %s first", question, names(nodes), want)
		}
	}
	for _, nothing := range []string{"", " ", "!?", "zebra", "\xff\xfe"} {
		same(t, nothing, names(g.ask(t, nothing)), []string(nil))
	}
}

func TestScoresFallFromWhatIsKnown(t *testing.T) {
	g := shop(t)
	for question, first := range map[string]float64{"refund payment": 1, "refund zebra": 0.5, "order": 1} {
		hits, err := search.Find(t.Context(), g.snap, question, search.Options{})
		check(t, err)
		last := first
		for i, h := range hits {
			if h.Score > last || h.Score <= 0 || h.Ranks != (search.Ranks{Words: i + 1}) {
				t.Errorf("%s: %d: %+v", question, i, h)
			}
			last = h.Score
		}
		if len(hits) == 0 || hits[0].Score < first-0.1 { // two words side by side may be one, which is not there
			t.Errorf("%s: %+v", question, hits)
		}
	}
}

func TestFindLimit(t *testing.T) {
	g := shop(t)
	all, err := search.Find(t.Context(), g.snap, "orders", search.Options{})
	check(t, err)
	one, err := search.Find(t.Context(), g.snap, "orders", search.Options{Limit: 1})
	check(t, err)
	same(t, "the best", one, all[:1])
}

// meaning finds what it was told to find.
type meaning struct {
	hits []snapshot.Hit
	err  error
}

func (m meaning) Nearest(context.Context, string, int) ([]snapshot.Hit, error) { return m.hits, m.err }

func TestRankFusion(t *testing.T) {
	g := shop(t)
	id := func(name string) codegraph.ID {
		return g.nodes[slices.IndexFunc(g.nodes, func(n codegraph.Node) bool { return n.Name == name })].ID
	}
	first, second := id("Cancel"), id("refundPayment")
	hits, err := search.Find(t.Context(), g.snap, "refund payment", search.Options{Meaning: meaning{hits: []snapshot.Hit{
		{ID: id("TestRefundPayment"), Score: 0.9}, {ID: 1 << 30, Score: 0.8}, {ID: first, Score: 0.7}, {ID: second, Score: 0.6}, {ID: id("Order"), Score: -1},
	}}})
	check(t, err)
	at := map[codegraph.ID]search.Hit{}
	for _, h := range hits {
		at[h.ID] = h
	}
	same(t, "the first", hits[0].ID, second)
	same(t, "its places", hits[0].Ranks, search.Ranks{Words: 1, Vectors: 2})
	same(t, "the other's", at[first].Ranks.Vectors, 1) // the test counts half
	same(t, "score", hits[0].Score, (1+61.0/62)/2)
	if slices.ContainsFunc(hits, func(h search.Hit) bool { return h.ID == 1<<30 }) {
		t.Error("a node that is gone was found")
	}
}

func TestFindWithoutEmbedder(t *testing.T) {
	g := shop(t)
	want, err := search.Find(t.Context(), g.snap, "refund payment", search.Options{})
	check(t, err)
	away := errors.New("away")
	hits, err := search.Find(t.Context(), g.snap, "refund payment", search.Options{Meaning: meaning{err: away}})
	if unasked := (*search.MeaningError)(nil); !errors.As(err, &unasked) || !errors.Is(err, away) {
		t.Errorf("error %v", err)
	}
	same(t, "hits", hits, want)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if hits, err := search.Find(ctx, g.snap, "refund", search.Options{}); hits != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", hits, err)
	}
}
