package teamserver

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view"
)

//go:embed pages
var files embed.FS

const (
	mostProjects = 500 // on a page
	mostUsers    = 5   // in a row
	mostUses     = 100
	mostRows     = 200
	maxQuestion  = 16 << 10
	commitShown  = 12 // digits
)

// pages are the pages for people.
type pages struct {
	server    *Server
	templates *template.Template
}

func newPages(s *Server) *pages {
	lang := s.o.Lang
	t := func(text string, args ...any) string { return message.New(text, args...).In(lang) }
	return &pages{s, template.Must(template.New("").Funcs(template.FuncMap{"t": t}).ParseFS(files, "pages/*.html"))}
}

func (p *pages) register(mux *http.ServeMux) {
	limited := func(h http.HandlerFunc) http.Handler { return p.signedIn(p.server.limited(h)) }
	mux.Handle("GET /{$}", limited(p.projects))
	mux.Handle("GET /project", limited(p.project))
	mux.Handle("GET /view/{key}/{rest...}", limited(p.server.specs.ServeHTTP))
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, r *http.Request) { p.login(w, r, http.StatusOK, "") })
	mux.HandleFunc("POST /login", p.signIn)
	mux.HandleFunc("POST /logout", p.signOut)
	mux.HandleFunc("GET /assets/{name}", p.asset)
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) { // for what has no link to it, such as refusals
		r.SetPathValue("name", "icon.svg")
		p.asset(w, r)
	})
}

// cookie returns the name of the cookie with a browser's session.
func (p *pages) cookie() string {
	if p.server.o.URL.Scheme == "https" {
		return "__Host-reverse-spec"
	}
	return "reverse-spec"
}

// signedIn lets requests with a session or a token in, and sends others to sign in.
func (p *pages) signedIn(next http.Handler) http.Handler {
	byHeader := p.server.authorized(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			byHeader.ServeHTTP(w, r)
			return
		}
		hash := ""
		if c, err := r.Cookie(p.cookie()); err == nil {
			hash = p.server.logins.find(c.Value)
		}
		if hash == "" {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		token, err := p.server.admit(r, hash)
		if errors.Is(err, store.ErrNoToken) { // revoked meanwhile
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		if err != nil {
			p.server.denied(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(p.server.let(r.Context(), token)))
	})
}

// login shows the page to sign in.
func (p *pages) login(w http.ResponseWriter, r *http.Request, status int, problem string) {
	p.show(w, r, status, "login.html", message.New("Sign in"), struct{ Problem string }{problem})
}

// signIn begins a session for the token of a form.
func (p *pages) signIn(w http.ResponseWriter, r *http.Request) {
	secret := strings.TrimSpace(r.PostFormValue("token"))
	hash := shared.HashToken(secret)
	_, err := p.server.admit(r, hash)
	switch {
	case errors.Is(err, store.ErrNoToken):
		p.login(w, r, http.StatusUnauthorized, message.New("there is no such token, or it has expired").In(p.server.o.Lang))
	case err != nil:
		p.server.denied(w, r, err)
	default:
		http.SetCookie(w, p.session(p.server.logins.start(hash), int(loginIdle.Seconds())))
		http.Redirect(w, r, "/", http.StatusSeeOther)
	}
}

// session returns the cookie of a session, for a number of seconds; less than 0 removes it.
func (p *pages) session(id string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: p.cookie(), Value: id, Path: "/", MaxAge: seconds, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: p.server.o.URL.Scheme == "https",
	}
}

