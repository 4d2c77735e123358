package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// javaTypes are the types that one side declares, by simple name.
type javaTypes map[string]*code.Symbol

func newJavaTypes(s *code.Skeleton) javaTypes {
	out := javaTypes{}
	for _, list := range [][]code.Symbol{s.Internals, s.Exports} {
		for i := range list {
			if group(list[i].Kind) == "type" && compatOf(list[i].File, s.Language).erased {
				out[list[i].Name] = &list[i]
			}
		}
	}
	return out
}

// javaBases are types of the JDK that signatures often have, with a type above them.
var javaBases = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(`
		Throwable: Exception Error
		Exception: RuntimeException IOException SQLException InterruptedException CloneNotSupportedException TimeoutException ExecutionException ReflectiveOperationException GeneralSecurityException URISyntaxException ParseException
		IOException: FileNotFoundException EOFException FileSystemException MalformedURLException SocketException UnknownHostException UnsupportedEncodingException
		FileSystemException: NoSuchFileException FileAlreadyExistsException AccessDeniedException
		ReflectiveOperationException: ClassNotFoundException NoSuchMethodException NoSuchFieldException InstantiationException IllegalAccessException InvocationTargetException
		GeneralSecurityException: NoSuchAlgorithmException InvalidKeyException KeyStoreException CertificateException
		RuntimeException: NullPointerException IllegalArgumentException IllegalStateException IndexOutOfBoundsException UnsupportedOperationException ArithmeticException ClassCastException NoSuchElementException ConcurrentModificationException DateTimeException UncheckedIOException SecurityException NegativeArraySizeException ArrayStoreException EmptyStackException MissingResourceException CompletionException
		IllegalArgumentException: NumberFormatException PatternSyntaxException InvalidPathException
		IndexOutOfBoundsException: ArrayIndexOutOfBoundsException StringIndexOutOfBoundsException
		IllegalStateException: CancellationException
		Error: AssertionError LinkageError VirtualMachineError StackOverflowError OutOfMemoryError
		Number: Integer Long Short Byte Double Float BigInteger BigDecimal AtomicInteger AtomicLong
		CharSequence: String StringBuilder StringBuffer
		Iterable: Collection
		Collection: List Set Queue
		List: ArrayList LinkedList
		Set: HashSet SortedSet LinkedHashSet
		SortedSet: TreeSet
		Map: HashMap SortedMap ConcurrentMap
		SortedMap: TreeMap
	`) {
		if base, subtypes, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			for name := range strings.FieldsSeq(subtypes) {
				out[name] = base
			}
		}
	}
	return out
}()

// simpleName returns the name of a Java type without its package and type arguments.
func simpleName(text string) string {
	text, _, _ = strings.Cut(text, "<")
	return strings.TrimSpace(text[strings.LastIndexByte(text, '.')+1:])
}

// above returns the names of a type's direct bases, as far as known.
func (t javaTypes) above(name string) []string {
	if s := t[name]; s != nil {
		out := make([]string, len(s.Bases))
		for i, b := range s.Bases {
			out[i] = simpleName(b)
		}
		return out
	}
	if base := javaBases[name]; base != "" {
		return []string{base}
	}
	return nil
}

// is reports whether type a is b or known to be a subtype of it. Both may have type arguments, which must be equal.
func (t javaTypes) is(a, b string) bool {
	if squeeze(a) == squeeze(b) || simpleName(b) == "Object" {
		return true
	}
	if strings.Contains(b, "<") {
		return false
	}
	return slices.Contains(t.ancestors(simpleName(a)), simpleName(b))
}

// ancestors returns a type and all its known bases, by name.
func (t javaTypes) ancestors(name string) []string {
	out := []string{name}
	for i := 0; i < len(out); i++ {
		for _, base := range t.above(out[i]) {
			if !slices.Contains(out, base) {
				out = append(out, base)
			}
		}
	}
	return out
}

// java returns the types of both sides.
func (d *differ) java() (was, is javaTypes) {
	if d.javaWas == nil {
		d.javaWas, d.javaIs = newJavaTypes(d.base), newJavaTypes(d.now)
	}
	return d.javaWas, d.javaIs
}

var throwsClause = lazyregexp.New(`\)[\s\[\]]*\bthrows\s+([\w.,\s]+?)\s*(\bdefault\b.*)?;?\s*$`)

// thrown returns the exceptions that a Java method declares.
func thrown(signature string) []string {
	m := throwsClause.FindStringSubmatch(signature)
	if m == nil {
		return nil
	}
	var out []string
	for name := range strings.SplitSeq(m[1], ",") {
		out = append(out, simpleName(name))
	}
	return out
}

