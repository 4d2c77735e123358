package runner

import (
	"regexp"
	"strings"
)

// each calls f with the parts of the lines that match a pattern.
func each(report []byte, pattern string, f func(m []string)) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(report), -1) {
		f(m)
	}
}

// status returns the state that a word of a report means.
func status(word string) Status {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "ok", "passed", ".":
		return Passed
	case "ignored", "skipped", "s", "skip":
		return Skipped
	}
	return Failed
}

// readCargo reads what cargo test prints: "test a::b ... ok". A test of documentation is "src/a.rs - a::b (line 3)".
func readCargo(report []byte, r *Results) {
	each(report, `(?m)^test (?:\S+\.rs - )?(.+?)(?: \(line \d+\))?(?: - should panic| - compile(?: fail)?)? \.\.\. (?:.*\b)?(ok|FAILED|ignored)\b.*$`, func(m []string) {
		r.List = append(r.List, Result{"", strings.TrimSuffix(m[1], " - should panic"), status(m[2]), after(report, "---- "+m[1]+" stdout ----")})
	})
}

// after returns the lines after a heading, up to an empty line.
func after(report []byte, heading string) string {
	_, rest, _ := strings.Cut(string(report), heading+"\n")
	text, _, _ := strings.Cut(strings.TrimPrefix(rest, "\n"), "\n\n")
	return text
}

// readUnittest reads what unittest prints with -v: "test_a (a.ATest.test_a) ... ok", before Python 3.11
// "test_a (a.ATest) ... ok"; the result may be on a later line, after documentation or output.
func readUnittest(report []byte, r *Results) {
	each(report, `(?m)^(\w+) \(([\w.]+)\)(?:\n[^\n]*?)?? \.\.\. (?:(?s:.*?)\b)??(ok|FAIL|ERROR|skipped|expected failure|unexpected success)\b`, func(m []string) {
		if strings.HasSuffix(m[2], "_FailedTest") || strings.Contains(m[2], "._FailedTest.") {
			r.Broken = append(r.Broken, after(report, "ERROR: "+m[1]+" ("+m[2]+")"))
			return
		}
		s := status(m[3])
		if m[3] == "expected failure" {
			s = Passed
		}
		r.List = append(r.List, Result{strings.TrimSuffix(m[2], "."+m[1]), m[1], s, unittestError(report, m[1], m[2], m[3])})
	})
}

// unittestError returns what unittest says of a test that failed.
func unittestError(report []byte, name, place, word string) string {
	if word != "FAIL" && word != "ERROR" {
		return ""
	}
	return after(report, word+": "+name+" ("+place+")")
}

// readDoctest reads what the script for doctests prints.
func readDoctest(report []byte, r *Results) {
	each(report, `(?m)^([\w.]+) \.\.\. (ok|FAIL)$`, func(m []string) {
		r.List = append(r.List, Result{"", m[1], status(m[2]), ""})
	})
}

// readTAP reads the Test Anything Protocol with subtests, which are indented and come before their own line. Ava
// separates names by a mark.
func readTAP(report []byte, r *Results) {
	var open []string // names by depth
	for line := range strings.SplitSeq(string(report), "\n") {
		text := strings.TrimLeft(line, " ")
		depth := (len(line) - len(text)) / 4
		if name, ok := strings.CutPrefix(text, "# Subtest: "); ok {
			open = append(open[:min(depth, len(open))], unescaped(name))
			continue
		}
		if n := len(r.List); n > 0 && r.List[n-1].Status == Failed && tapDetail.MatchString(text) {
			r.List[n-1].Text += strings.Trim(strings.TrimPrefix(text, "error: "), "'|-") + "\n"
			continue
		}
		m := regexp.MustCompile(`^(not )?ok \d+(?: - (.*?))?(?: # (SKIP|TODO).*| # time=.*)?$`).FindStringSubmatch(text)
		if m == nil {
			continue
		}
		res := Result{Name: strings.ReplaceAll(unescaped(m[2]), " › ", nesting), Status: Passed}
		if depth < len(open) {
			res.Name = strings.Join(open[:depth+1], nesting)
		}
		switch {
		case m[3] != "":
			res.Status = Skipped
		case m[1] != "":
			res.Status = Failed
		}
		r.List = append(r.List, res)
	}
}

// tapDetail matches the lines after a test that failed which say why, as Node.js writes them.
var tapDetail = regexp.MustCompile(`^(?:error: .*|[A-Z][\w ]*\b.*)$`)

func unescaped(name string) string { return strings.NewReplacer(`\#`, "#", `\\`, `\`).Replace(name) }

// readTape reads TAP as tape writes it: the name of a test is a comment before its assertions.
func readTape(report []byte, r *Results) {
	for line := range strings.SplitSeq(string(report), "\n") {
		if name, ok := strings.CutPrefix(line, "# "); ok && !regexp.MustCompile(`^(tests|pass|fail|ok)\b`).MatchString(name) {
			r.List = append(r.List, Result{Name: name, Status: Passed})
		} else if n := len(r.List); n > 0 && strings.HasPrefix(line, "not ok ") {
			r.List[n-1].Status, r.List[n-1].Text = Failed, line
		}
	}
}

// readMinitest reads what minitest prints with -v, such as "ATest#test_a = 0.00 s = .", where a point stands for passed.
func readMinitest(report []byte, r *Results) {
	each(report, `(?m)^(.+)#(test_.+) = [\d.]+ s = ([.FES])$`, func(m []string) {
		res := Result{m[1], m[2], status(m[3]), ""}
		if res.Status == Failed {
			heading := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(m[1]+"#"+m[2]) + `(?: \[.*\])?:\n`)
			if at := heading.FindIndex(report); at != nil {
				res.Text, _, _ = strings.Cut(string(report[at[1]:]), "\n\n")
			}
		}
		r.List = append(r.List, res)
	})
}

// readXCTest reads what swift test prints.
func readXCTest(report []byte, r *Results) {
	each(report, `(?m)^Test Case '(?:-\[)?([\w.]+)[. ](\w+)\]?' (passed|failed|skipped)`, func(m []string) {
		r.List = append(r.List, Result{m[1], m[2], status(m[3]), ""})
	})
}
