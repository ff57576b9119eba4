// Time series with linked zoom.

import uPlot from "uplot";
import { colour, dash, ink } from "./colours";
import { Column, Run } from "./data";
import { button, element } from "./dom";
import { Figure, label, saveButtons } from "./figure";

// Groups with a title of their own; any other has a plot under its name.
const titled: [string, string, boolean][] = [
  // group, title, on a log scale at first
  ["energy", "energy error", true],
  ["constraint", "constraint residual", true],
  ["momenta", "errors of momentum maps", true],
  ["z", "variables", false],
  ["q", "coordinates", false],
  ["v", "velocities", false],
  ["p", "momenta", false],
  ["lambda", "multipliers", false],
  ["lambda_h", "multipliers of holonomic constraints", false],
  ["observables", "observables", false],
  ["other", "columns", false],
];
function groupsOf(runs: Run[]): [string, string, boolean][] {
  const all = new Set(runs.flatMap((r) => r.series.columns.map((c) => c.group)));
  for (const [group] of titled) all.delete(group);
  return [...titled, ...[...all].map((group): [string, string, boolean] => [group, group, false])];
}
const shownAtFirst = 6; // columns of a plot

interface Line {
  run: number;
  column: Column;
  index: number; // of the column in its group
}

export class SeriesPlots {
  readonly root = element("div", { class: "grid" });
  private plots: uPlot[] = [];
  private builders: (() => void)[] = [];
  private syncing = false;
  private range: [number, number] | null = null;

  constructor(private runs: Run[]) {
    for (const [group, title, log] of groupsOf(runs)) {
      const lines: Line[] = [];
      runs.forEach((run, r) =>
        run.series.columns
          .filter((c) => c.group === group)
          .forEach((column, index) => lines.push({ run: r, column, index })),
      );
      // What is exactly 0 throughout has no place on a log scale.
      const anything = lines.some((l) => l.column.values.some((x) => x !== 0));
      if (lines.length) this.add(title, lines, log && anything);
    }
  }

  rebuild(): void {
    this.plots.forEach((p) => p.destroy());
    this.plots = [];
    for (const build of this.builders) build();
    if (this.range) this.zoom(this.range);
  }

  resetZoom(): void {
    this.range = null;
    for (const p of this.plots) p.setData(p.data, true);
  }

  private zoom(range: [number, number], except?: uPlot): void {
    this.syncing = true;
    for (const p of this.plots) if (p !== except) p.setScale("x", { min: range[0], max: range[1] });
    this.syncing = false;
  }

  private add(title: string, lines: Line[], logAtFirst: boolean): void {
    let log = logAtFirst;
    const box = element("figure", { class: "plot", tabindex: "0", "aria-label": title });
    const place = element("div", {});
    const several = this.runs.length > 1;
    const name = (l: Line) => (several ? l.column.name + " · " + this.runs[l.run].method : l.column.name);
    const look = (l: Line) =>
      several ? { colour: colour(l.run), dash: dash(l.index) } : { colour: colour(l.index), dash: dash(Math.floor(l.index / 8)) };
    const figure = (): Figure => ({
      title: log ? "|" + title + "|" : title,
      x: "t",
      y: log ? "|" + title + "|" : title,
      logY: log,
      range: this.range || undefined,
      curves: lines
        .filter((l) => l.index < shownAtFirst)
        .map((l) => ({ name: name(l), x: this.runs[l.run].series.t, y: shown(l.column, log), ...look(l) })),
    });
    const toggle = button("log", "linear or logarithmic scale", () => {
      log = !log;
      this.rebuild();
    });
    const build = () => {
      toggle.setAttribute("aria-pressed", String(log));
      place.replaceChildren();
      const plot = this.plot(place, title, lines, log, name, look);
      this.plots.push(plot);
      box.dataset.points = String(plot.data[0].length);
      box.dataset.curves = String(plot.series.length - 1);
    };
    this.builders.push(build);
    const bar = element("div", { class: "bar" }, element("strong", {}, title), toggle, ...saveButtons(figure),
      button("all", "show the whole time", () => this.resetZoom()));
    box.append(bar, place);
    box.addEventListener("keydown", (e) => this.key(e));
    this.root.append(box);
  }