func (p *pages) signOut(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(p.cookie()); err == nil {
		p.server.logins.end(c.Value)
	}
	http.SetCookie(w, p.session("", -1))
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// projectRow is a project in the list.
type projectRow struct{ Name, Key, Branch, Commit, Built, Address, Users string }

// projects lists the projects that the token may see.
func (p *pages) projects(w http.ResponseWriter, r *http.Request) {
	list, err := p.server.o.Graphs.List(r.Context())
	if err != nil {
		p.fail(w, r, err)
		return
	}
	asked := r.URL.Query().Get("q")
	data := struct {
		Asked string
		Rows  []projectRow
		More  string
	}{Asked: asked}
	matching := 0
	var shown []graphs.Listed
	for _, one := range list {
		if !strings.Contains(strings.ToLower(one.Name+" "+one.Root), strings.ToLower(asked)) {
			continue
		}
		if matching++; matching > mostProjects {
			continue
		}
		shown = append(shown, one)
	}
	relations, err := p.server.o.Graphs.Relations(r.Context(), shown, list)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	for _, one := range shown {
		users, more := graphs.UsedBy(one.Name, relations, mostUsers)
		if more > 0 {
			users = message.New("%s and %d more", users, more).In(p.server.o.Lang)
		}
		data.Rows = append(data.Rows, projectRow{
			one.Name, one.Root, one.Branch, one.Commit[:min(commitShown, len(one.Commit))], one.BuiltAt.Local().Format(time.DateTime), addressOf(one.Root), users,
		})
	}
	if n := matching - mostProjects; n > 0 {
		data.More = message.Count(n, "%d more project matches", "%d more projects match").In(p.server.o.Lang)
	}
	p.show(w, r, http.StatusOK, "projects.html", message.New("Projects"), data)
}

// addressOf returns the address of the page of a project.
func addressOf(key string) string { return "/project?" + url.Values{"project": {key}}.Encode() }

// projectData is what the page of a project shows.
type projectData struct {
	Name, Key, Asked, Problem, Summary, Query string
	Specs                                     string // the address of its specs
	Notes, Columns, Suggestions               []string
	Rows                                      [][]string
	Users, Used                               []relationRow
	Operations                                []graphs.Consumer // uses of its contracts
	More                                      string            // uses that are not shown
}

// relationRow is a project that another one uses.
type relationRow struct {
	Name, Address, Kind string
	Places              int
}

// overview is the question of a page that asks none.
const overview = "MATCH (n) RETURN labels(n)[0] AS label, count(*) AS count ORDER BY count DESC, label"

// project shows a project, and the answer to a question about it.
func (p *pages) project(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	data := projectData{Key: q.Get("project"), Asked: strings.TrimSpace(q.Get("q"))}
	data.Specs = p.server.specs.address(data.Key) + "/"
	if len(data.Asked) > maxQuestion {
		p.server.refuse(w, r, http.StatusRequestEntityTooLarge, message.New("the question has %d bytes; the limit is %d", len(data.Asked), maxQuestion))
		return
	}
	if data.Key == "" {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	err := p.ask(r.Context(), &data)
	if err == nil && data.Asked == "" {
		err = p.neighbours(r.Context(), &data)
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.show(w, r, http.StatusOK, "project.html", message.New("%s", data.Name), data)
}

// neighbours sets what the project and others that the token may see use of each other.
func (p *pages) neighbours(ctx context.Context, data *projectData) error {
	all, err := p.server.o.Graphs.List(ctx)
	if err != nil {
		return err
	}
	self, keys := []graphs.Listed{}, map[string]string{}
	for _, one := range all {
		keys[one.Name] = one.Root
		if one.Root == data.Key || one.Name == data.Key {
			self = append(self, one)
		}
	}
	relations, err := p.server.o.Graphs.Relations(ctx, self, all)
	if err != nil || len(self) == 0 {
		return err
	}
	for _, r := range relations {
		if r.Uses == self[0].Name {
			data.Users = append(data.Users, relationRow{r.Project, addressOf(keys[r.Project]), r.Kind, r.Places})
		} else {
			data.Used = append(data.Used, relationRow{r.Uses, addressOf(keys[r.Uses]), r.Kind, r.Places})
		}
	}
	if data.Operations, err = p.server.o.Graphs.ContractUses(ctx, self[0].Root); err != nil {
		return err
	}
	if n := len(data.Operations) - mostUses; n > 0 {
		data.Operations = data.Operations[:mostUses]
		data.More = message.Count(n, "%d more place", "%d more places").In(p.server.o.Lang)
	}
	return nil
}

// ask asks the question of a page.
func (p *pages) ask(ctx context.Context, data *projectData) error {
	question := graphs.Question{Text: data.Asked, Project: data.Key, Limit: mostRows, Bytes: maxBody, Size: sizeOf}
	if data.Asked == "" {
		question.Text = overview
	}
	answer, err := p.server.o.Graphs.Ask(ctx, nil, question)
	if err != nil {
		return err
	}
	data.Name = data.Key[strings.LastIndexAny(data.Key, "/#")+1:]
	data.Notes, data.Columns, data.Suggestions, data.Problem = answer.Notes, answer.Columns, answer.Suggestions, answer.Error
	if data.Asked != "" {
		data.Summary, data.Query = answer.Summary, answer.Query
	}
	for _, row := range answer.Results {
		cells := make([]string, len(row))
		for i, field := range row {
			cells[i] = cell(field.Value)
		}
		data.Rows = append(data.Rows, cells)
	}
	if len(answer.Results) > 0 {
		data.Columns = nil
		for _, field := range answer.Results[0] {
			data.Columns = append(data.Columns, field.Name)
		}
	}
	return nil
}

func sizeOf(v any) int {
	text, _ := json.Marshal(v) // values of an answer can be encoded
	return len(text)
}

// cell is a value as text.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool, int64, float64:
		return fmt.Sprint(v)
	}
	text, _ := json.Marshal(v)
	return string(text)
}

// fail shows an error.
func (p *pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusInternalServerError
	if unknown := (*explore.UnknownProjectError)(nil); errors.As(err, &unknown) || errors.Is(err, store.ErrNone) {
		status = http.StatusNotFound
		err = message.Errorf("there is no such project")
	} else {
		p.server.o.Log.ErrorContext(r.Context(), "a page failed", "error", err)
	}
	p.server.refuse(w, r, status, message.New("%v", err))
}

// show writes a page.
func (p *pages) show(w http.ResponseWriter, r *http.Request, status int, name string, title message.Text, data any) {
	var body, page bytes.Buffer
	err := p.templates.ExecuteTemplate(&body, name, data)
	if err == nil {
		err = p.templates.ExecuteTemplate(&page, "frame.html", struct {
			Lang, Title, Token string
			Body               template.HTML
		}{string(p.server.o.Lang), title.In(p.server.o.Lang), tokenOf(r.Context()).Name, template.HTML(body.String())})
	}
	if err != nil {
		p.server.o.Log.ErrorContext(r.Context(), "a page cannot be made", "error", err)
		p.server.refuse(w, r, http.StatusInternalServerError, message.New("the page cannot be made"))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes()) // the browser may be gone
}

// asset sends a style or picture.
func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	read := view.Asset
	if name == "team.css" {
		read = func(name string) ([]byte, error) { return files.ReadFile("pages/" + name) }
	}
	data, err := read(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}
