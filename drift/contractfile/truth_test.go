package contractfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"

	"github.com/reverse-spec/reverse-spec/drift/contractfile"
)

// folderSide returns the files below a folder.
func folderSide(t *testing.T, dir string) contractfile.Side {
	t.Helper()
	texts := map[string][]byte{}
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		texts["x/"+filepath.ToSlash(rel)], err = os.ReadFile(file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return side(texts, "x")
}

// bufRules are our rules for those of buf's category FILE, which are its default.
var bufRules = map[string][]string{
	"ENUM_NO_DELETE": {"enum-removed", "enum-file-changed"}, "ENUM_SAME_JSON_FORMAT": {"enum-JSON-format-changed"}, "ENUM_SAME_TYPE": {"enum-openness-changed"},
	"ENUM_VALUE_NO_DELETE": {"enum-value-removed"}, "ENUM_VALUE_SAME_NAME": {"enum-value-name-changed"}, "EXTENSION_NO_DELETE": {"extension-removed", "extension-file-changed"},
	"FIELD_NO_DELETE": {"field-removed"}, "FIELD_SAME_CARDINALITY": {"field-cardinality-changed", "extension-cardinality-changed"}, "FIELD_SAME_DEFAULT": {"field-default-value-changed", "extension-default-value-changed"},
	"FIELD_SAME_JSON_NAME": {"field-JSON-name-changed", "extension-JSON-name-changed"}, "FIELD_SAME_JSTYPE": {"field-jstype-changed", "extension-jstype-changed"}, "FIELD_SAME_NAME": {"field-name-changed", "extension-name-changed"},
	"FIELD_SAME_ONEOF": {"field-oneof-changed"}, "FIELD_SAME_TYPE": {"field-type-changed", "extension-type-changed"}, "FIELD_SAME_UTF8_VALIDATION": {"field-UTF-8-validation-changed", "extension-UTF-8-validation-changed"},
	"FILE_NO_DELETE": {"file-removed"}, "FILE_SAME_PACKAGE": {"file-package-changed"}, "FILE_SAME_SYNTAX": {"file-syntax-changed"},
	"MESSAGE_NO_DELETE": {"message-removed", "message-file-changed"}, "MESSAGE_SAME_JSON_FORMAT": {"message-JSON-format-changed"}, "MESSAGE_SAME_REQUIRED_FIELDS": {"field-added", "field-removed"},
	"ONEOF_NO_DELETE": {"oneof-removed"}, "RPC_NO_DELETE": {"rpc-removed"}, "RPC_SAME_REQUEST_TYPE": {"rpc-request-type-changed"}, "RPC_SAME_RESPONSE_TYPE": {"rpc-response-type-changed"},
	"RPC_SAME_CLIENT_STREAMING": {"rpc-streaming-of-the-client-changed"}, "RPC_SAME_SERVER_STREAMING": {"rpc-streaming-of-the-server-changed"},
	"RPC_SAME_IDEMPOTENCY_LEVEL": {"rpc-idempotency-level-changed"}, "SERVICE_NO_DELETE": {"service-removed", "service-file-changed"}, "RESERVED_ENUM_NO_DELETE": {"enum-reserved-changed"}, "RESERVED_MESSAGE_NO_DELETE": {"message-reserved-changed"},
	"FILE_SAME_GO_PACKAGE": {"file-option-go_package-changed"}, "FILE_SAME_JAVA_PACKAGE": {"file-option-java_package-changed"}, "FILE_SAME_CSHARP_NAMESPACE": {"file-option-csharp_namespace-changed"},
	"FILE_SAME_OPTIMIZE_FOR": {"file-option-optimize_for-changed"}, "FIELD_SAME_CPP_STRING_TYPE": {"field-C++-string-type-changed", "extension-C++-string-type-changed"},
	"FIELD_SAME_JAVA_UTF8_VALIDATION": {"field-UTF-8-validation-in-Java-changed"}, "MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR": {"message-standard-accessors-changed"},
	"MESSAGE_SAME_MESSAGE_SET_WIRE_FORMAT": {"message-message-set-format-changed"},
}

var (
	bufCase       = regexp.MustCompile(`(?s)testBreaking\(\s*t,\s*"(\w+)",(.*?)\n\t\)`)
	bufAnnotation = regexp.MustCompile(`NewFileAnnotation(?:NoLocation)?\(t, "([^"]*)",.*"([A-Z0-9_]+)"\)`)
)

// TestAgreesWithBuf compares verdicts with those of buf's own tests, of which REVERSE_SPEC_BUF names a checkout. An expected
// finding counts as found if its file has a breaking change of the rule that stands for buf's.
func TestAgreesWithBuf(t *testing.T) {
	root := os.Getenv("REVERSE_SPEC_BUF")
	if root == "" {
		t.Skip("REVERSE_SPEC_BUF names no checkout of buf; scripts/drift-cases.sh sets it")
	}
	dir := filepath.Join(root, "private", "bufpkg", "bufcheck")
	text, err := os.ReadFile(filepath.Join(dir, "breaking_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	cases, wanted, found, missed := 0, 0, 0, map[string]int{}
	done := map[string]bool{}
	for _, m := range bufCase.FindAllStringSubmatch(string(text), -1) {
		if done[m[1]] {
			continue
		}
		done[m[1]] = true
		old, now := folderSide(t, filepath.Join(dir, "testdata", "breaking", "previous", m[1])), folderSide(t, filepath.Join(dir, "testdata", "breaking", "current", m[1]))
		changes, failures := contractfile.Compare(t.Context(), old, now, changedFiles(old, now))
		for _, f := range failures {
			t.Logf("%s: %s: %v", m[1], f.File, f.Err)
		}
		has := map[string]int{}
		for _, c := range changes {
			if !c.Breaks.Empty() {
				has[strings.TrimPrefix(c.Rule, "protobuf-")]++
			}
		}
		cases++
		for _, a := range bufAnnotation.FindAllStringSubmatch(m[2], -1) {
			ours, known := bufRules[a[2]]
			if !known {
				continue
			}
			wanted++
			i := slices.IndexFunc(ours, func(r string) bool { return has[r] > 0 })
			if i < 0 {
				missed[m[1]+" "+a[2]]++
				continue
			}
			if !strings.HasPrefix(a[2], "RESERVED_") && !strings.Contains(a[2], "UTF8") { // of these we have one item for several of buf's
				has[ours[i]]--
			}
			found++
		}
	}
	for _, name := range sortedKeys(missed) {
		t.Logf("missed: %s × %d", name, missed[name])
	}
	t.Logf("buf: %d of %d expected findings in %d cases", found, wanted, cases)
	if wanted == 0 || float64(found) < 0.95*float64(wanted) {
		t.Error("too far from buf")
	}
}

func sortedKeys(m map[string]int) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// TestAgreesWithOasdiff compares every pair of documents in oasdiff's own test data, of which REVERSE_SPEC_OASDIFF names a
// checkout, with what oasdiff itself says of them: the same findings with the same levels.
func TestAgreesWithOasdiff(t *testing.T) {
	root := os.Getenv("REVERSE_SPEC_OASDIFF")
	if root == "" {
		t.Skip("REVERSE_SPEC_OASDIFF names no checkout of oasdiff; scripts/drift-cases.sh sets it")
	}
	pairs, findings := 0, 0
	for _, p := range documentPairs(t, filepath.Join(root, "data")) {
		want, ok := oasdiffOf(p[0], p[1])
		if !ok {
			continue
		}
		pairs++
		name := filepath.Base(p[0])
		old, now := oneFile(p[0], name), oneFile(p[1], name)
		changes, failures := contractfile.Compare(t.Context(), old, now, []string{name})
		got := map[string]int{}
		for _, c := range changes {
			level := "INFO"
			switch {
			case !c.Breaks.Empty():
				level = "ERR"
			case c.Risky:
				level = "WARN"
			}
			got[level+" "+strings.TrimPrefix(c.Rule, "openapi-")]++
		}
		for key, n := range want {
			findings += n
			if got[key] != n {
				t.Errorf("%s and %s: oasdiff has %d × %s, we have %d (%v)", p[0], p[1], n, key, got[key], failures)
			}
			delete(got, key)
		}
		for key, n := range got {
			t.Errorf("%s and %s: %d × %s is not oasdiff's", p[0], p[1], n, key)
		}
	}
	t.Logf("oasdiff: %d findings in %d pairs of documents", findings, pairs)
	if pairs == 0 {
		t.Error("no pairs")
	}
}

// oneFile returns a side in which a file has another name; the files beside it keep theirs.
func oneFile(file, name string) contractfile.Side {
	return contractfile.Side{Files: []string{name}, Read: func(n string) ([]byte, error) {
		if n == name {
			return os.ReadFile(file)
		}
		return os.ReadFile(filepath.Join(filepath.Dir(file), filepath.FromSlash(n)))
	}}
}

// pairNames are how the test data name two versions.
var pairNames = [][2]string{{"base", "revision"}, {"1", "2"}, {"base", "modified"}, {"old", "new"}}

func documentPairs(t *testing.T, dir string) [][2]string {
	t.Helper()
	var out [][2]string
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains([]string{".yaml", ".json", ".yml"}, filepath.Ext(file)) {
			return err
		}
		stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		for _, names := range pairNames {
			at := strings.LastIndex(stem, names[0])
			if at < 0 {
				continue
			}
			other := filepath.Join(filepath.Dir(file), stem[:at]+names[1]+stem[at+len(names[0]):]+filepath.Ext(file))
			if _, err := os.Stat(other); err == nil {
				out = append(out, [2]string{file, other})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// oasdiffOf returns what oasdiff says of two documents, as its command does; false if it cannot read them.
func oasdiffOf(old, now string) (map[string]int, bool) {
	var sides [2]*load.SpecInfo
	for i, file := range []string{old, now} {
		loader := openapi3.NewLoader()
		loader.IsExternalRefsAllowed = true
		s, err := load.NewSpecInfo(loader, load.NewSource(file))
		if err != nil {
			return nil, false
		}
		sides[i] = s
	}
	report, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), sides[0], sides[1])
	if err != nil {
		return nil, false
	}
	out := map[string]int{}
	for _, c := range checker.CheckBackwardCompatibilityUntilLevel(checker.NewConfig(checker.GetAllChecks()), report, sources, checker.INFO) {
		level := map[checker.Level]string{checker.ERR: "ERR", checker.WARN: "WARN", checker.INFO: "INFO"}[c.GetLevel()]
		out[level+" "+c.GetId()]++
	}
	return out, true
}
