package services_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
)

// script says which requests are sent to a running service; running/README.md has its format.
type script struct {
	target, header string
	prefix         string          // of the paths of an included file
	slash, without []string        // paths of an included file that end with a slash, and its routes that the service does not have
	unprovoked     map[string]bool // stated statuses that no request can provoke: "GET /a 404"
	routes         []*requests
}

// requests are those to one route.
type requests struct {
	name, method, path string
	defaults           request
	lines              []line
}

// line is a request, a series of probes, or a value to keep of the last answer.
type line struct {
	word, name, path string
	request
}

// request is what is sent; the zero value of a field means that of the route.
type request struct {
	caller, basic, body, query, kind string // basic is name:password
	set                              map[string]string
}

// observed is the status that a service gave in a situation.
type observed struct {
	situation string
	status    int
	body      string
}

// options of a line: the situation comes before the first of them, and a body is the rest of the line.
var options = regexp.MustCompile(`(?:^|\s)(as|basic|set|query|type|body) `)

// TestRunning sends the requests of one script to the service at REVERSE_SPEC_ADDRESS, and compares what it answers with
// what is found in its code. scripts/services-run.sh starts the service.
func TestRunning(t *testing.T) {
	address, file, dir := os.Getenv("REVERSE_SPEC_ADDRESS"), os.Getenv("REVERSE_SPEC_SCRIPT"), os.Getenv("REVERSE_SPEC_CODE")
	if address == "" || file == "" || dir == "" {
		t.Skip("scripts/services-run.sh sets REVERSE_SPEC_ADDRESS, REVERSE_SPEC_SCRIPT and REVERSE_SPEC_CODE")
	}
	s := readScript(t, file)
	found := map[string]*service.Endpoint{}
	for _, e := range endpoints(t, dir, s.target) {
		if name := shape(e.Method, e.Path); found[name] == nil {
			found[name] = &e
		}
	}
	total := compareRunning(t, s, found, (&session{t: t, address: address, script: s, kept: map[string]string{}}).run())
	fmt.Fprintf(os.Stdout, "%-28s routes %v; statuses %v\n", strings.TrimSuffix(filepath.Base(file), ".txt"), total[0], total[1])
}

// compareRunning returns the rates of routes and statuses. A status is found if it is stated for the route; one that is
// stated is right if the service gave it.
func compareRunning(t *testing.T, s *script, found map[string]*service.Endpoint, answers map[string][]observed) (total [2]rate) {
	t.Helper()
	total[0].found, total[0].all = len(found), len(s.routes)
	for _, r := range s.routes {
		e := found[r.name]
		if e == nil {
			t.Logf("%s: no such route is found", r.name)
			total[1].all += len(answers[r.name])
			continue
		}
		delete(found, r.name)
		total[0].right++
		total[0].hit++
		stated := statedOf(e)
		given := map[int]bool{}
		for _, o := range answers[r.name] {
			given[o.status] = true
			total[1].all++
			if slices.Contains(stated, o.status) {
				total[1].hit++
			} else {
				t.Logf("%s: %s: answered %d, which is not stated: %.200s", r.name, o.situation, o.status, o.body)
			}
		}
		for _, status := range stated {
			name := fmt.Sprintf("%s %d", r.name, status)
			if (s.unprovoked[name] || s.unprovoked[fmt.Sprintf("* %d", status)] || status >= 500) && !given[status] {
				continue // what fails inside of a service cannot be provoked from outside
			}
			total[1].found++
			if given[status] {
				total[1].right++
			} else {
				t.Logf("%s: stated, and never answered", name)
			}
		}
	}
	for name := range found {
		t.Logf("%s: stated, and not requested", name)
	}
	return total
}

// statedOf returns the distinct statuses that are stated for an endpoint.
func statedOf(e *service.Endpoint) []int {
	var out []int
	for _, a := range e.Success {
		out = append(out, a.Status)
	}
	for i := range e.Refusals {
		out = append(out, e.Refusals[i].Status)
	}
	slices.Sort(out)
	return slices.Compact(slices.DeleteFunc(out, func(n int) bool { return n == 0 }))
}

// session sends the requests of a script in order.
type session struct {
	t       *testing.T
	address string
	script  *script
	kept    map[string]string
}

func (s *session) run() map[string][]observed {
	out := map[string][]observed{}
	for _, r := range s.script.routes {
		var last observed
		for _, l := range r.lines {
			switch l.word {
			case "keep":
				s.keep(r, l, last)
			case "probe":
				for _, p := range probes(r) {
					out[r.name] = append(out[r.name], s.send(r, p))
				}
			default:
				last = s.send(r, l)
				out[r.name] = append(out[r.name], last)
			}
		}
	}
	return out
}

