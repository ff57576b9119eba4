// The page: what there is of animation, plots, tables and text, in this order.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Animation } from "./animation";
import { PageData, readData } from "./data";
import { PlaneCloud, SpaceCloud } from "./cloud";
import { backgrounds, saveOn } from "./colours";
import { button, copyButton, element, section, select } from "./dom";
import { PathPlot, SectionPlot, WorkPlot } from "./phase";
import { SeriesPlots } from "./series";

interface Rebuilt {
  rebuild(): void;
}

function theme(all: Rebuilt[]): HTMLButtonElement {
  return button("light / dark", "change between light and dark", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
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
  if (nodes > 3000)
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

function numbers(data: PageData): HTMLElement {
  const names = [...new Set(data.runs.flatMap((r) => Object.keys(r.summary)))];
  const head = ["", ...data.runs.map((r) => r.method)];
  const rows = names.map((n) => [n, ...data.runs.map((r) => r.summary[n] ?? "")]);
  return section("Numbers", copyButton("the numbers", () => asText(head, rows)), table(head, rows));
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
  if (grid.children.length) page.append(section("Phase, configuration, section", grid));
}

function build(): void {
  const data = readData(), page = document.getElementById("page")!, all: Rebuilt[] = [];
  page.append(header(data, all));
  let animation: Animation | null = null;
  const isCloud = data.kind === "wavefront" && data.runs.length > 0; // its runs are sets of points, not motions
  if (isCloud) {
    const plot = data.view?.dimension === 3 ? new SpaceCloud(data) : new PlaneCloud(data);
    all.push(plot);
    page.append(section("Wavefront", plot.root));
  } else if (data.view && data.runs.some((r) => r.pictures && r.pictures.t.length)) {
    animation = new Animation(data);
    page.append(section("Motion", animation.root));
    all.push(animation);
  }
  for (const t of data.tables) {
    const rows = t.rows.map((r) => r.cells), parts = [copyButton("the table", () => asText(t.head, rows)), table(t.head, rows)];
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
    page.append(section("Time series", ...(fewer ? [element("p", {}, fewer)] : []), element("p", {}, "Drag across a plot to zoom, all follow; a double click shows the whole. Keys on a plot: plus and minus zoom, arrows move, zero shows the whole."), series.root));
    phase(data, all, page);
    page.append(numbers(data));
  }
  if (data.model) {
    const text = data.model.text, view = data.view_text;
    if (view)
      page.append(section("View", element("p", {}, "The model says nothing about how it looks; this is what was drawn. Paste it into the model to change it."),
        copyButton("the view", () => view), element("pre", { tabindex: "0", class: "view" }, view)));
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
