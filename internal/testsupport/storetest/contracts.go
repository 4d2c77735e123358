package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// RunShared tests what a shared store keeps of contracts and of edges by them. The function open opens an empty store for one test,
// which closes it; guard returns one in which callers see what their access allows.
func RunShared(t *testing.T, open func(t *testing.T) store.Shared, guard func(store.Shared) store.Shared) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, o *organisation)
	}{
		{"UsersAndProvidersFindEachOther", usersAndProviders},
		{"WhatManyProvideTellsNothing", manyProvide},
		{"TheProviderChanges", providerChanges},
		{"TheUserChanges", userChanges},
		{"WhatMovedMeanwhileIsNotLinked", movedMeanwhile},
		{"EdgesInCodeAndByContractsAreApart", codeAndContracts},
		{"HiddenProjects", hiddenProjects},
		{"ADeletedProviderIsGone", deletedProvider},
		{"ADeletedUserIsGone", deletedUser},
		{"AnOlderPushAfterANewerOne", olderAfterNewer},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() { check(t, s.Close()) })
			c.test(t, &organisation{t: t, Shared: s, guarded: guard(s), said: map[string]store.Published{}})
		})
	}
}

// organisation is a shared store with what its projects said last.
type organisation struct {
	t *testing.T
	store.Shared
	guarded store.Shared
	said    map[string]store.Published
}

func addressOf(name string) string { return "https://git.example.com/组织/" + name }

var errOlder = errors.New("an older commit")

// commit is a project at the commit of a minute.
func commit(name string, minute int) store.Origin {
	return store.Origin{Key: addressOf(name), Name: name, Branch: "main", Commit: fmt.Sprintf("%040x", minute), Committed: time.Unix(1_700_000_000+60*int64(minute), 0).UTC()}
}

// at returns the store of a project at a commit, which follows no newer one.
func (o *organisation) at(name string, minute int) store.Store {
	c := commit(name, minute)
	return o.For(c, func(old store.Origin) error {
		if old.Committed.After(c.Committed) {
			return errOlder
		}
		return nil
	})
}

// push builds a graph of a project.
func (o *organisation) push(name string, minute int) {
	o.t.Helper()
	to := o.at(name, minute)
	release := lock(o.t, to, "anywhere")
	build(o.t, to, "anywhere", store.Update{})
	release()
}

// contracts is what a project says: the surface is a text of what it provides.
func contracts(surface string, provides, uses []int64) store.Contracts {
	return store.Contracts{Provides: provides, Uses: uses, Surface: surface, Trace: []byte("trace \x00 of " + surface)}
}

// publish records what a project says of contracts, and reports whether the edges into it are of something else.
func (o *organisation) publish(name string, c store.Contracts) bool {
	o.t.Helper()
	p := store.Published{Surface: "code", Contracts: c, Texts: map[string][]byte{"openapi.yaml": []byte(c.Surface)}}
	o.said[name] = p
	changed, err := o.Publish(o.t.Context(), addressOf(name), p)
	check(o.t, err)
	return changed.Contracts
}

// update returns what sets the edges by contracts of projects, as they are found now; the first was pushed.
func (o *organisation) update(links []store.Link, names ...string) store.LinkUpdate {
	o.t.Helper()
	u := store.LinkUpdate{Key: addressOf(names[0]), Surface: "code", Links: links, States: map[string]store.SharedProject{}, Contracts: map[string]string{}}
	for _, name := range names {
		p, err := o.Find(o.t.Context(), addressOf(name))
		check(o.t, err)
		u.States[addressOf(name)] = p
		_, u.Contracts[addressOf(name)], err = o.Providers(o.t.Context(), addressOf(name))
		check(o.t, err)
	}
	return u
}

// link sets the edges by contracts of projects, the first of which was pushed.
func (o *organisation) link(links []store.Link, names ...string) {
	o.t.Helper()
	check(o.t, o.ReplaceLinks(o.t.Context(), o.update(links, names...)))
}

