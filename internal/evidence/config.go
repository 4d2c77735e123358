package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
)

// environment finds the environment variables that the module reads.
var environment = Rule{
	Kind: Environment,
	find: func(m *Module, found func(Claim)) {
		m.readVariables(found)
		facts(found, func(add func(fact, string, string)) {
			m.uses(func(u use) {
				if t, ok := environmentRead(u); ok {
					add(t, u.In, u.file.Path)
				}
			})
		})
	},
}

// environmentReaders maps functions that read the environment to the position of the name
// among their arguments; the default follows it.
var environmentReaders = map[string]int{
	"os.Getenv": 0, "os.LookupEnv": 0, "syscall.Getenv": 0, "viper.BindEnv": 1, // Go
	"os.environ": 0, "os.environ.get": 0, "os.getenv": 0, "os.environ.pop": 0, "environ": 0, "environ.get": 0, // Python
	"process.env": 0, "import.meta.env": 0, "Bun.env": 0, "Deno.env.get": 0, // ECMAScript
	"System.getenv": 0, "sys.env": 0, "sys.env.get": 0, "sys.env.getOrElse": 0, // Java, Kotlin, Scala
	"Environment.GetEnvironmentVariable": 0,                                                                                      // C#
	"env.var":                            0, "std.env.var": 0, "env.var_os": 0, "std.env.var_os": 0, "env!": 0, "option_env!": 0, // Rust
	"ENV": 0, "ENV.fetch": 0, "ENV.key?": 0, // Ruby
	"$_ENV": 0, "getenv": 0, "secure_getenv": 0, "std.getenv": 0, // PHP, C, C++
	"ProcessInfo.processInfo.environment": 0, // Swift
}

func environmentRead(u use) (fact, bool) {
	of := dotted(u.Of)
	place, ok := environmentReaders[of]
	if of == "env" && u.file.Language == "php" { // Laravel
		ok = true
	}
	if strings.HasPrefix(of, "environ") && !settings.Imports(u.file, "os.environ") { // the parameter of a WSGI application has that name, too
		ok = false
	}
	a, _ := u.at(place)
	if !ok || !a.Plain || !isWord(a.Text) {
		return fact{}, false
	}
	value, _ := u.at(place + 1)
	if strings.HasPrefix(value.Text, "{") { // a block
		value.Text = ""
	}
	return tell(a.Text, a, optionOf("", valueOf(value), "")), true
}

// settingKeys finds the configuration keys that the module reads or declares.
var settingKeys = Rule{
	Kind: Setting,
	find: func(m *Module, found func(Claim)) {
		m.declaredSettings(found)
		facts(found, func(add func(fact, string, string)) {
			m.uses(func(u use) {
				if t, ok := settingRead(u); ok {
					add(t, u.In, u.file.Path)
				}
			})
		})
	},
}

// settingReaders are functions that return a setting, "*" for any receiver, and text that the
// key must contain.
var settingReaders = []struct{ language, of, key string }{
	{"go", "viper.Get", ""},
	{"go", "viper.GetString", ""},
	{"go", "viper.GetBool", ""},
	{"go", "viper.GetInt", ""},
	{"go", "viper.GetDuration", ""},
	{"go", "viper.GetStringSlice", ""},
	{"go", "viper.SetDefault", ""},
	{"go", "viper.IsSet", ""},
	{"python", "app.config", ""},
	{"python", "app.config.get", ""},
	{"python", "app.config.setdefault", ""},
	{"python", "current_app.config", ""},
	{"python", "current_app.config.get", ""},
	{"python", "self.app.config", ""},
	{"java", "System.getProperty", ""},
	{"java", "Integer.getInteger", ""},
	{"java", "Boolean.getBoolean", ""},
	{"kotlin", "System.getProperty", ""},
	{"scala", "System.getProperty", ""},
	{"scala", "sys.props", ""},
	{"java", "env.getProperty", "."},
	{"java", "config.getString", "."},
	{"scala", "config.getString", "."},
	{"scala", "config.getInt", "."},
	{"scala", "config.getBoolean", "."},
	{"scala", "config.getDuration", "."},
	{"kotlin", "config.property", "."},
	{"php", "config", "."},
	{"php", "Config.get", "."},
	{"csharp", "*onfiguration.GetValue", ""},
	{"csharp", "*onfiguration.GetSection", ""},
	{"csharp", "*onfiguration.GetConnectionString", ""},
}

// machineSettings are prefixes of Java properties that the system sets.
var machineSettings = []string{"java.", "os.", "user.", "file.", "line.", "path.", "sun."}

func settingRead(u use) (fact, bool) {
	of := dotted(u.Of)
	a, ok := u.at(0)
	if !ok || !a.Plain || a.Text == "" || strings.ContainsAny(a.Text, " /$%{}()<>") || isMachines(of, a.Text) {
		return fact{}, false
	}
	for _, r := range settingReaders {
		if r.language != u.file.Language || of != r.of && (r.of[0] != '*' || !strings.HasSuffix(of, r.of[1:])) || !strings.Contains(a.Text, r.key) {
			continue
		}
		t := tell(a.Text, a, nil)
		if strings.HasSuffix(of, "GetConnectionString") {
			t.name = "ConnectionStrings:" + a.Text
		}
		if value, _ := u.at(1); !strings.HasPrefix(value.Text, "{") {
			t.option = optionOf("", valueOf(value), "")
		}
		return t, true
	}
	return fact{}, false
}

// isMachines reports whether a Java property is set by the system.
func isMachines(of, key string) bool {
	return strings.HasSuffix(of, "getProperty") && slices.ContainsFunc(machineSettings, func(p string) bool { return strings.HasPrefix(key, p) })
}
