package words_test

import (
	"testing"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
)

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: -want +got\n%s", what, diff)
	}
}

// all returns the words of a text, with "=" before a name of several parts.
func all(text string) (list []string) {
	words.Each(text, func(word string, whole bool) {
		if whole {
			word = "=" + word
		}
		list = append(list, word)
	})
	return list
}

func TestNamesAreTakenApart(t *testing.T) {
	for text, want := range map[string][]string{
		"getUserById":          {"get", "user", "by", "id", "=getuserbyid"},
		"get_user__by":         {"get", "user", "by", "=getuserby"},
		"HTTPServer":           {"http", "server", "=httpserver"},
		"parseXML2":            {"parse", "xml", "2", "=parsexml2"},
		"sha256Sum x":          {"sha", "256", "sum", "=sha256sum", "x"},
		"getURLs":              {"get", "urls", "=geturls"},
		"URLsByID IDs":         {"urls", "by", "id", "=urlsbyid", "ids"},
		"_private _ __a__":     {"private", "a"},
		"MAX_SIZE":             {"max", "size", "=maxsize"},
		"Open":                 {"open"},
		"2nd 0x1F 0x1F600 404": {"2nd", "0x1f", "404"},
		"src/a.go: Füße, ÉTÉ.": {"src", "a", "go", "füße", "été"},
		"读取文件 file字":           {"读取", "取文", "文件", "file", "字"},
		"":                     nil,
		"!?\xff\xfe":           nil,
	} {
		same(t, text, all(text), want)
	}
}

func TestEndingsAreCutOff(t *testing.T) {
	for want, list := range map[string][]string{
		"connect": {"connect", "connected", "connecting", "connection", "connections"},
		"valid":   {"valid"},
		"initi":   {"initial", "initialize", "initialization"},
		"run":     {"run", "runs", "running"},
		"hope":    {"hope", "hoping"},
		"hop":     {"hopping", "hopped"},
		"feed":    {"feed", "feeds"},
		"caress":  {"caresses", "caress"},
		"poni":    {"ponies"},
		"sky":     {"sky"},
		"string":  {"string", "strings"},
		"relat":   {"relate", "relational"},
		"adopt":   {"adoption"},
		"is":      {"is"},
		"sha256s": {"sha256s"},
		"été":     {"été"},
	} {
		for _, word := range list {
			same(t, word, words.Stem(word), want)
		}
	}
}

// TestEndingsAreThoseOfSnowball tries all endings of three letters: no time is saved on a word that Snowball changes.
func TestEndingsAreThoseOfSnowball(t *testing.T) {
	letters := "abcdefghijklmnopqrstuvwxyz"
	for _, begin := range []string{"", "y", "ban", "prefer", "hopefulnesss"} {
		for i := range 26 * 26 * 26 {
			word := begin + string([]byte{letters[i/26/26], letters[i/26%26], letters[i%26]})
			env := snowballstem.NewEnv(word)
			english.Stem(env)
			if got := words.Stem(word); got != env.Current() {
				t.Fatalf("%s: got %s, want %s", word, got, env.Current())
			}
		}
	}
}

func TestWordsBelongToTheInnermostSymbol(t *testing.T) {
	text := "one\nclass two\n  def three\n  four four\n five\none"
	var f words.File
	if err := words.Decode(words.Encode([]byte(text), []words.Span{{Start: 1, End: 6}, {Start: 2, End: 5}, {Start: 3, End: 4}}), &f); err != nil {
		t.Fatal(err)
	}
	got := map[int]map[string]int{}
	err := f.Each(func(symbol, word, times int) {
		if got[symbol] == nil {
			got[symbol] = map[string]int{}
		}
		got[symbol][string(f.Words[word])] += times
	})
	same(t, "error", err, nil)
	same(t, "counts", got, map[int]map[string]int{
		0: {"one": 2}, 1: {"class": 1, "two": 1, "five": 1}, 2: {"def": 1, "three": 1, "four": 2},
	})
}

func TestSpansThatAreNotOfTheText(t *testing.T) {
	for _, spans := range [][]words.Span{nil, {{Start: 1, End: 1}}, {{Start: 1, End: 1}, {Start: -3, End: 9}}, {{Start: 1, End: 1}, {Start: 5, End: 2}, {Start: 9, End: 9}}} {
		var f words.File
		same(t, "error", words.Decode(words.Encode([]byte("a\nb"), spans), &f), nil)
		n := 0
		same(t, "error", f.Each(func(_, _, times int) { n += times }), nil)
		if len(spans) > 0 && n != 2 {
			t.Errorf("%v: %d words", spans, n)
		}
	}
}

// FuzzDecode reads anything: it ends, with an error or without, and what it tells is
// consistent.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add(words.Encode([]byte("a b a\nc"), []words.Span{{Start: 1, End: 2}, {Start: 2, End: 2}}))
	f.Add([]byte{words.Version, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, data []byte) {
		var file words.File
		if err := words.Decode(data, &file); err != nil {
			return
		}
		_ = file.Each(func(symbol, word, times int) {
			if symbol < 0 || word < 0 || word >= len(file.Words) || times < 0 {
				t.Fatalf("symbol %d, word %d of %d, %d times", symbol, word, len(file.Words), times)
			}
		})
	})
}
