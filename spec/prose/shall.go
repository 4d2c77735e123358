package prose

import (
	"slices"
	"strings"
)

// verbs are the verbs by which documentation states what a symbol does, as infinitives. A sentence with another verb says
// nothing about behaviour that can be observed.
var verbs = strings.Fields(`accept add allow append apply assert assign attach await begin bind block break build cache calculate call cancel
 change check choose clean clear clone close collect combine commit compare compile complete compute concatenate configure connect
 consume contain convert copy count create decode decrement decrypt delete deserialize detach detect determine disable disconnect dispatch
 divide drop emit enable encode encrypt end ensure escape evaluate execute exit expand export extract fail fetch fill filter find finish
 flatten flush format forward generate get give group handle hash ignore import increment index initialize insert install invoke
 iterate join keep list listen load lock log look lookup make map mark match measure merge modify move multiply normalize notify obtain
 open order override pack parse pass pause perform pop prepare prepend prevent print process produce provide publish push put query
 raise read receive record redirect reduce register reject release reload remove rename render repeat replace report request require
 reset resolve respond restore resume retrieve retry return reverse rewrite rotate round run save scan schedule search select
 send serialize serve set shift show shuffle sign signal skip sleep sort split start stop store strip subscribe substitute
 subtract swap switch synchronize take terminate test throw tokenize toggle track transform translate traverse trigger trim truncate
 try unescape uninstall unlock unmarshal marshal unpack unregister unset unsubscribe unwrap update upgrade upload use validate verify visit wait walk
 warn watch wrap write yield zip panic reuse indent dedent quote unquote mount`)

// Shall turns the first sentence of a symbol's documentation into what the symbol shall do: "Returns the x." and
// "F returns the x." are "return the x". It returns "" for a sentence that states nothing of the kind. Name is the symbol's
// own, without its owner.
func Shall(sentence, name string) string {
	words := strings.Fields(strings.TrimSuffix(sentence, "."))
	named := len(words) > 1 && strings.Trim(words[0], "`()") == name
	if named {
		words = words[1:]
	}
	if len(words) < 2 || strings.HasSuffix(sentence, "…") || strings.HasSuffix(sentence, ":") {
		return ""
	}
	verb := infinitive(strings.ToLower(words[0]))
	if verb == "" && named {
		verb = stem(words[0])
	}
	if verb == "" {
		return ""
	}
	further(words, words[0] != strings.ToLower(verb))
	return verb + " " + strings.Join(words[1:], " ")
}

// further turns the verbs after the first into infinitives: "and then calls" is "and then call". Inflected says that the
// first one was in the third person.
func further(words []string, inflected bool) {
	for i := 2; i < len(words); i++ {
		before := words[i-1]
		if before == "then" || inflected && (before == "and" || before == "or" || before == "but") {
			if verb := infinitive(words[i]); verb != "" {
				words[i] = verb
			}
		}
	}
}

// infinitive returns the infinitive of a verb in the third person or in the imperative; "" for any other word.
func infinitive(word string) string {
	for _, form := range []string{word, strings.TrimSuffix(word, "s"), strings.TrimSuffix(word, "es"), strings.TrimSuffix(word, "ies") + "y"} {
		if slices.Contains(verbs, form) {
			return form
		}
	}
	return ""
}

// notVerbs are words that end as a verb in the third person does.
var notVerbs = strings.Fields("is was has its this does always as plus minus less thus us")

// stem returns the infinitive of a word that looks like a verb in the third person; "" for any other word.
func stem(word string) string {
	if slices.Contains(notVerbs, word) || len(word) < 4 || !strings.HasSuffix(word, "s") || strings.HasSuffix(word, "ss") || strings.ToLower(word) != word {
		return ""
	}
	for _, end := range []string{"ches", "shes", "sses", "xes", "zzes"} {
		if strings.HasSuffix(word, end) {
			return strings.TrimSuffix(word, "es")
		}
	}
	if short, ok := strings.CutSuffix(word, "ies"); ok {
		return short + "y"
	}
	return strings.TrimSuffix(word, "s")
}

// empty are words that say nothing by themselves.
var empty = strings.Fields("a an the of to for in on with and or is are be this that its it from by as given new value object instance result method function class type return get set")

// SaysMore reports whether a sentence says more than names do: it has three words or more that are not in them.
func SaysMore(sentence string, names ...string) bool {
	known := strings.ToLower(strings.Join(names, " "))
	count := 0
	for word := range strings.FieldsSeq(strings.ToLower(sentence)) {
		word = strings.Trim(word, "`.,;:()\"'“”")
		if len(word) > 1 && !slices.Contains(empty, word) && !strings.Contains(known, strings.TrimSuffix(word, "s")) {
			count++
		}
	}
	return count >= 3
}
