package redact

import (
	"slices"
	"strings"
)

// flag checks the option whose dash is at i: -u user:password, or -p and the like for commands that take a
// password. It returns where to continue; 0 if there is no password.
func (f *finder) flag(i int) int {
	s := f.text
	if i+3 >= len(s) || i > 0 && s[i-1] > ' ' && !isQuote(s[i-1]) || !isLetter(s[i+1]) && s[i+1] != '-' {
		return 0
	}
	from := max(0, i-300)
	command := s[from+strings.LastIndexByte(s[from:i], '\n')+1 : i]
	if at := userFlag(s[i:], command); at > 0 {
		return f.userAndPassword(i+at, strings.Contains(command, "curl") || strings.Contains(command, "wget"))
	}
	at := i + 2
	gap := between(s[at:])
	if !passwordFlag(command, s[i+1], gap > 0) {
		return 0
	}
	at += gap
	to := at + run(s[at:], isArgumentByte)
	if quote := s[max(i-1, 0)]; gap == 0 && i > 0 && isQuote(quote) { // "-pvalue"
		to = at + run(s[at:], func(c byte) bool { return c != quote && c > ' ' })
	}
	return f.argument(at, to)
}

// userFlag returns the start of the value of an option that takes a user and password; 0 if the text does not begin
// with one.
func userFlag(text, command string) int {
	for _, option := range []string{"-u", "-U", "--user", "--proxy-user"} {
		rest, ok := strings.CutPrefix(text, option)
		if gap := between(rest); ok && (gap > 0 || option == "-u" && strings.Contains(command, "curl")) {
			return len(option) + gap
		}
	}
	return 0
}

// between returns the distance from an option to its value: a blank or "=", and a quote; or two strings of a list.
func between(rest string) int {
	n := run(rest, func(c byte) bool { return isQuote(c) || strings.IndexByte(" =,\t", c) >= 0 })
	if n > 4 {
		return 0
	}
	return n
}

func isArgumentByte(c byte) bool { return c > ' ' && strings.IndexByte("\"'`;|<>\\", c) < 0 }

// userAndPassword checks user:password at i.
func (f *finder) userAndPassword(i int, known bool) int {
	word := f.text[i : i+run(f.text[i:], isArgumentByte)]
	user, v, ok := strings.Cut(word, ":")
	v = strings.TrimRight(v, ",)]}")
	if !ok || user == "" || strings.Trim(word, "0123456789:") == "" || strings.Contains(v, ":") && !known {
		return 0
	}
	from := i + len(user) + 1
	if known {
		return f.argument(from, from+len(v))
	}
	if !isSecret(password, v) {
		return 0
	}
	return f.argument(from, from+len(v))
}

// argument adds the password text[from:to] unless it is a placeholder.
func (f *finder) argument(from, to int) int {
	v := f.text[from:to]
	if len(v) < 4 || !isPlain(v) || strings.Contains(v, mark) || isPlaceholder(v) || isReference(v) || isURLPlaceholder(v) || strings.HasPrefix(v, "-") {
		return 0
	}
	f.add(from, to, "PASSWORD", Medium)
	return to
}

// passwordFlag reports whether a one-letter option of a command takes a password: in the same word, or in the next
// one if apart is set.
func passwordFlag(command string, letter byte, apart bool) bool {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return runs(command, name) })
	}
	switch letter {
	case 'p':
		return !apart && has("mysql", "mysqldump", "mysqladmin", "mariadb", "mysqlimport", "7z", "sshpass") ||
			apart && (has("sshpass", "mongo", "mongosh", "mongodump", "mongorestore") || has("login") && has("docker", "podman", "az", "oc", "buildah", "skopeo"))
	case 'a':
		return has("redis-cli")
	case 'w':
		return apart && has("ldapsearch", "ldapmodify", "ldapadd", "ldappasswd")
	case 'P':
		return apart && has("unzip", "zip", "sqlcmd")
	}
	return false
}

// runs reports whether a command runs a program.
func runs(command, name string) bool {
	at := strings.LastIndex(command, name)
	if at < 0 || at > 0 && (isWord(command[at-1]) || command[at-1] == '.') {
		return false
	}
	return at+len(name) == len(command) || !isLetter(command[at+len(name)])
}

// call checks a call with a user and a password as strings: login("admin", "x"), auth=("admin", "x"), new
// NetworkCredential("admin", "x"). It returns where to continue; 0 if it is not one.
func (f *finder) call(i, end int) int {
	s := f.text[:min(len(f.text), end+400)]
	at := end + run(s[end:], func(c byte) bool { return strings.IndexByte(" \t:=?!", c) >= 0 })
	if at >= len(s) {
		return 0
	}
	switch c := s[at]; {
	case c == '(' || c == '[' || c == '{':
		at++
	case isQuote(c) && at > end: // Ruby: login "admin", "x"
	default:
		return 0
	}
	if !signsIn(s[i:end]) {
		return 0
	}
	return f.arguments(s, at)
}

