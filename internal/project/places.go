package project

// runPlace is a path from which a program runs files, or follows instructions, without being asked to.
type runPlace struct {
	name string // path elements, anywhere in a project; * is a prefix or suffix wildcard of an element
	by   string // the program
}

// hooksPlace is the name for the folder in git's core.hooksPath, and for files included by git's configuration:
// they may have any path.
const hooksPlace = "core.hooksPath"

// places is the table. A name stands for the file, or for the folder with everything in it. Whole folders are
// listed if a program uses many kinds of files in it, single files if the others in that folder are only data. What
// runs when a person builds or tests the project (Makefile, package.json) is ordinary code, and not listed.
//
// Sources: the documentation of each program, July 2026.
func places() []runPlace {
	return append(agentPlaces(), systemPlaces()...)
}

// agentPlaces are the files of coding agents: settings, commands, hooks and instructions.
func agentPlaces() []runPlace {
	return []runPlace{
		{"AGENT.md", "coding agents"},
		{"AGENTS.md", "coding agents"},
		{"AGENTS.local.md", "coding agents"},
		{"AGENTS.override.md", "Codex"},
		{"CLAUDE.local.md", "Claude Code"},
		{"CLAUDE.md", "Claude Code"},
		{"CRUSH.md", "Crush"},
		{"GEMINI.md", "Gemini CLI"},
		{"QWEN.md", "Qwen Code"},
		{"WARP.md", "Warp"},
		{".agent", "coding agents"},
		{".agents", "coding agents"},
		{".aider.conf.yml", "Aider"},
		{".aiassistant", "JetBrains AI Assistant"},
		{".amazonq", "Amazon Q"},
		{".augment", "Augment"},
		{".augment-guidelines", "Augment"},
		{".claude", "Claude Code"},
		{".claude-plugin", "Claude Code"},
		{".clinerules", "Cline"},
		{".codex", "Codex"},
		{".continue", "Continue"},
		{".continuerules", "Continue"},
		{".copilot", "Copilot"},
		{".crush.json", "Crush"},
		{".cursor", "Cursor"},
		{".cursorrules", "Cursor"},
		{".factory", "Factory"},
		{".gemini", "Gemini CLI"},
		{".github/agents", "Copilot"},
		{".github/chatmodes", "Copilot"},
		{".github/copilot-instructions.md", "Copilot"},
		{".github/hooks", "Copilot"},
		{".github/instructions", "Copilot"},
		{".github/mcp.json", "Copilot"},
		{".github/prompts", "Copilot"},
		{".github/skills", "Copilot"},
		{".goosehints", "Goose"},
		{".junie", "Junie"},
		{".kilocode", "Kilo Code"},
		{".kiro", "Kiro"},
		{".kode", "Kode"},
		{".kode.json", "reverse-spec and Kode"},
		{".mcp.json", "MCP clients"},
		{".opencode", "OpenCode"},
		{".qwen", "Qwen Code"},
		{".reverse-spec.*", "reverse-spec"},
		{".roo", "Roo Code"},
		{".roomodes", "Roo Code"},
		{".roorules", "Roo Code"},
		{".rules", "Zed"},
		{".trae", "Trae"},
		{".windsurf", "Windsurf"},
		{".windsurfrules", "Windsurf"},
		{"opencode.json", "OpenCode"},
		{"opencode.jsonc", "OpenCode"},
	}
}

// systemPlaces are the files of editors, shells, git hooks and continuous integration.
func systemPlaces() []runPlace {
	return []runPlace{
		{"*.code-workspace", "Visual Studio Code"},
		{".devcontainer", "development containers"},
		{".devcontainer.json", "development containers"},
		{".dir-locals-2.el", "Emacs"},
		{".dir-locals.el", "Emacs"},
		{".exrc", "Vim"},
		{".fleet", "Fleet"},
		{".idea", "JetBrains IDEs"},
		{".nvim.lua", "Neovim"},
		{".nvimrc", "Neovim"},
		{".vimrc", "Vim"},
		{".vscode/extensions.json", "Visual Studio Code"},
		{".vscode/launch.json", "Visual Studio Code"},
		{".vscode/mcp.json", "Visual Studio Code"},
		{".vscode/settings.json", "Visual Studio Code"},
		{".vscode/tasks.json", "Visual Studio Code"},
		{".zed", "Zed"},

		{".autoenv", "autoenv"},
		{".autoenv.zsh", "autoenv"},
		{".envrc", "direnv"},

		{".gitconfig", "git"},
		{".githooks", "git"},
		{".husky", "git"},
		{".lefthook", "git"},
		{".lefthook.*", "git"},
		{"lefthook.*", "git"},
		{".pre-commit-config.yaml", "git"},
		{".pre-commit-hooks.yaml", "git"},

		{".appveyor.yml", "AppVeyor"},
		{"appveyor.yml", "AppVeyor"},
		{"azure-pipelines.*", "Azure Pipelines"},
		{"bitbucket-pipelines.yml", "Bitbucket Pipelines"},
		{".buildkite", "Buildkite"},
		{".circleci", "CircleCI"},
		{".cirrus.yml", "Cirrus CI"},
		{".drone.yml", "Drone"},
		{".forgejo/workflows", "Forgejo Actions"},
		{".gitea/workflows", "Gitea Actions"},
		{".github/actions", "GitHub Actions"},
		{".github/workflows", "GitHub Actions"},
		{".gitlab", "GitLab CI"},
		{".gitlab-ci.yml", "GitLab CI"},
		{"Jenkinsfile", "Jenkins"},
		{".travis.yml", "Travis CI"},
		{".woodpecker", "Woodpecker CI"},
		{".woodpecker.yml", "Woodpecker CI"},
	}
}
