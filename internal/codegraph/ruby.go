package codegraph

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// rubyResolver implements the rules of Ruby: require names a path below one of the interpreter's load paths, which
// gems call lib; require_relative names a path relative to the file. Constants that a framework loads by name are
// not resolved.
type rubyResolver struct {
	tree  *tree
	roots []string // the project, and each of its load paths
	gems  []string // required by manifests
}

func newRubyResolver(t *tree, m *manifest.Manifests) *rubyResolver {
	r := &rubyResolver{tree: t, roots: []string{"."}}
	for dir := range t.below {
		if slices.Contains([]string{"lib", "test", "spec"}, path.Base(dir)) {
			r.roots = append(r.roots, dir)
		}
	}
	slices.Sort(r.roots)
	for _, x := range m.Ruby {
		for _, q := range x.Requires {
			r.gems = append(r.gems, q.Name)
		}
	}
	return r
}

func (r *rubyResolver) resolve(f *code.File, imp *code.Import) Target {
	name := strings.TrimSuffix(imp.Module, ".rb")
	if imp.Relative {
		if file := path.Join(path.Dir(f.Path), name) + ".rb"; r.tree.has(file) {
			return oneFile(file)
		}
		return Target{Origin: Missing}
	}
	if file := r.search(f, name+".rb"); file != "" {
		return oneFile(file)
	}
	first, _, _ := strings.Cut(name, "/")
	if slices.Contains(rubyStandard, first) {
		return Target{Origin: Standard, Package: name}
	}
	for _, gem := range r.gems { // active_support/all belongs to activesupport
		if strings.ReplaceAll(gem, "-", "/") == name || manifest.Identifier(gem) == manifest.Identifier(first) || strings.ReplaceAll(first, "_", "") == gem {
			return Target{Origin: External, Package: gem}
		}
	}
	return Target{Origin: External, Package: first}
}

// search returns the nearest file at a path below one of the load paths.
func (r *rubyResolver) search(f *code.File, name string) string {
	best := ""
	for _, root := range r.roots {
		file := path.Join(root, name)
		if r.tree.has(file) && (best == "" || nearness(f.Path, file) > nearness(f.Path, best)) {
			best = file
		}
	}
	return best
}

// rubyStandard are the first path elements of Ruby's library and its default and bundled gems, 2.7 to 3.4.
var rubyStandard = strings.Fields(`abbrev base64 benchmark bigdecimal bundler cgi coverage csv date dbm debug delegate did_you_mean
	digest drb English enumerator erb error_highlight etc expect fcntl fiber fiddle fileutils find forwardable gdbm
	getoptlong io ipaddr irb json kconv logger matrix minitest mkmf monitor mutex_m net nkf objspace observer open3
	open-uri openssl open-uri optparse ostruct pathname power_assert pp prettyprint prime prism pstore psych pty
	racc rake random rational rbconfig rbs rdoc readline reline resolv resolv-replace rexml rinda ripper rss ruby2_keywords
	rubygems securerandom set shellwords singleton socket stringio strscan syntax_suggest syslog tempfile test thread time
	timeout tmpdir tracer tsort typeprof un unicode_normalize uri weakref webrick win32 win32ole yaml zlib`)
