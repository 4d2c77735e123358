package releases_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// dialect is what the generated changes need to know of a language.
type dialect struct {
	repository, commit string
	folder             string // of the changed files
	ending             string
	remark             string         // a comment of one line
	statement          *regexp.Regexp // lines before which a comment may stand
	local              *regexp.Regexp // lines that declare a local, the first group
	parameter          *regexp.Regexp // declared parameters, the first group; nil if callers use their names
	importLine         *regexp.Regexp
	returned           *regexp.Regexp // lines that return a value: the indent and the value
	extracted          string         // two statements for it
	generic            *regexp.Regexp // what declares a type parameter T
}

var dialects = []dialect{
	{
		repository: "honojs+hono", commit: "48d2adcf73a257b6c991ce1479b521777921ec37", folder: "src", ending: ".ts", remark: "// The next line does something.",
		statement: regexp.MustCompile(`^\s+(?:return|if \(|const \w+ =|throw) ?`), local: regexp.MustCompile(`^\s+(?:const|let) (\w+)(?:: [\w<>\[\]| ]+)? = `),
		parameter: regexp.MustCompile(`[(,]\s*(\w+)\??: `), importLine: regexp.MustCompile(`^import .* from '.*'$`),
		returned: regexp.MustCompile(`^(\s+)return ([\w$.]+\([^(){}]*\))$`), extracted: "%sconst extracted%d = %s\n%sreturn extracted%d", generic: regexp.MustCompile(`<T(?: extends [^<>]+)?>`),
	},
	{
		repository: "pallets+flask", commit: "64206c13c2bff0220328845db0995f451cefd3b1", folder: "src", ending: ".py", remark: "# The next line does something.",
		statement: regexp.MustCompile(`^ +(?:return|if|raise|\w+ =) `), local: regexp.MustCompile(`^ {8,}(\w+) = `),
		importLine: regexp.MustCompile(`^(?:import|from) [\w. ]+$`),
		returned:   regexp.MustCompile(`^( +)return ([\w.]+\([^(){}]*\))$`), extracted: "%sextracted%d = %s\n%sreturn extracted%d",
	},
	{
		repository: "google+gson", commit: "c7c645db2f73e5e392d117c391437ff15815f057", folder: "gson/src/main", ending: ".java", remark: "// The next line does something.",
		statement: regexp.MustCompile(`^\s+(?:return|if \(|throw) ?`), local: regexp.MustCompile(`^\s{4,}(?:final )?[A-Z]\w*(?:<[^=;]*>)? (\w+) = `),
		parameter: regexp.MustCompile(`[(,]\s*(?:final )?[A-Z]\w*(?:<[^()]*>)? (\w+)[,)]`), importLine: regexp.MustCompile(`^import [\w.]+;$`),
		returned: regexp.MustCompile(`^(\s+)return (\w+\.\w+\([^(){}]*\));$`), extracted: "%svar extracted%d = %s;\n%sreturn extracted%d;", generic: regexp.MustCompile(`<T(?: extends [^<>]+)?> `),
	},
	{
		repository: "BurntSushi+ripgrep", commit: "3fce3b5bb0236da2df6d99672afb8a719642eca7", folder: "crates", ending: ".rs", remark: "// The next line does something.",
		statement: regexp.MustCompile(`^\s+(?:return|if|let) `), local: regexp.MustCompile(`^\s+let (\w+) = `),
		parameter: regexp.MustCompile(`[(,]\s*(\w+): [&\w]`), importLine: regexp.MustCompile(`^use [\w:]+;$`),
		returned: regexp.MustCompile(`^(\s+)return ([\w.:]+\([^(){}]*\));$`), extracted: "%slet extracted%d = %s;\n%sreturn extracted%d;", generic: regexp.MustCompile(`<T(?:: [^<>]+)?>\(`),
	},
	{
		repository: "spf13+cobra", commit: "88b30ab89da2d0d0abb153818746c5a2d30eccec", folder: ".", ending: ".go", remark: "// The next line does something.",
		statement: regexp.MustCompile(`^\t+(?:return|if|\w+ :=) `), local: regexp.MustCompile(`^\t+(\w+) := `),
		parameter: regexp.MustCompile(`[(,]\s*(\w+) [*\w\[\].]+[,)]`), importLine: regexp.MustCompile(`^\t"[\w/.]+"$`),
		returned: regexp.MustCompile(`^(\t+)return (len\([^(){}]*\))$`), extracted: "%sextracted%d := %s\n%sreturn extracted%d", generic: regexp.MustCompile(`\[T \w+\]\(`),
	},
}

