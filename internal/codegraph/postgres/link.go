package postgres

import (
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// linkLock is the advisory lock of whoever writes edges between projects, for a moment.
const linkLock = 0x525350474c494e4b // "RSPGLINK"

// transact runs f in a transaction on a connection of the pool.
func (s *server) transact(ctx context.Context, f func(tx pgx.Tx) error) error {
	return s.use(ctx, func(c *pgxpool.Conn) error { return transact(ctx, c.Conn(), pgx.TxOptions{}, f) })
}

// Publish records what a project says of itself.
func (s *Store) Publish(ctx context.Context, key string, p store.Published) (changed store.Changed, err error) {
	err = s.transact(ctx, func(tx pgx.Tx) error {
		surface := ""
		// The lock of the row keeps two pushes of one project apart.
		if err := tx.QueryRow(ctx, "SELECT surface FROM reverse_spec.project WHERE key = $1 FOR UPDATE", textIn(key)).Scan(&surface); err != nil {
			return err
		}
		changed.Surface = surface != p.Surface
		if changed.Contracts, err = setContracts(ctx, tx, key, p.Contracts); err != nil {
			return err
		}
		if err := setTexts(ctx, tx, key, p.Texts); err != nil {
			return err
		}
		if err := forgetPackages(ctx, tx, key); err != nil {
			return err
		}
		for required, names := range map[bool][]string{false: p.Publishes, true: p.Requires} {
			if _, err := tx.Exec(ctx, "INSERT INTO reverse_spec.package SELECT DISTINCT n, $2::boolean, $3::text FROM unnest($1::text[]) n", textsIn(names), required, textIn(key)); err != nil {
				return err
			}
		}
		return setTerms(ctx, tx, key, p.Terms)
	})
	if err != nil {
		return store.Changed{}, message.Errorf("record the packages of %s: %w", key, err)
	}
	return changed, nil
}

// setTexts makes the manifests and contracts of a project those given. What stays is not written.
func setTexts(ctx context.Context, tx pgx.Tx, key string, texts map[string][]byte) error {
	rows, err := tx.Query(ctx, "SELECT path, md5(content) FROM reverse_spec.manifest WHERE key = $1", textIn(key))
	if err != nil {
		return err
	}
	var path, sum string
	left := maps.Clone(texts)
	gone := []string{}
	_, err = pgx.ForEachRow(rows, []any{&path, &sum}, func() error {
		if text, there := texts[textOut(path)]; there && sum == fmt.Sprintf("%x", md5.Sum(text)) {
			delete(left, textOut(path))
		} else {
			gone = append(gone, path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec.manifest WHERE key = $1 AND path = ANY($2)", textIn(key), gone); err != nil {
		return err
	}
	paths := slices.Sorted(maps.Keys(left))
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"reverse_spec", "manifest"}, []string{"key", "path", "content"}, pgx.CopyFromSlice(len(paths), func(i int) ([]any, error) {
		return []any{textIn(key), textIn(paths[i]), left[paths[i]]}, nil
	}))
	return err
}

// setTerms makes the words of a project those given. What stays is not written.
func setTerms(ctx context.Context, tx pgx.Tx, key string, terms map[string]int) error {
	rows, err := tx.Query(ctx, "SELECT word, n FROM reverse_spec.term WHERE key = $1", textIn(key))
	if err != nil {
		return err
	}
	var word string
	var n int
	left := maps.Clone(terms)
	var gone []string
	_, err = pgx.ForEachRow(rows, []any{&word, &n}, func() error {
		if left[word] == n {
			delete(left, word)
		} else {
			gone = append(gone, word)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(gone) > 0 {
		if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec.term WHERE key = $1 AND word = ANY($2)", textIn(key), gone); err != nil {
			return err
		}
	}
	words := slices.Sorted(maps.Keys(left))
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"reverse_spec", "term"}, []string{"word", "key", "n"}, pgx.CopyFromSlice(len(words), func(i int) ([]any, error) {
		return []any{words[i], textIn(key), int32(left[words[i]])}, nil
	}))
	return err
}

// Rank returns the projects whose names have some of the words.
func (s *Store) Rank(ctx context.Context, words, keys []string, limit int) (ranked []store.Ranked, err error) {
	const query = `WITH t AS (SELECT word, key, n FROM reverse_spec.term WHERE word = ANY($1) AND ($2::text[] IS NULL OR key = ANY($2))),
		idf AS (SELECT word, ln(1 + (SELECT count(*) FROM reverse_spec.project)::float / count(*)) AS w FROM t GROUP BY word)
		SELECT key, sum(w) / (SELECT sum(w) FROM idf) AS cover FROM t JOIN idf USING (word) GROUP BY key ORDER BY cover DESC, sum(w * ln(1 + n)) DESC, key LIMIT $3`
	var stored []string // NULL
	if keys != nil {
		stored = textsIn(keys)
	}
	covers := map[string]float64{}
	var order []string
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		clear(covers)
		order = nil
		rows, err := c.Query(ctx, query, textsIn(words), stored, limit)
		if err != nil {
			return err
		}
		var key string
		var cover float64
		_, err = pgx.ForEachRow(rows, []any{&key, &cover}, func() error {
			covers[textOut(key)] = cover
			order = append(order, textOut(key))
			return nil
		})
		return err
	})
	if err == nil && len(order) > 0 {
		var found []store.SharedProject
		found, err = s.origins(ctx, "WHERE p.key = ANY($1)", textsIn(order))
		for _, p := range found {
			ranked = append(ranked, store.Ranked{SharedProject: p, Cover: covers[p.Origin.Key]})
		}
		slices.SortFunc(ranked, func(a, b store.Ranked) int {
			return slices.Index(order, a.Origin.Key) - slices.Index(order, b.Origin.Key)
		})
	}
	if err != nil {
		return nil, message.Errorf("rank the projects: %w", err)
	}
	return ranked, nil
}

