// Phase and configuration plots, and Poincare sections, from nodes along the path.

import { colour, dash } from "./colours";
import { Column, Run } from "./data";
import { element, select } from "./dom";
import { Curve, draw, Figure, saveButtons } from "./figure";

function column(run: Run, name: string): Column | undefined {
  return run.path.columns.find((c) => c.name === name);
}

function names(runs: Run[]): string[] {
  return runs[0].path.columns.map((c) => c.name);
}

abstract class XyPlot {
  readonly root = element("figure", { class: "plot xy" });
  private place = element("div", {});

  protected start(...controls: HTMLElement[]): void {
    this.root.append(element("div", { class: "bar" }, ...controls, ...saveButtons(() => this.figure())), this.place);
  }
  protected abstract figure(): Figure;
  rebuild(): void {
    const width = Math.max(280, this.root.clientWidth || 480);
    const figure = this.figure();
    this.place.replaceChildren(draw(figure, width, Math.min(460, Math.max(300, width * 0.75))));
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

// Where a column passes a value upwards; between nodes along a line.
export class SectionPlot extends XyPlot {
  private value = 0;
  constructor(private runs: Run[], private of: string, private x: string, private y: string) {
    super();
    const all = names(runs);
    const input = element("input", { type: "number", value: "0", step: "any", "aria-label": "value of the section" });
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
          const a = s.values[k] - this.value, b = s.values[k + 1] - this.value;
          if (!(a < 0 && b >= 0)) continue;
          const part = a / (a - b);
          xs.push(x.values[k] + part * (x.values[k + 1] - x.values[k]));
          ys.push(y.values[k] + part * (y.values[k + 1] - y.values[k]));
        }
      return { name: run.method, x: xs, y: ys, colour: colour(r), points: true };
    });
    const title = `section ${this.of} = ${this.value}, upwards: ${this.y} against ${this.x}`;
    return { title, x: this.x, y: this.y, curves };
  }
}

export class WorkPlot extends XyPlot {
  constructor(private work: { method: string; cost: number[]; error: number[] }[]) {
    super();
    this.start(element("strong", {}, "work and precision"));
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
