package service

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// autoload is a registration of the plugins of a folder (https://github.com/fastify/fastify-autoload): files are served below the names
// of the folders around them, and an index file stands for its folder.
type autoload struct {
	*routerReader
	dir, prefix string
	flat        bool // the names of folders are no part of paths
	cascades    bool // hooks are also for the folders below
	indexed     map[string]bool
	hooks       map[string]Object // the first parameter of the plugin that adds hooks, by its folder
}

// autoloaded returns the plugins that a registration loads.
func (r *routerReader) autoloaded(f *code.File, options *code.Value) []Event {
	is := func(name, text string) bool {
		v := options.Named(name)
		return v != nil && v.Text == text
	}
	l := &autoload{
		routerReader: r, dir: r.folder(f, options.Named("dir")), flat: is("dirNameRoutePrefix", "false"), cascades: is("cascadeHooks", "true"),
		indexed: map[string]bool{}, hooks: map[string]Object{},
	}
	if l.dir == "" {
		return nil
	}
	if inner := options.Named("options"); inner != nil {
		l.prefix, _ = r.Text(f.Path, inner.Named("prefix"))
	}
	var out []Event
	for file := range l.files() {
		l.indexed[path.Dir(file.Path)] = l.indexed[path.Dir(file.Path)] || stem(file.Path) == "index"
		if stem(file.Path) == "autohooks" && is("autoHooks", "true") {
			for _, e := range r.exportedPlugins(file, "") {
				l.hooks[path.Dir(file.Path)] = e.Child
				out = append(out, e)
			}
		}
	}
	for file := range l.files() {
		if name := stem(file.Path); name == "autohooks" || l.indexed[path.Dir(file.Path)] && name != "index" {
			continue
		}
		for _, e := range r.exportedPlugins(file, l.below(file)) {
			e.On = l.hooked(path.Dir(file.Path))
			out = append(out, e)
		}
	}
	return out
}

// files yields the files in the folder that may be plugins.
func (l *autoload) files() iter.Seq[*code.File] {
	return func(yield func(*code.File) bool) {
		for _, f := range l.Files {
			if strings.HasPrefix(f.Path, l.dir+"/") && !f.Test && slices.Contains(ecmaLanguages, f.Language) && !yield(f) {
				return
			}
		}
	}
}

// below returns the path below which the plugin of a file is served.
func (l *autoload) below(f *code.File) string {
	if own, ok := l.Bound(f.Path, "", "autoPrefix"); ok {
		text, _ := l.Text(f.Path, &own.Value)
		return strings.TrimSuffix(JoinPath(l.prefix, text), "/")
	}
	if l.flat {
		return l.prefix
	}
	return strings.TrimSuffix(path.Join("/", l.prefix, path.Dir(strings.TrimPrefix(f.Path, l.dir+"/"))), "/")
}

// hooked returns what adds hooks to the plugins of a folder; "" for none.
func (l *autoload) hooked(folder string) Object {
	for ; strings.HasPrefix(folder+"/", l.dir+"/"); folder = path.Dir(folder) {
		if o := l.hooks[folder]; o != "" || !l.cascades {
			return o
		}
	}
	return ""
}

// exportedPlugins returns the plugin that a file exports, below a prefix.
func (r *routerReader) exportedPlugins(f *code.File, prefix string) (out []Event) {
	for _, s := range r.exportedWhole(f) {
		if o, ok := r.parameterObject(s); ok {
			out = append(out, Event{Child: o, Prefix: prefix})
		}
	}
	return out
}

// folder returns the folder that a value names beside a file: path.join(__dirname, "routes").
func (r *routerReader) folder(f *code.File, v *code.Value) string {
	if v == nil {
		return ""
	}
	parts := []string{path.Dir(f.Path)}
	if text, ok := r.Text(f.Path, v); ok {
		return path.Join(append(parts, text)...)
	}
	for i := range v.Args {
		text, ok := r.Text(f.Path, &v.Args[i])
		switch {
		case ok:
			parts = append(parts, text)
		case i > 0:
			return ""
		}
	}
	if v.Kind != code.ValueCall || len(parts) < 2 {
		return ""
	}
	return path.Join(parts...)
}

// exportedWhole returns the function that a file exports as a whole.
func (r *routerReader) exportedWhole(f *code.File) []Step {
	for _, n := range r.Links.Linked(f.Path) {
		if n.Path() == "default" && IsFunction(n) && r.Body(n) != nil {
			return []Step{{Kind: Middleware, Node: n, At: Place{f.Path, n.Line}}}
		}
	}
	for _, name := range []string{"module.exports", "default", ""} {
		if b, ok := r.Bound(f.Path, "", name); ok {
			return r.ecmaSteps(b.File, Middleware, []code.Value{b.Value})
		}
	}
	return nil
}
