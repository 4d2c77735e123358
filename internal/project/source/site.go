package source

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// site indexes the tests and sources of a project by path.
type site struct {
	tests []spot
	// Sets of files that are not tests; keys begin with the family.
	stems    map[string]bool     // file names without extension
	packages map[string][]string // package -> folders, in languages whose tests are in the package they test
	folders  map[string]bool     // folders that directly contain sources
	around   map[string]bool     // folders that contain sources at any depth
}

// spot is a file, described by its path.
type spot struct {
	*code.File
	family string // the family of languages
	stem   string // file name without extension and test mark
	home   string // package, by its path; "" if paths do not show it
}

func newSite(files []*code.File) *site {
	s := &site{stems: map[string]bool{}, packages: map[string][]string{}, folders: map[string]bool{}, around: map[string]bool{}}
	for _, f := range files {
		at := spotOf(f)
		switch {
		case f.Vendored:
		case f.Test:
			s.tests = append(s.tests, at)
		default:
			dir := path.Dir(f.Path)
			s.stems[at.family+at.stem] = true
			s.folders[at.family+dir] = true
			if at.home != "" && !inTestFolder(dir, at) && !slices.Contains(s.packages[at.home], dir) {
				s.packages[at.home] = append(s.packages[at.home], dir)
			}
			if folder := outermostTests(dir); folder != "" { // a sample or helper of tests
				s.around[at.family+dir] = s.around[at.family+dir] || dir != folder
				continue
			}
			for ; !s.around[at.family+dir]; dir = path.Dir(dir) {
				s.around[at.family+dir] = true
			}
		}
	}
	return s
}

func spotOf(f *code.File) spot {
	s := spot{File: f, family: familyOf(f.Language) + " ", stem: plainStem(path.Base(f.Path))}
	s.home = s.family + homeOf(f)
	if s.home == s.family {
		s.home = ""
	}
	return s
}

// families maps languages to families, whose files use each other's declarations.
var families = map[string]string{
	"javascript": "ecma", "typescript": "ecma", "vue": "ecma", "svelte": "ecma", "astro": "ecma",
	"java": jvm, "kotlin": jvm, "scala": jvm, "c": "c", "cpp": "c",
}

const jvm = "jvm"

func familyOf(language string) string {
	if f := families[language]; f != "" {
		return f
	}
	return language
}

// homeOf returns the package of a file by its path, in languages whose tests are in the package: in Go the folder;
// on the JVM the path below the source folder.
func homeOf(f *code.File) string {
	dir := path.Dir(f.Path)
	switch familyOf(f.Language) {
	case "go":
		return dir
	case jvm:
		parts := strings.Split(dir, "/")
		for i, part := range slices.Backward(parts) {
			if slices.Contains([]string{"java", "kotlin", "scala", "src", "test", "tests"}, part) {
				return strings.Join(parts[i+1:], "/")
			}
		}
		return dir
	}
	return ""
}

// testMarks are prefixes and suffixes of names of tests.
var testMarks = []string{"test_", "tests_", "spec_", "_test", "_tests", "_spec", "-test", "Tests", "Test", "Spec", "Suite", "IT"}

// plainStem returns the name of a file or folder up to the first dot, without a test mark.
func plainStem(name string) string {
	name, _, _ = strings.Cut(name, ".")
	for _, mark := range testMarks {
		if rest := strings.TrimSuffix(name, mark); rest != "" && rest != name {
			return rest
		}
	}
	for _, mark := range testMarks {
		if rest := strings.TrimPrefix(name, mark); rest != "" && rest != name && strings.HasSuffix(mark, "_") {
			return rest
		}
	}
	return name
}

// kin rates the relation of a test to a target, by path; higher is closer.
type kin int

const (
	stranger kin = iota // of another language, or in the target
	visitor             // the test of something else, which may import the target, too
	guest               // undecided without its imports
	namesake            // has the name of the target, or of a file in it
	sibling             // in the target's package
)

// kin rates the relation of a test to a target, by path.
func (s *site) kin(test *spot, of *subject) kin {
	switch {
	case !of.families[test.family] || of.files[test.Path]:
		return stranger
	case test.home != "" && of.homes[test.home]:
		if s.nearest(test, of.target) {
			return sibling
		}
		return visitor
	case test.Language == "go" && s.folders[test.family+path.Dir(test.Path)], !s.reaches(test, of):
		return visitor
	case of.stems[test.family+test.stem] || of.inFolder(test):
		return namesake
	case s.stems[test.family+test.stem], test.family == jvm+" " && s.packages[test.home] != nil:
		return visitor
	}
	return guest
}

// testFolders are names of folders for tests.
var testFolders = []string{"test", "tests", "testing", "spec", "specs", "__tests__"}

