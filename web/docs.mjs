// The documentation as a static site: node docs.mjs PROGRAM OUT. Everything about methods comes from the program itself.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { marked } from "marked";
import temml from "temml";
import { peersPage } from "./peers.mjs";
import { picture } from "./picture.mjs";

const [, , program, out] = process.argv;
const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), "..");
const run = (...words) => {
  try {
    return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });
  } catch (e) {
    return e.stdout || "";
  }
};
const json = (...words) => {
  const text = run(...words, "--json");
  return text.startsWith("{") ? JSON.parse(text) : null;
};
const escape = (s) => String(s).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
const number = (x) => (x === null || x === undefined ? "–" : x === 0 ? "0" : Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5 ? x.toExponential(1).replace("-", "\u2011") : String(+x.toPrecision(4)));
const table = (head, rows) =>
  `<div class="scroll"><table><thead><tr>${head.map((h) => `<th>${escape(h)}</th>`).join("")}</tr></thead><tbody>` +
  rows.map((r) => `<tr>${r.map((c) => `<td>${c}</td>`).join("")}</tr>`).join("") + "</tbody></table></div>";

const style = `:root{color-scheme:light dark;--faint:#8884}body{font:16px/1.55 system-ui,sans-serif;max-width:62rem;margin:0 auto;padding:1rem}
nav{display:flex;flex-wrap:wrap;gap:.3rem 1rem;border-bottom:1px solid var(--faint);padding-bottom:.5rem;margin-bottom:1rem}
table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0;border-bottom:1px solid var(--faint)}
.scroll,.math{overflow-x:auto}pre{overflow:auto;padding:.7rem;background:#8881;border-radius:6px}code{font-size:.9em}img{max-width:100%}.math{padding:.15rem 0}`;
// The navigation. Pages that are not listed here are reached by links.
const pages = [["index", "Rattleback"], ["methods", "Choosing a method"], ["accuracy", "How accurate?"], ["list", "Methods"], ["models", "Models"], ["parking", "Park a car"], ["wavefronts", "Wavefronts"], ["verification", "Verification"],
  ["papers", "Papers"], ["nonholonomic", "Nonholonomic"], ["holonomic", "Holonomic"], ["results", "Results"], ["peers", "Beside other solvers"], ["view", "Views"], ["notation", "Notation"],
  ["glossary", "Glossary"], ["errata", "Errata"], ["examples", "C++ examples"], ["api/index", "C++ reference"], ["ARCHITECTURE", "Architecture"], ["design", "Design"]];
const write = (name, title, body) =>
  fs.writeFileSync(path.join(out, name + ".html"), `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><style>${style}</style></head><body>
<nav>${pages.map(([n, t]) => `<a href="${n}.html">${escape(t)}</a>`).join("")}</nav><main>${body}</main></body></html>\n`);

