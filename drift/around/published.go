package around

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Published says what the manifests of a project let others import: the exports of a package.json with what these export
// of other files, and the packages that a module-info.java exports.
type Published struct {
	project *project.Project

	mu       sync.Mutex
	listed   bool
	known    map[string]bool            // files of JavaScript and TypeScript
	packages []manifest.NodePackage     // those whose entries are known
	names    map[string]map[string]bool // file -> the names of it that others can import; "*" for all
	public   map[string]string          // file and exported name -> what others import it as; "" for several names
	reached  map[string]bool            // file and the name that others import of it through another file
	offered  map[string]bool            // the files that others import by their paths
	origins  map[string][]string        // file and name -> the entries and the names in them that it is named as
	sources  map[string]string          // entry and a name that it names -> the file that has what it is
	files    map[string]*code.Skeleton  // what was read of files of JavaScript and TypeScript
	modules  map[string]map[string]bool // folder of a module-info.java -> the folders of the packages that it exports
}

// NewPublished returns what the manifests of a project say. They are read when first asked for.
func NewPublished(p *project.Project) *Published { return &Published{project: p} }

// Hides reports whether the manifests say that others cannot import a name from a file, or anything for the name "". What
// they do not say is not hidden.
func (p *Published) Hides(ctx context.Context, file, name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.listed {
		p.list(ctx)
	}
	if path.Ext(file) == ".java" {
		return p.hidesPackage(path.Dir(file))
	}
	if !script.MatchString(file) || manifest.Deepest(p.packages, manifest.NodePackage.Folder, file) < 0 {
		return false
	}
	names := p.names[file]
	return !names["*"] && !names["default"] && !names[name] && (name != "" || len(names) == 0)
}

// Name returns the name under which others import what a file exports under a name: bundlers export from the files that they make
// under letters, which are others in each release. It is the same name if others reach it as that, under several names, or not at all.
func (p *Published) Name(ctx context.Context, file, name string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.listed {
		p.list(ctx)
	}
	return cmp.Or(p.public[file+"\x00"+name], name)
}

// Passes reports whether others import a name of a file through another file alone, so that it does not matter where it is.
func (p *Published) Passes(ctx context.Context, file, name string) bool {
	if p.Hides(ctx, file, name) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.offered[file] && (p.reached[file+"\x00"+name] || p.names[file]["*"])
}

// script matches the files that a package.json is about, declaration the declarations among them.
var (
	script      = lazyregexp.New(`\.[cm]?[jt]sx?$`)
	declaration = lazyregexp.New(`\.([cm]?tsx?)$`)
)

// hidesPackage reports whether a module-info.java above a folder does not export its package.
func (p *Published) hidesPackage(folder string) bool {
	for dir := folder; ; dir = path.Dir(dir) {
		if exported, ok := p.modules[dir]; ok {
			return !exported[folder]
		}
		if dir == "." {
			return false
		}
	}
}

// list reads the manifests and follows the entries.
func (p *Published) list(ctx context.Context) {
	p.origins, p.sources = map[string][]string{}, map[string]string{}
	p.listed, p.known, p.offered, p.public, p.reached = true, map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]bool{}
	p.names, p.modules, p.files = map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]*code.Skeleton{}
	l, err := p.project.List(ctx, ".")
	if err != nil {
		return
	}
	var manifests []string
	var files []*code.File
	for _, e := range l.Files {
		switch {
		case manifest.IsManifest(e.Path):
			manifests = append(manifests, e.Path)
		case path.Base(e.Path) == "module-info.java":
			p.modules[path.Dir(e.Path)] = p.exportedPackages(e.Path)
		case script.MatchString(e.Path):
			if language, ok := lang.ByPath(e.Path); ok {
				p.known[e.Path] = true
				files = append(files, &code.File{Path: e.Path, Language: language.Name})
			}
		}
	}
	m, _ := manifest.Read(manifests, p.project.ReadFile) // unreadable manifests are ignored
	if m != nil {
		p.follow(ctx, p.entries(files, m))
	}
}

var exportsClause = lazyregexp.New(`(?m)^\s*exports\s+([\w.]+)`)

