package teamserver_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// pushFile pushes a repository with one file.
func (f *fixture) pushFile(name, file, text string) {
	f.t.Helper()
	dir := filepath.Join(f.t.TempDir(), name)
	check(f.t, os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	f.git(dir, "init", "-q", "-b", "main")
	f.git(dir, "add", ".")
	f.git(dir, "-c", "user.name=Ann", "-c", "user.email=a@b", "commit", "-qm", "x")
	p, err := project.Open(dir)
	check(f.t, err)
	pushed, err := f.admin.Push(f.t.Context(), p, shared.PushOptions{Name: name, Getenv: func(string) string { return "" }})
	check(f.t, err, pushed.Unlinked, p.Close())
}

// Pages and the tool list_projects name the users of a project and of its contracts, to a token that may see both.
func TestUsersAreNamed(t *testing.T) {
	f := newFixture(t, nil)
	f.pushFile("orders", "openapi.yaml", "openapi: 3.1.0\npaths:\n  /orders/{id}/lines:\n    get: {operationId: listLines}\n")
	const client = "import requests\n\ndef fetch_lines(id):\n    return requests.get(f\"{HOST}/orders/{id}/lines\")\n"
	f.pushFile("storefront", "web.py", client)
	f.pushFile("backoffice", "web.py", client)
	some := f.token("some", "orders", "storefront")
	one := f.token("one", "orders")
	page := func(path, token string) string {
		t.Helper()
		status, _, body := f.do(f.request(http.MethodGet, path, "", with(token)))
		if status != http.StatusOK {
			t.Fatalf("%s: %d\n%s", path, status, body)
		}
		return body
	}
	for token, users := range map[string]string{f.all: "backoffice storefront", some: "storefront", one: ""} {
		text, failed := f.call(token, f.session(token), "list_projects", nil)
		var list struct {
			Projects  []string
			Relations []graphs.Relation
		}
		check(t, json.Unmarshal([]byte(text), &list))
		var got []string
		for _, r := range list.Relations {
			if r.Uses != "orders" || r.Kind != "openapi" || !r.Contract || r.Places != 1 {
				t.Errorf("%+v", r)
			}
			got = append(got, r.Project)
		}
		if failed || strings.Join(got, " ") != users {
			t.Errorf("users of orders %q, want %q:\n%s", got, users, text)
		}
		lists := page("/", token)
		project := page("/project?project="+url.QueryEscape("project://orders"), token)
		for _, user := range []string{"backoffice", "storefront"} {
			seen := strings.Contains(users, user)
			if strings.Contains(lists, user+" (openapi)") != seen || strings.Contains(project, ">"+user+"</a></td><td>openapi</td><td>1</td>") != seen ||
				strings.Contains(project, "<td>"+user+"</td><td><code>"+user+".web.fetch_lines</code></td><td>web.py:4</td>") != seen {
				t.Errorf("%s, want %v:\n%s\n%s", user, seen, lists, project)
			}
			if !seen && strings.Contains(lists+project+text, user) {
				t.Errorf("%s is not to be seen:\n%s\n%s\n%s", user, lists, project, text)
			}
		}
	}
	if status, header, _ := f.do(f.request(http.MethodGet, "/favicon.ico", "", nil)); status != http.StatusOK || header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("the icon: %d %v", status, header)
	}
	user := page("/project?project="+url.QueryEscape("project://storefront"), some)
	if !strings.Contains(user, "<h2>Uses</h2>") || !strings.Contains(user, `<a href="/project?project=project%3A%2F%2Forders">orders</a>`) || strings.Contains(user, "<h2>Users</h2>") {
		t.Error(user)
	}
	asked := page("/project?project="+url.QueryEscape("project://orders")+"&q="+url.QueryEscape("MATCH (n) RETURN count(n) AS n"), some)
	if strings.Contains(asked, "storefront") {
		t.Errorf("the page of an answer is about the question:\n%s", asked)
	}
}
