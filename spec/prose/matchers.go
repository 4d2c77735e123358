package prose

import "strings"

// matcher is an assertion of a test library: the words between the value under test and what is expected of it.
type matcher struct {
	en, no, zh, noZh string // formats: of the value, and of what is expected if it is given
	alone            bool   // nothing is expected beside the matcher itself
}

var (
	isEqual    = matcher{"%s is %s", "%s is not %s", "%s 为 %s", "%s 不为 %s", false}
	isSame     = matcher{"%s is the same object as %s", "%s is not the same object as %s", "%s 与 %s 为同一对象", "%s 与 %s 不是同一对象", false}
	isTrue     = matcher{"%s holds", "%s does not hold", "%s 成立", "%s 不成立", true}
	isTruthy   = matcher{"%s is truthy", "%s is falsy", "%s 为真值", "%s 为假值", true}
	isNull     = matcher{"%s is null", "%s is not null", "%s 为空值", "%s 不为空值", true}
	isEmpty    = matcher{"%s is empty", "%s is not empty", "%s 为空", "%s 不为空", true}
	contains   = matcher{"%s contains %s", "%s does not contain %s", "%s 包含 %s", "%s 不包含 %s", false}
	isIn       = matcher{"%s is one of %s", "%s is none of %s", "%s 属于 %s", "%s 不属于 %s", false}
	hasExactly = matcher{"%s has exactly the elements %s", "%s does not have exactly the elements %s", "%s 恰好包含元素 %s", "%s 并非恰好包含元素 %s", false}
	hasKey     = matcher{"%s has the key %s", "%s does not have the key %s", "%s 含有键 %s", "%s 不含键 %s", false}
	hasEntry   = matcher{"%s has %s", "%s does not have %s", "%s 含有 %s", "%s 不含 %s", false}
	begins     = matcher{"%s begins with %s", "%s does not begin with %s", "%s 以 %s 开头", "%s 不以 %s 开头", false}
	ends       = matcher{"%s ends with %s", "%s does not end with %s", "%s 以 %s 结尾", "%s 不以 %s 结尾", false}
	matches    = matcher{"%s matches %s", "%s does not match %s", "%s 匹配 %s", "%s 不匹配 %s", false}
	hasType    = matcher{"%s is of type %s", "%s is not of type %s", "%s 的类型为 %s", "%s 的类型不为 %s", false}
	hasSize    = matcher{"%s has %s elements", "%s does not have %s elements", "%s 有 %s 个元素", "%s 的元素个数不为 %s", false}
	hasLength  = matcher{"%s has the length %s", "%s does not have the length %s", "%s 的长度为 %s", "%s 的长度不为 %s", false}
	fails      = matcher{"%s fails", "%s succeeds", "%s 失败", "%s 成功", true}
	failsWith  = matcher{"%s fails with %s", "%s does not fail with %s", "%s 失败并给出 %s", "%s 不以 %s 失败", false}
	isError    = matcher{"%s is an error", "%s is no error", "%s 为错误", "%s 不是错误", true}
	isDefined  = matcher{"%s is defined", "%s is not defined", "%s 已定义", "%s 未定义", true}
	isCalled   = matcher{"%s is called", "%s is not called", "%s 被调用", "%s 未被调用", true}
	calledOnce = matcher{"%s is called once", "%s is not called once", "%s 被调用一次", "%s 并非被调用一次", true}
	timesCall  = matcher{"%s is called %s times", "%s is not called %s times", "%s 被调用 %s 次", "%s 并非被调用 %s 次", false}
	calledWith = matcher{"%s is called with %s", "%s is not called with %s", "%s 以 %s 被调用", "%s 未以 %s 被调用", false}
	isGreater  = matcher{"%s is greater than %s", "%s is not greater than %s", "%s 大于 %s", "%s 不大于 %s", false}
	isLess     = matcher{"%s is less than %s", "%s is not less than %s", "%s 小于 %s", "%s 不小于 %s", false}
	isAtLeast  = matcher{"%s is at least %s", "%s is less than %s", "%s 至少为 %s", "%s 小于 %s", false}
	isAtMost   = matcher{"%s is at most %s", "%s is greater than %s", "%s 至多为 %s", "%s 大于 %s", false}
	isNear     = matcher{"%s is about %s", "%s is not about %s", "%s 约为 %s", "%s 并非约为 %s", false}
)