  private key(e: KeyboardEvent): void {
    if (!this.plots.length || (e.target as HTMLElement).tagName !== "FIGURE") return;
    const x = this.plots[0].scales.x;
    const lo = x.min!, hi = x.max!, span = hi - lo;
    const next: Record<string, [number, number]> = {
      "+": [lo + span / 4, hi - span / 4],
      "-": [lo - span / 2, hi + span / 2],
      ArrowLeft: [lo - span / 4, hi - span / 4],
      ArrowRight: [lo + span / 4, hi + span / 4],
    };
    if (e.key === "0") this.resetZoom();
    else if (next[e.key]) {
      this.range = next[e.key];
      this.zoom(this.range);
    } else return;
    e.preventDefault();
  }

  private plot(
    place: HTMLElement,
    title: string,
    lines: Line[],
    log: boolean,
    name: (l: Line) => string,
    look: (l: Line) => { colour: string; dash: number[] },
  ): uPlot {
    const { text, faint } = ink();
    const tables = this.runs.map((run, r) => [
      run.series.t,
      ...lines.filter((l) => l.run === r).map((l) => shown(l.column, log)),
    ]) as unknown as uPlot.AlignedData[];
    const data = tables.length === 1 ? tables[0] : uPlot.join(tables);
    const ordered = this.runs.flatMap((_, r) => lines.filter((l) => l.run === r));
    const axis = { stroke: text, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint } };
    const options: uPlot.Options = {
      width: Math.max(280, this.root.clientWidth >= 900 ? (this.root.clientWidth - 24) / 2 : this.root.clientWidth),
      height: 260,
      scales: { x: { time: false }, y: log ? { distr: 3, range: decades } : { range: interval } },
      axes: [axis, {
        ...axis, size: 68, values: (_u, ticks) => ticks.map((t) => (t === null ? "" : label(t))),
        ...(log ? { splits: powersOfTen, filter: (_u: uPlot, ticks: number[]) => ticks } : {}),
      }],
      series: [
        { label: "t" },
        ...ordered.map((l) => ({
          label: name(l),
          stroke: look(l).colour,
          dash: look(l).dash,
          width: 1.3,
          spanGaps: true,
          show: l.index < shownAtFirst,
          points: { show: false },
          value: (_u: uPlot, v: number | null) => (v === null || v === undefined ? "" : v.toPrecision(6)),
        })),
      ],
      cursor: { sync: { key: "t", scales: ["x", null] } },
      legend: { live: true },
      hooks: {
        draw: [(u) => (place.dataset.range = u.scales.x.min + " " + u.scales.x.max)],
        setScale: [
          (u, key) => {
            if (key !== "x" || this.syncing) return;
            const { min, max } = u.scales.x;
            if (min === undefined || max === undefined || min === null || max === null) return;
            const whole = u.data[0];
            const all = min <= whole[0] && max >= whole[whole.length - 1];
            this.range = all ? null : [min, max];
            this.zoom([min, max], u);
          },
        ],
      },
    };
    const plot = new uPlot(options, data, place);
    plot.ctx.canvas.setAttribute("aria-label", title);
    plot.ctx.canvas.setAttribute("role", "img");
    return plot;
  }
}

function shown(column: Column, log: boolean): ArrayLike<number | null> {
  if (!log) return column.values;
  return Array.from(column.values, (v) => (v === 0 || !Number.isFinite(v) ? null : Math.abs(v)));
}

function decades(_u: uPlot, lo: number | null, hi: number | null): [number, number] {
  if (lo === null || hi === null || !(hi > 0)) return [1e-16, 1];
  return [10 ** Math.floor(Math.log10(Math.max(lo, hi * 1e-12))), 10 ** Math.ceil(Math.log10(hi) + 1e-9)];
}

// Never so narrow, beside what it is about, that ticks could not be told apart.
function interval(_u: uPlot, lo: number | null, hi: number | null): [number, number] {
  if (lo === null || hi === null) return [0, 1];
  const least = Math.max(1e-12, 1e-5 * Math.max(Math.abs(lo), Math.abs(hi))), middle = (lo + hi) / 2;
  const half = Math.max(least, 0.54 * (hi - lo));
  return [middle - half, middle + half];
}

// NOTE: uPlot's own ticks of a log scale never end where the scale reaches below 1e-16.
function powersOfTen(_u: uPlot, _axis: number, lo: number, hi: number): number[] {
  const from = Math.round(Math.log10(lo)), to = Math.round(Math.log10(hi)), step = Math.max(1, Math.ceil((to - from) / 6));
  const all: number[] = [];
  for (let e = from; e <= to; e += step) all.push(10 ** e);
  return all;
}
