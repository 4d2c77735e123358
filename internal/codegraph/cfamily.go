package codegraph

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// cResolver resolves includes as compilers do: in the file's folder, then in the include folders of the build. As
// those are not known, an include means any file of the project whose path ends in it; of several, the nearest.
type cResolver struct {
	tree    *tree
	byName  map[string][]string // last element -> files
	modules map[string][]string // C++20 module -> files that declare it
}

func newCResolver(t *tree) *cResolver {
	r := &cResolver{tree: t, byName: map[string][]string{}, modules: map[string][]string{}}
	for p, f := range t.files {
		if f.Language == "c" || f.Language == "cpp" {
			r.byName[path.Base(p)] = append(r.byName[path.Base(p)], p)
			for _, s := range f.Symbols {
				if s.Kind == code.Module && f.Language == "cpp" && strings.Contains(s.Signature, "module") {
					r.modules[s.Name] = append(r.modules[s.Name], p)
				}
			}
		}
	}
	for _, list := range r.byName {
		slices.Sort(list)
	}
	return r
}

func (r *cResolver) resolve(f *code.File, imp *code.Import) Target {
	if files := r.modules[imp.Module]; len(files) > 0 {
		return manyFiles(slices.Clone(files))
	}
	name := path.Clean(strings.Trim(imp.Module, `<>"`))
	if imp.Relative {
		if file := path.Join(path.Dir(f.Path), name); r.tree.has(file) {
			return oneFile(file)
		}
	}
	if file := r.nearest(f, strings.TrimLeft(name, "./")); file != "" && (imp.Relative || !slices.Contains(cStandard, name)) {
		return oneFile(file)
	}
	first, _, _ := strings.Cut(name, "/")
	switch {
	case slices.Contains(cStandard, name), slices.Contains([]string{"sys", "netinet", "arpa", "std"}, first), !strings.Contains(name, "."):
		return Target{Origin: Standard, Package: name}
	case imp.Relative:
		return Target{Origin: Missing}
	}
	return Target{Origin: External, Package: strings.TrimSuffix(first, ".h")}
}

// nearest returns the file whose path ends in name, or "". Of several it prefers the one that shares the most
// folders with f; of these, the one that the others are copies of, in a folder like tools/ that repeats the tree.
func (r *cResolver) nearest(f *code.File, name string) string {
	best, most, tied := "", -1, false
	for _, p := range r.byName[path.Base(name)] {
		if p != name && !strings.HasSuffix(p, "/"+name) {
			continue
		}
		switch n := nearness(f.Path, p); {
		case n > most:
			best, most, tied = p, n, false
		case n == most && strings.HasSuffix(best, "/"+p):
			best = p
		case n == most && !strings.HasSuffix(p, "/"+best):
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

// cStandard are the headers of C23 and of POSIX; C++'s have no extension.
var cStandard = strings.Fields(`assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h
	setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbit.h stdbool.h stdckdint.h stddef.h stdint.h stdio.h stdlib.h
	stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h
	aio.h cpio.h dirent.h dlfcn.h fcntl.h fmtmsg.h fnmatch.h ftw.h glob.h grp.h iconv.h langinfo.h libgen.h monetary.h mqueue.h
	ndbm.h netdb.h nl_types.h poll.h pthread.h pwd.h regex.h sched.h search.h semaphore.h spawn.h strings.h stropts.h syslog.h
	tar.h termios.h ucontext.h ulimit.h unistd.h utime.h utmpx.h wordexp.h
	alloca.h crypt.h endian.h err.h execinfo.h getopt.h malloc.h memory.h paths.h resolv.h sysexits.h windows.h winsock2.h`)
