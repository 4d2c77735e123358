package contracttest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/spec"
)

// measuredBy is a project whose tests run its first two exits and not the third, and the command that says whether its tools are
// there.
type measuredBy struct {
	needs string
	files map[string]string
}

const soldRuby = `# Sells tea.
module Shop
  # Buys n things.
  def self.buy(n, of)
    raise ArgumentError, "nothing is to be bought" if n == 0
    if of == "tea"
      raise IOError, "tea is sold out"
    end
    if n > 100
      raise RangeError, "too many"
    end
    n
  end
end
`

const minitestOfRuby = `require "minitest/autorun"
require "shop"

class ShopTest < Minitest::Test
  def test_nothing
    assert_raises(ArgumentError) { Shop.buy(0, "milk") }
    assert_raises(IOError) { Shop.buy(1, "tea") }
  end
end
`

func measuring() map[string]measuredBy {
	return map[string]measuredBy{
		"minitest": {"ruby -e 'require \"minitest\"'", map[string]string{"lib/shop.rb": soldRuby, "test/shop_test.rb": minitestOfRuby}},
		"minitest with SimpleCov": {"ruby -e 'require \"minitest\"; require \"simplecov\"'", map[string]string{
			"lib/shop.rb": soldRuby, "test/shop_test.rb": "require \"simplecov\"\nSimpleCov.start\n" + minitestOfRuby,
		}},
		"rspec": {"rspec --version", map[string]string{
			"lib/shop.rb": soldRuby,
			"spec/shop_spec.rb": "require \"shop\"\n\nRSpec.describe Shop do\n  it \"refuses\" do\n    expect { Shop.buy(0, \"milk\") }.to raise_error(ArgumentError)\n" +
				"    expect { Shop.buy(1, \"tea\") }.to raise_error(IOError)\n  end\nend\n",
		}},
		"phpunit": {"phpunit --version && php -m | grep -E 'xdebug|pcov'", map[string]string{
			"composer.json": `{"name": "x/shop", "autoload": {"psr-4": {"Shop\\": "src/"}}}`,
			"phpunit.xml":   `<?xml version="1.0"?><phpunit bootstrap="src/Shop.php"><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>`,
			"src/Shop.php": "<?php\n\nnamespace Shop;\n\nclass Shop\n{\n    public function buy(int $n, string $of): int\n    {\n        if ($n === 0) {\n            throw new \\InvalidArgumentException('nothing');\n        }\n" +
				"        if ($of === 'tea') {\n            throw new \\LogicException('sold out');\n        }\n        if ($n > 100) {\n            throw new \\RangeException('too many');\n        }\n        return $n;\n    }\n}\n",
			"tests/ShopTest.php": "<?php\n\nnamespace Shop\\Tests;\n\nuse PHPUnit\\Framework\\TestCase;\nuse Shop\\Shop;\n\nclass ShopTest extends TestCase\n{\n" +
				"    public function testNothing(): void\n    {\n        $this->expectException(\\InvalidArgumentException::class);\n        (new Shop())->buy(0, 'milk');\n    }\n\n" +
				"    public function testTea(): void\n    {\n        $this->expectException(\\LogicException::class);\n        (new Shop())->buy(1, 'tea');\n    }\n}\n",
		}},
		"cargo": {`v=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p'); llvm-cov-$v --version || llvm-cov --version | grep "LLVM version $v\."`, map[string]string{
			"Cargo.toml": "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
			"src/lib.rs": "/// Buys.\npub fn buy(n: i32, of: &str) -> Result<i32, String> {\n    if n == 0 {\n        return Err(\"nothing\".to_string());\n    }\n    if of == \"tea\" {\n        return Err(\"sold out\".to_string());\n    }\n" +
				"    if n > 100 {\n        return Err(\"too many\".to_string());\n    }\n    Ok(n)\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn refuses() {\n        assert_eq!(buy(0, \"milk\"), Err(\"nothing\".to_string()));\n        assert_eq!(buy(1, \"tea\"), Err(\"sold out\".to_string()));\n    }\n}\n",
		}},
		"mvn": {"mvn --version && jar --version && test -d /usr/share/maven-repo/org/junit/jupiter/junit-jupiter/debian && { ls ~/.m2/repository/org/jacoco || ls /usr/share/java/org.jacoco.core.jar; }", map[string]string{
			"pom.xml": pomOf("8", ""), ".mvn/maven.config": "-o\n-s\n/etc/maven/settings-debian.xml\n",
			"src/main/java/shop/Shop.java": "package shop;\n\npublic class Shop {\n  public static int buy(int n, String of) {\n    if (n == 0) {\n      throw new IllegalArgumentException(\"nothing\");\n    }\n    if (of.equals(\"tea\")) {\n      throw new IllegalStateException(\"sold out\");\n    }\n" +
				"    if (n > 100) {\n      throw new ArithmeticException(\"too many\");\n    }\n    return n;\n  }\n}\n",
			"src/test/java/shop/ShopTest.java": "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertThrows;\n\nimport org.junit.jupiter.api.Test;\n\nclass ShopTest {\n  @Test\n  void refuses() {\n    assertThrows(IllegalArgumentException.class, () -> Shop.buy(0, \"milk\"));\n" +
				"    assertThrows(IllegalStateException.class, () -> Shop.buy(1, \"tea\"));\n  }\n}\n",
		}},
	}
}

// TestRealToolsMeasureCoverage has the tools of this machine measure which exits run.
func TestRealToolsMeasureCoverage(t *testing.T) {
	if os.Getenv("REVERSE_SPEC_ENVIRONMENTS") == "" {
		t.Skip("REVERSE_SPEC_ENVIRONMENTS is not set: it takes minutes with tools of other languages")
	}
	for name, m := range measuring() {
		t.Run(name, func(t *testing.T) {
			if out, err := exec.CommandContext(t.Context(), "bash", "-eo", "pipefail", "-c", m.needs).CombinedOutput(); err != nil {
				t.Skipf("not installed: %s: %s", m.needs, out)
			}
			if name == "phpunit" {
				at, _ := exec.LookPath("phpunit")
				m.files["vendor/bin/phpunit"] = "#!/bin/sh\nexec " + at + " \"$@\"\n"
			}
			p := openProject(t, m.files)
			if name == "phpunit" {
				if err := os.Chmod(p.Root()+"/vendor/bin/phpunit", 0o700); err != nil {
					t.Fatal(err)
				}
			}
			r, err := spec.Generate(t.Context(), p, ".", spec.GenerateOptions{Lang: "en"})
			if err != nil {
				t.Fatal(err)
			}
			report, err := contracttest.Verify(t.Context(), p, []string{r.SpecPath}, contracttest.Options{Only: behaviorsOf(t, p, r.SpecPath), Coverage: true, Timeout: 5 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			s := report.Specs[0]
			var shown []string
			for _, c := range s.Claims {
				word := string(c.Shown)
				if c.Shown == spec.Tested || c.Shown == spec.Reached {
					word = "runs"
				}
				shown = append(shown, word)
			}
			if got, want := strings.Join(shown, ", "), "runs, runs, untested"; got != want {
				t.Errorf("the exits: %s; want %s (%s; %s)", got, want, s.Note, s.Tests[0].Reason)
			}
		})
	}
}
