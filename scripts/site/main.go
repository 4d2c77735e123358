// Command site builds the documentation into static pages with a search: README.md, docs and what developers read. It is a program of
// our own because the pages of view have all that is needed, the look and a search that works from disk, and the parser is a
// dependency already; generators of others bring hundreds of packages, and their search needs a server.
//
//	go run ./scripts/site <folder>
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/reverse-spec/reverse-spec/internal/view"
)

// repository is where links lead to files that are not pages.
const repository = "https://github.com/reverse-spec/reverse-spec/blob/main/"

// section is a part of the navigation.
type section struct {
	Title string
	Files []string
}

// sections are all pages.
var sections = []section{
	{"Start", []string{"README.md", "docs/commands.md", "docs/view.md", "docs/samples/README.md"}},
	{"Specs", []string{"docs/drift.md", "docs/contract-tests.md", "docs/formats.md", "docs/locks.md", "docs/models.md", "docs/secrets.md"}},
	{"Code graph", []string{"docs/cypher.md", "docs/graph-rag.md", "docs/federation.md", "docs/organisation.md", "docs/citus.md"}},
	{"Agents", []string{"docs/mcp-server.md", "docs/mcp-client.md", "docs/security.md"}},
	{"Measured", []string{"docs/accuracy.md", "docs/languages.md", "docs/retrieval.md", "docs/performance.md"}},
	{"Development", []string{
		"CONTRIBUTING.md", "ARCHITECTURE.md", "docs/architecture/languages.md", "docs/architecture/specs.md", "docs/architecture/codegraph.md",
		"docs/architecture/mcp.md", "docs/architecture/models.md", "docs/architecture/foundations.md", "CHANGELOG.md",
	}},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/site <folder>")
		os.Exit(2)
	}
	n, err := build(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stdout, "%s: %d pages\n", filepath.Join(os.Args[1], "index.html"), n)
}

// page is a page of the site.
type page struct {
	File    string // in the repository
	Address string // of its file in the site
	Title   string
	Body    template.HTML
	Heads   []head
}

// head is a heading of a page, and the text below it.
type head struct {
	ID, Title, Text string
	Level           int
}

// entry is what the script of view searches.
type entry struct {
	Title   string `json:"title"`
	Spec    string `json:"spec"`
	Text    string `json:"text,omitempty"`
	Address string `json:"address"`
}

// build writes the site of a repository into a folder, and returns the number of pages.
func build(root, folder string) (int, error) {
	names, err := files(root)
	if err != nil {
		return 0, err
	}
	pages := make([]*page, 0, len(names))
	var search []entry
	for _, name := range names {
		p, err := render(root, name, names)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		pages = append(pages, p)
		for _, h := range p.Heads {
			search = append(search, entry{h.Title, p.Title, h.Text, p.Address + "#" + h.ID})
		}
	}
	for _, p := range pages {
		if err := write(folder, p.Address, p.html(pages, false)); err != nil {
			return 0, err
		}
	}
	list, err := json.Marshal(search)
	if err != nil {
		return 0, err
	}
	find := &page{Address: "search.html", Title: "Search"}
	out := map[string][]byte{
		"search.html": find.html(pages, true), "search.js": append(append([]byte("window.specIndex = "), list...), ";\n"...), ".nojekyll": nil,
	}
	for _, name := range []string{"style.css", "view.js", "icon.svg"} {
		if out["assets/"+name], err = view.Asset(name); err != nil {
			return 0, err
		}
	}
	pictures, err := filepath.Glob(filepath.Join(root, "docs", "pictures", "*"))
	if err != nil {
		return 0, err
	}
	for _, picture := range pictures {
		if out["pictures/"+filepath.Base(picture)], err = os.ReadFile(picture); err != nil {
			return 0, err
		}
	}
	for name, data := range out {
		if err := write(folder, name, data); err != nil {
			return 0, err
		}
	}
	return len(pages), nil
}

// files returns the pages in the order of the navigation, and the samples, which the page of samples leads to.
func files(root string) ([]string, error) {
	var out []string
	for _, s := range sections {
		out = append(out, s.Files...)
	}
	samples, err := filepath.Glob(filepath.Join(root, "docs", "samples", "*.md"))
	if err != nil {
		return nil, err
	}
	for _, sample := range samples {
		if name := "docs/samples/" + filepath.Base(sample); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// addressOf returns the file of a page in the site.
func addressOf(name string) string {
	if name == "README.md" {
		return "index.html"
	}
	return strings.TrimSuffix(strings.TrimPrefix(name, "docs/"), ".md") + ".html"
}

// render parses a page, makes its links lead to pages or to the repository, and renders it.
func render(root, name string, names []string) (*page, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	if _, after, ok := strings.Cut(string(source), "\n---\n"); ok && strings.HasPrefix(string(source), "---\n") {
		source = []byte(after) // front matter of a sample
	}
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	doc := md.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(&ids{taken: map[string]bool{}}))))
	p := &page{File: name, Address: addressOf(name), Title: name}
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(p.link(root, string(n.Destination), names))
		case *ast.Image:
			n.Destination = []byte(p.link(root, string(n.Destination), names))
		case *ast.Heading:
			p.heading(n, source)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, source, doc); err != nil {
		return nil, err
	}
	p.Body = template.HTML(b.String()) // of our own texts; goldmark leaves out raw HTML
	return p, nil
}

