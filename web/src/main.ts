// The page: what there is of animation, plots, tables and text, in this order.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Animation } from "./animation";
import { PageData, readData } from "./data";
import { cloudsOf } from "./cloud";
import { backgrounds, isDark, saveOn } from "./colours";
import { button, copyButton, element, section, select } from "./dom";
import { PathPlot, SectionPlot, WorkPlot } from "./phase";
import { ordinal, shownPart } from "./pictures";
import { SeriesPlots } from "./series";

interface Rebuilt {
  rebuild(): void;
}

function theme(all: Rebuilt[]): HTMLButtonElement {
  return button("light / dark", "change between light and dark", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    all.forEach((p) => p.rebuild());
  });
}

function header(data: PageData, all: Rebuilt[]): HTMLElement {
  const head = element("header", {}, element("div", { class: "row" }, element("h1", {}, data.title),
    element("span", { class: "bar" }, select("saved pictures", [...backgrounds], backgrounds[0], saveOn, "the background of PNG and SVG"), theme(all))));
  if (data.note) head.append(element("p", {}, data.note));
  if (data.model?.reference) head.append(element("p", {}, data.model.reference));
  if (data.command) head.append(element("p", {}, element("code", {}, data.command), " ", copyButton("the command", () => data.command)));
  const files = data.runs.map((r) => r.file).filter((f) => f);
  const nodes = data.runs.reduce((n, r) => Math.max(n, r.nodes), 0);
  if (data.runs.some((r) => r.series.t.length < r.nodes))
    head.append(element("p", {}, `Plots show the smallest and the largest of every few of ${nodes} nodes` +
      (files.length ? "; all of them are in " + [...new Set(files)].join(", ") + "." : ".")));
  return head;
}

function table(head: string[], rows: string[][]): HTMLElement {
  const body = element("tbody");
  for (const row of rows) {
    const tr = element("tr");
    for (const cell of row) {
      const td = element("td", {}, cell);
      if (cell === "pass" || cell === "fail") td.className = cell;
      tr.append(td);
    }
    body.append(tr);
  }
  const top = element("tr");
  for (const h of head) top.append(element("th", { scope: "col" }, h));
  return element("div", { class: "scroll" }, element("table", {}, element("thead", {}, top), body));
}

const asText = (head: string[], rows: string[][]) => [head, ...rows].map((r) => r.join("\t")).join("\n");

// Numbers with more digits than one reads, with seven.
const shorter = (cell: string) => cell.replace(/(?<![\w.])-?\d+\.\d{6,}(e[+-]?\d+)?(?![\w.])/g, (x) => String(Number(Number(x).toPrecision(7))));

function numbers(data: PageData): HTMLElement {
  const names = [...new Set(data.runs.flatMap((r) => Object.keys(r.summary)))];
  const head = ["", ...data.runs.map((r) => r.method)];
  const rows = names.map((n) => [n, ...data.runs.map((r) => r.summary[n] ?? "")]);
  return section("Numbers", copyButton("the numbers, with all digits", () => asText(head, rows)), table(head, rows.map((r) => r.map(shorter))));
}

function phase(data: PageData, all: Rebuilt[], page: HTMLElement): void {
  const columns = data.runs[0].path.columns, of = (g: string) => columns.filter((c) => c.group === g).map((c) => c.name);
  const z = of("z"), q = [...of("q"), ...z, ...of("other")], v = [...of("v"), ...of("p"), ...of("observables")];
  const pairs: [string, string, string][] = [];
  if (q.length && v.length) pairs.push(["phase", q[0], v[0]]);
  if (q.length > 1) pairs.push(["configuration", q[0], q[1]]);
  if (!pairs.length && columns.length > 1) pairs.push(["columns", columns[0].name, columns[1].name]);
  const grid = element("div", { class: "grid" });
  for (const [title, x, y] of pairs) {
    const plot = new PathPlot(title, data.runs, x, y);
    all.push(plot);
    grid.append(plot.root);
  }
  if (q.length + v.length > 2) {
    const plot = new SectionPlot(data.runs, q, v);
    all.push(plot);
    grid.append(plot.root);
  }
  const { stride, t } = data.runs[0].path, part = shownPart(t, data.runs[0]); // of more nodes than a page has room for
  const words = [part && `These plots show ${part}.`, stride > 1 && `Every ${stride}${ordinal(stride)} node is there; a section between two of them lies on a straight line.`];
  const fewer = words.some(Boolean) ? [element("p", { class: "hint said" }, words.filter(Boolean).join(" "))] : [];
  if (grid.children.length) page.append(section("Phase, configuration, section", ...fewer, grid));
}

