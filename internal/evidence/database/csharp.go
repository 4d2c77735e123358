package database

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// entityFramework reads the sets of a DbContext, [Index(nameof(Email), IsUnique = true)], and what OnModelCreating says of keys.
func entityFramework(s *Schema, f *code.File) {
	classes(f, func(_ string, c *code.Symbol) {
		for i := range c.Members {
			m := &c.Members[i]
			if model, ok := strings.CutPrefix(m.Returns, "DbSet<"); ok {
				t := s.table(m.Name, symbolPlace(f, m))
				t.Model = strings.Trim(model, "<>? ")
			}
		}
	})
	for i := range f.Bodies.Calls {
		c := &f.Bodies.Calls[i]
		of := last(c.Value.Text)
		if c.After == 0 || of != "IsUnique" && of != "OnDelete" {
			continue
		}
		if _, model, ok := strings.Cut(c.Value.Text, "Entity<"); ok && of == "IsUnique" {
			model, rest, _ := strings.Cut(model, ">")
			if t := s.Of(model); t != nil {
				t.key(Key{Columns: lambdaMembers(rest), At: Place{f.Path, c.Line}})
			}
		}
	}
}

// lambdaMembers returns the members in the argument of HasIndex: u => u.Email, u => new { u.A, u.B }.
func lambdaMembers(text string) []string {
	_, rest, ok := strings.Cut(text, "HasIndex(")
	if !ok {
		return nil
	}
	name, body, ok := strings.Cut(rest, "=>")
	if !ok {
		return quoted(rest)
	}
	body, _, _ = strings.Cut(body, ")")
	name = strings.Trim(name, " ()")
	var out []string
	for {
		_, after, ok := strings.Cut(body, name+".")
		if !ok {
			return out
		}
		n := len(after) - len(strings.TrimLeft(after, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"))
		out, body = append(out, after[:n]), after[n:]
	}
}