// heading notes a heading, with the beginning of the text below it.
func (p *page) heading(n *ast.Heading, source []byte) {
	id, _ := n.AttributeString("id")
	name, _ := id.([]byte)
	h := head{ID: string(name), Title: plain(n, source), Level: n.Level}
	for next := n.NextSibling(); next != nil && next.Kind() != ast.KindHeading && len(h.Text) < 240; next = next.NextSibling() {
		h.Text += " " + plain(next, source)
	}
	h.Text = strings.TrimSpace(h.Text)
	if runes := []rune(h.Text); len(runes) > 240 {
		h.Text = string(runes[:240]) + "…"
	}
	if n.Level == 1 && p.Title == p.File {
		p.Title = h.Title
	}
	p.Heads = append(p.Heads, h)
}

// plain returns the text of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if t, ok := c.(*ast.Text); ok && entering {
			b.Write(t.Value(source))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		if c.Type() == ast.TypeBlock && !entering {
			b.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// link returns where a link of the page leads in the site.
func (p *page) link(root, to string, names []string) string {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "mailto:") {
		return to
	}
	file, fragment, found := strings.Cut(to, "#")
	file = path.Join(path.Dir(p.File), file)
	if found {
		fragment = "#" + fragment
	}
	up := strings.Repeat("../", strings.Count(p.Address, "/"))
	switch {
	case slices.Contains(names, file):
		return up + addressOf(file) + fragment
	case strings.HasPrefix(file, "docs/pictures/"):
		return up + strings.TrimPrefix(file, "docs/")
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
		return "" // the test of the site finds it
	}
	return repository + file + fragment
}

// ids are those of GitHub, which the links between pages name.
type ids struct{ taken map[string]bool }

// Generate implements parser.IDs.
func (s *ids) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(string(value))) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r > 127 && r != '—' && r != '“' && r != '”' && r != '…':
			b.WriteRune(r)
		}
	}
	id := b.String()
	for i, base := 1, id; s.taken[id]; i++ {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	s.taken[id] = true
	return []byte(id)
}

// Put implements parser.IDs.
func (s *ids) Put(value []byte) { s.taken[string(value)] = true }

// html returns the page in its frame.
func (p *page) html(all []*page, search bool) []byte {
	type item struct {
		*page
		Here bool
	}
	type part struct {
		Title string
		Items []item
	}
	var nav []part
	for _, s := range sections {
		in := part{Title: s.Title}
		for _, q := range all {
			if slices.Contains(s.Files, q.File) {
				in.Items = append(in.Items, item{q, q == p})
			}
		}
		nav = append(nav, in)
	}
	var b bytes.Buffer
	if err := frame.Execute(&b, map[string]any{
		"Page": p, "Nav": nav, "Search": search, "Up": strings.Repeat("../", strings.Count(p.Address, "/")),
	}); err != nil {
		panic(err) // the template is ours
	}
	return b.Bytes()
}

var frame = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en" data-static>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{.Page.Title}} · reverse-spec</title>
<link rel="icon" href="{{.Up}}assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{{.Up}}assets/style.css">
<script src="{{.Up}}assets/view.js" defer></script>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header class="top">
<a class="project" href="{{.Up}}index.html">reverse-spec</a>
<form class="find" action="{{.Up}}search.html" method="get" role="search"><input type="search" name="q" placeholder="Search" aria-label="Search the documentation" autocomplete="off"></form>
</header>
<main id="main">
<div class="reading">
<aside><details class="contents" open><summary>Pages</summary><nav aria-label="Pages"><ol>
{{range .Nav}}<li>{{.Title}}<ol>{{range .Items}}<li{{if .Here}} class="here"{{end}}><a href="{{$.Up}}{{.Address}}">{{.Title}}</a></li>{{end}}</ol></li>
{{end}}</ol></nav></details></aside>
<article class="text documentation">
{{if .Search}}<h1>Search</h1>
<form class="filter search" role="search"><input type="search" name="q" aria-label="Search the documentation" autocomplete="off" autofocus></form>
<div id="found" aria-live="polite" data-none="Nothing was found." data-more="More were found: add a word."></div>
<noscript><p class="empty">The search needs scripts.</p></noscript>
<script src="search.js" defer></script>
{{else}}{{.Page.Body}}{{end}}
</article>
</div>
</main>
</body>
</html>
`))

// write writes a file of the site.
func write(folder, name string, data []byte) error {
	to := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