// not returns the opposite matcher.
func (m matcher) not() matcher { return matcher{m.no, m.en, m.noZh, m.zh, m.alone} }

// matchers are the names of matchers, in lower case without "_": of chains, and of the constraints that assertions take.
var matchers = map[string]matcher{
	// jest, vitest, chai, Jasmine
	"tobe": isEqual, "toequal": isEqual, "tostrictequal": isEqual, "tomatchobject": contains, "tobetruthy": isTruthy, "tobefalsy": isTruthy.not(),
	"tobenull": isNull, "tobeundefined": isDefined.not(), "tobedefined": isDefined, "tocontain": contains, "tocontainequal": contains,
	"tomatch": matches, "tobeinstanceof": hasType, "tohavelength": hasSize, "tothrow": failsWith, "tothrowerror": failsWith,
	"tohavebeencalled": isCalled, "tohavebeencalledonce": calledOnce, "tohavebeencalledtimes": timesCall, "tohavebeencalledwith": calledWith, "tohavebeenlastcalledwith": calledWith,
	"tobegreaterthan": isGreater, "tobelessthan": isLess, "tobegreaterthanorequal": isAtLeast, "tobelessthanorequal": isAtMost, "tobecloseto": isNear,
	"tohaveproperty": hasEntry, "tobenan": {"%s is not a number", "%s is a number", "%s 非数字", "%s 为数字", true}, "tobetypeof": hasType,
	"equal": isEqual, "eql": isEqual, "deepequal": isEqual, "instanceof": hasType, "include": contains, "includes": contains, "throw": failsWith, "throws": failsWith,
	"lengthof": hasSize, "above": isGreater, "below": isLess, "least": isAtLeast, "most": isAtMost, "closeto": isNear, "calledwith": calledWith, "calledonce": calledOnce,
	"property": hasEntry, "keys": hasKey, "oneof": isIn, "true": {"%s is true", "%s is not true", "%s 为 `true`", "%s 不为 `true`", true},
	"false": {"%s is false", "%s is not false", "%s 为 `false`", "%s 不为 `false`", true}, "null": isNull, "undefined": isDefined.not(), "exist": isDefined, "empty": isEmpty, "ok": isTruthy,
	// AssertJ, Truth, Hamcrest, Kotest, FluentAssertions, NUnit
	"isequalto": isEqual, "equalto": isEqual, "is": isEqual, "isequaltocomparingfieldbyfield": isEqual, "isnotequalto": isEqual.not(), "issameas": isSame, "issameinstanceas": isSame, "sameinstance": isSame,
	"istrue": matcherTrue, "isfalse": matcherFalse, "isnull": isNull, "isnotnull": isNull.not(), "nullvalue": isNull, "notnullvalue": isNull.not(), "isnonnull": isNull.not(),
	"isempty": isEmpty, "isnotempty": isEmpty.not(), "contains": contains, "containsstring": contains, "hasitem": contains, "hasitems": contains, "doesnotcontain": contains.not(),
	"containsexactly": hasExactly, "containsexactlyelementsin": hasExactly, "containsexactlyinanyorder": hasExactly, "containsonly": hasExactly, "containsinanyorder": hasExactly,
	"containskey": hasKey, "haskey": hasKey, "containsentry": hasEntry, "hasentry": hasEntry, "startswith": begins, "startwith": begins, "endswith": ends, "endwith": ends, "matches": matches, "matchespattern": matches, "containsmatch": matches,
	"isinstanceof": hasType, "isexactlyinstanceof": hasType, "instanceofany": hasType, "hassize": hasSize, "haslength": hasLength, "hassameelementsas": hasExactly, "hasmessage": failsWith, "hasmessagecontaining": {"%s fails with a message that contains %s", "%s does not fail with a message that contains %s", "%s 失败，消息包含 %s", "%s 失败，消息不包含 %s", false},
	"isgreaterthan": isGreater, "islessthan": isLess, "isgreaterthanorequalto": isAtLeast, "islessthanorequalto": isAtMost, "isatleast": isAtLeast, "isatmost": isAtMost, "greaterthan": isGreater, "lessthan": isLess, "greaterthanorequalto": isAtLeast, "lessthanorequalto": isAtMost, "isin": isIn, "isanyof": isIn, "anyof": isIn, "iscloseto": isNear, "iswithin": isNear,
	"iszero": {"%s is 0", "%s is not 0", "%s 为 0", "%s 不为 0", true}, "ispresent": {"%s is present", "%s is absent", "%s 存在", "%s 不存在", true}, "isblank": isEmpty,
	"be": isEqual, "beequivalentto": isEqual, "benull": isNull, "notbenull": isNull.not(), "betrue": matcherTrue, "befalse": matcherFalse, "beempty": isEmpty, "notbeempty": isEmpty.not(), "notbe": isEqual.not(),
	"havecount": hasSize, "contain": contains, "notcontain": contains.not(), "beoftype": hasType, "notthrow": failsWith.not(), "throwexactly": failsWith, "shouldbe": isEqual, "shouldnotbe": isEqual.not(), "shouldequal": isEqual, "shouldcontain": contains,
	"typeof": hasType, "substring": contains, "member": contains,
	// RSpec, minitest
	"eq": isEqual, "beatruthy": isTruthy, "betruthy": isTruthy, "befalsey": isTruthy.not(), "befalsy": isTruthy.not(), "benil": isNull, "raiseerror": failsWith, "raiseexception": failsWith, "match": matches, "matcharray": hasExactly, "containexactly": hasExactly,
	"beakindof": hasType, "beaninstanceof": hasType, "bea": hasType, "bean": hasType, "beinstanceof": hasType, "bekindof": hasType, "haveattributes": hasEntry, "bewithin": isNear,
	"mustequal": isEqual, "wontequal": isEqual.not(), "mustbenil": isNull, "wontbenil": isNull.not(), "mustbeempty": isEmpty, "wontbeempty": isEmpty.not(), "mustinclude": contains, "wontinclude": contains.not(), "mustraise": failsWith, "mustmatch": matches, "mustbekindof": hasType, "mustbeinstanceof": hasType, "mustbesameas": isSame, "mustbe": isEqual,
	// quicktest, gocheck, is, Pest
	"equals": isEqual, "deepequals": isEqual, "cmpequals": isEqual, "codecequals": isEqual, "isnil": isNull, "isnotnil": isNull.not(), "notnil": isNull.not(), "errormatches": {"%s fails with a message that matches %s", "%s does not fail with a message that matches %s", "%s 失败，消息匹配 %s", "%s 失败，消息不匹配 %s", false},
	"erroris": isEqual, "panicmatches": failsWith, "panicsmatches": failsWith, "haslen": hasSize, "contentequals": hasExactly, "tohavekey": hasKey, "tohavecount": hasSize, "tobeempty": isEmpty, "tobetrue": matcherTrue, "tobefalse": matcherFalse,
	"tobestring": {"%s is a string", "%s is no string", "%s 为字符串", "%s 不为字符串", true}, "tobearray": {"%s is an array", "%s is no array", "%s 为数组", "%s 不为数组", true},
}