// forgetPublished removes what a project said of itself.
func forgetPublished(ctx context.Context, tx pgx.Tx, key string) error {
	_, err := tx.Exec(ctx, "DELETE FROM reverse_spec.contract WHERE key = $1", textIn(key))
	return errors.Join(err, setTexts(ctx, tx, key, nil), forgetPackages(ctx, tx, key), setTerms(ctx, tx, key, nil))
}

// forgetPackages removes the names of the packages of a project.
func forgetPackages(ctx context.Context, tx pgx.Tx, key string) error {
	_, err := tx.Exec(ctx, "DELETE FROM reverse_spec.package WHERE key = $1", textIn(key))
	return err
}

// forgetLinks removes the edges from and to a project.
func forgetLinks(ctx context.Context, tx pgx.Tx, key string) error {
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(linkLock)); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec.link WHERE source = $1", textIn(key)); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec.link WHERE target = $1", textIn(key)); err != nil {
		return err
	}
	return recount(ctx, tx, []string{key}, key)
}

// Texts returns the manifests and contracts of a project.
func (s *Store) Texts(ctx context.Context, key string) (texts map[string][]byte, err error) {
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		texts = map[string][]byte{}
		rows, err := c.Query(ctx, "SELECT path, content FROM reverse_spec.manifest WHERE key = $1", textIn(key))
		if err != nil {
			return err
		}
		var path string
		var content []byte
		_, err = pgx.ForEachRow(rows, []any{&path, &content}, func() error {
			texts[textOut(path)] = slices.Clone(content)
			return nil
		})
		return err
	})
	if err != nil {
		return nil, message.Errorf("read the manifests and contracts of %s: %w", key, err)
	}
	return texts, nil
}

// Neighbours returns the projects that a project requires, and those that require it.
func (s *Store) Neighbours(ctx context.Context, key string) (required, requiring []store.SharedProject, err error) {
	const query = `WHERE p.key <> $1 AND p.key IN (SELECT theirs.key FROM reverse_spec.package own
		JOIN reverse_spec.package theirs ON theirs.name = own.name AND theirs.required <> own.required WHERE own.key = $1 AND own.required = $2) ORDER BY p.key`
	if required, err = s.origins(ctx, query, textIn(key), true); err == nil {
		requiring, err = s.origins(ctx, query, textIn(key), false)
	}
	if err != nil {
		return nil, nil, message.Errorf("find the projects around %s: %w", key, err)
	}
	return required, requiring, nil
}