// exportedPackages returns the folders of the packages that a module-info.java exports.
func (p *Published) exportedPackages(file string) map[string]bool {
	out := map[string]bool{}
	text, err := p.project.ReadFile(file)
	if err != nil {
		return out
	}
	for _, m := range exportsClause.FindAllSubmatch(text, -1) {
		out[path.Join(path.Dir(file), strings.ReplaceAll(string(m[1]), ".", "/"))] = true
	}
	return out
}

// entries returns the files that packages offer, and sets p.packages. Declarations stand for the JavaScript that they describe.
func (p *Published) entries(files []*code.File, m *manifest.Manifests) []string {
	var out []string
	offered := codegraph.Exported(files, m)
	for i := range m.NodePackages {
		pkg := &m.NodePackages[i]
		var own []string
		for file := range offered {
			if k := manifest.Deepest(m.NodePackages, manifest.NodePackage.Folder, file); k == i {
				own = append(own, p.declared(file))
			}
		}
		for _, entry := range pkg.Entries {
			if file := p.declared(path.Join(pkg.Dir, entry)); p.known[file] && declaration.MatchString(file) {
				own = append(own, file)
			}
		}
		own = append(own, p.matching(pkg)...)
		if beside := path.Join(pkg.Dir, "index.d.ts"); len(pkg.Exports) == 0 && p.known[beside] && !slices.ContainsFunc(own, declaration.MatchString) {
			own = append(own, beside) // which TypeScript looks for if nothing else says what the types are
		}
		if slices.ContainsFunc(own, declaration.MatchString) {
			own = slices.DeleteFunc(own, func(file string) bool { return !declaration.MatchString(file) })
		}
		if len(own) > 0 {
			p.packages = append(p.packages, *pkg)
			out = append(out, own...)
		}
	}
	return out
}

// matching returns the files that patterns among the exports of a package offer.
func (p *Published) matching(pkg *manifest.NodePackage) []string {
	var out []string
	for key, entry := range pkg.Exports {
		if !strings.Contains(key, "*") {
			continue
		}
		for _, leaf := range manifest.Leaves(entry, "*") {
			pattern := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(path.Join(pkg.Dir, leaf)), `\*`, ".+") + "$")
			for file := range p.known {
				if pattern.MatchString(file) {
					out = append(out, p.declared(file))
				}
			}
		}
	}
	return out
}

// declared returns the declarations beside a file of JavaScript, or the file itself if there are none.
func (p *Published) declared(file string) string {
	for _, ends := range [][2]string{{".js", ".d.ts"}, {".mjs", ".d.mts"}, {".cjs", ".d.cts"}, {".mjs", ".d.ts"}, {".cjs", ".d.ts"}, {"", ".d.ts"}} {
		if stem, ok := strings.CutSuffix(file, ends[0]); ok && p.known[stem+ends[1]] {
			return stem + ends[1]
		}
	}
	return file
}

// follow finds the names that entries offer, those that they export of other files, too.
func (p *Published) follow(ctx context.Context, entries []string) {
	type wanted struct{ file, name, public, entry string } // public: the name in the entry; "" for that of each
	var open []wanted
	for _, file := range entries {
		p.offered[file] = true
		open = append(open, wanted{file, "*", "", file})
	}
	read := map[string]*scriptFile{}
	for len(open) > 0 && ctx.Err() == nil {
		w := open[0]
		open = open[1:]
		p.importedAs(w.file, w.name, w.public)
		if w.name != "*" {
			key := w.entry + "\x00" + cmp.Or(w.public, w.name)
			for _, name := range slices.Compact([]string{w.name, cmp.Or(w.public, w.name)}) {
				p.origins[w.file+"\x00"+name] = append(p.origins[w.file+"\x00"+name], key)
			}
			p.sources[key] = w.file + "\x00" + w.name
		}
		names := p.names[w.file]
		if names == nil {
			names = map[string]bool{}
			p.names[w.file] = names
		}
		if names[w.name] || names["*"] {
			continue
		}
		names[w.name] = true
		if read[w.file] == nil {
			read[w.file] = p.read(ctx, w.file)
		}
		read[w.file].addLocals(w.name, names)
		for _, e := range read[w.file].exports {
			if name, as, ok := e.of(w.name); ok {
				open = append(open, wanted{e.file, name, cmp.Or(as, w.public), w.entry})
			}
		}
	}
}