// probes are mistakes that can be made with any route: credentials, body and parameters that are missing or wrong.
func probes(r *requests) []line {
	var out []line
	add := func(name string, change func(q *request)) {
		q := r.defaults
		change(&q)
		out = append(out, line{word: "send", name: name, request: q})
	}
	if r.defaults.caller != "" {
		add("no credentials", func(q *request) { q.caller = "nobody" })
		add("wrong credentials", func(q *request) { q.caller = "wrong" })
	}
	if r.defaults.body != "" {
		add("unreadable body", func(q *request) { q.body = "{" })
		add("empty object", func(q *request) { q.body = "{}" })
	}
	for _, name := range parametersOf(r.path) {
		with := func(value string) func(q *request) {
			return func(q *request) {
				q.set = maps.Clone(r.defaults.set)
				if q.set == nil {
					q.set = map[string]string{}
				}
				q.set[name] = value
			}
		}
		if _, err := strconv.Atoi(r.defaults.set[name]); err == nil || strings.HasPrefix(r.defaults.set[name], "${") {
			add("unknown "+name, with("987654"))
			add("unfit "+name, with("nosuch"))
		} else {
			add("unknown "+name, with("nosuch"))
		}
	}
	return out
}

func parametersOf(path string) []string {
	var out []string
	for _, p := range parameter.FindAllString(path, -1) {
		out = append(out, parameterName(p))
	}
	return out
}

// parameterName returns the name of a parameter of a path: id of <int:id>, {id} and :id.
func parameterName(p string) string {
	p = strings.Trim(p, "{}<>:")
	return p[strings.LastIndex(p, ":")+1:]
}

func (s *session) send(r *requests, l line) observed {
	s.t.Helper()
	path := parameter.ReplaceAllStringFunc(r.path, func(p string) string { return s.fill(l.set[parameterName(p)]) })
	if l.query != "" {
		path += "?" + s.fill(l.query)
	}
	kind, body := s.bodyOf(l)
	req, err := http.NewRequestWithContext(s.t.Context(), r.method, s.address+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatalf("%s: %v", r.name, err)
	}
	if body != "" {
		req.Header.Set("Content-Type", kind)
	}
	req.Header.Set("Accept", "application/json")
	if name, password, ok := strings.Cut(l.basic, ":"); ok {
		req.SetBasicAuth(name, password)
	}
	if l.caller != "" && l.caller != "nobody" {
		token := s.kept[l.caller]
		if l.caller == "wrong" {
			token = "wrong"
		} else if token == "" {
			s.t.Errorf("%s: nothing is kept as %s", r.name, l.caller)
		}
		key, value, _ := strings.Cut(s.script.header, ": ")
		req.Header.Set(key, strings.ReplaceAll(value, "{token}", token))
	}
	client := http.Client{Timeout: 20 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		s.t.Logf("%s: %s: %v", r.name, l.name, err)
		return observed{situation: l.name}
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		s.t.Logf("%s: %s: %v", r.name, l.name, err)
	}
	if os.Getenv("SHOW") != "" {
		fmt.Fprintf(os.Stdout, "%s: %s: %d %.300s\n", r.name, l.name, res.StatusCode, bytes.TrimSpace(answer))
	}
	return observed{l.name, res.StatusCode, string(answer)}
}

// bodyOf returns the type and the text of a body: of the type picture a form with a PNG in the field that the body names.
func (s *session) bodyOf(l line) (kind, body string) {
	s.t.Helper()
	switch l.kind {
	case "":
		return "application/json", s.fill(l.body)
	case "picture":
		var text bytes.Buffer
		form := multipart.NewWriter(&text)
		file, err := form.CreateFormFile(l.body, "dot.png")
		if err == nil {
			err = png.Encode(file, image.NewGray(image.Rect(0, 0, 1, 1)))
		}
		if err = errors.Join(err, form.Close()); err != nil {
			s.t.Fatal(err)
		}
		return form.FormDataContentType(), text.String()
	}
	return l.kind, s.fill(l.body)
}

// fill replaces ${name} by the value that was kept under the name.
func (s *session) fill(text string) string {
	return os.Expand(text, func(name string) string { return s.kept[name] })
}