function build(): void {
  const data = readData(), page = document.getElementById("page")!, all: Rebuilt[] = [];
  page.append(header(data, all));
  let animation: Animation | null = null;
  const isCloud = data.kind === "wavefront" && data.runs.length > 0; // its runs are sets of points, not motions
  if (isCloud) {
    const { said, space, planes } = cloudsOf(data);
    all.push(...(space ? [space] : []), ...planes);
    page.append(section("Wavefront", ...(space ? [space.root] : []), ...said, element("div", { class: "grid" }, ...planes.map((p) => p.root))));
  } else if (data.view && data.runs.some((r) => r.pictures && r.pictures.t.length)) {
    animation = new Animation(data);
    if (data.view_text)
      animation.root.append(element("p", { class: "hint" }, "The model has no [view]: points at its coordinates are drawn, with rods for constraints between two of them. ",
        element("a", { href: "#view" }, "The text of this view"), " can be pasted into the model and changed."));
    page.append(section("Motion", animation.root));
    all.push(animation);
  } else if (data.model && data.runs.length && !data.view)
    page.append(section("Motion", element("p", { class: "nothing" }, "Nothing is drawn: the model has no [view], and no coordinates called x, y or r, theta. A view says where its points are, for example"),
      element("pre", { tabindex: "0" }, '[view]\npoints = [{ at = ["l*sin(theta)", "-l*cos(theta)"] }]\n')));
  for (const t of data.tables) {
    const rows = t.rows.map((r) => r.cells), parts = [copyButton("the table", () => asText(t.head, rows)), table(t.head, rows.map((r) => r.map(shorter)))];
    if (t.title !== "Work and precision" || !data.work.length) {
      page.append(section(t.title, ...parts));
      continue;
    }
    const plot = new WorkPlot(data.work); // the numbers are for those who want them
    all.push(plot);
    page.append(section(t.title, plot.root, element("details", {}, element("summary", {}, "the numbers of this plot"), ...parts)));
  }
  if (data.runs.length && !isCloud) {
    const series = new SeriesPlots(data.runs), fewer = data.runs[0].shown;
    all.push(series);
    page.append(section("Time series", ...(fewer ? [element("p", {}, fewer)] : []), element("p", {}, "Drag across a plot to zoom, all follow; a double click shows the whole; a name below shows and hides its curve. Keys on a plot: plus and minus zoom, arrows move, zero shows the whole."), series.root));
    phase(data, all, page);
    page.append(numbers(data));
  }
  if (data.model) {
    const text = data.model.text, view = data.view_text;
    if (view)
      page.append(section("View", element("p", {}, "The model says nothing about how it looks; this is what was drawn. Paste it into the model to change it."),
        copyButton("the view", () => view), element("pre", { tabindex: "0", class: "view", id: "view" }, view)));
    page.append(section("Model", copyButton("the model", () => text), element("pre", { tabindex: "0" }, text)));
  }
  page.append(element("footer", {}, element("p", {}, "Rattleback " + data.version)));
  animation?.start();
  all.forEach((p) => p !== animation && p.rebuild());
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    all.forEach((p) => p.rebuild());
  });
  document.documentElement.dataset.ready = performance.now().toFixed(0); // milliseconds since it was opened
}

build();
