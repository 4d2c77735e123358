package view_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/view"
	"github.com/reverse-spec/reverse-spec/spec"
)

const historyAddress = "/history/specs/cart.spec.md"

// changedShop is the shop whose cart changed in a second commit, with its spec. A third commit changes another place.
func changedShop(t *testing.T) *project.Project {
	t.Helper()
	p := shop(t)
	commit(t, p, "Specs of the <shop>")
	edit(t, p, "cart/cart.go", "if price < 0 {", "if price < 10 {")
	again(t, p)
	commit(t, p, "A price is 10 at least")
	edit(t, p, "cart/cart.go", "import", "// Far below.\n\nimport")
	again(t, p)
	commit(t, p, "A comment moves all lines")
	return p
}

// again writes the spec of the cart.
func again(t *testing.T, p *project.Project) {
	t.Helper()
	if _, err := spec.Generate(t.Context(), p, "cart", spec.GenerateOptions{Lang: "en", All: true}); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, p *project.Project, subject string) {
	t.Helper()
	git(t, p.Root(), "add", "-A")
	git(t, p.Root(), "-c", "user.name=Ann O'Hara", "-c", "user.email=ann@example.org", "commit", "-q", "-m", subject)
}

func edit(t *testing.T, p *project.Project, name, old, text string) {
	t.Helper()
	data, err := p.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, p.Root(), name, strings.Replace(string(data), old, text, 1))
}

// item returns the part of the page about a requirement.
func item(t *testing.T, page, id string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, `id="`+id+`"`)
	if !found {
		t.Fatalf("the page lacks %s\n%s", id, page)
	}
	part, _, _ := strings.Cut(rest, "</article>")
	return part
}

// TestHistoryTellsWhatARequirementSaid, in which commit that changed, and what changed in the code.
func TestHistoryTellsWhatARequirementSaid(t *testing.T) {
	p := changedShop(t)
	site := view.New(p, message.English).Handler()
	holds(t, page(t, site, "/spec/specs/cart.spec.md"), `href="`+historyAddress+`"`, `href="`+historyAddress+`#REQ-CART-001"`)
	got := page(t, site, historyAddress)
	holds(t, got, "<b>3</b> versions of this page in git")
	req := item(t, got, "REQ-CART-001")
	holds(t, req,
		"came into the spec", "Specs of the &lt;shop&gt;", "Ann O&#39;Hara",
		"changed", "A price is 10 at least", "<code>price</code> is less than <code>10</code>",
		"the code at cart/cart.go:15", "if price &lt; 0 {", "if price &lt; 10 {")
	if strings.Contains(req, "A comment moves all lines") || strings.Contains(req, "not committed yet") {
		t.Errorf("lines that moved are no change:\n%s", req)
	}
	edit(t, p, "cart/cart.go", "if price < 10 {", "if price < 20 {")
	again(t, p)
	req = item(t, page(t, site, historyAddress), "REQ-CART-001")
	holds(t, req, "not committed yet", "<code>price</code> is less than <code>20</code>", "if price &lt; 20 {")
}

// TestHistoryOfWhatIsGone: a requirement that the spec no longer has is told of apart.
func TestHistoryOfWhatIsGone(t *testing.T) {
	p := changedShop(t)
	edit(t, p, "cart/cart.go", "if price < 10 {\n\t\tpanic(\"cart: a price below 0\")\n\t}", "")
	again(t, p)
	commit(t, p, "Any price will do")
	_, gone, found := strings.Cut(page(t, view.New(p, message.English).Handler(), historyAddress), "No longer in the spec")
	if !found {
		t.Fatal("nothing is gone")
	}
	holds(t, item(t, gone, "REQ-CART-001"), "left the spec", "Any price will do")
}

// TestHistoryIsHonest where git knows nothing, or not all.
func TestHistoryIsHonest(t *testing.T) {
	p := shop(t)
	site := view.New(p, message.English).Handler()
	got := page(t, site, historyAddress)
	holds(t, got, "Git has no commit of this spec.", `id="REQ-CART-001"`)
	if err := os.RemoveAll(filepath.Join(p.Root(), ".git")); err != nil {
		t.Fatal(err)
	}
	holds(t, page(t, site, historyAddress), "Git tells nothing of this project")
	if got := get(t, site, "/history/go.mod").Code; got != http.StatusNotFound {
		t.Errorf("a file that is no spec: %d", got)
	}

	whole := changedShop(t)
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, t.TempDir(), "clone", "-q", "--depth", "1", "file://"+whole.Root(), clone)
	shallow, err := project.Open(clone)
	if err != nil {
		t.Fatal(err)
	}
	defer shallow.Close()
	got = page(t, view.New(shallow, message.English).Handler(), historyAddress)
	holds(t, got, "Older versions are not known here", "in the oldest version that is known")
	if strings.Contains(got, "came into the spec<") {
		t.Error("a shallow clone does not know when a requirement came")
	}
}

// TestHistoryHidesSecrets of code that was.
func TestHistoryHidesSecrets(t *testing.T) {
	p := shop(t)
	const secret = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	edit(t, p, "cart/cart.go", "\tif price < 0 {", "\tstripeKey := \""+secret+"\"\n\t_ = stripeKey\n\tif price < 0 {")
	again(t, p)
	commit(t, p, "Specs")
	edit(t, p, "cart/cart.go", "\tstripeKey := \""+secret+"\"\n\t_ = stripeKey\n\tif price < 0 {", "\tif price < 10 {")
	again(t, p)
	commit(t, p, "No key")
	got := page(t, view.New(p, message.English).Handler(), historyAddress)
	holds(t, got, "stripeKey")
	if strings.Contains(got, secret) {
		t.Error("a key that was removed is on the page")
	}
}