// stateText is the state of a graph, with the texts of its project, as it is in the column linked.
func stateText(identity string, serial int64, texts string) string {
	return fmt.Sprintf("%s:%d:%s", identity, serial, texts)
}

// IsLinked reports whether the edges of a project are those of its graph and texts.
func (s *Store) IsLinked(ctx context.Context, key, texts string) (same bool, err error) {
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		var linked, identity string
		var serial int64
		err := c.QueryRow(ctx, "SELECT p.linked, g.identity, g.serial FROM reverse_spec.project p JOIN reverse_spec.graph g ON g.id = p.graph WHERE p.key = $1", textIn(key)).
			Scan(&linked, &identity, &serial)
		same = linked == stateText(identity, serial, texts)
		return err
	})
	return same, err
}

// lapsed is a condition of edges in code that are computed anew, between the projects $1 and $2, or that no manifest requires any more.
const lapsed = ` = $1 AND NOT contract AND (%s = ANY($2) OR NOT EXISTS (SELECT 1 FROM reverse_spec.package a JOIN reverse_spec.package b ON b.name = a.name
	WHERE a.required AND NOT b.required AND a.key = link.source AND b.key = link.target))`

// ReplaceLinks replaces the edges between a project and others.
func (s *Store) ReplaceLinks(ctx context.Context, u store.LinkUpdate) error {
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(u.States)), func(key string) bool { return key == u.Key })
	err := s.transact(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(linkLock)); err != nil {
			return err
		}
		if err := errors.Join(unmoved(ctx, tx, u.States), unmovedContracts(ctx, tx, u.Contracts)); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec.link WHERE contract AND source = ANY($1)", textsIn(slices.Sorted(maps.Keys(u.Contracts)))); err != nil {
			return err
		}
		for end, other := range map[string]string{"source": "target", "target": "source"} {
			if end == "target" && u.Move != nil {
				continue
			}
			if _, err := tx.Exec(ctx, "DELETE FROM reverse_spec.link WHERE "+end+fmt.Sprintf(lapsed, other), textIn(u.Key), textsIn(others)); err != nil {
				return err
			}
		}
		if err := move(ctx, tx, u); err != nil {
			return err
		}
		if err := addLinks(ctx, tx, u.Links); err != nil {
			return err
		}
		if err := recount(ctx, tx, append(slices.Sorted(maps.Keys(u.Contracts)), u.Key), u.Key); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "UPDATE reverse_spec.contract SET linked = surface, was = provides WHERE key = $1 AND (linked <> surface OR was <> provides)", textIn(u.Key)); err != nil {
			return err
		}
		own := u.States[u.Key]
		_, err := tx.Exec(ctx, "UPDATE reverse_spec.project SET surface = $2, linked = $3 WHERE key = $1", textIn(u.Key), u.Surface, stateText(own.Identity, int64(own.Serial), u.Texts))
		return err
	})
	if err != nil {
		return message.Errorf("set the edges of %s to other projects: %w", u.Key, err)
	}
	return nil
}

func addLinks(ctx context.Context, tx pgx.Tx, links []store.Link) error {
	columns := []string{"source", "target", "id", "source_symbol", "target_symbol", "content", "contract"}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"reverse_spec", "link"}, columns, pgx.CopyFromSlice(len(links), func(i int) ([]any, error) {
		l := &links[i]
		text, err := json.Marshal(&l.Edge)
		return []any{textIn(l.Source), textIn(l.Target), textIn(l.Edge.ID), textIn(l.Edge.SourceSymbol), textIn(l.Edge.TargetSymbol), textIn(string(text)), l.Contract}, err
	}))
	return err
}

