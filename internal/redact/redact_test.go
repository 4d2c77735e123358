package redact_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// TestNonSecretsAreKept checks texts that look similar to secrets.
func TestNonSecretsAreKept(t *testing.T) {
	for _, text := range []string{
		`const apiKey = "YOUR_API_KEY"`, `api_key = "your-api-key-here-123"`, `password = "changeme"`, `password: "password"`, `token = "<token>"`,
		`secret = "${SECRET}"`, `password: {{ .Values.password }}`, `export TOKEN=$OTHER_TOKEN`, `token = "xxxxxxxxxxxxxxxxxxxx"`, `apiKey: process.env.NEXT_PUBLIC_INKEEP_KEY!,`,
		`AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE`, `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`, `key := "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"`,
		`password = os.environ["DB_PASSWORD"]`, `token := getToken("https://a.b/c1")`, `if err := f.token(next2); err != nil {`, `const tokenKey = "user_token_v2"`,
		`commit = "47ae89f0c2f4b7e9aa1d3b5c7e9f1a2b3c4d5e6f"`, `sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`, `id = "550e8400-e29b-41d4-a716-446655440000"`,
		`passwordHash = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"`, `publicKey = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1234"`,
		`"integrity": "sha512-9f9Bnf5bUzKJh3xkrYoJ8fFhQ0B7o1j4Ykq1kGQ2=="`, `import keyring "github.com/99designs/keyring"`, `import { Token } from "./token_v2"`,
		`keyCode = "KeyboardEvent104"`, `primaryKey = "user_id_1"`, `"http://user:password@example.com"`, `http://localhost:8080/a@b`, `cmd.Env = append(cmd.Env, "PWD="+dir)`,
		`"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="`, `"Bearer token"`, `Authorization: Bearer <token>`, `"-----BEGIN PRIVATE KEY-----"`, `-----BEGIN PUBLIC KEY-----` + "\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n",
		`magic="-----BEGIN PGP PRIVATE KEY BLOCK-----" priority="50" />` + "\n<mime type=\"application/pgpKeyring4096AsBinary\" description=\"Pretty4Good2Privacy8Bundle\"/>",
		`href="#x509checkprivatekeyprivatekey" id="x509checkprivatekeyprivatekey"`, "Token: `urn:uuid:181d4fae-7d8c-11d0-a765-00a0c91e6bf2`", `DIALOG_TOKEN = C.NL80211_ATTR_TDLS_DIALOG_TOKEN`,
		`password: "Enter 8 or more characters"`, `secretName: "db-secret-v1"`, `tokens: map[string]int{"a1b2c3d4e5f6": 1}`, `token = "identifier1"`, `passwordField = "password2"`,
		`"encryptionKey": "encryptionKey1024",`, `csrf_token = "{{ csrf_token() }}"`, `default = "aGVsbG8gd29ybGQ="`, `SECRET_PATH=/var/run/secrets/token1`, `key = "a1b2"`, "",
		"const TOKEN_STRINGS = '[A-Za-z0-9._~+/-]+=*'",
	} {
		if clean, found := redact.Text(text, redact.Hints{}); clean != text || found != nil {
			t.Errorf("%s\n became %s %v", text, clean, found)
		}
	}
}

// TestFindings checks the detections.
func TestFindings(t *testing.T) {
	text := strings.Join([]string{
		`package p`,
		`const apiKey = "9f86d081884c7d659a2feaa0c55ad015"`,
		`var ids = creds("AKIAJ5QNR4TOP7ZUWXYA", "vX2+Lk8TqRz0PmYw4NdGhJ7sBcEfAi1oU9xQ5KtZ")`,
		`const key = "-----BEGIN RSA PRIVATE KEY-----\n" +`,
		`	"Proc-Type: 4,ENCRYPTED\n" +`,
		`	"MIIEpAIBAAKCAQEA7bq4Yt0C5Q1F2hQnWc8m\n" +`,
		`	"aGVsbG8+/w==\n" +`,
		`	"-----END RSA PRIVATE KEY-----\n"`,
		`db := "postgres://app:hunter2x@db:5432/app?sslmode=off"`,
		`req.Header.Set("Authorization", "Bearer 8c5f9b2e7d1a4c6f")`,
		`post("https://hooks.slack.com/services/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")`,
		`azure := "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=k9Lq2Rr8Zt0bXw5Yc7Vn3Mm1Pp4Ss6Uu+Dd/Gg0Hh2Jj4Kk6Ll8Aa1Ff3Ee5Oo7Ii9TtBbCcQqRr0s2t4Wx7Y1==;EndpointSuffix=x"`,
	}, "\n")
	want := strings.Join([]string{
		`package p`,
		`const apiKey = "[REDACTED_API_KEY]"`,
		`var ids = creds("[REDACTED_AWS_ACCESS_KEY_ID]", "[REDACTED_AWS_SECRET_ACCESS_KEY]")`,
		`const key = "-----BEGIN RSA PRIVATE KEY-----\n" +`,
		`	"Proc-Type: 4,ENCRYPTED\n" +`,
		`	"[REDACTED_PRIVATE_KEY]\n" +`,
		`	"[REDACTED_PRIVATE_KEY]\n" +`,
		`	"-----END RSA PRIVATE KEY-----\n"`,
		`db := "postgres://app:[REDACTED_URL_PASSWORD]@db:5432/app?sslmode=off"`,
		`req.Header.Set("Authorization", "Bearer [REDACTED_BEARER_TOKEN]")`,
		`post("https://hooks.slack.com/services/[REDACTED_SLACK_WEBHOOK]")`,
		`azure := "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=[REDACTED_AZURE_STORAGE_KEY];EndpointSuffix=x"`,
	}, "\n")
	clean, found := redact.Text(text, redact.Hints{Path: "p.go"})
	if diff := cmp.Diff(want, clean); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	of := func(kind string, line int, c redact.Confidence) redact.Detection {
		return redact.Detection{Type: kind, File: "p.go", Line: line, Confidence: c, Placeholder: "[REDACTED_" + kind + "]"}
	}
	if diff := cmp.Diff([]redact.Detection{
		of("API_KEY", 2, redact.Medium), of("AWS_ACCESS_KEY_ID", 3, redact.High), of("AWS_SECRET_ACCESS_KEY", 3, redact.Medium),
		of("PRIVATE_KEY", 6, redact.High), of("URL_PASSWORD", 9, redact.High), of("BEARER_TOKEN", 10, redact.High),
		of("SLACK_WEBHOOK", 11, redact.High), of("AZURE_STORAGE_KEY", 12, redact.Medium),
	}, found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

// TestHintsPath checks the effect of the path.
func TestHintsPath(t *testing.T) {
	const vector = `sharedSecret: "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"`
	const setting = `{user: a, password: hunter2x, host: b}`
	for _, c := range []struct {
		path, text string
		secret     bool
	}{
		{"a/ecdh.go", vector, true},
		{"a/ecdh_test.go", vector, false},
		{"testdata/ecdh.json", vector, false},
		{"conf/app.yaml", setting, true},
		{"app.go", setting, false},
	} {
		if _, found := redact.Text(c.text, redact.Hints{Path: c.path}); (found != nil) != c.secret {
			t.Errorf("%s: %s: %v", c.path, c.text, found)
		}
	}
}
