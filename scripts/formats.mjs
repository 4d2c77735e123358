// formats.mjs SPECS VALID SHOWN: compares specs as they were written with what OpenSpec reads of them. SPECS is the folder of the
// specs, VALID what "validate --specs --json" printed, SHOWN what "show --json" printed for each spec. It prints the numbers of
// specs, requirements, scenarios and valid specs, and "same" or the first difference, and fails unless all is the same.
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join } from "node:path";

const [, , folder, validFile, shownFile] = process.argv;

// read takes a spec apart as a person would: by its headings. Lines of metadata ("**ID**: …") belong to no text.
function read(file) {
  const out = { purpose: [], requirements: [] };
  let section = "", requirement = null, scenario = null;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.startsWith("## ")) { section = line.slice(3); continue; }
    if (line.startsWith("### Requirement: ")) { requirement = { text: [], scenarios: [] }; scenario = null; out.requirements.push(requirement); continue; }
    if (line.startsWith("#### Scenario: ")) { scenario = []; requirement.scenarios.push(scenario); continue; }
    if (section === "Purpose") out.purpose.push(line);
    else if (scenario) scenario.push(line);
    else if (requirement && line.trim() && !/^\*\*[^*]+\*\*:/.test(line)) requirement.text.push(line);
  }
  const text = (lines) => lines.join("\n").trim();
  return { purpose: text(out.purpose), requirements: out.requirements.map((r) => ({ text: text(r.text), scenarios: r.scenarios.map(text) })) };
}

const written = readdirSync(folder).filter((name) => existsSync(join(folder, name, "spec.md"))).sort();
const valid = JSON.parse(readFileSync(validFile, "utf8"));
const shown = new Map(readFileSync(shownFile, "utf8").split(/\n(?=\{)/).filter((t) => t.trim()).map((t) => JSON.parse(t)).map((s) => [s.id, s]));
let requirements = 0, scenarios = 0, passed = 0, problem = "";
const wrong = (text) => { problem ||= text; };
for (const name of written) {
  const spec = read(join(folder, name, "spec.md"));
  const judged = valid.items.find((i) => i.id === name);
  if (judged?.valid && judged.issues.length === 0) passed++;
  else wrong(`${name}: ${judged ? judged.issues.map((i) => `${i.level} ${i.message}`)[0] : "not validated"}`);
  requirements += spec.requirements.length;
  const back = shown.get(name);
  if (!back) { wrong(`${name}: not shown`); continue; }
  if (back.overview.trim() !== spec.purpose) wrong(`${name}: another purpose`);
  if (back.requirementCount !== spec.requirements.length) wrong(`${name}: ${back.requirementCount} requirements`);
  spec.requirements.forEach((r, i) => {
    scenarios += r.scenarios.length;
    const b = back.requirements[i];
    if (!b || b.text !== r.text) wrong(`${name}: requirement ${i + 1} reads ${JSON.stringify(b?.text)}`);
    else if (b.scenarios.length !== r.scenarios.length || b.scenarios.some((s, j) => s.rawText.trim() !== r.scenarios[j])) wrong(`${name}: other scenarios of requirement ${i + 1}`);
    for (const s of r.scenarios) if (!s.includes("**WHEN**") || !s.includes("**THEN**")) wrong(`${name}: a scenario of requirement ${i + 1} lacks WHEN or THEN`);
    if (r.scenarios.length === 0 || !/SHALL|MUST/.test(r.text)) wrong(`${name}: requirement ${i + 1} lacks a scenario or SHALL`);
  });
}
if (written.length === 0) wrong("no specs");
console.log(`${written.length} ${requirements} ${scenarios} ${passed} ${problem ? problem.replaceAll(" ", "_") : "same"}`);
process.exit(problem ? 1 : 0);
