package codegraph

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// swiftResolver implements the rules of Swift: an import names a module, that is a target of a package: a folder
// below Sources or Tests with the target's name, or the folder given in the manifest.
type swiftResolver struct {
	targets map[string]string   // module -> folder
	files   map[string][]string // folder -> the Swift files below it
	deps    []string            // required by manifests
}

func newSwiftResolver(t *tree, m *manifest.Manifests) *swiftResolver {
	r := &swiftResolver{targets: map[string]string{}, files: map[string][]string{}}
	for dir, list := range t.folders {
		for _, f := range list {
			if f.Language == "swift" {
				r.add(f.Path, dir)
			}
		}
	}
	for _, x := range m.Swift {
		for _, q := range x.Requires {
			r.deps = append(r.deps, q.Name)
		}
		for name, dir := range x.Targets {
			if len(r.files[dir]) > 0 {
				r.targets[name] = dir
			}
		}
	}
	return r
}

// add records a file under all folders around it, and those that are targets by the default layout.
func (r *swiftResolver) add(file, dir string) {
	for folder := range parents(dir) {
		r.files[folder] = append(r.files[folder], file)
		name := path.Base(folder)
		if !slices.Contains([]string{"Sources", "Source", "src", "Tests"}, path.Base(path.Dir(folder))) {
			continue
		}
		if old, ok := r.targets[name]; !ok || manifest.Depth(folder) < manifest.Depth(old) || manifest.Depth(folder) == manifest.Depth(old) && folder < old {
			r.targets[name] = folder
		}
	}
}

func (r *swiftResolver) resolve(_ *code.File, imp *code.Import) Target {
	name, _, _ := strings.Cut(imp.Module, ".")
	if dir, ok := r.targets[name]; ok {
		return Target{Origin: Internal, Path: dir, Files: slices.Sorted(slices.Values(r.files[dir]))}
	}
	if slices.Contains(swiftStandard, name) {
		return Target{Origin: Standard, Package: name}
	}
	for _, d := range r.deps { // package swift-nio has the modules NIO, NIOCore ...
		if plain := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(d, "swift-"), "-", "")); plain != "" && strings.HasPrefix(strings.ToLower(name), plain) {
			return Target{Origin: External, Package: d}
		}
	}
	return Target{Origin: External, Package: name}
}

// swiftStandard are modules of the toolchain and of Apple's platforms.
var swiftStandard = strings.Fields(`Swift Foundation FoundationEssentials FoundationNetworking FoundationXML Dispatch Observation
	RegexBuilder Synchronization Testing XCTest Cxx Darwin Glibc Musl Android WinSDK WASILibc Distributed
	Accelerate AppKit ARKit AVFoundation AVKit BackgroundTasks CloudKit Combine Contacts CoreAudio CoreBluetooth CoreData
	CoreFoundation CoreGraphics CoreImage CoreLocation CoreMedia CoreML CoreMotion CoreServices CoreSpotlight CoreText
	CoreVideo CryptoKit EventKit GameKit HealthKit ImageIO IOKit LocalAuthentication MapKit MediaPlayer MessageUI Metal
	MetalKit MobileCoreServices NaturalLanguage Network NetworkExtension ObjectiveC os OSLog PassKit PDFKit Photos
	PhotosUI QuartzCore QuickLook SafariServices SceneKit Security Speech SpriteKit StoreKit SwiftData SwiftUI
	SystemConfiguration UIKit UniformTypeIdentifiers UserNotifications Vision WatchKit WebKit WidgetKit`)
