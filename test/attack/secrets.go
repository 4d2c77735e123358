package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// forms returns the forms of a secret in a file; $N is a name and $V the secret.
func forms() []struct{ ending, text string } {
	return []struct{ ending, text string }{
		{"go", "var $N = \"$V\""},
		{"go", "const $N = `$V`"},
		{"go", "var m = map[string]string{\"$N\": \"$V\"}"},
		{"go", "var x = connect(\"admin\", \"$V\", $N)"},
		{"py", "$N = '$V'"},
		{"py", "config = {'$N': \"$V\"}"},
		{"py", "def f($N='$V'): pass"},
		{"py", "client.login('admin', '$V')"},
		{"ts", "const $N: string = '$V';"},
		{"ts", "export const c = { $N: '$V' };"},
		{"ts", "process.env.$N ?? '$V'"},
		{"java", "class A { String $N = \"$V\"; }"},
		{"rb", "$N = '$V'"},
		{"php", "<?php define('$N', '$V');"},
		{"rs", "const $N: &str = \"$V\";"},
		{"cs", "class A { string $N = \"$V\"; }"},
		{"kt", "val $N = \"$V\""},
		{"go", "// run it with --$N=$V"},
		{"py", "# $N: $V"},
		{"go", "// curl -u admin:$V https://example.org"},
		{"py", "url = 'postgres://admin:$V@db.example.org/x'"},
	}
}

// secrets plants secrets in code and searches all output for them.
func secrets(r *run) {
	words := []string{"password", "dbPassword", "password1", "CLIENT_SECRET_V2", "apiKey", "api_key2", "accessToken", "AUTH_TOKEN", "privateKey", "passphrase", "SMTP_PASS", "secretKey3"}
	for round := range 12 {
		files, planted := map[string]string{}, map[string]string{}
		for i, f := range forms() {
			value := r.secret()
			line := strings.NewReplacer("$N", one(r, words), "$V", value).Replace(f.text)
			before := ""
			if f.ending == "go" {
				before = "package a\n\n"
			}
			files[fmt.Sprintf("f%02d.%s", i, f.ending)] = before + line + "\n"
			planted[value] = line
		}
		r.sent(round, r.project("secrets", files), planted)
	}
}

// secret returns a random password in a usual form.
func (r *run) secret() string {
	const letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	text := make([]byte, 12+r.rand.IntN(28))
	for i := range text {
		text[i] = letters[r.rand.IntN(len(letters))]
	}
	return string(text)
}

// sent searches prompts, specs and drift reports for the planted secrets.
func (r *run) sent(round int, dir string, planted map[string]string) {
	before := r.tried
	prompt := r.command("secrets", dir, "prepare", ".", "--deep").output
	spec := r.command("secrets", dir, "generate", ".", "--no-llm").output
	text, _ := os.ReadFile(filepath.Join(dir, "specs", filepath.Base(dir)+".spec.md"))
	spec += string(text) + specs(dir)
	for name := range planted { // every value changes
		planted[name] += " "
	}
	drift := r.command("secrets", dir, "diff", ".", "--report").output
	r.tried = before
	for value, line := range planted {
		r.tried++
		for where, said := range map[string]string{"the prompt": prompt, "the spec": spec, "the drift report": drift} {
			if strings.Contains(said, value) {
				r.fail("round %d: %s shows %s", round, where, strings.TrimSpace(line))
				break
			}
		}
	}
}