// of returns the name that a file passes on where a name of it is wanted, or all for "*", and the name that it passes it on as if all
// are wanted.
func (e passed) of(wanted string) (name, as string, ok bool) {
	switch {
	case wanted == "*" && e.as != "*":
		return e.name, e.as, true
	case wanted == "*" || e.as == wanted:
		return e.name, "", true
	case e.as == "*":
		return wanted, "", true
	}
	return "", "", false
}

// importedAs notes the name under which others import a name of a file.
func (p *Published) importedAs(file, name, public string) {
	if name == "*" || name == "default" || public == "default" {
		return
	}
	key := file + "\x00" + name
	if public == "" {
		public = name
	}
	p.reached[file+"\x00"+public] = true
	if known, ok := p.public[key]; ok && known != public {
		public = ""
	}
	p.public[key] = public
}

// scriptFile is what a file of JavaScript or TypeScript exports of others.
type scriptFile struct {
	exports []passed
	local   map[string]string // the names of its own under which names it exports them
}

// addLocals adds the names of declarations that the file exports under a name.
func (s *scriptFile) addLocals(name string, to map[string]bool) {
	for local, as := range s.local {
		if as == name {
			to[local] = true
		}
	}
}

// passed is a name of another file that a file exports under a name; "*" for all.
type passed struct{ file, name, as string }

var exportList = lazyregexp.New(`(?s)\bexport\s+(?:type\s+)?\{([^{}]*)\}|\bexport\s*(?:=|default\b)\s*(\w+)\s*;?\s*(?:\n|$)`)

// read returns what a file exports of others: by "export … from", and what it imports and then exports.
func (p *Published) read(ctx context.Context, file string) *scriptFile {
	out := &scriptFile{}
	text, err := p.project.ReadFile(file)
	if err != nil {
		return out
	}
	f, err := lang.Parse(ctx, file, text, 0)
	if err != nil {
		return out
	}
	local := map[string]string{} // local name -> exported name
	for _, m := range exportList.FindAllSubmatch(text, -1) {
		for part := range strings.SplitSeq(string(m[1]), ",") {
			words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(part), "type "))
			if len(words) > 0 {
				local[words[0]] = words[len(words)-1]
			}
		}
		if len(m[2]) > 0 {
			local[string(m[2])] = "default"
		}
	}
	out.local = local
	for i := range f.Imports {
		out.add(&f.Imports[i], p.target(file, f.Imports[i].Module), local)
	}
	return out
}

// add adds what an import, of a file, passes on.
func (s *scriptFile) add(i *code.Import, to string, local map[string]string) {
	if to == "" {
		return
	}
	pass := func(name, as string) {
		if !i.Reexport {
			exported, ok := local[as]
			if !ok {
				return
			}
			as = exported
		}
		s.exports = append(s.exports, passed{to, name, as})
	}
	for n, name := range i.Named {
		as := name
		if n < len(i.Aliases) && i.Aliases[n] != "" {
			as = i.Aliases[n]
		}
		pass(name, as)
	}
	if i.Namespace != "" {
		pass("*", i.Namespace)
	}
	if i.Default != "" {
		pass("default", i.Default)
	}
}

// target returns the file that a relative specifier means; "" for none.
func (p *Published) target(from, specifier string) string {
	if !strings.HasPrefix(specifier, ".") {
		return ""
	}
	file := path.Join(path.Dir(from), specifier)
	if stem := regexp.MustCompile(`\.[cm]?jsx?$`).ReplaceAllString(file, ""); stem != file {
		for _, ext := range []string{".ts", ".tsx", ".mts", ".cts"} {
			if p.known[stem+ext] {
				return stem + ext
			}
		}
	}
	if to := p.declared(file); p.known[to] {
		return to
	}
	for _, end := range []string{".ts", ".tsx", ".mts", ".d.mts", ".d.cts", ".js", ".mjs", ".jsx", "/index.ts", "/index.tsx", "/index.d.ts", "/index.d.mts", "/index.js", "/index.mjs"} {
		if p.known[file+end] {
			return file + end
		}
	}
	return ""
}