// uses returns an edge to the provider by a contract, or one in code.
func uses(source string, line int, contract bool) store.Link {
	const target = "api"
	e := virtual(source+".f", line)
	if !contract {
		e.Contract = "go"
	}
	e.ID, e.SourceRepo, e.TargetRepo, e.TargetRoot, e.TargetSymbol = fmt.Sprintf("%s %s %d %v", source, target, line, contract), source, target, "", "GET /orders/{编号}"
	return store.Link{Source: addressOf(source), Target: addressOf(target), Contract: contract, Edge: e}
}

// projectNames returns the names of projects.
func projectNames(t *testing.T, found []store.SharedProject, err error) []string {
	t.Helper()
	check(t, err)
	out := []string{}
	for _, p := range found {
		out = append(out, p.Name)
	}
	return out
}

// expect compares who may use whose contracts: users of a provider, providers of a user.
func (o *organisation) expect(when, of string, providers, users []string) {
	o.t.Helper()
	found, _, err := o.Providers(o.t.Context(), addressOf(of))
	if diff := cmp.Diff(providers, projectNames(o.t, found, err), cmpopts.EquateEmpty()); diff != "" {
		o.t.Errorf("%s: providers of %s: -want +got\n%s", when, of, diff)
	}
	found, err = o.Users(o.t.Context(), addressOf(of))
	if diff := cmp.Diff(users, projectNames(o.t, found, err), cmpopts.EquateEmpty()); diff != "" {
		o.t.Errorf("%s: users of %s: -want +got\n%s", when, of, diff)
	}
}

// edges compares the edges by contracts to the provider.
func (o *organisation) edges(when string, want ...store.Link) {
	o.t.Helper()
	got, err := o.ContractLinksTo(o.t.Context(), addressOf("api"))
	check(o.t, err)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		o.t.Errorf("%s: -want +got\n%s", when, diff)
	}
	o.counted(when)
}

// counted compares the numbers of edges with the edges, for all projects, each and none.
func (o *organisation) counted(when string) {
	o.t.Helper()
	projects, err := o.Origins(o.t.Context())
	check(o.t, err)
	count := func(wanted func(l store.Link) bool) (out []store.Relation) {
		n := map[store.Relation]int{}
		for _, p := range projects {
			links, err := o.LinksFrom(o.t.Context(), p.Origin.Key, nil)
			check(o.t, err)
			for _, l := range links {
				if wanted(l) {
					n[store.Relation{Source: l.Source, Target: l.Target, Kind: l.Edge.Contract, Contract: l.Contract}]++
				}
			}
		}
		for r, edges := range n {
			r.Edges = edges
			out = append(out, r)
		}
		slices.SortFunc(out, func(a, b store.Relation) int {
			return slices.Compare([]string{a.Source, a.Target, a.Kind}, []string{b.Source, b.Target, b.Kind})
		})
		return out
	}
	expect := func(keys []string, wanted func(l store.Link) bool) {
		o.t.Helper()
		got, err := o.Relations(o.t.Context(), keys)
		check(o.t, err)
		if diff := cmp.Diff(count(wanted), got, cmpopts.EquateEmpty()); diff != "" {
			o.t.Errorf("%s: relations of %q: -want +got\n%s", when, keys, diff)
		}
	}
	expect(nil, func(store.Link) bool { return true })
	expect([]string{}, func(store.Link) bool { return false })
	for _, p := range projects {
		key := p.Origin.Key
		expect([]string{key}, func(l store.Link) bool { return l.Source == key || l.Target == key })
	}
}

// two pushes a provider and a user of one name, with an edge.
func (o *organisation) two() store.Link {
	o.t.Helper()
	o.push("api", 1)
	o.push("web", 1)
	o.publish("api", contracts("orders", []int64{1, 2}, nil))
	o.link(nil, "api")
	o.publish("web", contracts("", nil, []int64{-7, 2}))
	edge := uses("web", 1, true)
	o.link([]store.Link{edge}, "web")
	return edge
}

