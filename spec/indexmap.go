package spec

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Limits of the module map.
const (
	maxMapRows      = 80 // of all tables; folders are joined until the rows fit
	maxMapLinks     = 6  // modules that the row of a folder links
	maxRowNeeds     = 4  // dependencies that a row lists
	maxSideModules  = 8  // modules listed of a role that is shown in short
	fewestInAFolder = 2
)

// mapRow is a row of the module map: a module, or the modules of a folder.
type mapRow struct {
	folder  string
	modules []IndexModule
}

// moduleMap lists the modules by what they are for.
func (b *indexPage) moduleMap() {
	fmt.Fprintf(b, "## %s\n\n", b.in("Module map", "模块映射"))
	byRole := map[Role][]IndexModule{}
	for _, m := range b.Modules {
		byRole[m.Role] = append(byRole[m.Role], m)
	}
	rows := folded([][]IndexModule{byRole[EntryRole], byRole[PublicRole], byRole[PrivateRole]})
	for role, list := range rows {
		if len(list) > 0 {
			b.roleTable(roleNames[role], list)
		}
	}
	b.side(byRole)
}

// folded returns the rows of some roles, at most maxMapRows altogether if joining folders can do that.
func folded(roles [][]IndexModule) [][]mapRow {
	rows := make([][]mapRow, len(roles))
	total := 0
	for i, list := range roles {
		for _, m := range list {
			rows[i] = append(rows[i], mapRow{m.Name, []IndexModule{m}})
		}
		slices.SortFunc(rows[i], func(x, y mapRow) int { return strings.Compare(x.folder, y.folder) })
		total += len(list)
	}
	for total > maxMapRows {
		role, parent, n := mostCrowded(rows)
		if n < fewestInAFolder {
			break
		}
		total -= len(rows[role])
		rows[role] = joined(rows[role], parent)
		total += len(rows[role])
	}
	return rows
}

// parentOf returns the folder around a row; a folder of the root joins only with the others there.
func parentOf(row mapRow) string { return path.Dir(row.folder) }

// mostCrowded returns the folder with the most rows of one role directly in it, the deepest of several.
func mostCrowded(rows [][]mapRow) (role int, parent string, n int) {
	for i, list := range rows {
		count := map[string]int{}
		for _, row := range list {
			count[parentOf(row)]++
		}
		for _, row := range list {
			at := parentOf(row)
			c := count[at]
			if better := cmp.Or(cmp.Compare(c, n), cmp.Compare(strings.Count(at, "/"), strings.Count(parent, "/"))); at != "." && better > 0 || n < fewestInAFolder && c > n {
				role, parent, n = i, at, c
			}
		}
	}
	return role, parent, n
}

// joined returns rows with those directly in a folder as one, together with those that were joined to that folder before.
func joined(rows []mapRow, parent string) []mapRow {
	all := mapRow{folder: parent}
	var out []mapRow
	for _, row := range rows {
		if parentOf(row) == parent || row.folder == parent && len(row.modules) > 1 {
			all.modules = append(all.modules, row.modules...)
		} else {
			out = append(out, row)
		}
	}
	out = append(out, all)
	slices.SortFunc(out, func(x, y mapRow) int { return strings.Compare(x.folder, y.folder) })
	return out
}

// roleTable writes the modules of a role as a table.
func (b *indexPage) roleTable(name [2]string, rows []mapRow) {
	fmt.Fprintf(b, "### %s\n\n", b.in(name[0], name[1]))
	b.WriteString(tableHead(b.in("Module|Description|Level|Depends on|Requirements|With tests|Health|Lines", "模块|说明|拓扑层级|依赖|需求|有测试的需求|健康状况|行数")))
	for _, row := range rows {
		b.WriteString(b.row(row) + "\n")
	}
	b.WriteString("\n")
}

func (b *indexPage) row(row mapRow) string {
	reqs, tested, lines, level := 0, 0, 0, 0
	for _, m := range row.modules {
		reqs, tested, lines, level = reqs+m.Requirements, tested+m.Tested, lines+m.LOC, max(level, m.Level)
	}
	name, text, needs := b.folderName(row), b.links(row.modules, maxMapLinks), ""
	if len(row.modules) == 1 {
		m := row.modules[0]
		name, text, needs = b.link(m.Name), m.Description, b.needs(m.Dependencies)
	}
	return tableRow(name, text, strconv.Itoa(level), needs, strconv.Itoa(reqs), strconv.Itoa(tested), b.healths(row.modules), strconv.Itoa(lines))
}

func (b *indexPage) folderName(row mapRow) string {
	return fmt.Sprintf(b.in("%[1]s, %[2]d modules", "%[1]s，%[2]d 个模块"), markdown.Code(row.folder+"/"), len(row.modules))
}

// needs lists the dependencies of a module.
func (b *indexPage) needs(list []string) string {
	return strings.Join(list[:min(len(list), maxRowNeeds)], b.in(", ", "、")) + more(len(list)-maxRowNeeds)
}

// links lists modules.
func (b *indexPage) links(list []IndexModule, most int) string {
	var out []string
	for _, m := range list[:min(len(list), most)] {
		out = append(out, b.link(m.Name))
	}
	return strings.Join(out, b.in(", ", "、")) + more(len(list)-most)
}

// healths counts specs by their health.
func (b *indexPage) healths(list []IndexModule) string {
	count := map[string]int{}
	for _, m := range list {
		if m.SpecPath != "" {
			count[m.Health]++
		}
	}
	var out []string
	for _, h := range [][2]string{{"active", "有效"}, {"drifted", "已偏离"}, {"failing", "未通过"}, {"unverified", "未验证"}} {
		if n := count[h[0]]; n > 0 && len(list) == 1 {
			return b.in(h[0], h[1])
		} else if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, b.in(h[0], h[1])))
		}
	}
	return strings.Join(out, b.in(", ", "，"))
}

// side lists the modules that are not part of the product.
func (b *indexPage) side(byRole map[Role][]IndexModule) {
	wrote := false
	for role := ToolingRole; role <= DocsRole; role++ {
		list := byRole[role]
		if len(list) == 0 {
			continue
		}
		name := roleNames[role]
		fmt.Fprintf(b, b.in("- %[1]s (%[2]d): %[3]s\n", "- %[1]s（%[2]d）：%[3]s\n"), b.in(name[0], name[1]), len(list), b.links(list, maxSideModules))
		wrote = true
	}
	if wrote {
		b.WriteString("\n")
	}
}