// TestGeneratedNoiseInFiveLanguages changes the text of real modules without their meaning, one way at a time: there must be no
// item that breaks or says that something is not as it was. LOW items, of functions of which that is not decided, are counted; those
// about other names of parameters are right.
func TestGeneratedNoiseInFiveLanguages(t *testing.T) {
	t.Logf("table: | generated noise | change | files | items that break or are not as they were | LOW items |")
	for _, d := range dialects {
		name, commit := d.repository, d.commit
		dir := worktree(t, name, commit)
		if dir == "" {
			continue
		}
		for _, c := range []struct {
			name   string
			change func(d *dialect, text string) string
			named  bool // items about names of parameters are right
		}{
			{"comments and empty lines", (*dialect).remarks, false},
			{"indents twice as deep", (*dialect).indents, false},
			{"locals with other names", (*dialect).locals, false},
			{"parameters with other names", (*dialect).parameters, true},
			{"type parameters with other names", (*dialect).generics, false},
			{"extracted locals", (*dialect).extracts, false},
			{"imports in another order", (*dialect).imports, false},
			{"independent statements in another order", (*dialect).swapped, false},
			{"unions in another order", (*dialect).unions, false},
		} {
			run(t, dir, "git", "checkout", "-q", "-f", "--detach", commit)
			files := d.rewrite(t, dir, c.change)
			if files == 0 {
				continue // the language has none
			}
			low, loud := 0, 0
			for _, i := range against(t, dir, commit) {
				switch {
				case i.Breaking || i.Severity != "LOW":
					loud++
				case c.named && i.Rule == "param-renamed":
					continue
				default:
					low++
				}
				t.Logf("  %s, %s: %s: %s (%s)", name, c.name, i.Location, i.Description, i.Rule)
			}
			t.Logf("table: | %s | %s | %d | %d | %d |", strings.ReplaceAll(name, "+", "/"), c.name, files, loud, low)
			if loud > 0 {
				t.Errorf("%s, %s: %d items in %d changed files", name, c.name, loud, files)
			}
		}
	}
}