// move changes the edges in code to a project that stay.
func move(ctx context.Context, tx pgx.Tx, u store.LinkUpdate) error {
	if u.Move == nil {
		return nil
	}
	links, err := readLinks(ctx, tx, "WHERE target = $1 AND NOT contract", textIn(u.Key))
	if err != nil {
		return err
	}
	var changes pgx.Batch
	for i := range links {
		l := &links[i]
		if !u.Move(&l.Edge) {
			continue
		}
		text, err := json.Marshal(&l.Edge)
		if err != nil {
			return err
		}
		changes.Queue("UPDATE reverse_spec.link SET content = $4 WHERE source = $1 AND target = $2 AND id = $3", textIn(l.Source), textIn(l.Target), textIn(l.Edge.ID), textIn(string(text)))
	}
	return tx.SendBatch(ctx, &changes).Close()
}

// unmoved returns [store.ErrMoved] unless graphs are in the given states, and keeps them so until the end of the transaction.
func unmoved(ctx context.Context, tx pgx.Tx, states map[string]store.SharedProject) error {
	keys := slices.Sorted(maps.Keys(states))
	rows, err := tx.Query(ctx, `SELECT p.key, g.identity, g.serial FROM reverse_spec.project p JOIN reverse_spec.graph g ON g.id = p.graph
		WHERE p.key = ANY($1) ORDER BY p.key FOR SHARE`, textsIn(keys))
	if err != nil {
		return err
	}
	var key, identity string
	var serial int64
	same := 0
	_, err = pgx.ForEachRow(rows, []any{&key, &identity, &serial}, func() error {
		if want := states[textOut(key)]; want.Identity == identity && want.Serial == uint64(serial) {
			same++
		}
		return nil
	})
	if err == nil && same < len(keys) {
		err = store.ErrMoved
	}
	return err
}

// LinksFrom returns the edges from symbols of a project.
func (s *Store) LinksFrom(ctx context.Context, key string, symbols []string) ([]store.Link, error) {
	return s.links(ctx, "source", key, symbols)
}

// LinksTo returns the edges to symbols of a project.
func (s *Store) LinksTo(ctx context.Context, key string, symbols []string) ([]store.Link, error) {
	return s.links(ctx, "target", key, symbols)
}

// ContractLinksTo returns the edges by contracts to a project.
func (s *Store) ContractLinksTo(ctx context.Context, key string) ([]store.Link, error) {
	return s.linksOf(ctx, key, "WHERE contract AND target = $1", textIn(key))
}

// links returns the edges at an end: source or target.
func (s *server) links(ctx context.Context, end, key string, symbols []string) (links []store.Link, err error) {
	part, args := "WHERE "+end+" = $1", []any{textIn(key)}
	if symbols != nil {
		part += " AND " + end + "_symbol = ANY($2)"
		args = append(args, textsIn(symbols))
	}
	return s.linksOf(ctx, key, part, args...)
}

// linksOf returns the edges of a project that a part of a query says.
func (s *server) linksOf(ctx context.Context, key, part string, args ...any) (links []store.Link, err error) {
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		links, err = readLinks(ctx, c, part, args...)
		return err
	})
	if err != nil {
		return nil, message.Errorf("read the edges of %s to other projects: %w", key, err)
	}
	return links, nil
}

// readLinks returns the edges of a part of a query, sorted.
func readLinks(ctx context.Context, q querier, part string, args ...any) (links []store.Link, err error) {
	rows, err := q.Query(ctx, "SELECT source, target, contract, content FROM reverse_spec.link "+part+" ORDER BY source, source_symbol, target, target_symbol, id", args...)
	if err != nil {
		return nil, err
	}
	var source, target, text string
	var contract bool
	_, err = pgx.ForEachRow(rows, []any{&source, &target, &contract, &text}, func() error {
		l := store.Link{Source: textOut(source), Target: textOut(target), Contract: contract}
		if err := json.Unmarshal([]byte(textOut(text)), &l.Edge); err != nil {
			return message.Errorf("%w: a virtual edge: %w", errContents, err)
		}
		links = append(links, l)
		return nil
	})
	return links, err
}