func usersAndProviders(t *testing.T, o *organisation) {
	for _, name := range []string{"api", "web", "both", "alone"} {
		o.push(name, 1)
	}
	if found, state, err := o.Providers(t.Context(), addressOf("api")); len(found) != 0 || state != "" || err != nil {
		t.Errorf("of who said nothing: %v, %q, %v", found, state, err)
	}
	if trace, err := o.Trace(t.Context(), addressOf("api")); trace != nil || err != nil {
		t.Errorf("of who said nothing: %q, %v", trace, err)
	}
	o.publish("api", contracts("orders", []int64{1, 2}, nil))
	o.publish("web", contracts("", nil, []int64{2, 3}))
	o.publish("both", contracts("carts", []int64{3, 5}, []int64{1, 5})) // what it provides itself is no use of others
	o.publish("alone", contracts("tills", []int64{9}, []int64{10}))
	o.expect("said", "api", nil, []string{"both", "web"})
	o.expect("said", "web", []string{"api", "both"}, nil)
	o.expect("said", "both", []string{"api"}, []string{"web"})
	o.expect("said", "alone", nil, nil)
	trace, err := o.Trace(t.Context(), addressOf("both"))
	if string(trace) != "trace \x00 of carts" || err != nil {
		t.Errorf("trace %q, %v", trace, err)
	}
	texts, err := o.Texts(t.Context(), addressOf("both"))
	if string(texts["openapi.yaml"]) != "carts" || err != nil {
		t.Errorf("texts %q, %v", texts, err)
	}
}

func manyProvide(_ *testing.T, o *organisation) {
	o.push("web", 1)
	o.publish("web", contracts("", nil, []int64{1}))
	for i := range 40 {
		name := fmt.Sprintf("api%02d", i)
		o.push(name, 1)
		o.publish(name, contracts("health", []int64{1}, nil))
		if i == 1 {
			o.expect("two provide it", "web", []string{"api00", "api01"}, nil)
			o.expect("two provide it", "api00", nil, []string{"web"})
		}
	}
	o.expect("many provide it", "web", nil, nil)
	o.expect("many provide it", "api00", nil, nil)
	o.publish("api17", contracts("health and orders", []int64{1, 2}, nil))
	o.publish("web", contracts("", nil, []int64{1, 2}))
	o.expect("one provides another", "web", []string{"api17"}, nil)
}

func providerChanges(t *testing.T, o *organisation) {
	edge := o.two()
	o.edges("linked", edge)
	_, before, err := o.Providers(t.Context(), addressOf("web"))
	check(t, err)

	if o.publish("api", contracts("orders", []int64{1, 2}, []int64{8})) {
		t.Error("what others can use is what it was")
	}
	if _, now, err := o.Providers(t.Context(), addressOf("web")); now != before || err != nil {
		t.Errorf("the edges of web depend on what api uses: %v", err)
	}
	if !o.publish("api", contracts("invoices", []int64{1, 4}, nil)) {
		t.Error("what others can use is another")
	}
	o.edges("before the edges are set", edge)
	o.expect("the name is gone", "web", nil, nil)
	o.expect("who used it when the edges were set", "api", nil, []string{"web"})
	if !o.publish("api", contracts("invoices", []int64{1, 4}, nil)) {
		t.Error("said again, it is linked without a link")
	}
	o.link(nil, "api", "web")
	o.edges("after")
	o.expect("after", "api", nil, nil)
	if o.publish("api", contracts("invoices", []int64{1, 4}, nil)) {
		t.Error("nothing changed since the edges were set")
	}

	o.publish("api", contracts("orders", []int64{1, 2}, nil))
	o.expect("it is back", "api", nil, []string{"web"})
	moved := edge
	moved.Edge.StartLine, moved.Edge.Signature = 33, "GET /orders"
	o.link([]store.Link{moved}, "api", "web")
	o.edges("it is back", moved)
}