// rewrite changes the files of a language, tests apart, and returns how many are different.
func (d *dialect) rewrite(t *testing.T, dir string, change func(d *dialect, text string) string) int {
	t.Helper()
	n := 0
	err := filepath.WalkDir(filepath.Join(dir, d.folder), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(name) != d.ending || strings.Contains(name, ".test.") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if d.ending == ".rs" && openText.Match(text) || strings.Contains(string(text), `r#"`) || strings.Contains(string(text), `"`+"`"+`"`) {
			return nil // lines of long texts would not be told from code
		}
		now := change(d, string(text))
		if now != string(text) {
			n++
		}
		return os.WriteFile(name, []byte(now), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// openText is a line that begins a text which goes on in the next one.
var openText = regexp.MustCompile(`(?m)^[^"\n]*"[^"\n]*$`)

// lines calls change for each line that is not in a text or comment of several lines, as far as that shows.
func lines(text string, change func(line, before string) string) string {
	list := strings.Split(text, "\n")
	inText, before := false, ""
	for i, line := range list {
		quotes := strings.Count(line, "`") + strings.Count(line, `"""`)
		comment := strings.HasPrefix(strings.TrimSpace(line), "*")
		if !inText && quotes == 0 && !comment {
			list[i] = change(line, before)
		}
		if quotes%2 == 1 {
			inText = !inText
		}
		if strings.TrimSpace(line) != "" {
			before = line
		}
	}
	return strings.Join(list, "\n")
}

func (d *dialect) remarks(text string) string {
	return lines(text, func(line, _ string) string {
		if d.statement.MatchString(line) {
			return "\n" + line[:len(line)-len(strings.TrimLeft(line, " \t"))] + d.remark + "\n" + line
		}
		return line
	})
}

func (d *dialect) indents(text string) string {
	inText := false
	list := strings.Split(text, "\n")
	for i, line := range list {
		if !inText {
			list[i] = line[:len(line)-len(strings.TrimLeft(line, " \t"))] + line
		}
		quote := map[string]string{".ts": "`", ".go": "`", ".py": `"""`}[d.ending]
		if quote != "" && strings.Count(line, quote)%2 == 1 {
			inText = !inText
		}
	}
	return strings.Join(list, "\n")
}

// names gives all names that a pattern finds, and that name nothing but a variable in the whole file, another name.
func names(text string, declared *regexp.Regexp, ending string) string {
	if declared == nil {
		return text
	}
	found := map[string]bool{}
	for line := range strings.Lines(text) {
		for _, m := range declared.FindAllStringSubmatch(line, -1) {
			found[m[1]] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		word := regexp.MustCompile(`\b` + name + `\b`)
		member := regexp.MustCompile(`(?m)^\s*` + name + `\??[:,(]|\{[^{}()\n]*\b` + name + `\b[^{}()\n]*\}|\|\s*` + name + `\b|(?:[.'"@{:#]|::)` + name + `\b|\b` + name + `(?:[!'"}]|:[^:]|\?:|::)|[{,]\s*` + name + `\s*[},]`)
		if ending == ".py" {
			member = regexp.MustCompile(`[.'"@]` + name + `\b|\b` + name + `(?:['"]|=[^=\s]|:)|(?m)^` + name + `\b|(?:def|import|global|nonlocal|for|class|with) .*\b` + name + `\b|\{[^}]*\b` + name + `\b`)
		}
		param := regexp.MustCompile(`(?:def|fn|func|function) [^\n]*\b` + name + `\b`)
		inText := regexp.MustCompile("[\"'`][^\"'`\n]*\\b" + name + `\b`)
		if len(name) < 3 || member.MatchString(text) || param.MatchString(text) && ending == ".py" || inText.MatchString(text) || slices.Contains([]string{"self", "this", "type", "new", "return", "string", "error", "any", "unknown"}, name) {
			continue
		}
		text = word.ReplaceAllString(text, name+"Renamed")
	}
	return text
}

func (d *dialect) locals(text string) string { return names(text, d.local, d.ending) }

func (d *dialect) parameters(text string) string {
	if d.parameter == nil {
		return text
	}
	found := map[string]bool{}
	for _, m := range d.parameter.FindAllStringSubmatch(text, -1) {
		found[m[1]] = true
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		declared := `\b` + name + `\??: [&\w]`
		// A field or a key of that name, a text, or a shorthand.
		if n := len(regexp.MustCompile(declared).FindAllString(text, -1)); d.ending != ".java" && d.ending != ".go" && n != len(regexp.MustCompile(`[(,]\s*`+declared).FindAllString(text, -1)) {
			continue
		}
		other := regexp.MustCompile(`(?m)^\s*(?:async )?` + name + `\??[:,(=]|\{[^{}()\n]*\b` + name + `\b[^{}()\n]*\}|[.'"@#]` + name + `\b|\b` + name + `(?:[!'"(]|:[^: ]|::)|[{,]\s*` + name + `\s*\}|\{\s*` + name + `\b|[{,]\s*` + name + `,\s*$|(?m)^\s*` + name + `,?$`)
		inText := regexp.MustCompile("[\"'`*/][^\"'`\n]*\\b" + name + `\b`)
		if len(name) < 3 || other.MatchString(text) || inText.MatchString(text) || slices.Contains([]string{"self", "this", "type", "new", "string", "error", "any", "unknown"}, name) {
			continue
		}
		text = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(text, name+"Renamed")
	}
	return text
}

func (d *dialect) generics(text string) string {
	if d.generic == nil || !d.generic.MatchString(text) || regexp.MustCompile(`(?:class|type|interface|trait|struct) T\b|\bT\.|["'][^"'\n]*\bT\b`).MatchString(text) {
		return text
	}
	return regexp.MustCompile(`\bT\b`).ReplaceAllString(text, "Tother")
}

func (d *dialect) extracts(text string) string {
	n := 0
	return lines(text, func(line, before string) string {
		m := d.returned.FindStringSubmatch(line)
		before = strings.TrimSpace(before)
		alone := d.ending == ".py" || strings.HasSuffix(before, "{") || strings.HasSuffix(before, ";") || before == "}"
		if m == nil || !alone {
			return line
		}
		n++
		return fmt.Sprintf(d.extracted, m[1], n, m[2], m[1], n)
	})
}

// imports reverses neighbouring imports.
func (d *dialect) imports(text string) string {
	list := strings.Split(text, "\n")
	for i := 0; i < len(list); i++ {
		n := 0
		for i+n < len(list) && d.importLine.MatchString(list[i+n]) && !strings.Contains(list[i+n], "__future__") {
			n++
		}
		slices.Reverse(list[i : i+n])
		i += n
	}
	return strings.Join(list, "\n")
}

var plainLocal = regexp.MustCompile(`^(\s+)(?:const |let |final [\w<>]+ |[A-Z]\w* )?(\w+) :?= (\w+|\d+|"[^"]*"|'[^']*')(?:\.\w+)?;?$`)

// swapped swaps neighbouring locals of plain values that do not use each other.
func (d *dialect) swapped(text string) string {
	list := strings.Split(text, "\n")
	for i := 0; i+1 < len(list); i++ {
		a, b := plainLocal.FindStringSubmatch(list[i]), plainLocal.FindStringSubmatch(list[i+1])
		declares := func(line string) bool { return d.local.MatchString(line) }
		if a == nil || b == nil || a[1] != b[1] || a[2] == b[2] || !declares(list[i]) || !declares(list[i+1]) {
			continue
		}
		uses := func(line, name string) bool { return regexp.MustCompile(`\b` + name + `\b`).MatchString(line) }
		if uses(list[i+1], a[2]) || uses(list[i], b[2]) {
			continue
		}
		list[i], list[i+1] = list[i+1], list[i]
		i++
	}
	return strings.Join(list, "\n")
}

var twoTypes = regexp.MustCompile(`: (string|number|boolean|Request|Response|Headers|URL) \| (string|number|boolean|undefined|null|Request|Response|Headers|URL)( =|,|\)|;|$)`)

func (d *dialect) unions(text string) string {
	switch d.ending {
	case ".ts":
		return lines(text, func(line, _ string) string { return twoTypes.ReplaceAllString(line, ": $2 | $1$3") })
	case ".py":
		return lines(text, func(line, _ string) string {
			return regexp.MustCompile(`: (str|int|bytes|bool) \| None\b`).ReplaceAllString(line, ": None | $1")
		})
	}
	return text
}
