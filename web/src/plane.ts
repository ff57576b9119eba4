// Pictures in the plane, on a canvas or as SVG: the same drawing on two kinds of paper.

import { colour, ink, namedColour, savedInk } from "./colours";
import { Shape } from "./data";
import { label } from "./figure";
import { columns, number, numbers, Pictures } from "./pictures";

interface Paper {
  line(points: number[][], colour: string, width: number, alpha: number, dash?: number[]): void;
  circle(x: number, y: number, radius: number, colour: string, alpha: number, filled: boolean): void;
  write(x: number, y: number, words: string, colour: string): void;
}
type Inks = ReturnType<typeof ink>;

class CanvasPaper implements Paper {
  constructor(private context: CanvasRenderingContext2D) {}
  line(points: number[][], stroke: string, width: number, alpha: number, dash: number[] = []): void {
    const c = this.context;
    c.globalAlpha = alpha;
    c.strokeStyle = stroke;
    c.lineWidth = width;
    c.lineCap = c.lineJoin = "round";
    c.setLineDash(dash);
    c.beginPath();
    points.forEach((p, i) => (i ? c.lineTo(p[0], p[1]) : c.moveTo(p[0], p[1])));
    c.stroke();
  }
  circle(x: number, y: number, radius: number, paint: string, alpha: number, filled: boolean): void {
    const c = this.context;
    c.globalAlpha = alpha;
    c.setLineDash([]);
    c.beginPath();
    c.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI);
    c.fillStyle = c.strokeStyle = paint;
    c.lineWidth = 2;
    if (filled) c.fill();
    else c.stroke();
  }
  write(x: number, y: number, words: string, paint: string): void {
    const c = this.context;
    c.globalAlpha = 1;
    c.fillStyle = paint;
    c.font = "12px system-ui, sans-serif";
    c.fillText(words, x, y);
  }
}

class SvgPaper implements Paper {
  text = "";
  line(points: number[][], stroke: string, width: number, alpha: number, dash: number[] = []): void {
    const path = points.map((p) => p[0].toFixed(1) + "," + p[1].toFixed(1)).join(" ");
    this.text += `<polyline points="${path}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-opacity="${alpha}" stroke-linecap="round" stroke-dasharray="${dash.join(" ")}"/>`;
  }
  circle(x: number, y: number, radius: number, paint: string, alpha: number, filled: boolean): void {
    this.text += `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}" fill="${filled ? paint : "none"}" stroke="${paint}" opacity="${alpha}"/>`;
  }
  write(x: number, y: number, words: string, paint: string): void {
    const safe = words.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
    this.text += `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${paint}" font-family="system-ui, sans-serif" font-size="12">${safe}</text>`;
  }
}

// 1, 2 or 5 times a power of ten, at least so long.
function spacing(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= least) || least;
}

export class PlaneStage {
  private box: { low: number[]; high: number[] };
  private shift = [0, 0];
  private scale = 1;
  follow = false;

  constructor(readonly canvas: HTMLCanvasElement, private pictures: Pictures) {
    this.box = pictures.box();
    let from: [number, number] | null = null;
    canvas.addEventListener("pointerdown", (e) => {
      from = [e.clientX, e.clientY];
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", (e) => {
      if (!from) return;
      this.turn(e.clientX - from[0], e.clientY - from[1]);
      from = [e.clientX, e.clientY];
    });
    canvas.addEventListener("pointerup", () => (from = null));
    canvas.addEventListener("wheel", (e) => (e.preventDefault(), this.nearer(e.deltaY < 0 ? 1.1 : 1 / 1.1)), { passive: false });
  }
  onchange = (): void => {};
  turn(dx: number, dy: number): void { // in the plane: moves the picture
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
    this.onchange();
  }
  nearer(factor: number): void {
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
    const origin = place([0, 0]), mesh = spacing(90 / unit);
    this.grid(paper, origin, mesh * unit, w, h, inks);
    this.pictures.runs.forEach((_, run) => {
      const snapshots = this.pictures.snapshotTimes(time);
      for (const t of snapshots) this.shapes(paper, run, t, place, unit, 0.22, false);
      this.shapes(paper, run, time, place, unit, 1, true);
    });
    if (this.pictures.runs.length === 1) this.labels(paper, this.pictures.at(0, time), place, inks);
    const right = w - 16, left = right - mesh * unit; // how long one mesh of the grid is
    paper.line([[left, h - 14], [right, h - 14]], inks.text, 2, 0.8);
    for (const x of [left, right]) paper.line([[x, h - 18], [x, h - 10]], inks.text, 2, 0.8);
    paper.write(left + 4, h - 20, label(mesh), inks.text);
  }

  // Lines as far as one can see, wherever the picture has been moved to.
  private grid(paper: Paper, origin: number[], mesh: number, w: number, h: number, inks: Inks): void {
    for (let x = origin[0] - Math.ceil(origin[0] / mesh) * mesh; x <= w; x += mesh)
      paper.line([[x, 0], [x, h]], inks.faint, 1, 0.6);
    for (let y = origin[1] - Math.ceil(origin[1] / mesh) * mesh; y <= h; y += mesh)
      paper.line([[0, y], [w, y]], inks.faint, 1, 0.6);
  }

  private labels(paper: Paper, frame: Float32Array, place: (p: number[]) => number[], inks: Inks): void {
    for (const shape of this.pictures.view.shapes) {
      if (!shape.name || shape.kind === "trail") continue;
      for (let m = 0; m < Math.min(shape.members, 20); ++m) {
        const ends = ["at", "from", "to"].filter((n) => shape.parts[n]).map((n) => numbers(frame, shape.parts[n], m));
        if (!ends.length || !ends.flat().every(Number.isFinite)) continue;
        const middle = [0, 1].map((i) => ends.reduce((sum, p) => sum + p[i], 0) / ends.length), [x, y] = place(middle);
        paper.write(x + 8, y - 8, shape.members > 1 ? `${shape.name} ${m + 1}` : shape.name, inks.text);
      }
    }
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
