package prose_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

func isAtom(text string) code.Cond { return code.Cond{Op: code.CondAtom, Text: text} }

func not(c code.Cond) code.Cond { return code.Cond{Op: code.CondNot, Args: []code.Cond{c}} }

func TestConditionsBecomeWords(t *testing.T) {
	for _, c := range []struct {
		code, text, where string
		want, negated     string
	}{
		{"go", "len(x) == 0", "", "`x` is empty", "`x` is not empty"},
		{"go", `name == ""`, "", "`name` is empty", "`name` is not empty"},
		{"go", "err != nil", "err := os.Open(name)", "`os.Open(name)` fails", "`os.Open(name)` succeeds"},
		{"go", "err != nil", "", "`err` is not `nil`", "`err` is `nil`"},
		{"go", "ok", "_, ok := m[key]", "`key` is in `m`", "`key` is not in `m`"},
		{"go", "n < 3", "", "`n` is less than `3`", "`n` is at least `3`"},
		{"go", `strings.HasPrefix(s, "--")`, "", "`s` begins with `\"--\"`", "`s` does not begin with `\"--\"`"},
		{"go", "o.Strict", "", "`o.Strict` is true", "`o.Strict` is false"},
		{"go", "n+1 < cap(x)", "", "`n+1 < cap(x)`", "`n+1 >= cap(x)`"},
		{"go", "valid(r)", "", "`valid(r)`", "`valid(r)` is false"},
		{"typescript", "options.secret", "", "`options.secret` is set", "`options.secret` is not set"},
		{"typescript", "'token' in options", "", "`options` has `'token'`", "`options` has no `'token'`"},
		{"php", "false === $this->moved", "", "`$this->moved` is `false`", "`$this->moved` is not `false`"},
		{"ruby", "line = io.gets", "", "`io.gets` is set", "`io.gets` is not set"},
		{"ruby", "data[1].empty?", "", "`data[1]` is empty", "`data[1]` is not empty"},
		{"kotlin", "catch e: IOException", "", "`IOException` is caught", "`IOException` is not caught"},
		{"typescript", "typeof x === 'string'", "", "`x` is of type `string`", "`x` is not of type `string`"},
		{"typescript", "parts.length !== 2", "parts = text.split(' ')", "`parts.length` is not `2`, where `parts` is `text.split(' ')`", "`parts.length` is `2`, where `parts` is `text.split(' ')`"},
		{"python", "isinstance(x, (int, str))", "", "`x` is of type `(int, str)`", "`x` is not of type `(int, str)`"},
		{"python", "key not in self.names", "", "`key` is not in `self.names`", "`key` is in `self.names`"},
		{"python", "x is None", "", "`x` is `None`", "`x` is not `None`"},
		{"java", "users.find(id).isPresent()", "", "`users.find(id)` has a value", "`users.find(id)` has no value"},
		{"python", "no w in self._list: w.category == cls", "", "no round of the loop `w in self._list` has `w.category == cls`", "a round of the loop `w in self._list` has `w.category == cls`"},
		{"java", "no String s : all: s.equals(name)", "", "no round of the loop `String s : all` has `s.equals(name)`", "a round of the loop `String s : all` has `s.equals(name)`"},
		{"rust", "v.is_none()", "", "`v` has no value", "`v` has a value"},
		{"java", "!list.isEmpty()", "", "`list` is not empty", "`list` is empty"},
		{"python", "catch KeyError as e", "", "`KeyError` is caught", "`KeyError` is not caught"},
		{"typescript", "catch", "", "an error is caught", "no error is caught"},
	} {
		w := prose.Writer{Lang: "en", Code: c.code}
		holds, fails := isAtom(c.text), not(isAtom(c.text))
		got := []string{
			w.Terms([]paths.Term{{Text: c.text, Where: c.where, Cond: &holds}}),
			w.Terms([]paths.Term{{Text: "not " + c.text, Where: c.where, Cond: &fails}}),
		}
		if diff := cmp.Diff([]string{c.want, c.negated}, got); diff != "" {
			t.Errorf("%s: %s: (-want +got):\n%s", c.code, c.text, diff)
		}
	}
}

