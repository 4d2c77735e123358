package wording_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/wording"
)

func TestNoSpaceBetweenChineseCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"当 文档如此说明 时":               "当文档如此说明时",
		"当 `a` 为空 时，`f` 等 6 项 背后的": "当 `a` 为空时，`f` 等 6 项背后的",
		"`a 当 时`；或 捕获到 `E`":        "`a 当 时`；或捕获到 `E`",
		"给出 “不 可 改”":               "给出 “不 可 改”",
		"```\n甲 乙\n```\n甲 乙\n":     "```\n甲 乙\n```\n甲乙\n",
	} {
		if got := wording.Tidy("zh", text); got != want {
			t.Errorf("%q, not %q", got, want)
		}
		if got := wording.Tidy("en", text); got != text {
			t.Errorf("%q in English", got)
		}
	}
}
