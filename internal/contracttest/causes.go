package contracttest

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// obstacles are what tools say when a test could not be run for a reason outside the code. A name in the first group is
// that of a module, which must not be one of the project.
var obstacles = []string{
	// a network, a disk, memory
	`no such host|(?i:could not resolve host)|Temporary failure in name resolution|network is unreachable|\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH)\b|dial tcp|(?i:connection refused)`,
	`(?i:read-only file system)|\bEROFS\b|(?i:no space left on device)|\bENOSPC\b|(?i:disk quota exceeded)|\bENOMEM\b|(?i:cannot allocate (?:wasm )?memory)`,
	`(?i:permission denied)|\bEACCES\b|\bEPERM\b`,
	// Go
	`go: (?:download|toolchain|go\.mod requires go|cannot find GOROOT|errors parsing go\.mod)|requires go >= |toolchain not available|no required module provides package|missing go\.sum entry|module lookup disabled|updates to go\.mod needed|C compiler .* not found|build cache is required`,
	// Python
	`requires pytest-[\d.]+, actual pytest|(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)`,
	// JavaScript
	`Cannot find (?:module|package) '([^']+)'|Failed to resolve import "([^"]+)"|Could not resolve "([^"]+)"|Unsupported engine|(?i:requires node)|does not provide an export named 'styleText'|npx canceled|could not determine executable|Cannot find native binding`,
	// Rust
	`failed to (?:parse lock file|get|download|select a version|load source|fetch|query replaced source)|no matching package|requires rustc|linker .* not found|Unable to update registry|rustup could not|toolchain '.*' is not installed`,
	// JVM
	`error while writing [\w.$]+: |Could not (?:resolve dependencies|transfer artifact|find artifact|resolve all)|Non-resolvable|PluginResolutionException|or one of its dependencies could not be resolved|invalid target release|release version \S+ not supported|JAVA_HOME|UnsupportedClassVersionError|Unsupported class file major version|Cannot access \S+ .* in offline mode`,
	// Ruby, PHP, .NET
	`cannot load such file -- ([\w./-]+)|Gem::(?:MissingSpec(?:Version)?|Load)Error|Bundler::GemNotFound|Could not find (?:gem )?'?\S+'? in (?:locally|any)|Your Ruby version is|Composer detected issues|NETSDK1045|NU1301|framework .* was not found|Unable to load the service index`,
}

var obstaclePatterns = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, o := range obstacles {
		out = append(out, regexp.MustCompile(o))
	}
	return out
})

// obstacle returns the line of a text that says that something outside the code prevents the tests; "" for none. Own reports
// whether the project has a file or folder: what is missing there is a mistake in its code.
func obstacle(text string, own func(name string) bool) string {
	for line := range strings.SplitSeq(text, "\n") {
		if noise.MatchString(strings.TrimSpace(line)) {
			continue
		}
		for _, p := range obstaclePatterns() {
			if m := p.FindStringSubmatch(line); m != nil && !ownModule(m[1:], own) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}

// ownModule reports whether one of the names of modules is that of a file of the project that is missing: a relative path,
// or a name below a folder of the project. A package of the project that cannot be found as a whole is not installed.
func ownModule(names []string, own func(name string) bool) bool {
	for _, name := range names {
		if name == "" {
			continue
		}
		if strings.ContainsAny(name[:1], "./~#") || strings.HasPrefix(name, "@/") {
			return true
		}
		i := strings.IndexAny(name, "./")
		if i > 0 && slices.ContainsFunc([]string{"", "src", "lib"}, func(dir string) bool { return own(path.Join(dir, name[:i])) }) {
			return true
		}
	}
	return false
}

// noise are lines that say nothing about a cause.
var noise = lazyregexp.New(`^(?:exit status \d+|FAIL\b.*|ok\b.*|\?\s.*|---.*|===.*|[-=_~^*. ]+|npm (?:notice|warn).*|\[ERROR\]\s*(?:$|\[Help|->|To see|Re-run|For more).*|For more information.*|note: run with.*|error: test failed, to rerun.*|Process exited.*|\d+ (?:failed|passed|error).*|make: .*|go: downloading .*|As a reminder, .*|thread '.*' (?:\(\d+\) )?panicked at \S+:\d+:|error: could not compile .*|at .*|node:.*|Node\.js v.*|[{}\[\]();,]+)$`)

// complaint matches lines that are likely to say what is wrong.
var complaint = lazyregexp.New(`(?i)\b\w*(?:error|exception|panic)\b|\b(?:fail|failed|cannot|can't|not found|no such|missing|invalid|unable|undefined|denied|refused|unknown|expected|unsupported)\b`)

// verdictLine matches the lines in which a tool says what is wrong, before or after it explains that.
var verdictLine = lazyregexp.New(`^(?:error(?:\[\w+\])?|fatal): .`)

// lastLine returns the last line of an output that says something about the cause of a failure; "" for none.
func lastLine(output string) string {
	last := ""
	for _, line := range slices.Backward(strings.Split(output, "\n")) {
		if line = strings.TrimSpace(line); verdictLine.MatchString(line) && !noise.MatchString(line) {
			return clip(line)
		}
	}
	for _, line := range slices.Backward(strings.Split(output, "\n")) {
		line = strings.TrimSpace(line)
		if line == "" || noise.MatchString(line) {
			continue
		}
		if complaint.MatchString(line) {
			return clip(line)
		}
		if last == "" {
			last = line
		}
	}
	return clip(last)
}

// maxReason limits a quoted line, in characters.
const maxReason = 240

func clip(line string) string {
	if runes := []rune(line); len(runes) > maxReason {
		return string(runes[:maxReason]) + "…"
	}
	return line
}