func TestAlternativesWithinAConjunctionAreMarked(t *testing.T) {
	either := code.Cond{Op: code.CondOr, Args: []code.Cond{isAtom("a"), isAtom("b")}}
	and := isAtom("c")
	got := prose.Writer{Lang: "en", Code: "go"}.Terms([]paths.Term{{Text: "a || b", Cond: &either}, {Text: "c", Cond: &and}})
	if want := "either `a` is true or `b` is true, and `c` is true"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// terms returns a term for each condition.
func terms(list ...code.Cond) []paths.Term {
	var out []paths.Term
	for i := range list {
		out = append(out, paths.Term{Text: list[i].Text, Cond: &list[i]})
	}
	return out
}

func TestWhatAValueIsOrIsNotIsOneStatement(t *testing.T) {
	is := func(of, text string) code.Cond { return code.Cond{Op: code.CondIs, Of: of, Text: text} }
	any := func(list ...code.Cond) code.Cond { return code.Cond{Op: code.CondOr, Args: list} }
	all := func(list ...code.Cond) code.Cond { return code.Cond{Op: code.CondAnd, Args: list} }
	for want, list := range map[string][]paths.Term{
		"`c` is `'a'`, `'b'` or `'c'`":                                   terms(is("c", "'a', 'b', 'c'")),
		"`c` is none of `'a'`, `','` and `'c'`":                          terms(not(is("c", "'a', ',', 'c'"))),
		"`p` is neither `TRUE` nor `FALSE`":                              terms(isAtom("p != TRUE"), not(isAtom("p == FALSE"))),
		"`p` is not `TRUE` and `q` is not `TRUE`":                        terms(isAtom("p != TRUE"), isAtom("q != TRUE")),
		"`p` is `TRUE` or `FALSE` and `q` is true":                       terms(any(isAtom("p == TRUE"), isAtom("p == FALSE")), isAtom("q")),
		"`p` is `TRUE`":                                                  terms(isAtom("p != FALSE"), any(isAtom("p == TRUE"), isAtom("p == MAYBE")), isAtom("p == TRUE")),
		"`p` is not `q` and `p` is `TRUE`":                               terms(isAtom("p != q"), isAtom("p == TRUE")),
		"`c` is not from `'a'` to `'f'`":                                 terms(any(isAtom("c < 'a'"), isAtom("c > 'f'"))),
		"`c` is from `'a'` to `'f'`":                                     terms(all(isAtom("c >= 'a'"), not(isAtom("c > 'f'")))),
		"`c` is less than `'a'` or `d` is more than `'f'`":               terms(any(isAtom("c < 'a'"), isAtom("d > 'f'"))),
		"`c` is more than `'a'` or `c` is less than `'f'`":               terms(any(isAtom("c > 'a'"), isAtom("c < 'f'"))),
		"`allowed[kind]` is false":                                       terms(not(isAtom("allowed[kind]"))),
		"`s.allowed[f(kind)]` is true":                                   terms(isAtom("s.allowed[f(kind)]")),
		"either `c` is less than `'a'` or `e` is true, and `d` is `nil`": terms(any(isAtom("c < 'a'"), isAtom("e")), isAtom("d == nil")),
	} {
		if got := (prose.Writer{Lang: "en", Code: "go"}).Terms(list); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestWhereAValueComesFrom(t *testing.T) {
	c := isAtom("p != TRUE")
	got := prose.Writer{Lang: "en", Code: "java"}.Terms([]paths.Term{{Text: c.Text, Cond: &c, Origin: "p = peeked; p = peek()"}})
	if want := "`p` is not `TRUE`, where `p` is `peeked` or `peek()`"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestLoopsAreNamedByWhatTheyGoOver: a head that no rule knows is quoted.
func TestLoopsAreNamedByWhatTheyGoOver(t *testing.T) {
	for head, want := range map[string]string{
		"for const [k, v] of all.entries()":                          "in the loop over `all.entries()` as `[k, v]`",
		"for k, v in d.items()":                                      "in the loop over `d.items()` as `k, v`",
		"for _, c := range r.rules":                                  "in the loop over `r.rules` as `c`",
		"for range n":                                                "in the loop over `n`",
		"foreach $this->streams as $i => $stream":                    "in the loop over `$this->streams` as `$i => $stream`",
		"for Map.Entry<String, List<String>> pair : json.entrySet()": "in the loop over `json.entrySet()` as `pair`",
		"for (a, b) in pairs.iter()":                                 "in the loop over `pairs.iter()` as `(a, b)`",
		"for let i = 0, len = tokens.length; i < len; i++":           "in the loop over `i` from 0 below `tokens.length`",
		"for i := 0; i < len(xs); i++":                               "in the loop over `i` from 0 below `len(xs)`",
		"for int i = pos, end = i + 4; i < end; i++":                 "in the loop `for int i = pos, end = i + 4; i < end; i++`",
		"for i := 0; i < n; i += 2":                                  "in the loop `for i := 0; i < n; i += 2`",
		"for ;;":                                                     "in a loop without end",
		"while x > 0":                                                "in the loop `while x > 0`",
	} {
		if got := (prose.Writer{Code: "typescript"}).Terms([]paths.Term{{Text: head}}); got != want {
			t.Errorf("%s: %s, want %s", head, got, want)
		}
	}
}

func TestAssertionsBecomeWords(t *testing.T) {
	for text, want := range map[string]string{
		"expect(res.status).toBe(401)":                              "`res.status` is `401`",
		"expect(res).not.toBeNull()":                                "`res` is not null",
		"await expect(load()).rejects.toThrow('no')":                "`load()` fails with `'no'`",
		"expect(() => jwt({})).toThrow('secret')":                   "`jwt({})` fails with `'secret'`",
		"self.assertEqual(f(1), 2)":                                 "`f(1)` is `2`",
		"assertEquals(2, f(1))":                                     "`f(1)` is `2`",
		"assert.Equal(t, 2, f(1))":                                  "`f(1)` is `2`",
		"require.NoError(t, err)":                                   "no error is returned",
		"assert_eq!(1, rdr.line())":                                 "`rdr.line()` is `1`",
		"assertThat(e) .hasMessageThat() .isEqualTo(\"no\")":        "the message is `\"no\"`",
		"assertThat(list).isNotNull().hasSize(2)":                   "`list` is not null and `list` has `2` elements",
		"assertThat(x, is(equalTo(3)))":                             "`x` is `3`",
		"Assert.That(x, Is.Not.Null)":                               "`x` is not null",
		"x.Should().Be(3)":                                          "`x` is `3`",
		"c.Assert(got, qt.Equals, 3)":                               "`got` is `3`",
		"c.Assert(err, qt.Not(qt.IsNil))":                           "an error is returned",
		"assert_equal 3, x.size":                                    "`x.size` is `3`",
		"value.must_equal 3":                                        "`value` is `3`",
		"expect { load }.to raise_error(KeyError)":                  "`load` fails with `KeyError`",
		"Assert.Throws<KeyError>(() => Load(1))":                    "`Load(1)` fails with `KeyError`",
		"assertThrows(E.class, () -> load(1))":                      "`load(1)` fails with `E`",
		"n shouldBe 3":                                              "`n` is `3`",
		"#expect(n == 3)":                                           "`n` is `3`",
		"assert!(matches!(x, None))":                                "`matches!(x, None)`",
		"EXPECT_EQ(3, n)":                                           "`n` is `3`",
		"expect(x).to.have.lengthOf(2)":                             "`x` has `2` elements",
		"response.status.should.equal 201":                          "`response.status` is `201`",
		"assert_eq!(f(1), 2)":                                       "`f(1)` is `2`",
		"assert f(1) == 2":                                          "`f(1)` is `2`",
		"assert not f(1)":                                           "`f(1)` does not hold",
		"got == 3":                                                  "`got` is `3`",
		"with pytest.raises(ValueError, match=\"no\")":              "it raises `ValueError` with `\"no\"`",
		"expect(subject).to eq(4)":                                  "`subject` is `4`",
		"assertThat(list).hasSize(2)":                               "`list` has `2` elements",
		"$this->assertSame('a', $x->name())":                        "`$x->name()` is `'a'`",
		"expect(spy).toHaveBeenCalledWith(1)":                       "`spy` is called with `1`",
		"XCTAssertEqual(a, b)":                                      "`a` is `b`",
		"Assert.Equal(\"x\", y)":                                    "`y` is `\"x\"`",
		"expect(res.headers.get('vary')).toEqual('Origin, Accept')": "`res.headers.get('vary')` is `'Origin, Accept'`",
	} {
		if got := (prose.Writer{Lang: "en", Code: "typescript"}).Assertion(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestErrorsAreNamedByWhatIsKnown(t *testing.T) {
	w := prose.Writer{Lang: "en", Code: "python"}
	for want, o := range map[string]evidence.Outcome{
		"`ValueError` “too few”":   {Error: "ValueError", Message: "too few"},
		"`HTTPException` 401":      {Error: "HTTPException", Status: "401"},
		"an error":                 {},
		"“no” (through `require`)": {Message: "no", By: "require"},
	} {
		if got := w.Error(&o); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := w.Verb(code.Throws); got != "raise" {
		t.Errorf("Python throws: %s", got)
	}
}

func TestDocumentationIsReadByDialect(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           prose.Documentation
	}{
		{"python", "Return the :class:`~a.B` of ``x``.\n\n:param x: the key\n:raises KeyError: if it is not there\n:meta private:", prose.Documentation{
			Text: "Return the `a.B` of `x`.", Parameters: map[string]string{"x": "the key"}, Raises: map[string]string{"KeyError": "if it is not there"}, Internal: true,
		}},
		{"python", "Open a file.\n\nArgs:\n    path (str): where it is,\n        absolute\n    mode: how\n\nRaises:\n    OSError: If it fails.", prose.Documentation{
			Text: "Open a file.", Parameters: map[string]string{"path": "where it is, absolute", "mode": "how"}, Raises: map[string]string{"OSError": "If it fails."},
		}},
		{"typescript", "Makes a {@link Thing}.\n@param {object} [o.key=1] - the key\n@returns {Thing} the thing\n@deprecated use make", prose.Documentation{
			Text: "Makes a `Thing`.", Parameters: map[string]string{"o.key": "the key"}, Raises: map[string]string{}, Returns: "the thing", Deprecated: "use make",
		}},
		{"java", "Returns <code>x</code>.\n@throws NullPointerException if x is null\n@since 1.2", prose.Documentation{
			Text: "Returns `x`.", Parameters: map[string]string{}, Raises: map[string]string{"NullPointerException": "if x is null"}, Since: "1.2",
		}},
		{"csharp", "<summary>Gets the <see cref=\"T:Key\"/>.</summary>\n<param name=\"id\">its id</param>", prose.Documentation{
			Text: "Gets the `Key`.", Parameters: map[string]string{"id": "its id"}, Raises: map[string]string{},
		}},
		{"go", "Read reads from [Reader.Buf].", prose.Documentation{Text: "Read reads from `Reader.Buf`.", Parameters: map[string]string{}, Raises: map[string]string{}}},
		{"java", "Like {@link #set(int, int)}, {@link java.util.Map#get(Object)} and {@linkplain Reader#close() closing}.", prose.Documentation{
			Text: "Like `set(int, int)`, `java.util.Map.get(Object)` and closing.", Parameters: map[string]string{}, Raises: map[string]string{},
		}},
		{"php", "@phpstan-import-type Row from Table\n@psalm-pure\n@implements Rows<Row>", prose.Documentation{Parameters: map[string]string{}, Raises: map[string]string{}}},
		{"php", "A song.\n\n@property-read ?string $genre Its genres\n\n// Podcast episode properties\n@property ?string $guid\n@method static SongFactory factory(...$parameters)\n@mixin Builder", prose.Documentation{
			Text: "A song.", Parameters: map[string]string{"genre": "Its genres", "guid": ""}, Raises: map[string]string{},
		}},
		{"java", "{@inheritDoc}", prose.Documentation{Parameters: map[string]string{}, Raises: map[string]string{}}},
	} {
		if diff := cmp.Diff(&c.want, prose.Doc(c.text, c.language)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.language, diff)
		}
	}
}

func TestSentencesOfDocumentationBecomeRules(t *testing.T) {
	for sentence, want := range map[string]string{
		"Open opens the file and then reads it.": "open the file and then read it",
		"Returns the number of rows.":            "return the number of rows",
		"Return a copy.":                         "return a copy",
		"A Reader reads records.":                "",
		"Alias.":                                 "",
	} {
		if got := prose.Shall(sentence, "Open"); got != want {
			t.Errorf("%s: %q, want %q", sentence, got, want)
		}
	}
	if prose.SaysMore("Sets the name.", "setName") || !prose.SaysMore("Return rows in reverse alphabetical order.", "rows") {
		t.Error("what a sentence says beyond the name")
	}
}

func FuzzDoc(f *testing.F) {
	f.Add("Args:\n  x: y", "python")
	f.Add("@param {a", "typescript")
	f.Add("<param name=\"a\">", "csharp")
	f.Fuzz(func(_ *testing.T, text, language string) { prose.Doc(text, language) })
}

func FuzzAssertion(f *testing.F) {
	f.Add("expect(a).not.toBe(b)")
	f.Add("assertEquals(1, f(2)")
	f.Fuzz(func(_ *testing.T, text string) {
		w := prose.Writer{Lang: "en", Code: "python"}
		w.Assertion(text)
		c := isAtom(text)
		w.Terms([]paths.Term{{Text: text, Where: text, Cond: &c}})
	})
}

func TestMarksOfOptionsAreNotRepeated(t *testing.T) {
	for _, c := range []struct{ text, fallback, want string }{
		{"An algorithm type that is used for verifying (required).", "", "An algorithm type that is used for verifying."},
		{"Optional. The name of the header.", "", "The name of the header."},
		{"the limit [optional, in bytes]", "", "the limit"},
		{"The default is `b','`.", "b','", ""},
		{"The default is a special value.", "1", "The default is a special value."},
		{"Default: 5", "6", "Default: 5"},
		{"Required by the server.", "", "Required by the server."},
	} {
		if got := prose.WithoutMarks(c.text, c.fallback); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