// throws compares the exceptions that Java methods declare, and returns the pair without them. Callers must handle checked
// exceptions, and may handle none that is not declared.
func (d *differ) throws(p pair) pair {
	was, is := thrown(p.old.Signature), thrown(p.now.Signature)
	if !p.compat.erased || len(was)+len(is) == 0 {
		return p
	}
	types, typesNow := d.java()
	if !slices.Equal(was, is) {
		a, b := types.checked(was), typesNow.checked(is)
		broken := slices.ContainsFunc(b, func(n string) bool { return !typesNow.oneIs([]string{n}, a) }) ||
			slices.ContainsFunc(a, func(n string) bool {
				return n != "Exception" && n != "Throwable" && !typesNow.oneIs(b, []string{n})
			})
		d.add("throws-changed", p, change{old: strings.Join(was, ", "), now: strings.Join(is, ", "), verdict: verdictIf(broken)})
	}
	old, now := *p.old, *p.now
	for _, s := range []*code.Symbol{&old, &now} {
		if m := throwsClause.FindStringSubmatchIndex(s.Signature); m != nil {
			s.Signature = s.Signature[:m[0]+1] + s.Signature[m[3]:]
		}
	}
	p.old, p.now = &old, &now
	return p
}

// checked returns those of the exceptions that callers must handle.
func (t javaTypes) checked(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return t.is(n, "RuntimeException") || t.is(n, "Error") })
}

// oneIs reports whether one of a is one of b or a subtype of it.
func (t javaTypes) oneIs(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return t.is(x, y) })
	})
}

// bound is a type parameter of Java with the types that it must extend.
type bound struct {
	name  string
	types []string
}

// boundsOf reads type parameters such as "T extends Number & Comparable<T>". Names are replaced by positions.
func boundsOf(list []string) []bound {
	out := make([]bound, len(list))
	places := map[string]string{}
	for i, text := range list {
		name, types, _ := strings.Cut(strings.TrimSpace(text), " extends ")
		out[i].name = strings.TrimSpace(name)
		places[out[i].name] = "$" + string(rune('0'+i%10))
		for t := range strings.SplitSeq(types, "&") {
			if t = strings.TrimSpace(t); t != "" && t != "Object" {
				out[i].types = append(out[i].types, t)
			}
		}
	}
	for i := range out {
		for k, t := range out[i].types {
			words := split(t)
			for n, w := range words {
				if to, ok := places[w]; ok {
					words[n] = to
				}
			}
			out[i].types[k] = strings.Join(words, "")
		}
	}
	return out
}

// typeBounds judges a change of the type parameters of a Java declaration.
func (d *differ) typeBounds(p pair) verdict {
	was, is := boundsOf(p.old.TypeParameters), boundsOf(p.now.TypeParameters)
	implemented := p.owner != nil && p.owner.Kind == code.Interface || p.now.Abstract
	switch {
	case len(was) == 0: // the raw type, or inferred arguments
		return compatible
	case len(is) == 0: // explicit type arguments of a method are ignored then
		return verdictIf(!callable(p.now.Kind) || implemented)
	case len(was) != len(is):
		return breaks
	}
	for i := range was {
		if d.tighter(p, was[i], is[i], is, implemented) {
			return breaks
		}
	}
	return compatible
}

// tighter reports whether a type parameter does not take what it took, or stands for another one: the same names in another
// order.
func (d *differ) tighter(p pair, was, is bound, all []bound, implemented bool) bool {
	if slices.Equal(was.types, is.types) {
		return was.name != is.name && named(all, was.name) && (mentions(p.old, was.name) || mentions(p.now, is.name))
	}
	_, types := d.java()
	return implemented && callable(p.now.Kind) || !types.implied(is.types, was.types) ||
		erasure(was) != erasure(is) && mentions(p.old, was.name)
}

// implied reports whether what satisfies the bounds was satisfies those of is.
func (t javaTypes) implied(is, was []string) bool {
	return !slices.ContainsFunc(is, func(b string) bool {
		return !slices.ContainsFunc(was, func(a string) bool { return t.is(a, b) })
	})
}

func erasure(b bound) string {
	if len(b.types) == 0 {
		return "Object"
	}
	return simpleName(b.types[0])
}

func named(list []bound, name string) bool {
	return slices.ContainsFunc(list, func(b bound) bool { return b.name == name })
}

