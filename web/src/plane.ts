// Pictures in the plane, on a canvas or as SVG: the same drawing on two kinds of paper.

import { colour, ink, namedColour, savedInk } from "./colours";
import { Shape } from "./data";
import { labels, meshFor, scaleBar } from "./marks";
import { CanvasPaper, finer, Inks, Paper, SvgPaper } from "./paper";
import { columns, number, numbers, Pictures } from "./pictures";

export class PlaneStage {
  private box: { low: number[]; high: number[] };
  private shift = [0, 0];
  private scale = 1;
  follow = false;

  constructor(readonly canvas: HTMLCanvasElement, private pictures: Pictures) {
    this.box = pictures.box();
    this.listen();
  }
  onchange = (): void => {};

  // One finger or the mouse moves the picture, two make it larger or smaller.
  private listen(): void {
    const canvas = this.canvas, fingers = new Map<number, number[]>();
    const middle = (of: number[][]) => [0, 1].map((i) => of.reduce((sum, p) => sum + p[i], 0) / of.length);
    const apart = (of: number[][]) => (of.length > 1 ? Math.hypot(of[0][0] - of[1][0], of[0][1] - of[1][1]) : 1);
    canvas.addEventListener("pointerdown", (e) => {
      fingers.set(e.pointerId, [e.offsetX, e.offsetY]);
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", (e) => {
      if (!fingers.has(e.pointerId)) return;
      const before = [...fingers.values()];
      fingers.set(e.pointerId, [e.offsetX, e.offsetY]);
      const now = [...fingers.values()], from = middle(before), to = middle(now);
      if (now.length > 1) this.nearer(apart(now) / Math.max(1, apart(before)), to);
      this.turn(to[0] - from[0], to[1] - from[1]);
    });
    for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, (e) => fingers.delete(e.pointerId));
    canvas.addEventListener("wheel", (e) => (e.preventDefault(), this.nearer(e.deltaY < 0 ? 1.1 : 1 / 1.1, [e.offsetX, e.offsetY])), { passive: false });
  }

  turn(dx: number, dy: number): void { // in the plane: moves the picture
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
    this.onchange();
  }
  // What is at a place of the canvas, its middle if none is given, stays there.
  nearer(factor: number, at?: number[]): void {
    const { clientWidth: w, clientHeight: h } = this.canvas, [x, y] = at ?? [w / 2, h / 2];
    this.shift = [(x - w / 2) * (1 - factor) + this.shift[0] * factor, (y - h / 2) * (1 - factor) + this.shift[1] * factor];
    this.scale *= factor;
    this.onchange();
  }
  home(): void {
    this.shift = [0, 0];
    this.scale = 1;
    this.onchange();
  }

  draw(time: number): void {
    const ratio = window.devicePixelRatio || 1, { clientWidth: w, clientHeight: h } = this.canvas;
    if (this.canvas.width !== Math.round(w * ratio) || this.canvas.height !== Math.round(h * ratio)) {
      this.canvas.width = Math.round(w * ratio);
      this.canvas.height = Math.round(h * ratio);
    }
    const context = this.canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = ink().background;
    context.fillRect(0, 0, w, h);
    this.paint(new CanvasPaper(context), time, w, h, ink());
  }

  // As it is saved: twice as fine, on the background that was chosen.
  picture(time: number): HTMLCanvasElement {
    const { clientWidth: w, clientHeight: h } = this.canvas, copy = document.createElement("canvas"), inks = savedInk();
    copy.width = 2 * w;
    copy.height = 2 * h;
    const context = copy.getContext("2d")!;
    context.scale(2, 2);
    if (inks.background !== "none") {
      context.fillStyle = inks.background;
      context.fillRect(0, 0, w, h);
    }
    this.paint(new CanvasPaper(context), time, w, h, inks);
    return copy;
  }

  svg(time: number): string {
    const paper = new SvgPaper(), w = 800, h = 600, inks = savedInk();
    this.paint(paper, time, w, h, inks);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}"><rect width="${w}" height="${h}" fill="${inks.background}"/>${paper.text}</svg>`;
  }

  private paint(paper: Paper, time: number, w: number, h: number, inks: Inks): void {
    const { low, high } = this.box, margin = 24, cluster = this.pictures.cluster(time);
    const whole = Math.min((w - 2 * margin) / (high[0] - low[0]), (h - 2 * margin) / (high[1] - low[1]));
    const unit = this.scale * (this.follow && cluster.size > 0 ? Math.min(w, h) / (4 * cluster.size) : whole);
    const centre = this.follow ? cluster.centre : [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    const place = (p: number[]) => [
      w / 2 + this.shift[0] + unit * (p[0] - centre[0]),
      h / 2 + this.shift[1] - unit * (p[1] - centre[1]),
    ];
    const origin = place([0, 0]), mesh = meshFor(unit);
    this.grid(paper, origin, mesh, unit, w, h, inks);
    this.pictures.runs.forEach((_, run) => {
      const snapshots = this.pictures.snapshotTimes(time);
      for (const t of snapshots) this.shapes(paper, run, t, place, unit, 0.22, false);
      this.shapes(paper, run, time, place, unit, 1, true);
    });
    this.canvas.dataset.labels = labels(paper, this.pictures, this.pictures.at(0, time), place, inks).join("\n");
    scaleBar(paper, mesh, unit, w, h, inks);
    this.canvas.dataset.scale = String(mesh);
  }

  // Lines as far as one can see, wherever the picture has been moved to. Finer ones fade in as one comes nearer.
  private grid(paper: Paper, origin: number[], mesh: number, unit: number, w: number, h: number, inks: Inks): void {
    const fine = (mesh / finer(mesh)) * unit, wide = mesh * unit;
    const lines = (every: number, alpha: number) => {
      for (let x = origin[0] - Math.ceil(origin[0] / every) * every; x <= w; x += every)
        paper.line([[x, 0], [x, h]], inks.faint, 1, alpha);
      for (let y = origin[1] - Math.ceil(origin[1] / every) * every; y <= h; y += every)
        paper.line([[0, y], [w, y]], inks.faint, 1, alpha);
    };
    const seen = Math.min(1, Math.max(0, (fine - 18) / 40));
    if (seen > 0.02) lines(fine, 0.45 * seen);
    lines(wide, 0.9);
  }

  private shapes(paper: Paper, run: number, time: number, place: (p: number[]) => number[], unit: number, alpha: number, trails: boolean): void {
    const frame = this.pictures.at(run, time), several = this.pictures.runs.length > 1;
    for (const shape of this.pictures.view.shapes)
      for (let m = 0; m < shape.members; ++m) {
        const paint = several ? colour(run) : namedColour(shape.colour, colour(run)); // of several runs it tells which
        if (shape.kind === "trail") {
          if (trails) {
            const seconds = number(frame, shape, "seconds", m, Infinity);
            const places = this.pictures.trail(run, shape.parts.at, m, time, seconds).filter((p) => p.every(Number.isFinite));
            paper.line(places.map(place), paint, 1.2, 0.55);
          }
        } else this.shape(paper, shape, m, frame, place, unit, paint, alpha);
      }
  }

  private shape(paper: Paper, s: Shape, m: number, frame: Float32Array, place: (p: number[]) => number[], unit: number, paint: string, alpha: number): void {
    const where = (name: string) => numbers(frame, s.parts[name], m);
    const get = (name: string, otherwise: number) => number(frame, s, name, m, otherwise);
    if (s.kind === "rod") {
      const ends = [where("from"), where("to")];
      if (ends.flat().every(Number.isFinite)) paper.line(ends.map(place), paint, 3 * get("width", 1), alpha);
      return;
    }
    const at = where("at");
    if (!at.every(Number.isFinite)) return;
    const along = (angle: number, length: number) => [at[0] + length * Math.cos(angle), at[1] + length * Math.sin(angle)];
    const [x, y] = place(at), radius = get("radius", 0);
    if (s.kind === "point") paper.circle(x, y, 5 * get("size", 1), paint, alpha, true);
    if (s.kind === "wheel" && s.parts.heading)
      paper.line([along(get("heading", 0), -radius), along(get("heading", 0), radius)].map(place), paint, 6, alpha);
    else if (s.kind === "disc" || s.kind === "wheel") {
      paper.circle(x, y, radius * unit, paint, alpha, false);
      if (s.parts.angle) paper.line([at, along(get("angle", 0), radius)].map(place), paint, 2, alpha);
    }
    if (s.kind === "blade") {
      const half = get("length", 1) / 2, tip = along(get("heading", 0), half);
      paper.line([along(get("heading", 0), -half), tip].map(place), paint, 4, alpha);
      paper.circle(...(place(tip) as [number, number]), 3.5, paint, alpha, true);
    }
    if (s.kind === "frame") {
      const size = get("size", 1), angle = get("angle", 0);
      const axes = s.parts.axes ? columns(where("axes")) : [angle, angle + Math.PI / 2].map((a) => [Math.cos(a), Math.sin(a)]);
      const ends = axes.map((a) => [at[0] + size * a[0], at[1] + size * a[1]]);
      paper.line([at, ends[0]].map(place), paint, 2.5, alpha);
      paper.line([at, ends[1]].map(place), paint, 2.5, alpha, [4, 4]);
    }
  }
}
