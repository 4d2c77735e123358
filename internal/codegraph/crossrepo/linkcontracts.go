package crossrepo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// contracts returns what a project that is pushed says of contracts. Of its code it reads the files that changed since the last push.
func (l *linking) contracts(ctx context.Context, r *repository) (out store.Contracts, err error) {
	data, err := l.store.Trace(ctx, r.Path)
	if err != nil {
		return out, err
	}
	before, err := decodeTrace(data)
	if err != nil {
		before = trace{} // what is damaged is made anew
	}
	if err := r.bring(ctx, l.project, before); err != nil {
		return out, err
	}
	f := newFederation()
	f.documents(ctx, r)
	names, err := r.usedNames(ctx)
	if err != nil {
		return out, err
	}
	uses, provides, surface := hashes{}, hashes{}, sha256.New()
	fmt.Fprintln(surface, code.FactsVersion, traceVersion)
	for n := range names {
		uses[n] = true
	}
	for _, file := range r.listed(func(file string) bool { return isDocument(f.kinds, file) }) {
		for n := range (&view{repo: r, path: file, text: r.texts[file]}).names() {
			uses[n] = true
		}
	}
	for i := range r.contracts {
		c := &r.contracts[i]
		fmt.Fprintf(surface, "%q %s\n", c.Path, c.Type)
		for n := range c.Symbols {
			s := &c.Symbols[n]
			as := f.provided(c, s, names, provides)
			fmt.Fprintf(surface, "%q\n", []string{s.Name, s.Kind, s.Signature, s.of, s.base, s.result, fmt.Sprint(s.StartLine, s.EndLine, as, s.params)})
		}
	}
	out = store.Contracts{Provides: provides.sorted(), Uses: uses.sorted(), Surface: hex.EncodeToString(surface.Sum(nil))}
	out.Trace, err = r.trace.encode()
	return out, err
}

// provided adds the names under which uses of a symbol are found, and returns the role of the repository for it.
func (f *federation) provided(c *Contract, s *Symbol, names, to hashes) role {
	as := holds
	for i := range f.kinds {
		k := &f.kinds[i]
		if k.name != c.Type || k.provides == nil {
			continue
		}
		if service := (&contractSymbol{Symbol: s}).service(); service != "" && k.roles {
			as = roleOf(names, c, service)
		}
		for _, name := range k.provides(s) {
			if as == uses {
				name = copyName(s.Name) // the server is asked for first, however many have copies
			}
			to.add(name)
		}
	}
	return as
}

// byContracts adds the edges by contracts that a push can touch: those from the project and, if others have something else to use,
// all those from each that may use its contracts, since what they use may now be of another.
func (l *linking) byContracts(ctx context.Context, r *repository, changed bool, u *store.LinkUpdate) error {
	sources := []store.SharedProject{}
	if changed {
		users, err := l.store.Users(ctx, r.Path)
		if err != nil {
			return err
		}
		sources = users
	}
	if err := l.contractsOf(ctx, r, u); err != nil {
		return err
	}
	for _, p := range sources {
		if err := l.usesOf(ctx, p, u); err != nil {
			return err
		}
	}
	return nil
}

// usesOf adds all edges by contracts from a project of the store.
func (l *linking) usesOf(ctx context.Context, p store.SharedProject, u *store.LinkUpdate) error {
	user, err := l.unlessForeign(ctx, p)
	if user == nil || err != nil {
		return err
	}
	err = l.traced(ctx, user)
	if errors.Is(err, errForeign) {
		l.skipped = append(l.skipped, p.Name)
		return user.close()
	}
	if err == nil {
		err = l.contractsOf(ctx, user, u)
	}
	return errors.Join(err, user.close())
}

// traced reads what is stored of a project's uses.
func (l *linking) traced(ctx context.Context, r *repository) error {
	data, err := l.store.Trace(ctx, r.Path)
	if err == nil {
		r.trace, err = decodeTrace(data)
	}
	return err
}

// contractsOf adds all edges by contracts from a project.
func (l *linking) contractsOf(ctx context.Context, r *repository, u *store.LinkUpdate) error {
	providers, state, err := l.store.Providers(ctx, r.Path)
	if err != nil {
		return err
	}
	u.Contracts[r.Path] = state
	if len(providers) == 0 {
		return nil
	}
	f := newFederation()
	f.repos = []*repository{r}
	for _, p := range providers {
		other, err := l.described(ctx, p)
		if err != nil {
			return err
		}
		f.repos = append(f.repos, other)
	}
	byName := map[string]*repository{}
	r.contracts = nil
	for i, other := range f.repos {
		other.place, other.prefix = i, strconv.Itoa(i)
		byName[other.Name] = other
		f.documents(ctx, other)
	}
	if f.joint, err = linkRepositories(ctx, f.repos[:1]); err != nil {
		return err
	}
	r.services = f.joint.servicesIn(r)
	if err := f.prepare(ctx, r); err != nil {
		return err
	}
	if err := f.search(ctx, r); err != nil {
		return err
	}
	u.Links = append(u.Links, l.links(f, r, true, func(name string) *repository { return byName[name] })...)
	return nil
}

// described returns a project of which only what it says of contracts is read.
func (l *linking) described(ctx context.Context, p store.SharedProject) (r *repository, err error) {
	r = &repository{RepositoryConfig: RepositoryConfig{Name: p.Name, Path: p.Origin.Key}}
	if r.texts, err = l.store.Texts(ctx, r.Path); err != nil {
		return nil, err
	}
	r.manifests, _ = manifest.Read(r.manifestPaths(), r.readFile) // a manifest that cannot be read publishes nothing
	err = l.traced(ctx, r)
	if errors.Is(err, errForeign) {
		err = nil // it is not known whether its code serves the contracts
	}
	return r, err
}