// arguments checks the strings of a call from index at.
func (f *finder) arguments(s string, at int) int {
	last, strs := 0, 0
	for ; at < len(s); at++ {
		switch c := s[at]; {
		case isQuote(c):
			from, to := f.inside(at)
			if strs++; strs > 4 || to < from {
				return 0
			}
			if strs > 1 && (last == 0 || isSecret(password, f.text[from:to])) {
				last = at
			}
			at = to
		case strings.IndexByte(")]};\n", c) >= 0:
			return f.lastArgument(last)
		}
	}
	return 0
}

// identifiedBy checks the password of SQL's IDENTIFIED BY 'x', whose first word is text[i:end].
func (f *finder) identifiedBy(i, end int) int {
	rest := f.text[end:min(len(f.text), end+40)]
	if len(rest) < 5 || !strings.EqualFold(rest[:4], " by ") {
		return 0
	}
	at := end + 4 + run(rest[4:], func(c byte) bool { return isUpper(c) || c == ' ' }) // BY PASSWORD 'x'
	if at >= len(f.text) || !isQuote(f.text[at]) {
		return 0
	}
	from, to := f.inside(at)
	if isUpper(f.text[i]) || isSecret(password, f.text[from:to]) {
		return f.argument(from, to)
	}
	return 0
}

// lastArgument checks the string at open as the password of a call.
func (f *finder) lastArgument(open int) int {
	if open == 0 {
		return 0
	}
	from, to := f.inside(open)
	if to <= from || !isSecret(password, f.text[from:to]) || f.isToken(piece{from, to}) || strings.Contains(f.text[from:to], mark) {
		return 0
	}
	f.add(from, to, "PASSWORD", Medium)
	return to
}

// signsIn reports whether a function, by its name, takes a user and a password.
func signsIn(name string) bool {
	if len(name) < len("auth") || len(name) > 40 {
		return false
	}
	switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
	case "login", "logon", "signin", "auth", "authenticate", "basicauth", "setbasicauth", "httpbasicauth", "httpdigestauth", "withbasicauth",
		"requestbasicauth", "useauth", "plainauth", "networkcredential", "usernamepasswordcredentials", "passwordauthentication", "credentials",
		"plaincredentials", "createuser", "adduser", "checklogin", "dologin", "loginas", "loginuser", "authenticateuser", "verifycredentials",
		"mysqliconnect", "getconnection", "userpassword", "usernamepassword", "usernamepasswordcredential", "usernamepasswordauthenticationtoken",
		"plaintextauthprovider", "inmemoryauthentication", "setcredentials", "withcredentials", "basic", "httpauth", "proxyauth", "userinfo", "signup":
		return true
	}
	return false
}

// dsn checks user:password@host without a scheme, whose "@" is at i, as in data source names of MySQL drivers.
func (f *finder) dsn(i int) int {
	s := f.text
	if !isHost(s[i+1 : min(len(s), i+80)]) {
		return 0
	}
	from := i
	for from > 0 && i-from < 120 && s[from-1] > ' ' && !isQuote(s[from-1]) && s[from-1] != '/' {
		from--
	}
	user, _, ok := strings.Cut(s[from:i], ":")
	if !ok || from == 0 || !isQuote(s[from-1]) || user == "" || run(user, dotted) < len(user) {
		return 0
	}
	return f.argument(from+len(user)+1, i)
}

// isHost reports whether a text begins with a host of a data source name: tcp(…), a name and a port, a name and a
// path.
func isHost(rest string) bool {
	host := rest[:run(rest, dotted)]
	rest = rest[len(host):] + "  "
	switch rest[0] {
	case '(':
		return host == "tcp" || host == "unix"
	case ':':
		return host != "" && isDigit(rest[1])
	case '/':
		return host == "" || strings.Contains(host, ".") || host == "localhost"
	}
	return host == "localhost"
}

// isSession reports whether the value of a cookie looks random.
func isSession(v string) bool {
	return !strings.Contains(v, mark) && !isReference(v) && !isPlaceholder(v) && (isHex(v, 16) || isRandom(v) || isMixed(v, 16, 3.2))
}

// cookie checks the values after "Cookie:", a word that ends at end.
func (f *finder) cookie(end int) int {
	s := f.text
	at := end + run(s[end:], func(c byte) bool { return isQuote(c) || strings.IndexByte(" :,=", c) >= 0 })
	if at == end || at-end > 6 {
		return 0
	}
	done := 0
	for limit := min(len(s), at+1000); at < limit && s[at] != '\n' && s[at] != '"' && s[at] != '\''; {
		n := run(s[at:limit], func(c byte) bool { return c > ' ' && strings.IndexByte("=;\"'`\n", c) < 0 })
		if at+n >= limit || s[at+n] != '=' {
			at += n + 1
			continue
		}
		from := at + n + 1
		to := from + run(s[from:limit], func(c byte) bool { return c > ' ' && strings.IndexByte(";,\"'`", c) < 0 })
		if isSession(s[from:to]) {
			f.add(from, to, "COOKIE", Medium)
			done = to
		}
		at = max(to, at+1)
	}
	return done
}
