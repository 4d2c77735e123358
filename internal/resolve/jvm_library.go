package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Models of the libraries of JVM languages: containers and function types. The results and closure parameters of
// their methods are known by name alone: a type with one argument contains values of it, one with two maps the
// first to the second.

// jvmElement returns the elements of a container.
func jvmElement(l *Linker, v value) values {
	switch {
	case v.kind == external && len(v.args) == 1:
		return v.arg(0)
	case v.kind == external && len(v.args) == 2:
		return values{externalOf("java.util.Map.Entry").withArgs(v.args...)}
	case v.kind == instance:
		for _, f := range l.typeMember(v, "iterator()", 0) {
			if f.kind == function && f.decl != nil {
				return l.elements(l.functionResult(f, nil))
			}
		}
		for _, b := range l.bases(v) {
			if found := l.elements(values{b.value}); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// jvmFunctions are the library's function types: the index of the type argument for the result (-1 for none), and
// those for the parameters.
var jvmFunctions = map[string][]int{
	"Function": {1, 0}, "BiFunction": {2, 0, 1}, "Supplier": {0}, "Consumer": {-1, 0}, "BiConsumer": {-1, 0, 1}, "Predicate": {-1, 0},
	"BiPredicate": {-1, 0, 1}, "UnaryOperator": {0, 0}, "BinaryOperator": {0, 0, 0}, "Callable": {0}, "Comparator": {-1, 0, 0},
	"ToIntFunction": {-1, 0}, "ToLongFunction": {-1, 0}, "ToDoubleFunction": {-1, 0}, "IntFunction": {0, -1}, "LongFunction": {0, -1},
	"DoubleFunction": {0, -1}, "ToIntBiFunction": {-1, 0, 1}, "ObjIntConsumer": {-1, 0, -1},
}

// jvmGeneric converts a library function type to a function.
func jvmGeneric(_ *Linker, name string, args []values) (value, bool) {
	shape, ok := jvmFunctions[lastPart(name)]
	if !ok || len(args) == 0 || !strings.HasPrefix(name, "java.util.") {
		return value{}, false
	}
	parts := make([]values, len(shape))
	for i, n := range shape {
		if n >= 0 && n < len(args) {
			parts[i] = args[n]
		}
	}
	return builtinOf(functionName).withArgs(parts...), true
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// resultKind is the kind of result of a container method.
type resultKind uint8

const (
	nothing   resultKind = iota
	element              // an element
	itself               // the same container
	mapped               // a container of the closure's results
	flattened            // a container of the elements of the closure's results
	folded               // the closure's result
	grouped              // a map from the closure's results to containers
	valueOf              // a value of a map
	keyOf                // a key of a map
	mapValues            // the values of a map
	mapKeys              // the keys of a map
	entries              // the entries of a map
	entry                // an entry of a map
	several              // a container of the arguments
	argument             // the first argument
)

// jvmElementMethods are the methods of containers of one kind of values.
var jvmElementMethods = shapes(map[resultKind]string{
	element: `get getFirst getLast first last next previous poll pop element take orElse orElseGet orElseThrow getAndSet getPlain join call
		lower higher floor ceiling pollFirst pollLast peekFirst peekLast removeFirst removeLast getOrNull firstOrNull lastOrNull single singleOrNull
		random find findLast elementAt elementAtOrNull getOrElse maxBy minBy maxByOrNull minByOrNull await value head reduce set getNow
		remove removeAt apply invoke`,
	itself: `stream parallelStream iterator listIterator filter filterNot sorted distinct limit skip takeWhile dropWhile subList headSet tailSet
		subSet descendingSet descendingIterator toList toSet toMutableList toMutableSet asIterable asSequence sortedBy sortedWith sortedByDescending
		sortedDescending reversed filterNotNull drop dropLast takeLast collect or onEach ifEmpty unordered parallel sequential findFirst findAny
		plus minus tail init orEmpty filterIsInstance distinctBy filterIndexed union intersect subtract asReversed shuffled clone
		max min thenAccept whenComplete exceptionally`,
	mapped:    `map mapNotNull mapIndexed mapToObj thenApply thenApplyAsync mapIndexedNotNull collectAsList`,
	flattened: `flatMap flatten thenCompose mapMulti`,
	folded:    `fold foldLeft foldRight`, grouped: `groupBy associateBy`,
})

// jvmMapMethods are the methods of maps and their entries.
var jvmMapMethods = shapes(map[resultKind]string{
	valueOf: `get getOrDefault put remove replace computeIfAbsent computeIfPresent compute merge putIfAbsent getOrPut getValue value setValue second
		getOrElse apply`,
	keyOf:     `getKey key firstKey lastKey floorKey ceilingKey higherKey lowerKey first`,
	mapValues: `values`, mapKeys: `keySet keys navigableKeySet descendingKeySet`,
	entries: `entrySet entries asSequence toList`, entry: `firstEntry lastEntry floorEntry ceilingEntry pollFirstEntry pollLastEntry`,
	itself: `headMap tailMap subMap descendingMap filter filterKeys filterValues toMap toMutableMap toSortedMap plus minus filterNot`,
})

// jvmStatic are functions that create containers, qualified by the last name of their type.
var jvmStatic = shapes(map[resultKind]string{
	several: `List.of Set.of Stream.of Arrays.asList Collections.singletonList Collections.singleton Optional.of Optional.ofNullable
		Collections.unmodifiableList Collections.unmodifiableSet Collections.unmodifiableCollection Arrays.stream Collections.singletonIterator
		emptyList emptySet Collections.emptyList Collections.emptySet listOf setOf mutableListOf mutableSetOf arrayListOf hashSetOf linkedSetOf sequenceOf arrayOf listOfNotNull setOfNotNull`,
	argument: `Objects.requireNonNull requireNotNull checkNotNull Collections.unmodifiableMap Arrays.copyOf Arrays.copyOfRange`,
})

// shapes inverts lists of names.
func shapes(lists map[resultKind]string) map[string]resultKind {
	out := map[string]resultKind{}
	for what, names := range lists {
		for name := range strings.FieldsSeq(names) {
			out[name] = what
		}
	}
	return out
}

// jvmResult returns the result of calling a library method or function.
func jvmResult(l *Linker, c *callSite, callee value) (values, bool) {
	if callee.kind != external {
		return nil, false
	}
	if callee.on != nil && callee.on.kind == typeValue { // of an enum
		made := values{instanceOf(callee.on.decl)}
		if strings.HasSuffix(callee.name, "values"+called) {
			made = values{listOf(made)}
		}
		return made, true
	}
	name := strings.TrimSuffix(lastPart(callee.name), called)
	if made, ok := jvmObject(c, callee, name); ok {
		return values{made}, true
	}
	if known := jvmPlain(name); known != "" {
		return values{builtinOf(known)}, true
	}
	if callee.on == nil || len(callee.on.args) == 0 {
		return jvmMade(l, c, callee)
	}
	closure := func() values {
		if args := c.expr().Args; len(args) > 0 {
			return l.closureResult(c, args[len(args)-1])
		}
		return nil
	}
	found := jvmGiven(l, *callee.on, name, closure)
	return found.by(Returned), len(found) > 0
}

// jvmObject returns the library object created by a call: of a constructor, a factory, or by reflection.
func jvmObject(c *callSite, callee value, name string) (value, bool) {
	if c.expr().Op == code.OpNew {
		return callee, true
	}
	if made, ok := jvmReflected[name]; ok {
		return made, true
	}
	on := callee.on
	switch {
	case on == nil:
		return value{}, false
	case (name == "getName" || name == "getTypeName") && jvmTypeName(*on) == "Class":
		return builtinOf("string"), true
	case jvmAtomics[jvmTypeName(*on)] != "" && jvmAtomic[name]:
		return builtinOf(jvmAtomics[jvmTypeName(*on)]), true
	case (name == "toArray" || name == "toTypedArray") && len(on.args) == 1:
		return listOf(on.arg(0)), true
	}
	return jvmStaticObject(on, name)
}

// jvmAtomics are the types of what the library's atomic types hold, and jvmAtomic their methods that return it.
var (
	jvmAtomics = map[string]string{
		"AtomicInteger": "int", "AtomicIntegerArray": "int", "AtomicLong": "long", "AtomicLongArray": "long", "AtomicBoolean": "boolean",
	}
	jvmAtomic = func() map[string]bool {
		out := map[string]bool{}
		for name := range strings.FieldsSeq(`get getPlain getOpaque getAcquire getAndSet getAndAdd getAndIncrement getAndDecrement getAndUpdate getAndAccumulate
			addAndGet incrementAndGet decrementAndGet updateAndGet accumulateAndGet`) {
			out[name] = true
		}
		return out
	}()
)

// jvmReflected are the results of methods that have one result everywhere in the libraries.
var jvmReflected = map[string]value{
	"getMethod": externalOf("java.lang.reflect.Method"), "getDeclaredMethod": externalOf("java.lang.reflect.Method"),
	"getField": externalOf("java.lang.reflect.Field"), "getDeclaredField": externalOf("java.lang.reflect.Field"),
	"getClass": externalOf("java.lang.Class"), "forName": externalOf("java.lang.Class"), "loadClass": externalOf("java.lang.Class"),
	"getDeclaringClass": externalOf("java.lang.Class"), "getParameterTypes": listOf(values{externalOf("java.lang.Class")}),
	"getInterfaces": listOf(values{externalOf("java.lang.Class")}), "getBytes": listOf(values{builtinOf("byte")}),
	"toCharArray": listOf(values{builtinOf("char")}),
}

// jvmStaticObject returns the object created by a factory method of a library type.
func jvmStaticObject(on *value, name string) (value, bool) {
	if on.kind != external || len(on.args) > 0 || jvmTypeName(*on) == "" {
		return value{}, false
	}
	switch {
	case name == "values":
		return listOf(values{*on}), true
	case name == "compile" || name == "create" || name == "now" || name == "getInstance" || name == "valueOf",
		strings.HasPrefix(name, "of") && on.name != "java.util.List" && on.name != "java.util.Set" && on.name != "java.util.Map" &&
			on.name != "java.util.stream.Stream" && on.name != "java.util.Optional":
		return *on, true
	}
	return value{}, false
}

// jvmPlain returns the built-in result type of methods with a name.
func jvmPlain(name string) string {
	if what := jvmPlains[name]; what != "" {
		return what
	}
	for _, word := range []string{"is", "has", "can", "contains", "startsWith", "endsWith", "equals", "matches"} {
		if rest, ok := strings.CutPrefix(name, word); ok && (rest == "" && len(word) > 3 || isUpper(rest)) {
			return "boolean"
		}
	}
	return ""
}

// jvmPlains maps method names to result types that are the same everywhere in the libraries.
var jvmPlains = func() map[string]string {
	out := map[string]string{}
	for what, names := range map[string]string{
		"int": `size length hashCode indexOf lastIndexOf compareTo compareToIgnoreCase intValue parseInt ordinal identityHashCode nextInt
			floatToIntBits floatToRawIntBits getModifiers codePointAt`,
		"string": `toString substring trim strip toUpperCase toLowerCase replace replaceAll replaceFirst format formatted getSimpleName getCanonicalName
			concat repeat getMessage getLocalizedMessage lineSeparator readLine nextLine lowercase uppercase substringBefore substringAfter
			substringBeforeLast substringAfterLast removePrefix removeSuffix joinToString trimIndent trimMargin`,
		"boolean": `exists test getAsBoolean anyMatch allMatch noneMatch delete mkdir mkdirs offer hasNext booleanValue await awaitTermination tryLock
			compareAndSet`,
		"long": `longValue nanoTime currentTimeMillis parseLong count getAsLong doubleToLongBits doubleToRawLongBits`, "double": `doubleValue getAsDouble parseDouble`,
		"byte": `byteValue parseByte`, "short": `shortValue parseShort`, "char": `charAt charValue`, "float": `floatValue parseFloat`,
	} {
		for name := range strings.FieldsSeq(names) {
			out[name] = what
		}
	}
	return out
}()

// jvmMade returns the result of a function that creates a container, and of the construction of a library object.
func jvmMade(l *Linker, c *callSite, callee value) (values, bool) {
	x := c.expr()
	if len(callee.args) > 0 {
		return values{callee}, true
	}
	parts := strings.Split(strings.TrimSuffix(callee.name, called), ".")
	name := parts[len(parts)-1]
	what := jvmStatic[name]
	if len(parts) > 1 && what == nothing {
		what = jvmStatic[parts[len(parts)-2]+"."+name]
	}
	switch what {
	case several:
		held := l.either(c.unit, x.Args, c.env)
		if len(x.Args) == 1 && len(parts) > 1 {
			if inner := l.elements(held); len(inner) > 0 {
				held = inner
			}
		}
		return values{externalOf("java.util." + "List").withArgs(held)}, true
	case argument:
		if len(x.Args) > 0 {
			return l.value(c.unit, x.Args[0], c.env), true
		}
	default:
	}
	return nil, false
}

// jvmGiven returns the result of a method or property of a container.
func jvmGiven(l *Linker, on value, name string, closure func() values) values {
	if on.kind == builtin && on.name == functionName {
		return on.arg(0)
	}
	if len(on.args) == 2 {
		return jvmOfMap(on, jvmMapMethods[name])
	}
	switch jvmElementMethods[name] {
	case element:
		return on.arg(0)
	case itself:
		return values{jvmContainer(on, name).withArgs(on.arg(0))}
	case mapped:
		return values{on.withArgs(closure())}
	case flattened:
		return values{on.withArgs(l.elements(closure()))}
	case folded:
		return closure()
	case grouped:
		return values{externalOf("java.util.Map").withArgs(closure(), values{on})}
	default:
		return nil
	}
}

func jvmOfMap(on value, what resultKind) values {
	switch what {
	case valueOf:
		return on.arg(1)
	case keyOf:
		return on.arg(0)
	case mapValues:
		return values{externalOf("java.util.Collection").withArgs(on.arg(1))}
	case mapKeys:
		return values{externalOf("java.util.Set").withArgs(on.arg(0))}
	case entries:
		return values{externalOf("java.util.Set").withArgs(values{externalOf("java.util.Map.Entry").withArgs(on.args...)})}
	case entry:
		return values{externalOf("java.util.Map.Entry").withArgs(on.args...)}
	case itself:
		return values{on}
	default:
		return nil
	}
}

// jvmContainer returns the container of the same elements that a method returns.
func jvmContainer(on value, method string) value {
	switch method {
	case "stream", "parallelStream":
		return externalOf("java.util.stream.Stream")
	case "findFirst", "findAny":
		return externalOf("java.util.Optional")
	case "iterator", "listIterator":
		return externalOf("java.util.Iterator")
	case "toList":
		return externalOf("java.util.List")
	case "toSet":
		return externalOf("java.util.Set")
	}
	return on
}

// jvmPassed returns the n-th parameter of a closure passed to a library method.
func jvmPassed(_ *Linker, callee value, _, n int) values {
	if callee.kind != external || callee.on == nil {
		return nil
	}
	on, name := *callee.on, strings.TrimSuffix(lastPart(callee.name), called)
	switch {
	case on.kind == builtin && on.name == functionName:
		return nil
	case len(on.args) == 2:
		return jvmPassedByMap(on, name, n)
	case len(on.args) != 1:
		return nil
	case strings.HasSuffix(name, "Indexed"):
		if n == 1 {
			return on.arg(0)
		}
		return nil
	case strings.HasPrefix(name, "fold") && n == 0, name == "orElseGet", name == "computeIfAbsent":
		return nil
	}
	return on.arg(0)
}

func jvmPassedByMap(on value, name string, n int) values {
	switch name {
	case "computeIfAbsent":
		return on.arg(0)
	case "merge":
		return on.arg(1)
	case "forEach", "computeIfPresent", "compute", "replaceAll":
		return on.arg(n)
	}
	return values{externalOf("java.util.Map.Entry").withArgs(on.args...)}
}

// jvmTypes are the types of java.lang, which need no import.
var jvmTypes = func() map[string]string {
	out := map[string]string{}
	for name := range strings.FieldsSeq(`Object String Integer Long Short Byte Character Boolean Double Float Number Void Class Enum Record Math System
		Thread Runnable Iterable Comparable CharSequence StringBuilder StringBuffer Throwable Exception RuntimeException Error
		IllegalArgumentException IllegalStateException NullPointerException UnsupportedOperationException IndexOutOfBoundsException
		ClassCastException ArithmeticException NumberFormatException InterruptedException CloneNotSupportedException AssertionError
		StackOverflowError OutOfMemoryError ClassNotFoundException NoSuchMethodException NoSuchFieldException ReflectiveOperationException
		SecurityException LinkageError NoClassDefFoundError ArrayIndexOutOfBoundsException StringIndexOutOfBoundsException
		ArrayStoreException NegativeArraySizeException Override Deprecated SuppressWarnings SafeVarargs FunctionalInterface AutoCloseable
		Cloneable Appendable Readable Process ProcessBuilder Runtime ThreadLocal InheritableThreadLocal ThreadGroup ClassLoader Package
		Module StackTraceElement StackWalker StrictMath ExceptionInInitializerError InstantiationException IllegalAccessException
		IllegalMonitorStateException VirtualMachineError InternalError UnsatisfiedLinkError`) {
		out[name] = "java.lang." + name
	}
	return out
}()
