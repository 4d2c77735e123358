package index

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// compareListing reports whether files of unsupported languages were added or removed.
func (i *incrementalRun) compareListing(ctx context.Context) error {
	listed, err := i.listed(ctx)
	if err != nil {
		return err
	}
	i.listingChanged = len(listed) != len(i.listing.Files)
	for _, f := range i.listing.Files {
		if !listed[f.Path] {
			i.listingChanged = true
		}
		if manifest.IsManifest(f.Path) && (i.stored.BuiltAt.Before(f.ModTime) || i.stored.BuiltAt.UnixNano() < f.Changed) {
			i.listingChanged, i.manifestChanged = true, true
		}
	}
	i.manifestChanged = i.manifestChanged || i.listingChanged && i.otherManifests(listed)
	return nil
}

// listed returns the paths that the graph lists.
func (i *incrementalRun) listed(ctx context.Context) (map[string]bool, error) {
	listed := map[string]bool{}
	if i.samePaths {
		for _, f := range i.listing.Files {
			listed[f.Path] = true
		}
		return listed, nil
	}
	nodes, err := i.graph.NodesOf(ctx, 0)
	for _, n := range nodes {
		if n.Label == codegraph.LabelFile {
			listed[n.Path] = true
		}
	}
	return listed, err
}

// otherManifests reports whether manifests were added or removed.
func (i *incrementalRun) otherManifests(listed map[string]bool) bool {
	was, is := 0, 0
	for path := range listed {
		if manifest.IsManifest(path) {
			was++
		}
	}
	for _, f := range i.listing.Files {
		if manifest.IsManifest(f.Path) {
			is++
			if !listed[f.Path] {
				return true
			}
		}
	}
	return was != is
}
