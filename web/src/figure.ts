// A plot of x against y as SVG: phase plots, sections, work-precision; and what time series are saved as.

import { ink, savedInk } from "./colours";
import { button, fileName, save } from "./dom";

export interface Curve {
  name: string;
  x: ArrayLike<number>;
  y: ArrayLike<number | null>;
  colour: string;
  dash?: number[];
  points?: boolean;
  alpha?: number;
  size?: number; // of points, beside the usual one
}
export interface Figure {
  title: string;
  x: string;
  y: string;
  curves: Curve[];
  logX?: boolean;
  logY?: boolean;
  equal?: boolean; // one unit is as long on both axes
  range?: [number, number]; // of x
  empty?: string; // said where there is nothing to draw
}

const namespace = "http://www.w3.org/2000/svg";
function svg(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const e = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, String(value));
  if (text) e.textContent = text;
  return e;
}

export function label(x: number): string {
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(1).replace(".0e", "e").replace("e+", "e") : String(+x.toPrecision(6));
}

class Axis {
  constructor(private lo: number, private hi: number, readonly log: boolean) {
    const least = log ? 0 : Math.max(1e-12, 1e-5 * Math.max(Math.abs(lo), Math.abs(hi)));
    if (!(hi > lo + least)) {
      this.lo = log ? lo / 2 : lo - least;
      this.hi = log ? hi * 2 : hi + least;
    }
  }
  span(): number {
    return this.hi - this.lo;
  }
  middle(): number {
    return (this.hi + this.lo) / 2;
  }
  place(x: number): number {
    if (this.log) return Math.log(x / this.lo) / Math.log(this.hi / this.lo);
    return (x - this.lo) / (this.hi - this.lo);
  }
  ticks(count: number): number[] {
    const all: number[] = [];
    if (this.log) {
      const from = Math.ceil(Math.log10(this.lo) - 1e-9), to = Math.floor(Math.log10(this.hi) + 1e-9);
      const step = Math.max(1, Math.ceil((to - from) / count));
      for (let e = from; e <= to; e += step) all.push(10 ** e);
      return all;
    }
    const raw = this.span() / count, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw) || raw;
    for (let k = Math.ceil(this.lo / step); k * step <= this.hi + 1e-9 * step; ++k) all.push(k * step);
    return all;
  }
}

function extent(figure: Figure, of: "x" | "y", log: boolean): Axis {
  let lo = Infinity, hi = -Infinity;
  for (const c of figure.curves)
    for (let i = 0; i < c[of].length; ++i) {
      const v = c[of][i], x = c.x[i];
      if (v === null || !Number.isFinite(v) || (log && v <= 0)) continue;
      if (figure.range && (x < figure.range[0] || x > figure.range[1])) continue;
      lo = Math.min(lo, v);
      hi = Math.max(hi, v);
    }
  if (!(lo <= hi)) [lo, hi] = log ? [0.1, 1] : [0, 1];
  const pad = log ? 1 : 0.04 * (hi - lo);
  return log ? new Axis(lo / 1.3, hi * 1.3, true) : new Axis(lo - pad, hi + pad, false);
}

const mostNamed = 10; // curves in a legend

// Above the plot, in as many rows as it takes: places of the names, and how high all are.
function legend(figure: Figure, left: number, w: number): { names: { name: string; x: number; y: number; curve: Curve | null }[]; height: number } {
  const names: { name: string; x: number; y: number; curve: Curve | null }[] = [], { curves } = figure, row = 16;
  if (curves.length < 2) return { names, height: 0 };
  const all: [string, Curve | null][] = curves.slice(0, mostNamed).map((c) => [c.name, c]);
  if (curves.length > mostNamed) all.push([`and ${curves.length - mostNamed} more`, null]);
  let x = left, y = 0;
  for (const [name, curve] of all) {
    const wide = (curve ? 26 : 0) + 7 * name.length + 14;
    if (x > left && x + wide > left + w) [x, y] = [left, y + row];
    names.push({ name, x, y, curve });
    x += wide;
  }
  return { names, height: y + row };
}

