package spec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/spec"
)

// stepsOf returns the steps that the whole page of a file tells.
func stepsOf(t *testing.T, file, source, lang string) string {
	t.Helper()
	p := openProject(t, map[string][]byte{file: []byte(source)})
	_, text := generate(t, p, file, spec.GenerateOptions{All: true, Lang: lang})
	_, after, _ := strings.Cut(string(text), "### 3.4 ")
	_, after, _ = strings.Cut(after, "\n\n")
	steps, _, _ := strings.Cut(after, "\n## ")
	return strings.TrimSpace(steps)
}

// TestStepsOfFunctions reads functions whose results no single condition tells: conditions, loops, choices and handlers are in
// words, statements as written, without comments and with the spaces of their texts.
func TestStepsOfFunctions(t *testing.T) {
	for _, c := range []struct{ file, source, lang, want string }{
		{
			"scan.go", "package p\n\nconst quote = '\\''\n\n// Scan counts.\nfunc Scan(s string) (n int, err error) {\nloop:\n\tfor i, r := range s {\n\t\tswitch {\n\t\tcase !(r == quote || i == 0):\n\t\t\tn++ // one more\n\t\t\tcontinue loop\n\t\tcase r == 'y' && i > 2 || i == 7:\n\t\t\tn--\n\t\tcase r == 'x':\n\t\t\tfallthrough\n\t\tdefault:\n\t\t\tbreak loop\n\t\t}\n\t}\n\tdefer func() { n = 0 }()\n\treturn n, join(\"a  b\",\n\t\t\"c\")\n}\n\nfunc join(a, b string) error { return nil }\n",
			"en", "They name what is not exported:\n\n- `const quote = '\\''` (`scan.go:3`)\n\nWhat they do:\n\n- **`Scan`** of `s` (`scan.go:6`):\n" +
				"  - for `i, r := range s` (loop `loop`):\n    - the first case that holds:\n      - `r` is not `quote` and `i` is not `0`: `n++`; `continue loop`\n      - (`r` is `'y'` and `i` is more than `2`) or `i` is `7`: `n--`\n      - `r` is `'x'` (then the next case, too): nothing\n      - otherwise: `break loop`\n" +
				"  - `defer …()`, where … is a function: `n = 0`\n  - returns `n, join(\"a  b\", \"c\")`\n- **`join`** of `a, b` (`scan.go:26`): returns `nil`",
		},
		{
			"q.rb", "class Q\n  def get(qs)\n    unless (v = qs.first) && v > 0\n      raise ArgumentError, \"none\"\n    end\n    qs.each do |k|\n      next if k.nil?\n      @all << k\n    end\n    @all\n  rescue KeyError => e\n    e\n  end\nend\n",
			"en", "- **`Q.get`** of `qs` (`q.rb:2`):\n  - tries:\n    - if `(v = qs.first) && v > 0` does not hold: fails with `ArgumentError, \"none\"`\n" +
				"    - `qs.each …`, where … is a function of `k`:\n      - if `k` is `nil`: `next`\n      - `@all << k`\n    - returns `@all`\n  - when `KeyError => e` is caught: returns `e`",
		},
		{
			"t.ts", "export const f = (o: string | (() => string)) => {\n  const find = ((x) => {\n    if (typeof x === 'string') {\n      return () => x\n    }\n    return x\n  })(o)\n  try {\n    do {\n      find() /* again */\n    } while (more())\n  } finally {\n    done()\n  }\n  return `a\n b`\n}\nexport const g = (n: number) => n + 1\n",
			"en", "- **`g`** of `n` (`t.ts:18`): returns `n + 1`", // f returns a text of several lines, which a line cannot tell
		},
		{
			"s.py", "def go(a):\n    for c in a:\n        if c == 'x':\n            yield c\n        elif c in 'yz':\n            continue\n    else:\n        pass\n\ndef one(a):\n    \"\"\"Ones.\n\n    Of a.\"\"\"\n    while a:\n        a = a[1:]\n    try:\n        return int(a)\n    except ValueError:\n        raise\n",
			"zh", "- **`one`**，参数为 `a` (`s.py:10`):\n  - 当 `a` 已设置时重复：`a = a[1:]`\n  - 尝试：返回 `int(a)`\n  - 捕获 `ValueError` 时：再次抛出所捕获的错误",
		},
	} {
		if diff := cmp.Diff(c.want, stepsOf(t, c.file, c.source, c.lang)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.file, diff)
		}
	}
}

// TestStepsCiteTheLineOfTheName: type parameters may stand on a line above it.
func TestStepsCiteTheLineOfTheName(t *testing.T) {
	source := "class A {\n  static <K extends Comparable<K>, V>\n      V of(K key, V value) {\n    return key == null ? null : value;\n  }\n}\n"
	if got := stepsOf(t, "A.java", source, "en"); !strings.Contains(got, "(`A.java:3`)") {
		t.Error(got)
	}
}
