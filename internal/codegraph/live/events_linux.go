package live

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// local are the types of file systems that this system alone changes, by their numbers (statfs) and names
// (mountinfo): of these it reports all changes.
var local = map[int64][]string{
	unix.EXT4_SUPER_MAGIC:      {"ext2", "ext3", "ext4"}, // one number
	unix.XFS_SUPER_MAGIC:       {"xfs"},
	unix.BTRFS_SUPER_MAGIC:     {"btrfs"},
	unix.TMPFS_MAGIC:           {"tmpfs"},
	unix.RAMFS_MAGIC:           {"ramfs"},
	unix.F2FS_SUPER_MAGIC:      {"f2fs"},
	unix.OVERLAYFS_SUPER_MAGIC: {"overlay"},
	unix.REISERFS_SUPER_MAGIC:  {"reiserfs"},
	0x2fc12fc1:                 {"zfs"},
	-0x35ac5f33:                {"bcachefs"},
	0xca451a4e:                 {"bcachefs"},
	0x3153464a:                 {"jfs"},
}

// hasEvents returns an error if not all changes below a folder are reported: it is on a file system that others change,
// too, such as one of the network, or contains one.
func hasEvents(root string) error {
	var s unix.Statfs_t
	if err := unix.Statfs(root, &s); err != nil {
		return err
	}
	if local[int64(s.Type)] == nil { //nolint:unconvert // of another size on other processors
		return message.Errorf("%s is on a file system that does not report all changes", root)
	}
	mounts, err := openfile.Read("/proc/self/mountinfo", openfile.MaxData)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mounts)) {
		at, kind := mountOf(line)
		if !strings.HasPrefix(at, strings.TrimSuffix(filepath.Clean(root), "/")+"/") {
			continue
		}
		if !isLocal(kind) {
			return message.Errorf("%s is on a file system that does not report all changes", at)
		}
	}
	return nil
}

func isLocal(kind string) bool {
	for _, names := range local {
		if slices.Contains(names, kind) {
			return true
		}
	}
	return false
}

// mountOf returns the folder and the type of a file system in a line of mountinfo (proc(5)).
func mountOf(line string) (at, kind string) {
	before, after, ok := strings.Cut(line, " - ")
	fields := strings.Fields(before)
	const folder = 4
	if !ok || len(fields) <= folder {
		return "", ""
	}
	kind, _, _ = strings.Cut(after, " ")
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(fields[folder]), kind
}