// outermostTests returns the outermost folder for tests that is a folder or contains it; "" if there is none.
func outermostTests(dir string) string {
	for i := 0; ; {
		end := strings.IndexByte(dir[i:], '/')
		part := dir[i:]
		if end >= 0 {
			part = dir[i : i+end]
		}
		switch {
		case slices.Contains(testFolders, part):
			return dir[:i+len(part)]
		case end < 0:
			return ""
		}
		i += end + 1
	}
}

// inTestFolder reports whether a package's folder is inside a test folder: its sources are test helpers.
func inTestFolder(dir string, at spot) bool {
	above := strings.TrimSuffix(dir, strings.TrimPrefix(at.home, at.family))
	return above != "" && slices.Contains([]string{"test", "tests"}, path.Base(above))
}

// nearest reports whether a target contains the nearest sources of a test's package: a project may have several
// copies of a package.
func (s *site) nearest(test *spot, target string) bool {
	far := func(folder string) int { return distance(path.Dir(test.Path), folder) }
	folders := slices.SortedStableFunc(slices.Values(s.packages[test.home]), func(a, b string) int { return far(a) - far(b) })
	for _, folder := range folders {
		if far(folder) > far(folders[0]) {
			break
		}
		if target == "." || folder == target || strings.HasPrefix(folder+"/", target+"/") || path.Dir(target) == folder {
			return true
		}
	}
	return false
}

// distance returns the number of steps between two folders.
func distance(from, to string) int {
	a, b := strings.Split(from, "/"), strings.Split(to, "/")
	common := 0
	for common < min(len(a), len(b)) && a[common] == b[common] {
		common++
	}
	return len(a) + len(b) - 2*common
}

// reaches reports whether the nearest folder above a test that contains sources contains those of the target: tests
// next to one part of a project belong to that part.
func (s *site) reaches(test *spot, of *subject) bool {
	dir := path.Dir(test.Path)
	for dir != "." && !s.around[test.family+dir] {
		dir = path.Dir(dir)
	}
	return dir == "." || of.target == dir || strings.HasPrefix(of.target, dir+"/") || strings.HasPrefix(dir, of.target+"/")
}

// subject is a target, indexed for finding its tests.
type subject struct {
	target   string
	file     bool // the target is a file
	families map[string]bool
	files    map[string]bool // all files; value: not a test
	sources  map[string]bool
	homes    map[string]bool
	stems    map[string]bool // of the target and its sources; with the family
	folders  map[string]bool // names of test folders for the target
	words    map[string]bool // words, one of which occurs in a text that imports the target
	names    map[string]bool // exported names
	members  map[string]bool // members of exported types
	facades  map[string]bool // files that import nothing of the project but the target, see findFacades
}

func newSubject(t *Tree) *subject {
	s := &subject{
		target: t.Target, families: map[string]bool{}, files: map[string]bool{}, sources: map[string]bool{}, homes: map[string]bool{},
		stems: map[string]bool{}, folders: map[string]bool{}, words: map[string]bool{}, names: map[string]bool{}, members: map[string]bool{}, facades: map[string]bool{},
	}
	for _, f := range t.Files {
		s.files[f.Path] = true
		if !f.Test {
			s.add(f)
		}
	}
	base := plainStem(path.Base(t.Target))
	s.folders[base] = base != "."
	s.words[base] = true
	if s.file = len(t.Files) == 1 && t.Files[0].Path == t.Target; s.file {
		s.words[path.Base(path.Dir(t.Target))] = true // may re-export it
	}
	return s
}

func (s *subject) add(f *code.File) {
	at := spotOf(f)
	s.sources[f.Path], s.families[at.family], s.homes[at.home] = true, true, true
	for _, stem := range []string{at.stem, plainStem(path.Base(s.target))} {
		s.stems[at.family+stem] = true
	}
	if first, rest, below := strings.Cut(strings.TrimPrefix(f.Path, s.target+"/"), "/"); below && rest != "" {
		s.words[first] = true // a source folder may not be part of import names
	}
	s.words[f.Package[strings.LastIndexAny(f.Package, `./:\`)+1:]] = true
	for i := range f.Symbols {
		s.export(&f.Symbols[i], s.names)
	}
}

func (s *subject) export(sym *code.Symbol, into map[string]bool) {
	if !sym.Exported {
		return
	}
	name := sym.Name[strings.LastIndexAny(sym.Name, ".:")+1:]
	into[name], s.members[name] = true, true
	for i := range sym.Members {
		s.export(&sym.Members[i], s.members)
	}
}

// inFolder reports whether a test is in a test folder named like the target.
func (s *subject) inFolder(test *spot) bool {
	among := false
	for part := range strings.SplitSeq(path.Dir(test.Path), "/") {
		stem := plainStem(part)
		if (among || stem != part) && s.folders[stem] {
			return true
		}
		among = among || slices.Contains(testFolders, part)
	}
	return false
}

// isTest reports whether a file is a test, by its path.
func isTest(file string) bool {
	l, ok := lang.ByPath(file)
	return ok && l.IsTest(file)
}
