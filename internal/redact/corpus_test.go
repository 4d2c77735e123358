package redact_test

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// corpus is public code, by what it is called.
type corpus struct{ name, root string }

// corpora returns the public code that is on this machine: Go's, Python's, and what
// scripts/secrets.sh has fetched to the folder that REVERSE_SPEC_CORPORA names, as
// language/name.
func corpora(t testing.TB) []corpus {
	t.Helper()
	out := []corpus{{"go/goroot", goroot(t)}}
	if dir, err := exec.Command("python3", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").Output(); err == nil {
		out = append(out, corpus{"python/stdlib", strings.TrimSpace(string(dir))})
	}
	folders, _ := filepath.Glob(filepath.Join(os.Getenv("REVERSE_SPEC_CORPORA"), "*", "*"))
	for _, dir := range folders {
		language := filepath.Base(filepath.Dir(dir))
		if target, err := filepath.EvalSymlinks(dir); err == nil && os.Getenv("REVERSE_SPEC_CORPORA") != "" && language != "packages" && language != "apt" && language != "vectors" {
			out = append(out, corpus{language + "/" + filepath.Base(dir), target})
		}
	}
	return out
}

// files calls f for the code in a corpus: for an eighth of the files, all of them in `make secrets`.
func (c corpus) files(t testing.TB, f func(file, text string)) {
	t.Helper()
	err := filepath.WalkDir(c.root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "site-packages" || d.Name() == "__pycache__") {
			return cmp.Or(err, fs.SkipDir)
		}
		if !d.Type().IsRegular() || syntax(file).quotes == "" {
			return nil
		}
		rel, _ := filepath.Rel(c.root, file)
		if h := fnv.New32a(); os.Getenv("REVERSE_SPEC_CORPORA") == "" {
			h.Write([]byte(filepath.ToSlash(rel)))
			if h.Sum32()%8 != 0 {
				return nil
			}
		}
		text, err := os.ReadFile(file)
		if err == nil && len(text) < 1<<20 {
			f(filepath.ToSlash(rel), string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// lexis is what has to be known of a language to count its strings.
type lexis struct{ quotes, line string }

func syntax(file string) lexis {
	switch filepath.Ext(file) {
	case ".go", ".ts", ".tsx", ".js", ".mjs", ".jsx":
		return lexis{"\"'`", "//"}
	case ".java", ".kt", ".scala", ".swift", ".cs":
		return lexis{`"`, "//"}
	case ".rs", ".c", ".h", ".cc", ".cpp", ".hpp":
		return lexis{`"`, "//"}
	case ".py", ".rb":
		return lexis{`"'`, "#"}
	case ".php":
		return lexis{`"'`, "//"}
	}
	return lexis{}
}

// countStrings counts the string literals in a text: what is between quotes outside
// comments.
func countStrings(text string, l lexis) (n int) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], l.line):
			i += strings.IndexByte(text[i:]+"\n", '\n')
		case l.line == "//" && strings.HasPrefix(text[i:], "/*"):
			i += strings.Index(text[i:]+"*/", "*/") + 2
		case l.line == "#" && (strings.HasPrefix(text[i:], `"""`) || strings.HasPrefix(text[i:], "'''")):
			n++
			end := strings.Index(text[i+3:]+text[i:i+3], text[i:i+3])
			i += 3 + end + 3
		case strings.IndexByte(l.quotes, c) >= 0:
			n++
			for i++; i < len(text) && text[i] != c && (c == '`' || text[i] != '\n'); i++ {
				if text[i] == '\\' && c != '`' {
					i++
				}
			}
			i++
		default:
			i++
		}
	}
	return n
}

// TestFalseAlarmsOnPublicCode checks that at most one of a hundred strings of public code is taken for a secret,
// and far fewer in the corpora used for development; see docs/secrets.md. Detections are printed with -v.
func TestFalseAlarmsOnPublicCode(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: reads whole libraries")
	}
	for _, c := range corpora(t) {
		literals, alarms := 0, 0
		c.files(t, func(file, text string) {
			literals += countStrings(text, syntax(file))
			_, found := redact.Text(text, redact.Hints{Path: file})
			rows := strings.Split(text, "\n")
			for _, d := range found {
				alarms++
				if os.Getenv("REVERSE_SPEC_ALARMS") != "" {
					t.Logf("alarm %s/%s:%d %s: %.200s", c.name, file, d.Line, d.Type, strings.TrimSpace(rows[d.Line-1]))
				}
			}
		})
		t.Logf("false alarms | %-24s | %7d strings | %5d alarms | %.3f %%", c.name, literals, alarms, 100*float64(alarms)/float64(max(literals, 1)))
		if literals > 0 && alarms*100 > literals {
			t.Errorf("%s: %d of %d strings are taken for secrets", c.name, alarms, literals)
		}
	}
}

