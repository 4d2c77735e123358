package service

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Protos are the services that files of Protocol Buffers declare.
type Protos struct {
	Services []ProtoService
	Messages map[string][]ProtoField // by name
}

// ProtoService is a service of gRPC.
type ProtoService struct {
	Name    string // with its package: "shop.Cart"
	Methods []ProtoMethod
	At      Place
}

// ProtoMethod is a method of a service.
type ProtoMethod struct {
	Name, Request, Response string // messages as written, "stream " before those that are streams
	At                      Place
}

// ProtoField is a field of a message.
type ProtoField struct {
	Name, Type string
	At         Place
}

var protoParts = sync.OnceValue(func() (p struct{ comment, pkg, block, rpc, field *regexp.Regexp }) {
	p.comment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	p.pkg = regexp.MustCompile(`(?m)^\s*package\s+([\w.]+)\s*;`)
	p.block = regexp.MustCompile(`\b(service|message)\s+(\w+)\s*\{`)
	p.rpc = regexp.MustCompile(`\brpc\s+(\w+)\s*\(\s*(stream\s+)?([\w.]+)\s*\)\s*returns\s*\(\s*(stream\s+)?([\w.]+)\s*\)`)
	p.field = regexp.MustCompile(`(?m)^\s*(repeated\s+|optional\s+|required\s+)?(map\s*<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*\d+`)
	return p
})

// Add reads the services and messages of a file.
func (p *Protos) Add(file string, data []byte) {
	parts := protoParts()
	text := parts.comment.ReplaceAllStringFunc(string(data), func(comment string) string { return strings.Repeat("\n", strings.Count(comment, "\n")) })
	pkg := ""
	if m := parts.pkg.FindStringSubmatch(text); m != nil {
		pkg = m[1] + "."
	}
	at := func(offset int) Place { return Place{file, 1 + strings.Count(text[:offset], "\n")} }
	for _, m := range parts.block.FindAllStringSubmatchIndex(text, -1) {
		kind, name := text[m[2]:m[3]], text[m[4]:m[5]]
		end := m[1] + closingBrace(text[m[1]:])
		body := text[m[1]:end]
		if kind == "message" {
			p.message(name, body, func(offset int) Place { return at(m[1] + offset) })
			continue
		}
		s := ProtoService{Name: pkg + name, At: at(m[0])}
		if slices.ContainsFunc(p.Services, func(known ProtoService) bool { return known.Name == s.Name }) {
			continue // a copy of the file
		}
		for _, r := range parts.rpc.FindAllStringSubmatchIndex(body, -1) {
			part := func(i int) string {
				if r[2*i] < 0 {
					return ""
				}
				return strings.Join(strings.Fields(body[r[2*i]:r[2*i+1]]), " ")
			}
			s.Methods = append(s.Methods, ProtoMethod{part(1), strings.TrimSpace(part(2) + " " + part(3)), strings.TrimSpace(part(4) + " " + part(5)), at(m[1] + r[0])})
		}
		p.Services = append(p.Services, s)
	}
}

// message adds the fields of a message; those of messages inside it are left out.
func (p *Protos) message(name, body string, at func(offset int) Place) {
	if p.Messages == nil {
		p.Messages = map[string][]ProtoField{}
	}
	if p.Messages[name] != nil {
		return
	}
	depth, from := 0, 0
	for _, m := range protoParts().field.FindAllStringSubmatchIndex(body, -1) {
		depth += strings.Count(body[from:m[0]], "{") - strings.Count(body[from:m[0]], "}")
		from = m[0]
		inOneof := strings.LastIndex(body[:m[0]], "oneof") > strings.LastIndex(body[:m[0]], "}")
		if depth > 0 && !inOneof {
			continue
		}
		kind := body[m[4]:m[5]]
		if m[2] >= 0 && strings.HasPrefix(strings.TrimSpace(body[m[2]:m[3]]), "repeated") {
			kind = "repeated " + kind
		}
		p.Messages[name] = append(p.Messages[name], ProtoField{body[m[6]:m[7]], kind, at(m[6])})
	}
}

// closingBrace returns the index of the brace that closes the one before a text; its length if there is none.
func closingBrace(text string) int {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}