// keep keeps a value of a JSON body: "user.token", "0.id".
func (s *session) keep(r *requests, l line, last observed) {
	var value any
	if err := json.Unmarshal([]byte(last.body), &value); err != nil {
		s.t.Errorf("%s: keep %s: %v in %.200s", r.name, l.name, err, last.body)
		return
	}
	for part := range strings.SplitSeq(l.path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[part]
		case []any:
			if n, err := strconv.Atoi(part); err == nil && n < len(v) {
				value = v[n]
			}
		}
	}
	if value == nil {
		s.t.Errorf("%s: keep %s: no %s in %.200s", r.name, l.name, l.path, last.body)
	}
	if number, ok := value.(float64); ok {
		value = strconv.FormatFloat(number, 'f', -1, 64)
	}
	s.kept[l.name] = fmt.Sprint(value)
}

func readScript(t *testing.T, file string) *script {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := &script{target: ".", unprovoked: map[string]bool{}}
	out.add(t, file, data)
	return out
}

// add reads the lines of a script or of a file that it includes.
func (out *script) add(t *testing.T, file string, data []byte) {
	t.Helper()
	skipped := false // the route is not the service's
	scanner := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; scanner.Scan(); n++ {
		word, rest, _ := strings.Cut(strings.TrimSpace(scanner.Text()), " ")
		switch word {
		case "", "#", "repository", "commit", "framework":
		case "target":
			out.target = rest
		case "header":
			out.header = rest
		case "prefix":
			out.prefix = rest
		case "slash":
			out.slash = append(out.slash, strings.Fields(rest)...)
		case "without":
			out.without = append(out.without, rest)
		case "include":
			included, err := os.ReadFile(filepath.Join(filepath.Dir(file), rest))
			if err != nil {
				t.Fatal(err)
			}
			out.add(t, rest, included)
			out.prefix, out.slash, out.without = "", nil, nil
		case "unprovoked":
			name, why, ok := strings.Cut(rest, ": ")
			parts := strings.Fields(name)
			switch {
			case ok && why != "" && len(parts) == 3:
				out.unprovoked[shape(parts[0], parts[1])+" "+parts[2]] = true
			case ok && why != "" && len(parts) == 2 && parts[0] == "*":
				out.unprovoked[name] = true
			default:
				t.Fatalf("%s:%d: not a status with the reason why it cannot be provoked: %s", file, n, rest)
			}
		default:
			if word == strings.ToUpper(word) && strings.HasPrefix(rest, "/") {
				if skipped = slices.Contains(out.without, word+" "+rest); skipped {
					continue
				}
				path := out.prefix + rest
				if slices.Contains(out.slash, rest) {
					path += "/"
				}
				out.routes = append(out.routes, &requests{name: shape(word, path), method: word, path: path})
				continue
			}
			if skipped {
				continue
			}
			if len(out.routes) == 0 || !out.routes[len(out.routes)-1].read(word, rest) {
				t.Fatalf("%s:%d: not a request: %s", file, n, scanner.Text())
			}
		}
	}
}

// read reads a line below a route; false if it is none.
func (r *requests) read(word, rest string) bool {
	switch word {
	case "as", "basic", "set", "query", "type", "body":
		_, r.defaults = parseOptions(word+" "+rest, r.defaults)
	case "send":
		l := line{word: word}
		l.name, l.request = parseOptions(rest, r.defaults)
		if l.name == "" {
			l.name = "as asked"
		}
		r.lines = append(r.lines, l)
	case "probe":
		r.lines = append(r.lines, line{word: word})
	case "keep":
		l := line{word: word}
		l.name, l.path, _ = strings.Cut(rest, " ")
		r.lines = append(r.lines, l)
	default:
		return false
	}
	return true
}

// parseOptions returns the situation of a line and the request with the options that the line gives.
func parseOptions(text string, q request) (string, request) {
	at := options.FindStringSubmatchIndex(text)
	if at == nil {
		return strings.TrimSpace(text), q
	}
	situation := strings.TrimSpace(text[:at[0]])
	for at != nil {
		word, rest := text[at[2]:at[3]], text[at[1]:]
		next := options.FindStringSubmatchIndex(rest)
		value := rest
		if next != nil && word != "body" {
			value = rest[:next[0]]
		}
		value = strings.TrimSpace(value)
		switch word {
		case "as":
			q.caller = value
		case "basic":
			q.basic = value
		case "query":
			q.query = value
		case "type":
			q.kind = value
		case "body":
			q.body = value
			return situation, q
		case "set":
			set := map[string]string{}
			maps.Copy(set, q.set)
			for pair := range strings.FieldsSeq(value) {
				k, v, _ := strings.Cut(pair, "=")
				set[k] = v
			}
			q.set = set
		}
		text, at = rest, next
	}
	return situation, q
}
