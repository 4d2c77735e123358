package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// pivotMethods are what methods of a relation of many to many do to the table between the two
// (https://laravel.com/docs/eloquent-relationships#updating-many-to-many-relationships).
var pivotMethods = map[string]string{
	"attach": Inserts, "sync": Inserts, "syncWithoutDetaching": Inserts, "syncWithPivotValues": Inserts, "toggle": Inserts, "detach": Deletes, "updateExistingPivot": Updates,
}

// pivot reads $user->favorites()->attach($article). All but attach leave rows that are there.
func (w *accessWalk) pivot(c Call, _ map[string]row) (Access, bool) {
	parts := chainParts(c.Value.Text)
	if len(parts) < 3 {
		return Access{}, false
	}
	verb, table := pivotMethods[parts[len(parts)-1]], w.pivotOf(parts[len(parts)-2])
	if verb == "" || table == "" {
		return Access{}, false
	}
	return Access{Verb: verb, Table: table, Alone: true, Upsert: parts[len(parts)-1] != "attach", driver: "laravel"}, true
}

// pivotOf returns the table between two models that a relation uses; "" for a relation that is not known or has several.
func (w *accessWalk) pivotOf(relation string) string {
	var tables []string
	for _, c := range slices.Concat(w.Project.called("belongsToMany"), w.Project.called("morphToMany")) {
		owner, method := CutLast(c.In)
		if method != relation || c.File.Language != "php" || c.Value.Arg(0) == nil {
			continue
		}
		table, given := w.Text(c.File.Path, c.Value.Arg(1))
		if !given {
			related, _, _ := strings.Cut(c.Value.Arg(0).Text, "::")
			names := []string{strings.ToLower(database.Snake(Last(owner))), strings.ToLower(database.Snake(Last(related)))}
			slices.Sort(names)
			table = strings.Join(names, "_")
		}
		if !slices.Contains(tables, table) {
			tables = append(tables, table)
		}
	}
	if len(tables) != 1 {
		return ""
	}
	return tables[0]
}

// signedIn reports whether a call of Laravel returns the user who is logged in: $request->user(), auth()->user(), Auth::user().
func signedIn(c Call) bool {
	parts := chainParts(c.Value.Text)
	if len(parts) < 2 || parts[len(parts)-1] != "user" {
		return false
	}
	switch strings.ToLower(strings.TrimPrefix(parts[len(parts)-2], "$")) {
	case "request", "auth", "guard", "this":
		return true
	}
	return false
}

// rowMethodOf returns the method of its model that a call of a row is; nil for others.
func (w *accessWalk) rowMethodOf(c Call, held map[string]row) *resolve.Node {
	if c.File.Language != "php" {
		return nil
	}
	parts := chainParts(c.Value.Text)
	if len(parts) != 2 {
		return nil
	}
	model := held[strings.TrimPrefix(parts[0], "$")].model
	if model == "" {
		return nil
	}
	for _, f := range w.Files {
		if s := w.symbols[f.Path][model+"."+parts[1]]; s != nil && f.Language == "php" {
			return w.Links.Find(f.Path, model+"."+parts[1], s.StartLine)
		}
	}
	return nil
}