export function draw(figure: Figure, width: number, height: number, inks = ink(), titled = true): SVGElement {
  const { text, faint, background } = inks;
  const left = 70, right = 12, bottom = 46, start = titled ? 28 : 8, named = legend(figure, left, width - left - right), top = start + named.height;
  let x = figure.range ? new Axis(...figure.range, false) : extent(figure, "x", !!figure.logX);
  let y = extent(figure, "y", !!figure.logY);
  const w = width - left - right, h = height - top - bottom;
  if (figure.equal) {
    const unit = Math.max(x.span() / w, y.span() / h);
    x = new Axis(x.middle() - (unit * w) / 2, x.middle() + (unit * w) / 2, false);
    y = new Axis(y.middle() - (unit * h) / 2, y.middle() + (unit * h) / 2, false);
  }
  const root = svg("svg", {
    xmlns: namespace, viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "font-family": "system-ui, sans-serif", "font-size": 12,
  });
  root.append(svg("title", {}, figure.title), svg("rect", { width, height, fill: background }));
  const long = 7.2 * figure.title.length > w; // about as wide as its letters: narrower ones, then
  if (titled)
    root.append(svg("text", {
      x: left, y: 18, fill: text, "font-weight": 600, ...(long ? { textLength: w, lengthAdjust: "spacingAndGlyphs" } : {}),
    }, figure.title));
  for (const { name, x: at, y: below, curve } of named.names) {
    const y = start + below + 8;
    if (curve?.points) root.append(svg("circle", { cx: at + 10, cy: y, r: 4, fill: curve.colour, opacity: curve.alpha ?? 1 }));
    else if (curve)
      root.append(svg("line", {
        x1: at, x2: at + 20, y1: y, y2: y, stroke: curve.colour, "stroke-width": 2, "stroke-dasharray": (curve.dash || []).join(" "),
      }));
    root.append(svg("text", { x: at + (curve ? 26 : 0), y: y + 4, fill: text }, name));
  }
  const px = (v: number) => left + w * x.place(v), py = (v: number) => top + h * (1 - y.place(v));
  for (const t of x.ticks(Math.max(3, w / 90))) {
    root.append(svg("line", { x1: px(t), x2: px(t), y1: top, y2: top + h, stroke: faint }));
    root.append(svg("text", { x: px(t), y: top + h + 16, fill: text, "text-anchor": "middle" }, label(t)));
  }
  for (const t of y.ticks(Math.max(3, h / 45))) {
    root.append(svg("line", { x1: left, x2: left + w, y1: py(t), y2: py(t), stroke: faint }));
    root.append(svg("text", { x: left - 6, y: py(t) + 4, fill: text, "text-anchor": "end" }, label(t)));
  }
  root.append(svg("text", { x: left + w / 2, y: height - 8, fill: text, "text-anchor": "middle" }, figure.x));
  root.append(svg("text", {
    x: 14, y: top + h / 2, fill: text, "text-anchor": "middle", transform: `rotate(-90 14 ${top + h / 2})`,
  }, figure.y));
  const clip = "clip" + Math.random().toString(36).slice(2);
  const area = svg("clipPath", { id: clip });
  area.append(svg("rect", { x: left, y: top, width: w, height: h }));
  root.append(area);
  figure.curves.forEach((c) => {
    let path = "", pen = false;
    const radius = c.x.length < 100 ? 3.5 : 2; // few are seen, many are told apart
    for (let i = 0; i < c.x.length; ++i) {
      const v = c.y[i];
      const good = v !== null && Number.isFinite(v) && Number.isFinite(c.x[i]) &&
        (!figure.logY || v > 0) && (!figure.logX || c.x[i] > 0);
      if (good) path += (pen && !c.points ? "L" : "M") + px(c.x[i]).toFixed(1) + " " + py(v!).toFixed(1) + (c.points ? "h0" : "");
      pen = good;
    }
    root.append(svg("path", {
      d: path || "M0 0", fill: "none", stroke: path ? c.colour : "none", "clip-path": `url(#${clip})`, "stroke-opacity": c.alpha ?? 1,
      "stroke-width": c.points ? 2 * radius * (c.size ?? 1) : 1.4, "stroke-linecap": c.points ? "round" : "butt",
      "stroke-dasharray": (c.dash || []).join(" "), "data-curve": c.name,
    }));
  });
  if (figure.empty && figure.curves.every((c) => !c.x.length))
    root.append(svg("text", { x: left + w / 2, y: top + h / 2, fill: text, "text-anchor": "middle" }, figure.empty));
  return root;
}

export function svgText(figure: Figure): string {
  return new XMLSerializer().serializeToString(draw(figure, 800, 500, savedInk()));
}

export function saveSvg(figure: Figure): void {
  save(fileName(figure.title) + ".svg", new Blob([svgText(figure)], { type: "image/svg+xml" }));
}

export function savePng(figure: Figure): void {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 1600;
    canvas.height = 1000;
    canvas.getContext("2d")!.drawImage(image, 0, 0, 1600, 1000);
    canvas.toBlob((blob) => blob && save(fileName(figure.title) + ".png", blob));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgText(figure));
}

export function saveButtons(figure: () => Figure): HTMLElement[] {
  return [
    button("SVG", "save this figure as SVG", () => saveSvg(figure())),
    button("PNG", "save this figure as PNG", () => savePng(figure())),
  ];
}
