package doctor

import "os/exec"

// managers are the package managers that are looked for, the first that is installed being used, each with the command that
// installs a package.
var managers = []struct{ program, install string }{
	{"apt-get", "sudo apt-get install "}, {"dnf", "sudo dnf install "}, {"apk", "sudo apk add "}, {"brew", "brew install "}, {"winget", "winget install "},
}

// packages are the names of programs' packages, in the order of [managers]; "" where a manager has none.
var packages = map[string][5]string{
	"git":      {"git", "git", "git", "git", "Git.Git"},
	"bash":     {"bash", "bash", "bash", "bash", "Git.Git"},
	"go":       {"golang-go", "golang", "go", "go", "GoLang.Go"},
	"node":     {"nodejs", "nodejs", "nodejs", "node", "OpenJS.NodeJS"},
	"npm":      {"npm", "npm", "npm", "node", "OpenJS.NodeJS"},
	"npx":      {"npm", "npm", "npm", "node", "OpenJS.NodeJS"},
	"python3":  {"python3", "python3", "python3", "python", "Python.Python.3.13"},
	"php":      {"php-cli", "php-cli", "php", "php", "PHP.PHP.8.4"},
	"composer": {"composer", "composer", "composer", "composer", ""},
	"cargo":    {"cargo", "cargo", "cargo", "rust", "Rustlang.Rustup"},
	"ruby":     {"ruby", "ruby", "ruby", "ruby", "RubyInstallerTeam.Ruby.3.4"},
	"bundle":   {"ruby-bundler", "rubygem-bundler", "ruby-bundler", "ruby", "RubyInstallerTeam.Ruby.3.4"},
	"java":     {"default-jdk", "java-latest-openjdk-devel", "openjdk21", "openjdk", "EclipseAdoptium.Temurin.21.JDK"},
	"mvn":      {"maven", "maven", "maven", "maven", ""},
	"gradle":   {"gradle", "gradle", "gradle", "gradle", ""},
	"dotnet":   {"dotnet-sdk-8.0", "dotnet-sdk-8.0", "dotnet8-sdk", "dotnet", "Microsoft.DotNet.SDK.8"},
	"swift":    {"swiftlang", "swift-lang", "", "swift", "Swift.Toolchain"},
	"sbt":      {"", "", "", "sbt", ""},
}

// installing returns the command that installs a program here; "" if none is known.
func installing(program string) string { return installingBy(program, exec.LookPath) }

func installingBy(program string, look func(string) (string, error)) string {
	for i, m := range managers {
		if _, err := look(m.program); err != nil {
			continue
		}
		if name := packages[program][i]; name != "" {
			return m.install + name
		}
	}
	return ""
}
