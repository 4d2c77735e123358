package redact_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/redact"
)

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	base62 = lower + upper + digits
)

// generator generates secrets in the form of their issuers.
type generator struct{ *rand.Rand }

func (g generator) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[g.IntN(len(alphabet))]
	}
	return string(b)
}

// json returns base64 of something that looks like a part of a JWT.
func (g generator) json(name string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(`{"` + name + `":"` + g.of(base62, 12) + `"}`))
}

// issued are secrets recognized by their form.
var issued = []struct {
	kind string
	make func(generator) string
}{
	{"AWS_ACCESS_KEY_ID", func(g generator) string { return "AKIA" + g.of(upper+"234567", 16) }},
	{"AWS_ACCESS_KEY_ID", func(g generator) string { return "ASIA" + g.of(upper+"234567", 16) }},
	{"GCP_API_KEY", func(g generator) string { return "AIza" + g.of(base62+"-_", 34) + "k" }},
	{"GCP_OAUTH_SECRET", func(g generator) string { return "GOCSPX-" + g.of(base62, 28) }},
	{"GITHUB_TOKEN", func(g generator) string { return "ghp_" + g.of(base62, 36) }},
	{"GITHUB_TOKEN", func(g generator) string { return "gho_" + g.of(base62, 36) }},
	{"GITHUB_TOKEN", func(g generator) string { return "github_pat_" + g.of(base62, 22) + "_" + g.of(base62, 59) }},
	{"GITLAB_TOKEN", func(g generator) string { return "glpat-" + g.of(base62, 20) }},
	{"SLACK_TOKEN", func(g generator) string {
		return "xoxb-" + g.of(digits, 12) + "-" + g.of(digits, 13) + "-" + g.of(base62, 24)
	}},
	{"STRIPE_KEY", func(g generator) string { return "sk_live_" + g.of(base62, 24) }},
	{"STRIPE_KEY", func(g generator) string { return "rk_test_" + g.of(base62, 24) }},
	{"WEBHOOK_SECRET", func(g generator) string { return "whsec_1" + g.of(base62, 31) }},
	{"NPM_TOKEN", func(g generator) string { return "npm_" + g.of(base62, 36) }},
	{"PYPI_TOKEN", func(g generator) string { return "pypi-AgEIcHlwaS5vcmc" + g.of(base62+"-_", 70) + "a" }},
	{"ANTHROPIC_API_KEY", func(g generator) string { return "sk-ant-api03-" + g.of(base62+"-_", 92) + "AA" }},
	{"OPENAI_API_KEY", func(g generator) string { return "sk-" + g.of(base62, 20) + "T3BlbkFJ" + g.of(base62, 20) }},
	{"OPENAI_API_KEY", func(g generator) string { return "sk-proj-1" + g.of(base62+"-_", 60) + "a" }},
	{"HUGGINGFACE_TOKEN", func(g generator) string { return "hf_" + g.of(base62, 34) }},
	{"SENDGRID_API_KEY", func(g generator) string { return "SG." + g.of(base62, 22) + "." + g.of(base62, 43) }},
	{"TWILIO_API_KEY", func(g generator) string { return "SK" + g.of("0123456789abcdef", 32) }},
	{"DIGITALOCEAN_TOKEN", func(g generator) string { return "dop_v1_" + g.of("0123456789abcdef", 64) }},
	{"SHOPIFY_TOKEN", func(g generator) string { return "shpat_" + g.of("0123456789abcdef", 32) }},
	{"VAULT_TOKEN", func(g generator) string { return "hvs.1" + g.of(base62, 90) }},
	{"JWT_TOKEN", func(g generator) string {
		return g.json("alg") + "." + g.json("sub") + "." + g.of(base62+"-_", 42) + "a"
	}},
}

// called are secrets recognized only by their names.
var called = []struct {
	names []string
	make  func(generator) string
}{
	{keyNames, func(g generator) string { return g.of(base62, 32) }},
	{keyNames, func(g generator) string { return g.of("0123456789abcdef", 32) }},
	{keyNames, func(g generator) string { return g.of("0123456789abcdef", 64) }},
	{keyNames, func(g generator) string { return g.of(lower+digits, 24) }},
	{keyNames, func(g generator) string { return g.of(base62+"+/", 40) }},
	{keyNames, func(g generator) string { return base64.StdEncoding.EncodeToString([]byte(g.of(base62, 32))) }},
	{passwordNames, func(g generator) string { return g.of(base62+"!@#%^*", 16) + "1" }},
	{passwordNames, func(g generator) string {
		return []string{"Sunny", "hunter", "Tr0ub4dor", "P@ssw0rd", "SuperSecret"}[g.IntN(5)] + g.of(digits, 3) + "!"
	}},
}

var (
	keyNames      = []string{"apiKey", "API_KEY", "client_secret", "accessToken", "stripe-secret-key", "jwtSecret", "SECRET_KEY_BASE", "AuthToken", "aws_secret_access_key", "encryptionKey", "authToken"}
	passwordNames = []string{"password", "dbPassword", "DB_PASSWORD", "smtp.password", "PASSWD", "userPwd", "passphrase", "adminPass"}
)