// mentions reports whether the types of a declaration or of its members have a name.
func mentions(s *code.Symbol, name string) bool {
	types := []string{s.Returns}
	for _, q := range s.Params {
		types = append(types, q.Type)
	}
	for _, o := range s.Overloads {
		types = append(types, o.Returns)
		for _, q := range o.Params {
			types = append(types, q.Type)
		}
	}
	return slices.ContainsFunc(types, func(t string) bool { return slices.Contains(split(t), name) }) ||
		slices.ContainsFunc(s.Members, func(m code.Symbol) bool { return mentions(&m, name) })
}

// relateErased compares two Java types. A generic type with wider arguments takes what the other took, and is the same to
// compiled code.
func (d *differ) relateErased(was, is code.Type) relation {
	_, types := d.java()
	if was.Form != code.NamedType || is.Form != code.NamedType || squeeze(was.Name) != squeeze(is.Name) || len(was.Args) != len(is.Args) || len(was.Args) == 0 {
		return otherType
	}
	for i := range was.Args {
		if !types.contains(is.Args[i].Text, was.Args[i].Text) {
			return otherType
		}
	}
	return wider
}

// contains reports whether a type argument contains another one.
func (t javaTypes) contains(outer, inner string) bool {
	outer, inner = strings.TrimSpace(outer), strings.TrimSpace(inner)
	upper, isUpper := strings.CutPrefix(outer, "? extends ")
	lower, isLower := strings.CutPrefix(outer, "? super ")
	innerUpper, hasUpper := strings.CutPrefix(inner, "? extends ")
	innerLower, hasLower := strings.CutPrefix(inner, "? super ")
	wild := strings.HasPrefix(inner, "?")
	switch {
	case outer == "?" || squeeze(outer) == squeeze(inner):
		return true
	case isUpper && hasUpper:
		return t.is(innerUpper, upper)
	case isUpper:
		return !wild && t.is(inner, upper)
	case isLower && hasLower:
		return t.is(lower, innerLower)
	case isLower:
		return !wild && t.is(lower, inner)
	}
	return false
}

// becameFinal reports whether users can no longer extend a Java class or override a method.
func becameFinal(p pair) bool {
	head := func(s *code.Symbol) []string {
		text, _, _ := strings.Cut(s.Signature, "(")
		return split(text)
	}
	ofClass := p.owner != nil && slices.Contains(head(p.owner), "final")
	movable := group(p.now.Kind) == "type" && extensible(p.old) || p.now.Kind == code.Method && !p.now.Static
	return movable && !ofClass && slices.Contains(head(p.now), "final") && !slices.Contains(head(p.old), "final")
}

// extensible reports whether a Java class has a constructor that users can call from a subclass.
func extensible(s *code.Symbol) bool {
	declared := false
	for _, m := range s.Members {
		if m.Kind == code.Constructor {
			declared = true
			if m.Visibility == code.Public || m.Visibility == code.Protected {
				return true
			}
		}
	}
	return !declared
}

// fromBase reports whether a Java type has a method from one of its known bases, so that users see the same one whether or
// not the type declares it.
func (t javaTypes) fromBase(s, m *code.Symbol) bool {
	if m.Kind != code.Method || m.Static {
		return false
	}
	for _, name := range t.ancestors(s.Name)[1:] {
		base := t[name]
		if base == nil {
			continue
		}
		for i := range base.Members {
			if b := &base.Members[i]; b.Name == m.Name && b.Kind == code.Method && rank(b.Visibility) >= rank(m.Visibility) && (!b.Abstract || m.Abstract || s.Abstract) && hasForms(b, m) {
				return true
			}
		}
	}
	return false
}

// hasForms reports whether a has all signatures of b.
func hasForms(a, b *code.Symbol) bool {
	print := func(o code.Overload) string {
		types := make([]string, len(o.Params))
		for i, q := range o.Params {
			types[i] = squeeze(q.Type)
		}
		return id(append(types, squeeze(o.Returns))...)
	}
	known := map[string]bool{}
	for _, o := range formsOf(a) {
		known[print(o)] = true
	}
	for _, o := range formsOf(b) {
		if !known[print(o)] {
			return false
		}
	}
	return true
}

// stillAbove drops the bases that a Java type has through its other bases now.
func (d *differ) stillAbove(p pair, gone []string) []string {
	if !p.compat.erased {
		above := map[string]bool{}
		d.above(p, p.now, above, maxAliases)
		return slices.DeleteFunc(slices.Clone(gone), func(key string) bool { return above[key] })
	}
	_, types := d.java()
	above := types.ancestors(p.now.Name)
	return slices.DeleteFunc(slices.Clone(gone), func(name string) bool {
		return !strings.Contains(name, "<") && slices.Contains(above, simpleName(name))
	})
}