func userChanges(t *testing.T, o *organisation) {
	edge := o.two()
	other := uses("shop", 5, true)
	o.push("shop", 1)
	o.publish("shop", contracts("", nil, []int64{1}))
	o.link([]store.Link{other}, "shop")
	o.edges("two users", other, edge)

	if o.publish("web", contracts("", nil, []int64{2, 6})) {
		t.Error("a user without contracts has other contracts")
	}
	again := uses("web", 2, true)
	o.link([]store.Link{again}, "web")
	o.edges("it uses it elsewhere", other, again)
	o.publish("web", contracts("", nil, nil))
	o.expect("it uses nothing", "web", nil, nil)
	o.expect("it uses nothing", "api", nil, []string{"shop"})
	o.link(nil, "web")
	o.edges("it uses nothing", other)
	if o.publish("api", o.said["api"].Contracts) {
		t.Error("users have changed what is provided")
	}
}

func movedMeanwhile(t *testing.T, o *organisation) {
	edge := o.two()
	for _, c := range []struct {
		name      string
		meanwhile func()
	}{
		{"the user says something else", func() { o.publish("web", contracts("", nil, []int64{2, 77})) }},
		{"the provider does", func() { o.publish("api", contracts("orders, changed", []int64{1, 2}, nil)) }},
		{"there is another provider", func() {
			o.push("copy", 1)
			o.publish("copy", contracts("orders", []int64{2}, nil))
		}},
		{"a graph is another", func() { o.push("web", 2) }},
		{"the provider is deleted", func() { check(t, o.Delete(t.Context(), "copy")) }},
	} {
		u := o.update([]store.Link{uses("web", 99, true)}, "web")
		c.meanwhile()
		wantError(t, o.ReplaceLinks(t.Context(), u), store.ErrMoved)
		o.edges(c.name, edge)
	}
}

func codeAndContracts(t *testing.T, o *organisation) {
	edge := o.two()
	code := uses("web", 2, false)
	both := o.update([]store.Link{edge, code}, "web")
	both.States[addressOf("api")] = o.update(nil, "api").States[addressOf("api")]
	check(t, o.ReplaceLinks(t.Context(), both))
	all := func(when string, want ...store.Link) {
		t.Helper()
		got, err := o.LinksTo(t.Context(), addressOf("api"), nil)
		from, err2 := o.LinksFrom(t.Context(), addressOf("web"), []string{"web.f"})
		check(t, errors.Join(err, err2))
		if diff := cmp.Diff([][]store.Link{want, want}, [][]store.Link{got, from}, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: -want +got\n%s", when, diff)
		}
	}
	all("both", edge, code)
	o.edges("both", edge)
	// Edges in code stay while the edges by contracts are set, if a manifest still requires the project; else they go.
	for name, p := range map[string]store.Published{"api": {Publishes: []string{"api"}}, "web": {Requires: []string{"api"}}} {
		p.Contracts = o.said[name].Contracts
		_, err := o.Publish(t.Context(), addressOf(name), p)
		check(t, err)
	}
	o.link(nil, "web")
	all("the edges by contracts went", code)
	o.edges("the edges by contracts went")
	o.link([]store.Link{edge}, "web")
	all("they are back", edge, code)
	o.publish("web", o.said["web"].Contracts) // it requires nothing
	o.link([]store.Link{edge}, "web")
	all("the edges in code went", edge)
	o.link(nil, "api")
	all("the provider was pushed, and is of the same contracts", edge)
}

