package crossrepo

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// openAPIPatterns are the usual names of API descriptions.
func openAPIPatterns() []string {
	var out []string
	for _, name := range []string{"openapi", "swagger", "*.openapi", "*.swagger", "*-openapi"} {
		for _, ext := range []string{"yaml", "yml", "json"} {
			out = append(out, name+"."+ext)
		}
	}
	return out
}

// httpMethods are the keys of a path item that are operations.
var httpMethods = map[string]bool{
	"get": true, "put": true, "post": true, "delete": true, "options": true, "head": true, "patch": true, "trace": true,
}

// errNotOpenAPI is returned for a file that has neither key.
var errNotOpenAPI = message.Errorf("neither openapi nor swagger is among its keys")

// readOpenAPI reads the operations of an API description in YAML or JSON. They are named by operationId or, if
// there is none, "GET /orders/{id}".
func readOpenAPI(data []byte) ([]Symbol, error) {
	var doc yaml.Node
	if err := decode.YAML(data, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, errNotOpenAPI
	}
	top := doc.Content[0]
	if decode.Member(top, "openapi") == nil && decode.Member(top, "swagger") == nil {
		return nil, errNotOpenAPI
	}
	base := basePath(top)
	var out []Symbol
	decode.Members(decode.Member(top, "paths"), func(path, item *yaml.Node) {
		shared := required(decode.Member(item, "parameters"))
		decode.Members(item, func(method, operation *yaml.Node) {
			if httpMethods[method.Value] {
				out = append(out, operationOf(base, path.Value, method, operation, shared))
			}
		})
	})
	return out, nil
}

// operationOf returns the symbol of an operation, with its path as the parent.
func operationOf(base, path string, method, operation *yaml.Node, shared []string) Symbol {
	s := Symbol{
		Kind: method.Value, StartLine: method.Line, EndLine: max(method.Line, lastLine(operation)),
		Signature: strings.ToUpper(method.Value) + " " + path, of: path, base: base,
		params: append(required(decode.Member(operation, "parameters")), shared...),
	}
	s.Name = cmp.Or(textOf(decode.Member(operation, "operationId")), s.Signature)
	if s.Name != s.Signature {
		s.Signature += " (" + s.Name + ")"
	}
	if body := decode.Member(operation, "requestBody"); body != nil {
		s.params = append(s.params, "body")
	}
	return s
}

// basePath returns the common prefix of all paths: Swagger's basePath, or the path of the first server.
func basePath(top *yaml.Node) string {
	base := textOf(decode.Member(top, "basePath"))
	if servers := decode.Member(top, "servers"); servers != nil && len(servers.Content) > 0 {
		base = textOf(decode.Member(servers.Content[0], "url"))
		if _, rest, ok := strings.Cut(base, "://"); ok {
			_, base, _ = strings.Cut(rest, "/")
		}
	}
	if base = strings.Trim(base, "/"); base != "" {
		return "/" + base
	}
	return ""
}

// required returns the names of required parameters. References are skipped.
func required(list *yaml.Node) []string {
	var out []string
	if list == nil {
		return nil
	}
	for _, p := range list.Content {
		if textOf(decode.Member(p, "required")) == "true" {
			out = append(out, textOf(decode.Member(p, "name")))
		}
	}
	return out
}

// textOf returns the text of a scalar; "" for anything else.
func textOf(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// lastLine returns the last line on which a descendant of a node begins.
func lastLine(n *yaml.Node) int {
	line := n.Line
	for _, c := range n.Content {
		line = max(line, lastLine(c))
	}
	return line
}