var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

// speaks reports whether a name may indicate a secret.
func speaks(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "")
	for _, word := range []string{"password", "passwd", "passphrase", "secret", "token", "credential", "apikey", "accesskey", "privatekey", "authkey"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// namesSecret finds names name a secret by their last word, except numbers and versions;
// others speak of one: tokenType.
var namesSecret = regexp.MustCompile(`(?i)(password|passwd|passphrase|secret|token|credential|api_?key|access_?key|private_?key|auth_?key)s?(_?v?\d+)?$`)

// notSecret are names that say that what they name is public.
var notSecret = regexp.MustCompile(`(?i)public|hash|digest|sha\d|md5|csrf|xsrf`)

// harvested returns the names of public code that name secrets, and those that speak of
// them.
func harvested(t testing.TB) (secrets, others []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range corpora(t) {
		c.files(t, func(_, text string) {
			for _, name := range identifier.FindAllString(text, -1) {
				if !speaks(name) {
					continue
				}
				if seen[name] || len(name) > 40 || strings.ContainsAny(name[:1], "0123456789") {
					continue
				}
				seen[name] = true
				switch {
				case notSecret.MatchString(name):
				case namesSecret.MatchString(name):
					secrets = append(secrets, name, name+"2", name+"V2", name+"_v3")
				default:
					others = append(others, name)
				}
			}
		})
	}
	slices.Sort(secrets)
	slices.Sort(others)
	return secrets, others
}

var passwordName = regexp.MustCompile(`(?i)pass`)

// madeUp returns a value as people and generators make them up for a name.
func (g generator) madeUp(name string) string {
	hex := digits + "abcdef"
	words := func(between string) string {
		list := strings.Fields("correct horse battery staple orange window copper meadow rocket planet silver candle thunder garden pepper violet marble canyon")
		out := make([]string, 4+g.IntN(2))
		for i := range out {
			out[i] = list[g.IntN(len(list))]
		}
		return strings.Join(out, between)
	}
	keys := []func() string{
		func() string { return g.of(hex, []int{32, 40, 64}[g.IntN(3)]) },
		func() string { return g.of(base62, 20+g.IntN(30)) },
		func() string { return base64.StdEncoding.EncodeToString([]byte(g.of(base62+hex, 18+g.IntN(24)))) },
		func() string { return g.of(base62+"-_", 24+g.IntN(20)) },
		func() string {
			return g.of(hex, 8) + "-" + g.of(hex, 4) + "-4" + g.of(hex, 3) + "-a" + g.of(hex, 3) + "-" + g.of(hex, 12)
		},
		func() string { return g.of(lower+digits, 16+g.IntN(16)) },
	}
	passwords := []func() string{
		func() string {
			return []string{"hunter", "dragon", "monkey", "Summer", "Winter", "tiger", "shadow", "Welcome", "letmein", "sunshine"}[g.IntN(10)] + g.of(digits, 1+g.IntN(4))
		},
		func() string {
			return []string{"S3cr3t", "P4ssw0rd", "Tr0ub4dor&3", "qW3rty", "l3tm31n", "Adm1n", "r00tpw"}[g.IntN(7)] + []string{"!", "", "#", "99", "-x"}[g.IntN(5)]
		},
		func() string { return g.of(base62+"!@#%^&*_-+=?.", 10+g.IntN(8)) + g.of(digits, 1) },
		func() string { return words("-") },
		func() string { return g.of(base62, 12+g.IntN(12)) },
		func() string { return g.of(hex, 16) },
	}
	if passwordName.MatchString(name) {
		return passwords[g.IntN(len(passwords))]()
	}
	return keys[g.IntN(len(keys))]()
}

// place is a form in which a language or tool assigns a value to a name.
type place struct{ path, form string }

// nameless are forms without a name, in which only the surrounding words indicate the secret.
var nameless = []place{
	{"a.sh", `curl -u admin:¤s https://api.internal/v1`},
	{"a.sh", `mysql -uroot -p¤s app`},
	{"a.sh", `wget --user=bob --password=¤s ftp://h/f`},
	{"a.py", `client.login("admin", "¤s")`},
	{"a.js", `await page.login('admin', '¤s');`},
	{"a.go", `req.SetBasicAuth("svc", "¤s")`},
	{"a.py", `requests.get(url, auth=("svc", "¤s"))`},
	{"a.java", `new UsernamePasswordCredentials("svc", "¤s")`},
	{"a.cs", `new NetworkCredential("svc", "¤s")`},
	{"a.go", `db, err := sql.Open("mysql", "root:¤s@tcp(127.0.0.1:3306)/app")`},
	{"README.md", "Sign in with `curl -u me:¤s`."},
	{"a.sh", `sshpass -p '¤s' ssh root@h`},
	{"a.sh", `redis-cli -h h -a ¤s ping`},
	{"a.sh", `mysqldump -h h -u app -p¤s db > f`},
	{"a.rb", `http.basic_auth("svc", "¤s")`},
	{"a.sql", `CREATE USER 'app'@'%' IDENTIFIED BY '¤s';`},
	{"a.sql", `ALTER ROLE app WITH PASSWORD '¤s';`},
	{"a.sh", `docker login -u bob -p ¤s registry.local`},
	{"a.php", `mysqli_connect("localhost", "root", "¤s", "app");`},
	{"a.py", `smtp.login("me@corp.io", "¤s")`},
	{"a.ts", `const url = "amqp://app:¤s@mq:5672/";`},
	{"a.yaml", `command: ["mysql", "-uroot", "-p¤s"]`},
}

// halves counts planted and detected secrets per half.
type halves struct{ planted, kept [2]int }

func (h *halves) String() string {
	share := func(n int) string {
		return fmt.Sprintf("%d of %d (%.2f %%)", h.kept[n], h.planted[n], 100*float64(h.kept[n])/float64(max(1, h.planted[n])))
	}
	return "development " + share(0) + ", held out " + share(1)
}

// half says which half a text is of.
func half(text string) int {
	h := fnv.New32a()
	h.Write([]byte(text))
	return int(h.Sum32()>>7) & 1
}

// TestSecretsUnderTheNamesOfPublicCode fills forms of all languages with names harvested
// from public code and with made-up values. Names and forms are split by their hash: the
// rules were made looking at the development half alone.
func TestSecretsUnderTheNamesOfPublicCode(t *testing.T) {
	secrets, others := harvested(t)
	t.Logf("%d names of secrets, %d that speak of them", len(secrets), len(others))
	g := generator{rand.New(rand.NewPCG(3, 7))}
	var named, about, without halves
	missed := map[string]int{}
	plant := func(h *halves, p place, name string, n int) {
		v := g.madeUp(name)
		text := "first line\n" + strings.NewReplacer("¤n", name, "¤s", v).Replace(p.form) + "\nlast line\n"
		if strings.Contains(p.form, "¤1") {
			text = strings.NewReplacer("¤1", v[:len(v)/2], "¤2", v[len(v)/2:]).Replace(text)
		}
		h.planted[n]++
		clean, _ := redact.Text(text, redact.Hints{Path: p.path})
		if leaks(clean, v) {
			if (n == 0 || os.Getenv("REVERSE_SPEC_MISSED") == "all") && h != &about {
				missed[p.form]++
				if os.Getenv("REVERSE_SPEC_MISSED") != "" {
					t.Logf("missed %q: %s", p.path, strings.TrimSuffix(strings.TrimPrefix(clean, "first line\n"), "\nlast line\n"))
				}
			}
			return
		}
		h.kept[n]++
	}
	rounds := 30
	if os.Getenv("REVERSE_SPEC_CORPORA") != "" {
		rounds = 150
	}
	for _, p := range places {
		n := half(p.form)
		for range rounds {
			plant(&named, p, pick(g, secrets, n), n)
			plant(&about, p, pick(g, others, n), n)
		}
	}
	for _, p := range nameless {
		n := half(p.form)
		for range rounds {
			plant(&without, p, "password", n)
		}
	}
	t.Logf("kept out | names of secrets | %s", &named)
	t.Logf("kept out | names that speak of them | %s", &about)
	t.Logf("kept out | no name | %s", &without)
	for form, n := range missed {
		t.Logf("missed %3d in %s", n, form)
	}
	for _, h := range []halves{named, without} {
		for n := range 2 {
			if h.kept[n]*100 < h.planted[n]*98 {
				t.Errorf("kept out: %s", &h)
			}
		}
	}
}

// leaks reports whether a text still holds a secret, or most of it.
func leaks(text, secret string) bool {
	if strings.Contains(text, secret) {
		return true
	}
	for i := 0; i+2*len(secret)/3 <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+2*len(secret)/3]) {
			return true
		}
	}
	return false
}

// pick returns a name of a half.
func pick(g generator, names []string, n int) string {
	for {
		if name := names[g.IntN(len(names))]; half(name) == n {
			return name
		}
	}
}