func hiddenProjects(t *testing.T, o *organisation) {
	edge := o.two()
	other := uses("shop", 5, true)
	o.push("shop", 1)
	o.publish("shop", contracts("", nil, []int64{1}))
	o.link([]store.Link{other}, "shop")
	update := o.update(nil, "web")
	for _, c := range []struct {
		sees []string
		want []store.Link
		err  error
	}{
		{sees: []string{"api", "web", "shop"}, want: []store.Link{other, edge}},
		{sees: []string{"api", "web"}, want: []store.Link{edge}},
		{sees: []string{"api"}},
		{sees: []string{"web", "shop"}, err: store.ErrNone},
		{err: store.ErrNone},
	} {
		access := store.Access{}
		for _, name := range c.sees {
			access.Keys = append(access.Keys, addressOf(name))
		}
		ctx := store.WithAccess(t.Context(), access)
		got, err := o.guarded.ContractLinksTo(ctx, addressOf("api"))
		if !errors.Is(err, c.err) {
			t.Errorf("who sees %q: error %v, want %v", c.sees, err, c.err)
		}
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("who sees %q: -want +got\n%s", c.sees, diff)
		}
		seen, err := o.guarded.Relations(ctx, nil)
		check(t, err)
		if len(seen) != len(c.want) { // one edge for each pair
			t.Errorf("who sees %q: %+v", c.sees, seen)
		}
		seen, err = o.guarded.Relations(ctx, []string{addressOf("api"), addressOf("web"), addressOf("shop")})
		check(t, err)
		if len(seen) != len(c.want) {
			t.Errorf("who sees %q, and asks for all by name: %+v", c.sees, seen)
		}
		for _, refused := range []func() error{
			func() error { _, err := o.guarded.Trace(ctx, addressOf("api")); return err },
			func() error { _, err := o.guarded.Texts(ctx, addressOf("api")); return err },
			func() error { _, _, err := o.guarded.Providers(ctx, addressOf("web")); return err },
			func() error { _, err := o.guarded.Users(ctx, addressOf("api")); return err },
			func() error { _, err := o.guarded.Publish(ctx, addressOf("api"), store.Published{}); return err },
			func() error { return o.guarded.ReplaceLinks(ctx, update) },
		} {
			if refused() == nil {
				t.Errorf("who sees %q reads or writes what only a push does", c.sees)
			}
		}
	}
	o.edges("nothing was written", other, edge)
}

func deletedProvider(t *testing.T, o *organisation) {
	o.two()
	_, before, err := o.Providers(t.Context(), addressOf("web"))
	check(t, err)
	check(t, o.Delete(t.Context(), "api"))
	if _, now, err := o.Providers(t.Context(), addressOf("web")); now == before || err != nil {
		t.Errorf("the edges of web are of the same as before: %v", err)
	}
	o.expect("deleted", "web", nil, nil)
	o.edges("deleted")
	if trace, err := o.Trace(t.Context(), addressOf("api")); trace != nil || err != nil {
		t.Errorf("trace %q, %v", trace, err)
	}
	if from, err := o.LinksFrom(t.Context(), addressOf("web"), nil); len(from) != 0 || err != nil {
		t.Errorf("edges %v, %v", from, err)
	}
	o.push("api", 2)
	if !o.publish("api", contracts("orders", []int64{1, 2}, nil)) {
		t.Error("a project that was deleted has edges")
	}
	o.expect("pushed again", "api", nil, []string{"web"})
}

func deletedUser(t *testing.T, o *organisation) {
	o.two()
	check(t, o.Delete(t.Context(), "web"))
	o.expect("deleted", "api", nil, nil)
	o.edges("deleted")
	o.push("web", 2)
	o.publish("web", contracts("", nil, []int64{2}))
	edge := uses("web", 3, true)
	o.link([]store.Link{edge}, "web")
	o.edges("pushed again", edge)
}

func olderAfterNewer(t *testing.T, o *organisation) {
	o.two()
	older := o.update([]store.Link{uses("web", 98, true)}, "web") // found before the newer push, and set after it
	o.push("web", 5)
	o.publish("web", contracts("", nil, []int64{2, 3}))
	newer := uses("web", 4, true)
	o.link([]store.Link{newer}, "web")
	if _, err := o.at("web", 3).Lock(t.Context(), "anywhere"); !errors.Is(err, errOlder) {
		t.Errorf("the lock for an older commit: %v", err)
	}
	wantError(t, o.ReplaceLinks(t.Context(), older), store.ErrMoved)
	o.edges("after the older push", newer)
	o.expect("after the older push", "web", []string{"api"}, nil)
	p, err := o.Find(t.Context(), addressOf("web"))
	check(t, err)
	if p.Origin.Commit != commit("web", 5).Commit {
		t.Errorf("commit %s", p.Origin.Commit)
	}
}
