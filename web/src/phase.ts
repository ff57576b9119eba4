// Phase and configuration plots, and Poincare sections, from nodes along the path.

import { colour, dash, ink } from "./colours";
import { Column, Run } from "./data";
import { element, select } from "./dom";
import { Curve, draw, Figure, saveButtons } from "./figure";

function column(run: Run, name: string): Column | undefined {
  return run.path.columns.find((c) => c.name === name);
}

function names(runs: Run[]): string[] {
  return runs[0].path.columns.map((c) => c.name);
}

export abstract class XyPlot {
  readonly root = element("figure", { class: "plot xy" });
  private place = element("div", {});

  protected start(...controls: HTMLElement[]): void {
    this.root.append(element("div", { class: "bar" }, ...controls, ...saveButtons(() => this.figure())), this.place);
  }
  protected abstract figure(): Figure;
  protected titled = true; // where no heading says what it is
  rebuild(): void {
    const width = Math.max(280, this.root.clientWidth || 480);
    const figure = this.figure();
    this.place.replaceChildren(draw(figure, width, Math.min(460, Math.max(300, width * 0.75)), ink(), this.titled));
    this.root.dataset.points = String(figure.curves.reduce((n, c) => n + c.x.length, 0));
  }
}

export class PathPlot extends XyPlot {
  constructor(private title: string, private runs: Run[], private x: string, private y: string) {
    super();
    const all = names(runs);
    this.start(
      select("x", all, x, (v) => ((this.x = v), this.rebuild())),
      select("y", all, y, (v) => ((this.y = v), this.rebuild())),
    );
  }
  protected figure(): Figure {
    const curves: Curve[] = [];
    this.runs.forEach((run, r) => {
      const x = column(run, this.x), y = column(run, this.y);
      if (x && y) curves.push({ name: run.method, x: x.values, y: y.values, colour: colour(r), dash: dash(r) });
    });
    const group = (n: string) => column(this.runs[0], n)?.group;
    const equal = group(this.x) === "q" && group(this.y) === "q";
    return { title: this.title + ": " + this.y + " against " + this.x, x: this.x, y: this.y, curves, equal };
  }
}

function passesUpwards(values: ArrayLike<number>, value: number, k: number): boolean {
  return values[k] < value && values[k + 1] >= value;
}

// A column and a value that it passes again and again: 0 where one does, else the middle of a range.
function recurring(run: Run, candidates: string[]): { of: string; value: number } {
  let best = { of: candidates[0], value: 0 }, most = 0;
  for (const middle of [false, true])
    for (const of of candidates) {
      const finite = column(run, of)!.values.filter(Number.isFinite);
      const [low, high] = finite.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity]);
      const value = middle && low < high ? Number(((low + high) / 2).toPrecision(3)) : 0;
      let count = 0;
      for (let k = 0; k + 1 < finite.length; ++k) count += Number(passesUpwards(finite, value, k));
      if (count >= 5) return { of, value };
      if (count > most) [best, most] = [{ of, value }, count];
    }
  return best;
}

// Where a column passes a value upwards; between nodes along a line. The first rates belong to the places.
export class SectionPlot extends XyPlot {
  private of: string;
  private value: number;
  private x: string;
  private y: string;
  constructor(private runs: Run[], places: string[], rates: string[]) {
    super();
    const all = names(runs), rest = places.length > 1 ? [...places.slice(1), places[0]] : places;
    ({ of: this.of, value: this.value } = recurring(runs[0], [...rest, ...rates.slice(0, Math.max(1, places.length))]));
    const others = [...places, ...rates].filter((n) => n !== this.of);
    this.x = others[0];
    const own = rates[places.indexOf(this.x)];
    this.y = own && own !== this.of ? own : others[1];
    const { of, x, y } = this;
    const input = element("input", { type: "number", value: String(this.value), step: "any", "aria-label": "value of the section" });
    input.addEventListener("change", () => ((this.value = Number(input.value) || 0), this.rebuild()));
    this.start(
      select("section", all, of, (v) => ((this.of = v), this.rebuild())),
      element("label", {}, "= ", input),
      select("x", all, x, (v) => ((this.x = v), this.rebuild())),
      select("y", all, y, (v) => ((this.y = v), this.rebuild())),
    );
  }
  protected figure(): Figure {
    const curves = this.runs.map((run, r) => {
      const s = column(run, this.of), x = column(run, this.x), y = column(run, this.y);
      const xs: number[] = [], ys: number[] = [];
      if (s && x && y)
        for (let k = 0; k + 1 < s.values.length; ++k) {
          if (!passesUpwards(s.values, this.value, k)) continue;
          const part = (this.value - s.values[k]) / (s.values[k + 1] - s.values[k]);
          xs.push(x.values[k] + part * (x.values[k + 1] - x.values[k]));
          ys.push(y.values[k] + part * (y.values[k + 1] - y.values[k]));
        }
      return { name: run.method, x: xs, y: ys, colour: colour(r), points: true };
    });
    const title = `section ${this.of} = ${this.value}, upwards: ${this.y} against ${this.x}`;
    const empty = `${this.of} does not pass ${this.value} upwards in this run`;
    return { title, x: this.x, y: this.y, curves, empty };
  }
}

export class WorkPlot extends XyPlot {
  constructor(private work: { method: string; cost: number[]; error: number[] }[]) {
    super();
    this.titled = false;
    this.start();
  }
  protected figure(): Figure {
    return {
      title: "work and precision",
      x: "seconds of computing a unit of time",
      y: "error at the end",
      logX: true,
      logY: true,
      curves: this.work.map((w, i) => ({ name: w.method, x: w.cost, y: w.error, colour: colour(i), dash: dash(i) })),
    };
  }
}
