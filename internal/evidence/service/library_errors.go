package service

import "strings"

// libraryBases are the bases of exceptions of Java, Spring, Bean Validation, and .NET.
var libraryBases = map[string]string{
	"Exception": "Throwable", "Error": "Throwable", "RuntimeException": "Exception", "IOException": "Exception", "ServletException": "Exception",
	"IllegalArgumentException": "RuntimeException", "IllegalStateException": "RuntimeException", "NullPointerException": "RuntimeException",
	"NumberFormatException": "IllegalArgumentException", "UnsupportedOperationException": "RuntimeException", "NoSuchElementException": "RuntimeException",
	"FileNotFoundException": "IOException", "UncheckedIOException": "RuntimeException", "SecurityException": "RuntimeException",
	"BindException": "Exception", "MethodArgumentNotValidException": "BindException", "HandlerMethodValidationException": "ResponseStatusException",
	"HttpMessageNotReadableException": "HttpMessageConversionException", "HttpMessageConversionException": "NestedRuntimeException",
	"NestedRuntimeException": "RuntimeException", "MethodArgumentTypeMismatchException": "TypeMismatchException", "TypeMismatchException": "PropertyAccessException",
	"MissingServletRequestParameterException": "MissingRequestValueException", "MissingRequestHeaderException": "MissingRequestValueException",
	"MissingRequestCookieException": "MissingRequestValueException", "MissingPathVariableException": "MissingRequestValueException",
	"MissingRequestValueException": "ServletRequestBindingException", "MissingServletRequestPartException": "ServletException",
	"ServletRequestBindingException": "ServletException", "NoHandlerFoundException": "ServletException", "NoResourceFoundException": "ServletException",
	"HttpRequestMethodNotSupportedException": "ServletException", "ResponseStatusException": "ErrorResponseException",
	"ErrorResponseException": "NestedRuntimeException", "WebExchangeBindException": "ServerWebInputException", "ServerWebInputException": "ResponseStatusException",
	"ConstraintViolationException": "ValidationException", "ValidationException": "RuntimeException",
	"EntityNotFoundException": "PersistenceException", "EntityExistsException": "PersistenceException", "PersistenceException": "RuntimeException",
	"DataIntegrityViolationException": "NonTransientDataAccessException", "DuplicateKeyException": "DataIntegrityViolationException",
	"EmptyResultDataAccessException": "IncorrectResultSizeDataAccessException", "IncorrectResultSizeDataAccessException": "DataRetrievalFailureException",
	"ObjectRetrievalFailureException": "DataRetrievalFailureException", "DataRetrievalFailureException": "NonTransientDataAccessException",
	"NonTransientDataAccessException": "DataAccessException", "DataAccessException": "NestedRuntimeException",
	"AccessDeniedException": "RuntimeException", "AuthorizationDeniedException": "AccessDeniedException", "AuthenticationException": "RuntimeException",
	"BadCredentialsException": "AuthenticationException", "UsernameNotFoundException": "AuthenticationException", "AccountStatusException": "AuthenticationException",
	"DisabledException": "AccountStatusException", "LockedException": "AccountStatusException", "InsufficientAuthenticationException": "AuthenticationException",
	"AuthenticationServiceException": "AuthenticationException", "InternalAuthenticationServiceException": "AuthenticationServiceException",
	"AuthenticationCredentialsNotFoundException": "AuthenticationException", "OAuth2AuthenticationException": "AuthenticationException",
	"InvalidBearerTokenException": "OAuth2AuthenticationException",

	"ArgumentException": "Exception", "ArgumentNullException": "ArgumentException", "ArgumentOutOfRangeException": "ArgumentException",
	"InvalidOperationException": "Exception", "ObjectDisposedException": "InvalidOperationException", "OperationCanceledException": "Exception",
	"TaskCanceledException": "OperationCanceledException", "DbUpdateException": "Exception", "DbUpdateConcurrencyException": "DbUpdateException",
	"KeyNotFoundException": "Exception", "UnauthorizedAccessException": "Exception", "BadHttpRequestException": "IOException",
}

// givenToBase returns the arguments that a class gives to the constructor of its first base where it is declared, as written:
// class A : Base(…); "" for none.
func givenToBase(c *Class) string {
	if len(c.Symbol.Bases) == 0 {
		return ""
	}
	base, args, ok := strings.Cut(c.Symbol.Bases[0], "(")
	if !ok {
		_, args, _ = strings.Cut(c.Symbol.Signature, base+"(")
	}
	return args
}

// writtenStatus returns the first status that is named in the text of some arguments; 0 for none.
func writtenStatus(args string) int {
	for word := range strings.FieldsFuncSeq(args, func(r rune) bool { return strings.ContainsRune(" ,()", r) }) {
		if owner, name := CutLast(word); strings.HasPrefix(Last(owner), "Http") || strings.HasPrefix(Last(owner), "Status") {
			if status := StatusNamed(name); status >= 400 {
				return status
			}
		}
	}
	return 0
}

// writtenText returns the first text in the text of some arguments; "" for none, and if it is not constant.
func writtenText(args string) string {
	_, text, _ := strings.Cut(args, `"`)
	text, _, ok := strings.Cut(text, `"`)
	if !ok || strings.ContainsAny(text, "${") {
		return ""
	}
	return text
}

// distance returns how many steps up a base of an exception is; false if it is not one.
func (p *Project) distance(class, base string) (int, bool) {
	open := map[string]int{class: 0}
	list := []string{class}
	for len(list) > 0 {
		at := list[0]
		list = list[1:]
		if at == base {
			return open[at], true
		}
		var up []string
		for _, c := range p.classes[at] {
			for _, b := range c.Symbol.Bases {
				name, _, _ := strings.Cut(b, "(")
				name, _, _ = strings.Cut(name, "<")
				up = append(up, Last(strings.TrimSpace(name)))
			}
		}
		switch {
		case len(p.classes[at]) > 0:
		case libraryBases[at] != "":
			up = append(up, libraryBases[at])
		case at != "Throwable" && at != "RuntimeException" && errorLike(at):
			up = append(up, "RuntimeException")
		}
		for _, name := range up {
			if _, known := open[name]; !known {
				open[name] = open[at] + 1
				list = append(list, name)
			}
		}
	}
	return 0, false
}