// Markdown files of the repository, and the pages they become: docs/design/newton.md is design-newton.html.
const inFolder = (folder) => fs.readdirSync(path.join(root, folder)).filter((f) => f.endsWith(".md")).map((f) => folder + "/" + f);
const documents = new Map(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", ...inFolder("docs"), ...inFolder("docs/design")]
  .map((file) => [file, file === "README.md" ? "index" : file.replace(/^docs\//, "").replace(/\/README\.md$/, "").replace(/\.md$/, "").replace(/\//g, "-")]));
const slug = (html) => html.replace(/<[^>]*>|&[a-z]+;|&#\d+;/g, "").toLowerCase().replace(/[^\w\- ]/g, "").replace(/ /g, "-"); // as GitHub makes it
const missing = []; // files that a document names and that are not there

// Links between Markdown files become links between pages, pictures are in one folder, headings can be linked to.
function markdown(file) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  if (file !== "CHANGELOG.md") // which speaks of the past; words in capitals, as in `app/VERB.cpp`, are place holders
    for (const [, name] of text.matchAll(/`((?:src|include|app|backend|web|test|bench|cmake|scripts|docs|models|papers)\/[\w./-]+)[^`]*`/g))
      if (!/[A-Z]{2}/.test(name) && !fs.existsSync(path.join(root, name))) missing.push(file + ": " + name);
  return marked.parse(text)
    .replace(/href="([^":#]+\.md)(#[^"]*)?"/g, (all, to, anchor) => {
      const page = documents.get(path.posix.join(path.posix.dirname(file), to));
      return page ? `href="${page}.html${anchor ?? ""}"` : all;
    })
    .replace(/src="(?:docs\/|\.\.\/)?/g, 'src="')
    .replace(/<h([1-6])>(.*?)<\/h\1>/g, (_, level, title) => `<h${level} id="${slug(title)}">${title}</h${level}>`);
}

// A small model of each theory; the first that a method takes shows its equations. A claim is measured on the first on
// which it can be: constraints where there are some, momenta where there are symmetries. Methods for constraints begin there.
const examples = ["henon_heiles", "cartesian_pendulum", "rolling_disk", "heisenberg", "sleigh_with_tow", "pendulum", "cartesian_spherical_pendulum", "kepler"];
const order = (m) => (m.takes.startsWith("holonomic") ? ["cartesian_pendulum", "cartesian_spherical_pendulum", ...examples] : examples);
const simple = { henon_heiles: "pendulum", rolling_disk: "nonholonomic_particle_free" };
const fits = Object.fromEntries(examples.map((m) => [m, json("check", m)?.methods ?? {}]));

function equations(id, model) {
  const lines = run("check", model, "-m", id, "--equations", "--latex").trim().split("\n").filter((l) => l);
  if (!lines.length) return "";
  const constraints = []; // what multipliers belong to: numbers in the equations, explained below them
  const numbered = (l) => l.replace(/_\{\\text\{((?:[^{}]|\{\})*)\}\}/g, (_, text) => {
    if (!constraints.includes(text)) constraints.push(text);
    return `_{${constraints.indexOf(text) + 1}}`;
  });
  const shown = lines.slice(0, 24).map(numbered).map((l) => `<div class="math">${temml.renderToString(l, { displayMode: true, throwOnError: false })}</div>`);
  const more = lines.length > 24 ? `<p>and ${lines.length - 24} more: <code>rattleback check ${model} -m ${id} --equations</code></p>` : "";
  const legend = constraints.map((c, i) => `<p>${i + 1} is for <code>${escape(c.replace(/\\\^\{\}/g, "^").replace(/\\_/g, "_"))}</code></p>`).join("");
  return `<h2>Equations</h2><p>One step on <code>${model}</code>, as the program derives them from the scheme: equations for what is to be found, then what the state grows by.</p>${shown.join("")}${legend}${more}`;
}

function measuredClaims(m) {
  const id = m.id, claims = [];
  for (const model of order(m).filter((e) => fits[e][id] === "fits")) {
    if (claims.length && claims.every((c) => c.measured !== null)) break;
    for (const c of json("verify", model, "-m", id)?.claims ?? []) {
      const known = claims.findIndex((k) => k.name === c.name);
      if (known < 0) claims.push({ ...c, model });
      else if (claims[known].measured === null && c.measured !== null) claims[known] = { ...c, model };
    }
  }
  return claims;
}

function methodPage(m, summary) {
  const model = order(m).find((e) => fits[e][m.id] === "fits" && m.id !== "rk");
  const takes = Object.entries(allFits).filter(([, f]) => f[m.id] === "fits").map(([name]) => name);
  const claims = model ? measuredClaims(m) : m.claims.map((c) => ({ ...c, model: "", measured: null, verdict: "", remark: "" }));
  summary.push({ id: m.id, claims });
  write("method_" + m.id, m.id, `<h1>${escape(m.id)}: ${escape(m.title)}</h1><p>Takes ${escape(m.takes)}. Order ${m.order || "that of its tableau"}${m.options.length ? " (with the default options)" : ""}.</p>` +
    (m.options.length ? "<h2>Options</h2>" + table(["option", "default", ""], m.options.map((o) => [`<code>${escape(o.name)}</code>`, escape(o.default), escape(o.help)])) : "") +
    `<h2>Claims</h2><p>${model ? `Measured by <code>rattleback verify MODEL -m ${m.id}</code>, each on the first of a few models on which it can be.` : "Of a method that needs a file or options; <code>verify</code> measures them."}</p>` +
    table(["claim", "claimed", "if", "measured", "in quad", "verdict", "", "on"], claims.map((c) => [escape(c.name), escape(c.claimed), escape(c.condition ?? ""), number(c.measured), number(c.in_quad), escape(c.verdict), escape(c.remark ?? ""), `<code>${escape(c.model)}</code>`])) +
    (model ? equations(m.id, simple[model] && json("check", simple[model])?.methods[m.id] === "fits" ? simple[model] : model) : "") +
    `<h2>Models it fits</h2><p>${takes.map((t) => `<code>${t}</code>`).join(" ") || "–"}</p><h2>Cite</h2><pre>${escape(run("cite", m.id))}</pre>`);
}

fs.mkdirSync(out, { recursive: true });
for (const f of fs.readdirSync(path.join(root, "docs"))) if (/\.(svg|png)$/.test(f)) fs.copyFileSync(path.join(root, "docs", f), path.join(out, f));
for (const [file, name] of documents) {
  const body = markdown(file);
  const title = pages.find(([n]) => n === name)?.[1] ?? body.match(/<h1[^>]*>(.*?)<\/h1>/)?.[1].replace(/<[^>]*>/g, "") ?? name;
  if (name !== "models" && name !== "verification") write(name, title, body); // these have tables of the program, too
}
// The programs of examples/, each under the comment it opens with; the reference is made from the public headers.
const programs = fs.readdirSync(path.join(root, "examples")).filter((f) => f.endsWith(".cpp")).map((f) => [f, fs.readFileSync(path.join(root, "examples", f), "utf8")]);
write("examples", "C++ examples", "<h1>C++ examples</h1><p>Each is built and run by the tests. Link with <code>rattleback::rattleback</code>.</p>" + programs.map(([name, text]) => {
  const comment = text.match(/^(\/\/.*\n)+/)[0];
  return `<h2 id="${name.replace(".cpp", "")}">${name}</h2><p>${escape(comment.replace(/^\/\/ ?/gm, "").replace(/\n/g, " ").trim())}</p><pre><code>${escape(text.slice(comment.length))}</code></pre>`;
}).join(""));
write("peers", "Beside other solvers", peersPage(JSON.parse(fs.readFileSync(path.join(root, "docs", "peers.json"), "utf8")), table));
execFileSync("doxygen", ["-"], { cwd: root, input: `@INCLUDE = docs/Doxyfile\nOUTPUT_DIRECTORY = "${path.resolve(out)}"\n`, stdio: ["pipe", "ignore", "inherit"] });
for (const name of ["CITATION.cff", "LICENSE"]) fs.copyFileSync(path.join(root, name), path.join(out, name));

const models = json("gallery").models, methods = json("methods").methods;
const allFits = Object.fromEntries(models.map((m) => [m.name, fits[m.name] ?? json("check", m.name)?.methods ?? {}]));
const pictures = Object.fromEntries(models.map((m) => [m.name, picture(program, m.name)]));
write("models", "Models", markdown("docs/models.md") + '<h1 id="gallery">Models of the gallery</h1>' + table(["", "name", "", "reference", "method"], models.map((m) => [pictures[m.name], `<a href="model_${m.name}.html"><code>${m.name}</code></a>`, escape(m.title), escape(m.reference), escape(m.method)])));
for (const m of models) write("model_" + m.name, m.title, `<h1>${escape(m.title)}</h1><p>${escape(m.reference)}</p>${pictures[m.name]}<pre>${escape(run("gallery", m.name))}</pre>`);
const unseen = models.filter((m) => !pictures[m.name]).map((m) => m.name);
if (unseen.length) missing.push("pictures of " + unseen.join(", "));
const summary = [];
for (const m of methods) methodPage(m, summary);
write("list", "Methods", "<h1>Methods</h1>" + table(["id", "", "order", "for"], methods.map((m) => [`<a href="method_${m.id}.html"><code>${m.id}</code></a>`, escape(m.title), String(m.order || "–"), escape(m.takes)])));
const rows = summary.flatMap((s) => s.claims.map((c) => [`<a href="method_${s.id}.html">${s.id}</a>`, escape(c.model), escape(c.name), escape(c.claimed), number(c.measured), escape(c.verdict)]));
write("verification", "Verification", "<h1>Verification report</h1><p>Every claim of every method with its default options, measured by <code>rattleback verify</code> on the first of a few models on which it can be; exact is decided in quad. The tests measure each claim on many models, and break it with mutants.</p>" + table(["method", "model", "claim", "claimed", "measured", "verdict"], rows) + markdown("docs/verification.md"));
const papers = json("papers");
write("papers", "Papers", "<h1>Figures and claims of the papers</h1><p>By <code>rattleback papers</code>, from the text files in <code>papers/</code>.</p>" + table(["", "", "result", "numbers", "data"], papers.lines.map((l) => [escape(l.id), escape(l.what), escape(l.verdict), l.checks.map((c) => number(c.value)).join(", "), escape(l.data)])));
// It works offline: what is linked or shown is there, anchors too.
const broken = [];
const html = new Map(fs.readdirSync(out).filter((n) => n.endsWith(".html")).map((n) => [n, fs.readFileSync(path.join(out, n), "utf8")]));
for (const [f, text] of html)
  for (const [, kind, to, anchor] of text.matchAll(/ (href|src)="([^"#]*)#?([^"]*)"/g)) {
    const there = /^https?:/.test(to) ? kind !== "src" : !to || fs.existsSync(path.join(out, to));
    const target = html.get(to || f);
    if (!there || (target && anchor && !target.includes(` id="${anchor}"`))) broken.push(f + ": " + to + (anchor && "#" + anchor));
  }
if (broken.length) console.log("links that lead nowhere:\n" + broken.join("\n"));
if (missing.length) console.log("files that documents name and that do not exist:\n" + missing.join("\n"));
const failing = summary.flatMap((s) => s.claims.filter((c) => c.verdict === "fail").map((c) => s.id + " " + c.name));
console.log(`${fs.readdirSync(out).length} files in ${out}; ${rows.length} claims, ${failing.length} fail${failing.length ? ": " + failing.join(", ") : ""}`);
process.exit(failing.length || papers.unexpected || broken.length || missing.length ? 1 : 0);
