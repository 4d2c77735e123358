package grounding

import (
	"regexp"
	"strings"
	"sync"
)

// aimed matches text that addresses a language model.
var aimed = sync.OnceValue(func() *regexp.Regexp {
	const (
		model = `(?:ais?|llms?|(?:ai |coding |chat |documentation )?assistants?|(?:ai |coding |documentation )(?:agents?|bots?|generators?|writers?)|(?:ai |large |language )+models?|chatgpt|gpt-?\d+|claude|copilot)`
		tells = `(?:say|write|state|claim|report|output|respond|reply|answer|describe|document|add|include|insert|mention|omit|skip|mark|follow|obey)`
		aside = `(?:summari[sz]|document|describ|analy[sz]|review|specify)(?:e|es|ing)? (?:this|the|our) (?:code|file|module|package|project|function|class|repo|repository)`
	)
	return regexp.MustCompile(`(?i)(?:` + strings.Join([]string{
		`\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|other)\b.{0,40}\b(?:instructions|prompts?|guidelines)\b`,
		`\b(?:you are|you're|act as|pretend to be|roleplay as)\b.{0,30}\b` + model + `\b`,
		`\b(?:reveal|print|repeat|output|show)\b.{0,20}\b(?:system|your) prompt\b`,
		`\b(?:note|attention|message|instructions?|hint|important)\b.{0,4}\b(?:to|for)\b.{0,12}\b` + model + `\b`,
		`\b` + model + `\b.{0,30}\b(?:must|should|shall|please|has to|have to|need to)\b.{0,40}\b` + tells + `\b`,
		`\b(?:when|while|if|before|after)\b.{0,20}\b` + aside + `\b.{0,80}\b` + tells + `\b`,
		`\b(?:say|write|state|claim|mention)\b.{0,80}\bin (?:the|your|this) (?:spec|specification|summary)\b`,
		`(?:忽略|无视|忘记).{0,10}(?:之前|以上|上述|所有|先前|一切).{0,10}(?:指令|提示|说明|要求|规则)`,
		`(?:你是|作为|假装).{0,8}(?:AI|人工智能|助手|语言模型|大模型|智能体)`,
		`(?:请|务必|必须|应当).{0,16}(?:规格|文档|总结|回答|输出|spec).{0,10}(?:写|声明|加入|输出|注明|说明)`,
	}, "|") + `)`)
})

// topics are lower-case word parts of which every match of [aimed] contains one; most lines
// have none.
var topics = []string{
	"instructions", "prompt", "guideline", "assistant", "agent", "bot", "generator", "writer", "model", "gpt", "claude", "copilot", "llm",
	"spec", "summar", "document", "describ", "analy", "review",
	"指令", "提示", "说明", "要求", "规则", "人工智能", "助手", "模型", "智能体", "规格", "文档", "总结", "回答", "输出",
}

// speaksOf reports whether a text contains one of the topics.
func speaksOf(text string) bool {
	text = strings.ToLower(text)
	for _, topic := range topics {
		if strings.Contains(text, topic) {
			return true
		}
	}
	for at := 0; ; {
		i := strings.Index(text[at:], "ai")
		if i < 0 {
			return false
		}
		at += i + 2
		before, after := at < 3 || !isLetter(text[at-3]), at == len(text) || !isLetter(text[at]) || text[at] == 's'
		if before && after {
			return true
		}
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

// addressed reports whether a text addresses models.
func addressed(text string) bool { return speaksOf(text) && aimed().MatchString(text) }

// commentMarks are prefixes of comment lines.
var commentMarks = []string{"//", "#", "*", "/*", "--", ";", `"""`, "'''", "<!--", "%", "=begin", "!"}

// plantedReach is how many lines before and after a line that addresses models belong to it,
// in text without comment marks.
const plantedReach = 4

// plantedIn finds text in a file that addresses models, with the rest of its comment or
// paragraph.
func plantedIn(lines []string) []span {
	var out []span
	for i := 0; i < len(lines); i++ {
		if !speaks(lines, i) {
			continue
		}
		s := paragraph(lines, i)
		out = append(out, s)
		i = s.to - 1
	}
	return out
}

// speaks reports whether line i addresses models, alone or together with the next line.
func speaks(lines []string, i int) bool {
	line := lines[i]
	if len(line) > maxTextBytes {
		line = line[:maxTextBytes]
	}
	if addressed(line) {
		return true
	}
	if i+1 == len(lines) || strings.TrimSpace(line) == "" || len(lines[i+1]) > maxTextBytes || addressed(lines[i+1]) {
		return false
	}
	return addressed(line + " " + strings.TrimLeft(lines[i+1], " \t/*#-;"))
}

// paragraph returns the 1-based range of lines in the paragraph of line i.
func paragraph(lines []string, i int) span {
	comment := isComment(lines[i])
	belongs := func(j int) bool {
		if j < 0 || j >= len(lines) || strings.Trim(lines[j], " \t/*#") == "" {
			return false
		}
		if comment {
			return isComment(lines[j])
		}
		return j-i <= plantedReach && i-j <= plantedReach
	}
	from, to := i, i
	for belongs(from - 1) {
		from--
	}
	for belongs(to + 1) {
		to++
	}
	return span{from + 1, to + 1}
}

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	for _, mark := range commentMarks {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}
