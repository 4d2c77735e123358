//go:build conformance

package main

import (
	"context"
	"fmt"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// offerResources declares the resources that the suite reads and watches.
func offerResources(s *server.MCPServer) {
	server.WithResourceCapabilities(true, false)(s)
	for _, r := range []mcpgo.ResourceContents{
		mcpgo.TextResourceContents{URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource."},
		mcpgo.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: picture()},
		mcpgo.TextResourceContents{URI: "test://watched-resource", MIMEType: "text/plain", Text: "It never changes."},
	} {
		s.AddResource(declared(r), func(context.Context, mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents, error) {
			return []mcpgo.ResourceContents{r}, nil
		})
	}
	s.AddResourceTemplate(
		mcpgo.NewResourceTemplate("test://template/{id}/data", "template", mcpgo.WithTemplateDescription("Something for each id."), mcpgo.WithTemplateMIMEType("application/json")),
		func(_ context.Context, r mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
			text := fmt.Sprintf(`{"id":%q,"templateTest":true,"data":%q}`, id, "Data for ID: "+id)
			return []mcpgo.ResourceContents{mcpgo.TextResourceContents{URI: r.Params.URI, MIMEType: "application/json", Text: text}}, nil
		})
}

// declared is how a resource is listed.
func declared(contents mcpgo.ResourceContents) mcpgo.Resource {
	var uri, kind string
	switch c := contents.(type) {
	case mcpgo.TextResourceContents:
		uri, kind = c.URI, c.MIMEType
	case mcpgo.BlobResourceContents:
		uri, kind = c.URI, c.MIMEType
	}
	name := strings.TrimPrefix(uri, "test://")
	return mcpgo.NewResource(uri, name, mcpgo.WithMIMEType(kind), mcpgo.WithResourceDescription("The suite's "+name+"."))
}
