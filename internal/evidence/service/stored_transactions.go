package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// transactionOf returns where a function begins a transaction, which lasts to its end as far as we say; the zero Place for none.
func (r *reader) transactionOf(n *resolve.Node) Place {
	s := r.Symbol(n)
	if s != nil && slices.ContainsFunc(s.Decorators, isTransactional) {
		return Place{n.File, n.StartLine}
	}
	for i := range r.classes[Last(n.Owner())] {
		if c := &r.classes[Last(n.Owner())][i]; c.File.Path == n.File && slices.ContainsFunc(c.Symbol.Decorators, isTransactional) {
			return Place{n.File, n.StartLine}
		}
	}
	return r.transactionIn(region{n.File, n.StartLine, n.EndLine})
}

// transactionIn returns where a transaction begins in a region; the zero Place for none.
func (r *reader) transactionIn(lines region) Place {
	for c := range r.CallsIn(lines.file, lines.first, lines.last) {
		if opensTransaction(c) {
			return c.Place()
		}
	}
	return Place{}
}

func isTransactional(decorator string) bool {
	head, _, _ := strings.Cut(strings.TrimLeft(decorator, "@#["), "(")
	head = strings.ToLower(Last(head))
	return strings.Contains(head, "transaction") || head == "atomic"
}

// opensTransaction reports whether a call begins a transaction, by its name.
func opensTransaction(c Call) bool {
	_, name := c.Of()
	name = strings.ToLower(name)
	switch name {
	case "atomic", "begin", "begintx", "beginx", "begin_nested", "withtx", "runintx", "intx", "transactional":
		return true
	}
	return strings.Contains(name, "transaction") && !strings.HasPrefix(name, "get") && !strings.HasPrefix(name, "find")
}

// storeErrors are names of errors for what a database refuses, and of the classes above them.
var storeErrors = map[string]bool{
	"IntegrityError": true, "DatabaseError": true, "DBAPIError": true, "SQLAlchemyError": true, "UniqueViolationError": true, "UniqueViolation": true, "IntegrityConstraintViolationError": true,
	"PostgresError": true, "Exception": true, "BaseException": true, "Error": true, "error": true, "StandardError": true, "RecordNotUnique": true, "StatementInvalid": true, "ActiveRecordError": true,
	"QueryException": true, "UniqueConstraintViolationException": true, "PDOException": true, "RuntimeException": true, "Throwable": true, "DataIntegrityViolationException": true,
	"DuplicateKeyException": true, "DataAccessException": true, "NonTransientDataAccessException": true, "NestedRuntimeException": true, "ConstraintViolationException": true, "SQLException": true,
	"PersistenceException": true, "DbUpdateException": true, "QueryFailedError": true, "PrismaClientKnownRequestError": true, "PG": true,
}

// catchesStore reports whether handlers of a try statement may catch what a database refuses.
func catchesStore(arms []code.Arm) bool {
	return slices.ContainsFunc(arms, func(a code.Arm) bool {
		return len(a.Labels) == 0 || slices.ContainsFunc(a.Labels, func(label string) bool {
			return slices.ContainsFunc(strings.FieldsFunc(label, func(c rune) bool { return strings.ContainsRune("|(), ", c) }), func(name string) bool {
				return storeErrors[Last(name)] || strings.Contains(name, "PG::") || strings.Contains(name, "Unique") || strings.Contains(name, "Duplicate")
			})
		})
	})
}
