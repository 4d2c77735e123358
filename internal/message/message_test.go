package message_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// A text without a translation is rendered in English in every language.
func TestEnglishIsTheFormat(t *testing.T) {
	for _, lang := range message.Langs() {
		if got := message.New("%d of %q at 100%%", 12345, "x").In(lang); got != `12345 of "x" at 100%` {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// Arguments may be messages, counts or errors.
func TestArgumentsAreRenderedInTheLanguageOfTheWhole(t *testing.T) {
	err := message.Errorf("%s: %w", "a.go", fs.ErrPermission)
	for lang, want := range map[message.Lang]string{
		message.English: "a.go: permission denied", message.Chinese: "a.go: 权限不够",
	} {
		if got := message.Render(lang, err); got != want {
			t.Errorf("%s: %s", lang, got)
		}
	}
	if !errors.Is(err, fs.ErrPermission) || errors.Unwrap(err) != fs.ErrPermission { //nolint:errorlint // the very error
		t.Error("the error is not wrapped")
	}
	if err.Error() != "a.go: permission denied" {
		t.Error(err)
	}
}

// Errors of the system, joined errors, and errors wrapped by a library.
func TestForeignErrorsKeepWrappedMessages(t *testing.T) {
	_, missing := os.Open("/no/such/file")
	for want, err := range map[string]error{
		"打开 /no/such/file: 没有那个文件或目录":       missing,
		"yaml: 打开 /no/such/file: 没有那个文件或目录": fmt.Errorf("yaml: %w", missing),
		"权限不够\n文件已存在":                       errors.Join(fs.ErrPermission, fs.ErrExist),
		"a: 权限不够":                           message.Errorf("%s: %w", "a", fs.ErrPermission),
		"what a library says":               errors.New("what a library says"),
	} {
		if got := message.Render(message.Chinese, err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	two := message.Errorf("%w and %w", fs.ErrExist, fs.ErrClosed)
	if !errors.Is(two, fs.ErrExist) || !errors.Is(two, fs.ErrClosed) {
		t.Error("of two errors one is not wrapped")
	}
}

// In languages with a form for it.
func TestCountOfOne(t *testing.T) {
	for n, want := range map[int]string{0: "0 files", 1: "1 file", 2: "2 files"} {
		if got := message.Count(n, "%d file", "%d files").String(); got != want {
			t.Error(got)
		}
	}
}

// The order is flag, environment, configuration, locale.
func TestLanguagePrecedence(t *testing.T) {
	for _, c := range []struct {
		flag, config   string
		env            map[string]string
		lang, explicit message.Lang
		fault          bool
	}{
		{lang: "en"},
		{env: map[string]string{"LANG": "C"}, lang: "en"},
		{env: map[string]string{"LANG": "POSIX"}, lang: "en"},
		{env: map[string]string{"LANG": "de_DE.UTF-8"}, lang: "en"},
		{env: map[string]string{"LANG": "zh_CN.UTF-8"}, lang: "zh"},
		{env: map[string]string{"LANG": "zh_TW"}, lang: "zh"},
		{env: map[string]string{"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, lang: "en"},
		{env: map[string]string{"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.GB18030@pinyin"}, lang: "zh"},
		{env: map[string]string{"LANG": "zh_CN"}, config: "en", lang: "en", explicit: "en"},
		{env: map[string]string{message.Variable: "zh"}, config: "en", lang: "zh", explicit: "zh"},
		{flag: "en", env: map[string]string{message.Variable: "zh"}, lang: "en", explicit: "en"},
		{flag: "zh-CN", lang: "zh", explicit: "zh"},
		{flag: "klingon", env: map[string]string{message.Variable: "zh"}, lang: "zh", explicit: "zh", fault: true},
	} {
		got, err := message.Choose(c.flag, func(name string) string { return c.env[name] }, c.config)
		if got != (message.Choice{Lang: c.lang, Explicit: c.explicit}) || (err != nil) != c.fault {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
}
