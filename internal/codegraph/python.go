package codegraph

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// pythonResolver implements the rules of Python: a dotted name is a path below one of the folders that the
// interpreter searches. They are derived from the layout: the folder above a top-level package, the project's root
// and src, those named by manifests, and the folder of a file outside packages.
type pythonResolver struct {
	tree  *tree
	roots []string
}

func newPythonResolver(t *tree, m *manifest.Manifests) *pythonResolver {
	r := &pythonResolver{tree: t}
	roots := []string{"."}
	if t.below["src"] {
		roots = append(roots, "src")
	}
	for dir := range t.folders {
		if r.isPackage(dir) && dir != "." {
			roots = append(roots, r.rootOf(dir))
		}
	}
	for _, p := range m.Python {
		for _, dir := range p.Roots {
			if t.below[dir] {
				roots = append(roots, dir)
			}
		}
	}
	slices.Sort(roots)
	r.roots = slices.Compact(roots)
	return r
}

func (r *pythonResolver) isPackage(dir string) bool {
	return r.tree.has(path.Join(dir, "__init__.py")) || r.tree.has(path.Join(dir, "__init__.pyi"))
}

// rootOf returns the folder above the outermost package around a package.
func (r *pythonResolver) rootOf(dir string) string {
	for dir != "." && r.isPackage(dir) {
		dir = path.Dir(dir)
	}
	return dir
}

func (r *pythonResolver) resolve(f *code.File, imp *code.Import) Target {
	name := strings.TrimLeft(imp.Module, ".")
	dots := len(imp.Module) - len(name)
	var parts []string
	if name != "" {
		parts = strings.Split(name, ".")
	}
	if dots > 0 {
		dir := path.Dir(f.Path)
		for range dots - 1 {
			if dir == "." {
				return Target{Origin: Missing}
			}
			dir = path.Dir(dir)
		}
		if t, found := r.below(dir, parts, imp.Named); found > 0 && found >= len(parts) {
			return t
		}
		return Target{Origin: Missing}
	}
	if len(parts) == 0 {
		return Target{Origin: Missing}
	}
	if t, ok := r.absolute(f, parts, imp.Named); ok {
		return t
	}
	if slices.Contains(pythonStandard, parts[0]) {
		return Target{Origin: Standard, Package: parts[0]}
	}
	return Target{Origin: External, Package: parts[0]}
}

// absolute searches the roots around the file, innermost first, and then the other roots, where the name must be
// unique and not of the standard library. If only the start of the name is found (the rest is a compiled module),
// the target is the package around it.
func (r *pythonResolver) absolute(f *code.File, parts, named []string) (Target, bool) {
	around, others := r.rootsFor(f)
	if slices.Contains(pythonStandard, parts[0]) {
		others = nil
	}
	best, most := Target{}, 0
	for _, root := range around {
		if t, found := r.below(root, parts, named); found > most {
			best, most = t, found
		}
	}
	if most == len(parts) {
		return best, true
	}
	elsewhere := 0 // number of other roots that match as much of the name
	for _, root := range others {
		t, found := r.below(root, parts, named)
		switch {
		case found > most:
			best, most, elsewhere = t, found, 1
		case found == most && elsewhere > 0:
			elsewhere++
		}
	}
	if elsewhere > 1 {
		return Target{Origin: Missing}, true // ambiguous
	}
	return best, most > 0
}

// rootsFor splits the roots into those around a file, innermost first, and the others.
func (r *pythonResolver) rootsFor(f *code.File) (around, others []string) {
	if dir := path.Dir(f.Path); !r.isPackage(dir) {
		around = append(around, dir)
	}
	for _, root := range r.roots {
		switch {
		case !manifest.Within(f.Path, root):
			others = append(others, root)
		case !slices.Contains(around, root):
			around = append(around, root)
		}
	}
	slices.SortStableFunc(around, func(a, b string) int { return cmp.Compare(manifest.Depth(b), manifest.Depth(a)) })
	return around, others
}

// below resolves a dotted name below a folder, and the names imported from it. Found is the number of parts found;
// with fewer than all, the target is the innermost package on the path. A folder without __init__ counts as a
// package only if it leads to a file.
func (r *pythonResolver) below(root string, parts, named []string) (t Target, found int) {
	dir := path.Join(root, path.Join(parts...))
	file, isPackage := r.module(dir)
	switch {
	case len(parts) > 0 && file != "" && !isPackage:
		return oneFile(file), len(parts)
	case file != "" || r.tree.below[dir]:
		switch files, folder := r.members(dir, file, named); {
		case len(files) > 0:
			return manyFiles(files), max(1, len(parts))
		case folder != "":
			return Target{Origin: Internal, Path: folder}, max(1, len(parts))
		}
	}
	for n := len(parts) - 1; n > 0; n-- {
		if file, isPackage := r.module(path.Join(root, path.Join(parts[:n]...))); file != "" {
			if !isPackage {
				return Target{}, 0 // a module has no modules in it
			}
			return oneFile(file), n
		}
	}
	return Target{}, 0
}

// module returns the file of the module or package at a path without extension.
func (r *pythonResolver) module(at string) (file string, isPackage bool) {
	for _, init := range []string{"__init__.py", "__init__.pyi"} {
		if p := path.Join(at, init); r.tree.has(p) {
			return p, true
		}
	}
	file, _ = r.tree.first(at+".py", at+".pyi")
	return file, false
}

// members returns the files of the names imported from a package: its submodules, and the package's own file for
// all other names. A name that the package declares hides a submodule. Folder is one of the names that is a package
// without a file of its own.
func (r *pythonResolver) members(dir, init string, named []string) (files []string, folder string) {
	if init != "" && len(named) == 0 {
		return []string{init}, ""
	}
	for _, name := range named {
		at := path.Join(dir, name)
		sub, _ := r.module(at)
		switch {
		case init != "" && declares(r.tree.files[init], name):
			files = append(files, init)
		case sub != "":
			files = append(files, sub)
		case r.tree.below[at]:
			folder = at
		case init != "":
			files = append(files, init)
		}
	}
	return files, folder
}

// declares reports whether a file declares a top-level symbol.
func declares(f *code.File, name string) bool {
	return declaredIn(f.Symbols, name)
}

// pythonStandard are the top-level names of the standard library: sys.stdlib_module_names of Python 3.13 without
// private ones, and those of 3.8 to 3.12 that were removed since.
var pythonStandard = strings.Fields(`__future__ abc aifc antigravity argparse array ast asynchat asyncio asyncore
	atexit audioop base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd
	code codecs codeop collections colorsys compileall compression concurrent configparser contextlib
	contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils
	doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter
	fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac
	html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3
	linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
	multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev
	parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint
	profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib
	resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib
	sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string
	string.templatelib stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny
	tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib
	trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv
	warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib
	zoneinfo annotationlib`)
