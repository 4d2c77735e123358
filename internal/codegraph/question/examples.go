package question

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Kind is a supported kind of question: an example in each language.
type Kind struct{ English, Chinese string }

// In returns the example in a language.
func (k Kind) In(lang message.Lang) string {
	if lang == message.Chinese {
		return k.Chinese
	}
	return k.English
}

// kindList is a list of examples as an argument of a message.
type kindList []Kind

// In returns the examples in a language, separated by bars.
func (l kindList) In(lang message.Lang) string { return strings.Join(l.texts(lang), " | ") }

// texts returns the examples in a language.
func (l kindList) texts(lang message.Lang) []string {
	texts := make([]string, len(l))
	for i, k := range l {
		texts[i] = k.In(lang)
	}
	return texts
}

// Kinds returns the supported kinds of questions.
func Kinds() []Kind { return slices.Clone(examples) }

var examples = []Kind{
	{"List all classes", "列出所有的类"},
	{"How many functions are there?", "有多少个函数？"},
	{"Where is parse_config defined?", "parse_config 在哪里定义？"},
	{"Who calls UserService.create_user?", "谁调用了 UserService.create_user？"},
	{"What does parse_config call?", "parse_config 调用了哪些函数？"},
	{"Who calls parse_config directly or indirectly, up to 3 levels deep?", "谁直接或间接调用了 parse_config，最多 3 层？"},
	{"Where is UserService used?", "哪里使用了 UserService？"},
	{"What would break if I change parse_config?", "修改 parse_config 会影响哪些函数？"},
	{"What does main depend on?", "main 依赖什么？"},
	{"Which classes inherit from Base?", "哪些类继承了 Base？"},
	{"Which classes implement the Repository interface?", "哪些类实现了 Repository 接口？"},
	{"What are the parent classes of UserService?", "UserService 的父类是什么？"},
	{"Which methods override Base.run?", "哪些方法重写了 Base.run？"},
	{"What does src/auth/service.py import?", "src/auth/service.py 导入了哪些模块？"},
	{"Which modules import app.services.auth?", "哪些模块导入了 app.services.auth？"},
	{"Are there circular imports?", "有哪些循环依赖？"},
	{"What is in the file src/auth/service.py?", "src/auth/service.py 文件里有什么？"},
	{"List the files in the src/auth folder", "列出 src/auth 目录下的文件"},
	{"What methods does UserService have?", "UserService 有哪些方法？"},
	{"Which class has a method called create_user?", "哪个类有 create_user 方法？"},
	{"Find all functions decorated with @task", "找出所有用 @task 装饰的函数"},
	{"Find unused functions", "有哪些未使用的函数？"},
	{"Which functions are never called?", "哪些函数从未被调用？"},
	{"Which functions call themselves?", "有哪些递归函数？"},
	{"What are the entry points?", "程序的入口函数在哪里？"},
	{"What is the call path from main to parse_config?", "从 main 到 parse_config 的调用链是什么？"},
	{"What are the 10 most called functions?", "被调用最多的 10 个函数是哪些？"},
	{"Which class has the most methods?", "哪个类的方法最多？"},
	{"What are the longest functions?", "最长的函数有哪些？"},
	{"What external dependencies does the project have?", "项目依赖哪些外部包？"},
	{"Find functions whose name contains 'config'", "找出名字包含 config 的函数"},
	{"List classes whose name ends with Service", "列出名称以 Service 结尾的类"},
	{"Find functions related to auth", "查找与 auth 相关的函数"},
	{"How many .py files are there?", "有多少个 .py 文件？"},
	{"List all Python functions", "列出所有 Python 函数"},
	{"Which tests cover parse_config?", "哪些测试覆盖了 parse_config？"},
	{"Which classes have no tests?", "哪些类没有测试？"},
	{"List exported functions without a docstring", "列出没有文档字符串的导出函数"},
	{"Which languages are used?", "项目用了哪些编程语言？"},
}

// languageOf returns the language of a question.
func languageOf(question string) message.Lang {
	if hasHan(question) {
		return message.Chinese
	}
	return message.English
}

// nearestKinds returns the n kinds whose example is most similar to a question, compared in its language.
func nearestKinds(question string, n int) []Kind {
	type near struct {
		kind  Kind
		score float64
	}
	lang := languageOf(question)
	asked := features(question)
	all := make([]near, len(examples))
	for i, e := range examples {
		all[i] = near{e, similarity(asked, features(e.In(lang)))}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.score, a.score) })
	out := make([]Kind, 0, n)
	for _, e := range all[:min(n, len(all))] {
		out = append(out, e.kind)
	}
	return out
}

// features are the features of a question for comparison: its concepts and kinds, and its letter bigrams.
func features(question string) map[string]float64 {
	out := map[string]float64{}
	for _, t := range read(question).tokens {
		switch {
		case t.is == "kind":
			out["kind "+t.kind.one] = kindWeight
		case t.is == "unknown" || slices.Contains(grammar, t.is):
		default:
			out["concept "+subject(t.is)] = conceptWeight
		}
	}
	letters := []rune(strings.ToLower(question))
	for i := range len(letters) - 1 {
		out[string(letters[i:i+2])] = 1
	}
	return out
}

// Weights of a concept and of a kind, relative to a bigram.
const (
	conceptWeight = 20
	kindWeight    = 4
)

// subject returns the relation that a concept denotes; otherwise the concept itself.
func subject(concept string) string {
	for i := range relations {
		v := &relations[i]
		words := strings.Split(strings.Join([]string{v.active, v.passive, v.subjectNouns, v.objectNouns}, "|"), "|")
		if slices.Contains(words, concept) {
			return v.rule
		}
	}
	return concept
}

// similarity returns the share of common features.
func similarity(a, b map[string]float64) float64 {
	var shared, all float64
	for f, w := range a {
		if b[f] > 0 {
			shared += w
		}
		all += w
	}
	for f, w := range b {
		if a[f] == 0 {
			all += w
		}
	}
	if all == 0 {
		return 0
	}
	return shared / all
}