var matcherTrue, matcherFalse = matcher{"%s is true", "%s is not true", "%s 为 `true`", "%s 不为 `true`", true}, matcher{"%s is false", "%s is not false", "%s 为 `false`", "%s 不为 `false`", true}

// function is an assertion that takes the value under test as an argument.
type function struct {
	matcher
	value, want int // indexes of the arguments, after a first one that is the test's own handle
}

// functions are the assertions that are called with the value under test, by their names in lower case without "_" and "!".
// Where one of two values is a literal, that is the expected one.
var functions = map[string]function{
	"assertequal": {isEqual, 0, 1}, "assertequals": {isEqual, 1, 0}, "equal": {isEqual, 1, 0}, "areequal": {isEqual, 1, 0}, "asserteq": {isEqual, 0, 1}, "exactly": {isEqual, 1, 0}, "jsoneq": {isEqual, 1, 0},
	"assertsame": {isEqual, 1, 0}, "strictequal": {isEqual, 0, 1}, "deepequal": {isEqual, 0, 1}, "deepstrictequal": {isEqual, 0, 1}, "same": {isEqual, 0, 1}, "expecteq": {isEqual, 0, 1}, "expectstreq": {isEqual, 0, 1}, "assertstreq": {isEqual, 0, 1}, "assertarrayequals": {isEqual, 1, 0}, "assertiterableequals": {isEqual, 1, 0}, "assertcontentequals": {isEqual, 1, 0}, "areequivalent": {hasExactly, 1, 0}, "cmpok": {isEqual, 0, 2}, "isdeeply": {isEqual, 0, 1},
	"xctassertequal": {isEqual, 0, 1}, "assertlistequal": {isEqual, 0, 1}, "assertdictequal": {isEqual, 0, 1}, "asserttupleequal": {isEqual, 0, 1}, "assertsetequal": {isEqual, 0, 1}, "equalvalues": {isEqual, 1, 0}, "elementsmatch": {hasExactly, 1, 0}, "assertcountequal": {hasExactly, 0, 1}, "assertequalscanonicalizing": {hasExactly, 1, 0},
	"assertne": {isEqual.not(), 0, 1}, "assertnotequal": {isEqual.not(), 0, 1}, "assertnotequals": {isEqual.not(), 1, 0}, "notequal": {isEqual.not(), 1, 0}, "arenotequal": {isEqual.not(), 1, 0}, "notstrictequal": {isEqual.not(), 0, 1}, "notdeepequal": {isEqual.not(), 0, 1}, "assertnotsame": {isEqual.not(), 1, 0}, "refuteequal": {isEqual.not(), 1, 0}, "expectne": {isEqual.not(), 0, 1},
	"xctassertnotequal": {isEqual.not(), 0, 1}, "assertalmostequal": {isNear, 0, 1}, "indelta": {isNear, 1, 0}, "assertindelta": {isNear, 1, 0},
	"asserttrue": {isTrue, 0, 0}, "assert": {isTrue, 0, 0}, "true": {isTrue, 0, 0}, "istrue": {isTrue, 0, 0}, "xctasserttrue": {isTrue, 0, 0}, "xctassert": {isTrue, 0, 0}, "ok": {isTrue, 0, 0}, "expecttrue": {isTrue, 0, 0}, "debugassert": {isTrue, 0, 0},
	"assertfalse": {isTrue.not(), 0, 0}, "false": {isTrue.not(), 0, 0}, "isfalse": {isTrue.not(), 0, 0}, "xctassertfalse": {isTrue.not(), 0, 0}, "refute": {isTrue.not(), 0, 0}, "notok": {isTrue.not(), 0, 0}, "expectfalse": {isTrue.not(), 0, 0},
	"assertnull": {isNull, 0, 0}, "assertnone": {isNull, 0, 0}, "assertisnone": {isNull, 0, 0}, "nil": {isNull, 0, 0}, "xctassertnil": {isNull, 0, 0}, "null": {isNull, 0, 0}, "assertnil": {isNull, 0, 0}, "isnull": {isNull, 0, 0},
	"assertnotnull": {isNull.not(), 0, 0}, "assertisnotnone": {isNull.not(), 0, 0}, "notnil": {isNull.not(), 0, 0}, "notnull": {isNull.not(), 0, 0}, "xctassertnotnil": {isNull.not(), 0, 0}, "assertnotnil": {isNull.not(), 0, 0}, "refutenil": {isNull.not(), 0, 0}, "isnotnull": {isNull.not(), 0, 0}, "xctunwrap": {isNull.not(), 0, 0},
	"noerror": {isError.not(), 0, 0}, "noerr": {isError.not(), 0, 0}, "iferror": {isError.not(), 0, 0}, "error": {isError, 0, 0}, "errorcontains": {contains, 0, 1}, "erroris": {isEqual, 0, 1}, "erroras": {hasType, 0, 1}, "errorequal": {failsWith, 0, 1}, "eqerror": {isEqual, 0, 1},
	"contains": {contains, 0, 1}, "assert" + "in": {isIn, 0, 1}, "notcontains": {contains.not(), 0, 1}, "assertnotin": {isIn.not(), 0, 1}, "assertcontains": {contains, 1, 0}, "assertincludes": {contains, 0, 1}, "assertnotcontains": {contains.not(), 1, 0}, "assertstringcontainsstring": {contains, 1, 0}, "assertstringnotcontainsstring": {contains.not(), 1, 0}, "doesnotcontain": {contains.not(), 1, 0}, "refuteincludes": {contains.not(), 0, 1},
	"assertarrayhaskey": {hasKey, 1, 0}, "assertarraynothaskey": {hasKey.not(), 1, 0}, "assertstringstartswith": {begins, 1, 0}, "assertstringendswith": {ends, 1, 0}, "startswith": {begins, 1, 0}, "endswith": {ends, 1, 0},
	"len": {hasSize, 0, 1}, "assertcount": {hasSize, 1, 0}, "lengthof": {hasSize, 0, 1}, "empty": {isEmpty, 0, 0}, "assertempty": {isEmpty, 0, 0}, "notempty": {isEmpty.not(), 0, 0}, "assertnotempty": {isEmpty.not(), 0, 0}, "refuteempty": {isEmpty.not(), 0, 0},
	"assertisinstance": {hasType, 0, 1}, "assertinstanceof": {hasType, 1, 0}, "istype": {hasType, 1, 0}, "isassignablefrom": {hasType, 1, 0}, "assertkindof": {hasType, 1, 0}, "assertregex": {matches, 0, 1}, "assertmatch": {matches, 1, 0}, "match": {matches, 0, 1}, "matches": {matches, 1, 0}, "regexp": {matches, 1, 0}, "assertmatchesregularexpression": {matches, 1, 0},
	"assertraises": {failsWith, 1, 0}, "assertthrows": {failsWith, 1, 0}, "assertthrowsexactly": {failsWith, 1, 0}, "assertraise": {failsWith, 1, 0}, "throws": {failsWith, 0, 1}, "throwsasync": {failsWith, 0, 1}, "throwsany": {failsWith, 0, 1}, "rejects": {failsWith, 0, 1}, "panics": {fails, 0, 0}, "notpanics": {fails.not(), 0, 0}, "panicswithvalue": {failsWith, 1, 0}, "panicswitherror": {failsWith, 1, 0}, "doesnotthrow": {fails.not(), 0, 0}, "assertdoesnotthrow": {fails.not(), 0, 0}, "xctassertthrowserror": {fails, 0, 0}, "xctassertnothrow": {fails.not(), 0, 0}, "expectthrow": {failsWith, 0, 1}, "assertfailswith": {failsWith, 1, 0}, "shouldthrow": {failsWith, 1, 0}, "assertnothingraised": {fails.not(), 0, 0},
	"assertgreater": {isGreater, 0, 1}, "greater": {isGreater, 0, 1}, "assertless": {isLess, 0, 1}, "less": {isLess, 0, 1}, "assertgreaterequal": {isAtLeast, 0, 1}, "assertlessequal": {isAtMost, 0, 1}, "assertgreaterthan": {isGreater, 1, 0}, "assertlessthan": {isLess, 1, 0}, "greaterorequal": {isAtLeast, 0, 1}, "lessorequal": {isAtMost, 0, 1}, "xctassertgreaterthan": {isGreater, 0, 1}, "xctassertlessthan": {isLess, 0, 1}, "expectgt": {isGreater, 0, 1}, "expectlt": {isLess, 0, 1}, "expectge": {isAtLeast, 0, 1}, "expectle": {isAtMost, 0, 1},
}

// folded returns the name of a matcher without what differs between libraries.
func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "!", "", "?", "").Replace(name))
}