// quotedForms are forms with a quoted value: ¤n is the name, ¤s the secret.
var quotedForms = []string{
	`¤n := "¤s"`, `var ¤n = "¤s"`, `var ¤n string = "¤s"`, `const ¤n = '¤s'`, "let ¤n = `¤s`;", `let ¤n: string = "¤s";`, `export const ¤n: string | undefined = '¤s'`,
	`¤n = "¤s"`, `¤n: str = "¤s"`, `¤n: Optional[str] = None or "¤s"`, `self.¤n = '¤s'`, `def f(a, ¤n="¤s", b=1):`, `def f(¤n: str = '¤s') -> None:`, `connect(host="h", ¤n="¤s")`,
	`¤n = b"¤s"`, `¤n = r'¤s'`, `¤n = """¤s"""`, "¤n = \"\"\"\n¤s\n\"\"\"", "¤n = (\n    \"¤s\"\n)", `config["¤n"] = "¤s"`, `os.environ["¤n"] = "¤s"`, `os.Setenv("¤n", "¤s")`,
	`private static final String ¤n = "¤s";`, `String ¤n = new String("¤s");`, `@Value("${¤n:x}") String ¤n = "¤s";`, `public string ¤n { get; set; } = "¤s";`, `val ¤n: String = "¤s"`,
	`static const char *¤n = "¤s";`, `const char ¤n[] = "¤s";`, `#define ¤n "¤s"`, `std::string ¤n{"¤s"};`, `std::string ¤n("¤s");`, `const ¤n: &'static str = "¤s";`, `let ¤n = String::from("¤s");`,
	`$¤n = '¤s';`, `define('¤n', '¤s');`, `'¤n' => '¤s',`, `:¤n => "¤s"`, `¤n: "¤s",`, `"¤n": "¤s",`, `{"¤n":"¤s"}`, `"{\"¤n\": \"¤s\"}"`, `¤n => "¤s"`, `@"¤n" : @"¤s"`,
	`if ¤n == "¤s" {`, `x := getenv("¤n") || "¤s"`, `const ¤n = process.env.¤n || "¤s"`, `process.env.¤n ?? '¤s'`, `os.getenv("¤n", "¤s")`, `os.environ.get('¤n') or '¤s'`, `viper.SetDefault("¤n", "¤s")`,
	`flag.String("¤n", "¤s", "the usage")`, `parser.add_argument("--¤n", default="¤s")`, `func f(¤n string) // e.g. ¤n = "¤s"`, `.¤n("¤s")`, `set¤n("¤s")`,
	`<add key="¤n" value="¤s" />`, `<property name="¤n" value="¤s"/>`, `<¤n>¤s</¤n>`, "Field string `env:\"¤n\" default:\"¤s\"`", `ALTER USER x WITH ¤n '¤s'`, `set ¤n "¤s"`,
	"// ¤n: \"¤s\"", "# ¤n = '¤s'", ` * @param ¤n the thing, such as ¤n="¤s"`, `"Server=h;¤n=¤s;Timeout=3"`, `"https://h/path?¤n=¤s&x=1"`, "¤n =\n    \"¤s\"", `foo(¤n => '¤s')`, `¤n <- "¤s"`, `¤n::"¤s"`,
}

// settingsForms are forms of settings files and of the shell.
var settingsForms = []struct{ path, form string }{
	{".env", `¤n=¤s`},
	{".env", `export ¤n="¤s"`},
	{"a.yaml", `¤n: ¤s`},
	{"a.yml", `  ¤n: "¤s"`},
	{"a.yaml", "- name: ¤n\n  value: ¤s"},
	{"a.ini", `¤n = ¤s`},
	{"a.properties", `app.¤n=¤s`},
	{"a.toml", `¤n = "¤s"`},
	{"Dockerfile", `ENV ¤n=¤s`},
	{"a.sh", `export ¤n=¤s`},
	{"a.sh", `curl -H "¤n: ¤s"`},
	{"a.tf", `  ¤n = "¤s"`},
}

// TestEveryPlantedSecretIsFound puts secrets into every form, in which nothing else may
// change. Share of those that have to be found: all by form, and 99 of 100 by name, as a
// random text may look like a word.
func TestEveryPlantedSecretIsFound(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(8, 9))}
	var byForm, byName score
	for range 5 {
		for _, s := range issued {
			for _, form := range quotedForms {
				byForm.plant(t, form, "something", s.make(g), "")
			}
			byForm.plant(t, "use ¤s in the header.", "", s.make(g), "")
		}
		for _, s := range called {
			for _, form := range quotedForms {
				byName.plant(t, form, s.names[g.IntN(len(s.names))], s.make(g), "")
			}
			for _, c := range settingsForms {
				byName.plant(t, c.form, s.names[g.IntN(len(s.names))], s.make(g), c.path)
			}
		}
	}
	t.Logf("by form: %s; by name: %s", byForm, byName)
	if byForm.found < byForm.planted || byName.found*100 < byName.planted*99 {
		t.Errorf("found by form: %s; by name: %s\n%s", byForm, byName, strings.Join(append(byForm.missed, byName.missed...), "\n"))
	}
}

// score counts what was planted and found.
type score struct {
	planted, found int
	missed         []string
}

func (s score) String() string { return fmt.Sprintf("%d of %d", s.found, s.planted) }

// plant puts a secret into a form; nothing else may change.
func (s *score) plant(t *testing.T, form, name, secret, path string) {
	t.Helper()
	if strings.Contains(form, "<¤n>") || strings.HasSuffix(form, "('¤s')") {
		name = strings.NewReplacer(".", "", "-", "").Replace(name)
	}
	fill := func(v string) string { return strings.NewReplacer("¤n", name, "¤s", v).Replace(form) }
	text := fill(secret)
	s.planted++
	clean, found := redact.Text(text, redact.Hints{Path: path})
	if len(found) == 0 || strings.Contains(clean, secret) {
		s.missed = append(s.missed, fmt.Sprintf("%-60q %q", form, text))
		return
	}
	s.found++
	if want := fill(found[0].Placeholder); clean != want {
		t.Errorf("%q\n became %q\n want   %q", text, clean, want)
	}
}
