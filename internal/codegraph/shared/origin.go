package shared

import (
	"cmp"
	"context"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// OriginOf returns the origin of the commit that is checked out in a project's folder. The project is that of the remote
// repository, or the one with the given name. Getenv tells what CI knows of the branch, since it checks out commits.
func OriginOf(ctx context.Context, p *project.Project, name string, getenv func(string) string) (o store.Origin, err error) {
	head, err := p.Head(ctx)
	if err != nil {
		return o, err
	}
	o = store.Origin{Branch: cmp.Or(head.Branch, branchOfCI(getenv)), Commit: head.Commit, Committed: head.Committed}
	if name != "" {
		o.Name, o.Key = path.Base(name), "project://"+name
		return o, nil
	}
	if head.Remote == "" {
		return o, message.Errorf("the repository has no remote that says which one it is: name the project with --name")
	}
	o.Key = keyOf(head.Remote)
	o.Name = path.Base(o.Key)
	if head.Folder != "" { // a project in a folder of a repository
		o.Key += "#" + head.Folder
		o.Name = path.Base(head.Folder)
	}
	return o, nil
}

// branchOfCI returns the branch that GitHub or GitLab builds; "" for another or for none, such as a tag.
func branchOfCI(getenv func(string) string) string {
	if getenv("GITHUB_REF_TYPE") == "branch" {
		return getenv("GITHUB_REF_NAME")
	}
	return getenv("CI_COMMIT_BRANCH")
}

// scpForm matches git's short form of an address: git@host:path.
var scpForm = regexp.MustCompile(`^(?:[^/:@]+@)?([^/:]+):([^/].*|/.*)$`)

// keyOf returns the key of a remote repository: its address as a browser would have it, whichever way git reaches it, and
// without user and password.
func keyOf(remote string) string {
	u, err := url.Parse(remote)
	switch {
	case strings.HasPrefix(remote, "file://"):
		return strings.TrimSuffix(remote, "/")
	case err == nil && u.Scheme != "" && u.Host != "":
	case len(remote) > 1 && remote[1] == ':' && !strings.Contains(remote, "@"): // C:\repository
		return "file://" + strings.ReplaceAll(remote, `\`, "/")
	default:
		if m := scpForm.FindStringSubmatch(remote); m != nil {
			u = &url.URL{Scheme: "ssh", Host: m[1], Path: "/" + strings.TrimPrefix(m[2], "/")}
		} else {
			return "file://" + strings.TrimSuffix(remote, "/")
		}
	}
	scheme, host := "https", strings.ToLower(u.Hostname())
	if port := u.Port(); port != "" && u.Scheme != "ssh" && port != "443" && port != "80" {
		host += ":" + port
	}
	return scheme + "://" + host + strings.TrimSuffix(strings.TrimSuffix(path.Clean("/"+u.Path), "/"), ".git")
}
