package redact

import (
	"strings"
	"sync"
)

// token is a form of secret: a prefix and a body of certain characters.
type token struct {
	kind     string
	prefixes string // separated by blanks
	letters  func(byte) bool
	min, max int  // length of the body; max 0 for any
	digit    bool // the body must contain a digit, else it is a word
}

// Character sets of bodies.
func alnum(c byte) bool { return isLetter(c) || isDigit(c) }

func capitals(c byte) bool { return isUpper(c) || isDigit(c) }

func hexDigit(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func dashed(c byte) bool { return alnum(c) || c == '-' }

func base64url(c byte) bool { return isWord(c) || c == '-' }

func dotted(c byte) bool { return base64url(c) || c == '.' }

func base64std(c byte) bool { return alnum(c) || c == '+' || c == '/' || c == '=' }

const (
	awsID     = "AWS_ACCESS_KEY_ID"
	awsSecret = "AWS_SECRET_ACCESS_KEY"
	jwt       = "JWT_TOKEN"
)

// tokens lists the forms by issuer, with the documented lengths if there are any. If one prefix begins with
// another, it comes first.
var tokens = []token{
	{awsID, "AKIA ASIA ABIA ACCA", capitals, 16, 16, false},
	{"GCP_API_KEY", "AIza", base64url, 35, 39, false},
	{"GCP_OAUTH_TOKEN", "ya29.", dotted, 20, 0, false},
	{"GCP_OAUTH_SECRET", "GOCSPX-", base64url, 24, 40, false},
	{"GITHUB_TOKEN", "ghp_ gho_ ghu_ ghs_ ghr_", alnum, 30, 0, false},
	{"GITHUB_TOKEN", "github_pat_", base64url, 22, 0, true},
	{"GITLAB_TOKEN", "glpat-", dotted, 20, 0, false},
	{"GITLAB_TOKEN", "gldt- glcbt- glptt- gloas- glsoat-", base64url, 20, 0, true},
	{"GITLAB_TOKEN", "glrt-", dotted, 20, 0, true},
	{"SLACK_TOKEN", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xapp-", dashed, 10, 0, true},
	{"SLACK_TOKEN", "xoxd-", base64url, 10, 0, true},
	{"STRIPE_KEY", "sk_live_ rk_live_ sk_test_ rk_test_", alnum, 10, 0, false},
	{"WEBHOOK_SECRET", "whsec_", base64std, 16, 0, true},
	{"NPM_TOKEN", "npm_", alnum, 36, 36, false},
	{"PYPI_TOKEN", "pypi-", base64url, 50, 0, true},
	{"RUBYGEMS_TOKEN", "rubygems_", hexDigit, 48, 48, false},
	{"DOCKER_TOKEN", "dckr_pat_", base64url, 20, 0, false},
	{"ANTHROPIC_API_KEY", "sk-ant-", base64url, 20, 0, true},
	{"OPENROUTER_API_KEY", "sk-or-v1-", alnum, 32, 0, false},
	{"OPENAI_API_KEY", "sk-proj- sk-svcacct- sk-admin-", base64url, 20, 0, true},
	{"OPENAI_API_KEY", "sk-", alnum, 20, 0, true},
	{"GROQ_API_KEY", "gsk_", alnum, 40, 0, true},
	{"XAI_API_KEY", "xai-", alnum, 40, 0, true},
	{"PERPLEXITY_API_KEY", "pplx-", alnum, 32, 0, true},
	{"NVIDIA_API_KEY", "nvapi-", base64url, 40, 0, true},
	{"REPLICATE_TOKEN", "r8_", alnum, 37, 37, false},
	{"HUGGINGFACE_TOKEN", "hf_", alnum, 30, 40, false},
	{"SENDGRID_API_KEY", "SG.", dotted, 60, 70, true},
	{"TWILIO_API_KEY", "SK", hexDigit, 32, 32, true},
	{"DIGITALOCEAN_TOKEN", "dop_v1_ doo_v1_ dor_v1_", hexDigit, 64, 64, false},
	{"SHOPIFY_TOKEN", "shpat_ shpca_ shppa_ shpss_", hexDigit, 32, 32, false},
	{"LINEAR_API_KEY", "lin_api_", alnum, 30, 0, false},
	{"FIGMA_TOKEN", "figd_", base64url, 30, 0, true},
	{"ATLASSIAN_TOKEN", "ATATT3", base64std, 30, 0, true},
	{"VAULT_TOKEN", "hvs. hvb.", base64url, 24, 0, true},
	{"SENTRY_TOKEN", "sntrys_", base64std, 40, 0, true},
	{"SENTRY_TOKEN", "sntryu_", hexDigit, 64, 64, false},
	{"GRAFANA_TOKEN", "glsa_", base64url, 32, 0, true},
	{"GRAFANA_TOKEN", "glc_", base64std, 32, 0, true},
	{"NEWRELIC_KEY", "NRAK-", alnum, 27, 27, false},
	{"POSTMAN_KEY", "PMAK-", dashed, 50, 0, true},
	{"SQUARE_TOKEN", "sq0atp-", base64url, 22, 22, false},
	{"SQUARE_TOKEN", "sq0csp-", base64url, 43, 43, false},
	{"AGE_SECRET_KEY", "AGE-SECRET-KEY-1", capitals, 58, 58, false},
	{"DATABRICKS_TOKEN", "dapi", hexDigit, 32, 32, true},
	{"PLANETSCALE_TOKEN", "pscale_tkn_ pscale_pw_", base64url, 32, 0, false},
	{"PULUMI_TOKEN", "pul-", hexDigit, 40, 40, false},
	{"TAILSCALE_KEY", "tskey-", dashed, 16, 0, true},
	{"NOTION_TOKEN", "ntn_", alnum, 40, 0, true},
	{"SUPABASE_TOKEN", "sbp_", hexDigit, 40, 40, false},
	{"DOPPLER_TOKEN", "dp.pt.", alnum, 40, 44, false},
	{"NETLIFY_TOKEN", "nfp_", alnum, 36, 40, false},
	{jwt, "eyJ", dotted, 20, 0, false},
}

// prefixed is a token with one of its prefixes.
type prefixed struct {
	prefix string
	token
}

// tokensByFirst indexes the tokens by the first byte of the prefix.
var tokensByFirst = sync.OnceValue(func() *[256][]prefixed {
	var out [256][]prefixed
	for _, t := range tokens {
		for prefix := range strings.FieldsSeq(t.prefixes) {
			out[prefix[0]] = append(out[prefix[0]], prefixed{prefix, t})
		}
	}
	return &out
})

// token returns the kind and end of the token at i; 0 if there is none.
func (f *finder) token(i int) (kind string, end int) {
	if i >= len(f.text) {
		return "", 0
	}
	rows, second := f.tokens[f.text[i]], f.text[min(i+1, len(f.text)-1)]
	for n := range rows {
		t := &rows[n]
		if t.prefix[1] != second {
			continue
		}
		rest, ok := strings.CutPrefix(f.text[i:], t.prefix)
		if !ok {
			continue
		}
		body := strings.TrimRight(rest[:run(rest, t.letters)], ".") // punctuation of the sentence
		if t.takes(body) && !isPlaceholder(body) && distinct(body) >= 5 {
			return t.kind, i + len(t.prefix) + len(body)
		}
	}
	return "", 0
}

// run returns the length of the leading bytes for which of is true.
func run(s string, of func(byte) bool) int {
	n := 0
	for n < len(s) && of(s[n]) {
		n++
	}
	return n
}

func (t *token) takes(body string) bool {
	return len(body) >= t.min && (t.max == 0 || len(body) <= t.max) && (!t.digit || hasDigit(body)) && (t.kind != jwt || isJWT(body))
}

func hasDigit(body string) bool { return strings.ContainsAny(body, "0123456789") }

// isJWT reports whether the text after "eyJ" is the rest of a JWT: header, payload and a possibly empty signature.
func isJWT(body string) bool {
	parts := strings.Split(body, ".")
	return len(parts) >= 2 && len(parts) <= 5 && len(parts[0]) >= 8 && strings.HasPrefix(parts[1], "eyJ") && len(parts[1]) >= 8
}

// awsSecret checks for the secret that usually follows an AWS access key id, which ends at i, under any name. It
// returns where to continue.
func (f *finder) awsSecret(i int) int {
	const near, size = 160, 40
	window := f.text[:min(len(f.text), i+near)]
	for at := i; at < len(window); at++ {
		n := run(window[at:], base64std)
		if v := window[at : at+n]; n == size && isRandom(v) && !isPlaceholder(v) {
			f.add(at, at+n, awsSecret, Medium)
			return at + n
		}
		at += n
	}
	return i
}
