package spec

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// exchange returns the table of the keys that the module keeps in caches and of the messages that it sends and handles; "" for none.
func (m *material) exchange() string {
	var rows [][]string
	var keys []string
	uses := map[string][]*evidence.Claim{}
	for _, c := range m.ofKind(evidence.CacheKey) {
		if uses[c.Name] == nil {
			keys = append(keys, c.Name)
		}
		uses[c.Name] = append(uses[c.Name], c)
	}
	for _, key := range keys {
		rows = append(rows, m.cacheRow(key, uses[key]))
	}
	for _, c := range m.ofKind(evidence.Topic) {
		what := wording.In(m.lang, "message handled", "处理的消息")
		if c.Role == evidence.Sent {
			what = wording.In(m.lang, "message sent", "发送的消息")
		}
		rows = append(rows, []string{codeSpan(c.Name), what, "", listed(carried(c.Values)), m.cited(c)})
	}
	if len(rows) == 0 {
		return ""
	}
	head, lines := filled(wording.In(m.lang, "Key or topic|Use|Lifetime|Carries|Evidence", "键或主题|用途|有效期|内容|依据"), rows)
	return "### " + wording.In(m.lang, "Caches and messages", "缓存与消息") + "\n\n" + head + m.rows(lines)
}

// carried returns what a message carries, each part once: "id" is left out if there is "id: int".
func carried(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(part string) bool {
		return slices.ContainsFunc(list, func(o string) bool { return strings.HasPrefix(o, part+": ") })
	})
}

// cacheRow returns the cells of a key of a cache.
func (m *material) cacheRow(key string, uses []*evidence.Claim) []string {
	var verbs, lives, places []string
	for _, c := range uses {
		verbs = appendNew(verbs, []string{m.cacheVerb(c.Role)})
		if c.Option != nil {
			lives = appendNew(lives, []string{markdown.Code(c.Option.Default)})
		}
		places = appendNew(places, []string{m.cited(c)})
	}
	separator := wording.In(m.lang, ", ", "、")
	return []string{codeSpan(key), wording.In(m.lang, "cache: ", "缓存：") + strings.Join(verbs, separator), strings.Join(lives, separator), "", strings.Join(places, separator)}
}

// cacheVerb says what is done to a key.
func (m *material) cacheVerb(role string) string {
	switch role {
	case evidence.CacheWrite:
		return wording.In(m.lang, "written", "写入")
	case evidence.CacheFill:
		return wording.In(m.lang, "read, computed if missing", "读取，缺失时计算")
	case evidence.CacheRemove:
		return wording.In(m.lang, "removed", "删除")
	case evidence.CacheExpire:
		return wording.In(m.lang, "lifetime set", "设置有效期")
	default:
		return wording.In(m.lang, "read", "读取")
	}
}
