// Wavefronts: every run of the page is a cloud of points. Drawn in space where the model's view has its first trail or
// point, or over its first three coordinates; and in the plane over any two.

import * as three from "three";
import { colour, namedColour } from "./colours";
import { Column, PageData, Part, Run } from "./data";
import { button, element, fileName, save, select } from "./dom";
import { Curve, Figure } from "./figure";
import { numbers } from "./pictures";
import { XyPlot } from "./phase";
import { SpaceScene, vector } from "./scene";

interface Cloud {
  name: string;
  places: number[][];
  index: number;
}

// Spheres of different times in different colours; what is beyond its cut in that of its time, faint.
const marks: Record<string, string> = { "cut points": "orange", "conjugate points": "red" };
const times = ["blue", "green", "violet", "sky", "yellow", "grey"];
function lookOf(name: string, all: string[]): { colour: string; alpha: number; size: number } {
  // Where both are at one place, both are seen.
  if (marks[name]) return { colour: namedColour(marks[name], colour(0)), alpha: 1, size: name === "cut points" ? 2.4 : 1.4 };
  const time = (n: string) => n.slice(n.lastIndexOf("t = ")), seen = [...new Set(all.filter((n) => !marks[n]).map(time))];
  const beyond = !name.startsWith("sphere");
  return { colour: namedColour(times[seen.indexOf(time(name)) % times.length], colour(0)), alpha: beyond ? 0.5 : 1, size: beyond ? 0.7 : 1 };
}

// Where the view draws what moves; null: it does not say.
function placeOf(data: PageData): Part | null {
  const shapes = data.view?.shapes ?? [], first = (kind: string) => shapes.find((s) => s.kind === kind && s.parts.at);
  return (first("trail") ?? first("point") ?? shapes.find((s) => s.parts.at))?.parts.at ?? null;
}
function placesOf(run: Run, part: Part, width: number): number[][] {
  const { t, data } = run.pictures!, all: number[][] = [];
  for (let k = 0; k < t.length; ++k) all.push(numbers(data.subarray(k * width, (k + 1) * width), part, 0));
  return all;
}
const coordinatesOf = (run: Run): Column[] => run.path.columns.filter((c) => c.group === "q");

// What is drawn in space, and the names of its axes; null: there are only two coordinates.
function inSpace(data: PageData): { clouds: Cloud[]; letters: string[] } | null {
  const part = data.view?.dimension === 3 ? placeOf(data) : null, q = coordinatesOf(data.runs[0]).slice(0, 3);
  const clouds = (places: (run: Run) => number[][]) =>
    data.runs.map((run, index) => ({ name: run.method, places: places(run).filter((p) => p.every(Number.isFinite)), index }));
  const viewed = part && data.runs.every((r) => r.pictures) ? clouds((run) => placesOf(run, part, data.view!.numbers)) : [];
  const all = viewed.flatMap((c) => c.places), flat = [0, 1, 2].some((i) => all.every((p) => p[i] === all[0][i]));
  if (part && all.length && (!flat || q.length < 3))
    return { clouds: viewed, letters: part.words?.every((w) => /^[A-Za-z_][\w'[\]]{0,11}$/.test(w)) ? part.words : ["x", "y", "z"] };
  if (q.length < 3) return null;
  const of = (run: Run) => Array.from(coordinatesOf(run)[0].values, (_, k) => coordinatesOf(run).slice(0, 3).map((c) => c.values[k]));
  return { clouds: clouds(of), letters: q.map((c) => c.name) };
}

// In a plane of two coordinates.
class PlaneCloud extends XyPlot {
  private x: string;
  private y: string;
  constructor(private runs: Run[], second: number) {
    super();
    const all = coordinatesOf(runs[0]).map((c) => c.name);
    [this.x, this.y] = [all[0], all[second]];
    const equal = button("equal scales", "one unit is as long on both axes", () => {
      this.equal = !this.equal;
      equal.setAttribute("aria-pressed", String(this.equal));
      this.rebuild();
    });
    equal.setAttribute("aria-pressed", "true");
    this.start(...(all.length < 3 ? [] : [
      select("x", all, this.x, (v) => ((this.x = v), this.rebuild())),
      select("y", all, this.y, (v) => ((this.y = v), this.rebuild())),
    ]), equal);
  }
  private equal = true;
  protected figure(): Figure {
    const names = this.runs.map((r) => r.method);
    const curves: Curve[] = this.runs.map((run) => {
      const of = (name: string) => coordinatesOf(run).find((c) => c.name === name)!.values, look = lookOf(run.method, names);
      return { name: run.method, x: of(this.x), y: of(this.y), colour: look.colour, alpha: look.alpha, size: look.size, points: true };
    });
    return { title: `wavefront: ${this.y} against ${this.x}`, x: this.x, y: this.y, curves, equal: this.equal };
  }
}

// What points are cut out of.
function disc(): three.Texture {
  const canvas = element("canvas", { width: "32", height: "32" }), c = canvas.getContext("2d")!;
  c.fillStyle = "#ffffff";
  c.beginPath();
  c.arc(16, 16, 15, 0, 2 * Math.PI);
  c.fill();
  return new three.CanvasTexture(canvas);
}

// In space: to be turned with the mouse.
class SpaceCloud {
  readonly root: HTMLElement;
  private canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": "the wavefront in space" });
  private space: SpaceScene | null = null;
  private points: three.Points[] = [];
  private keys: HTMLButtonElement[] = [];

  constructor(data: PageData, private what: { clouds: Cloud[]; letters: string[] }) {
    const names = what.clouds.map((c) => c.name);
    this.keys = what.clouds.map((c, i) => button(c.name, "show or hide these points", () => this.show(i, !this.points[i]?.visible)));
    this.root = element("figure", { class: "plot cloud" },
      element("div", { class: "bar key" }, ...this.keys),
      element("div", { class: "stage" }, this.canvas),
      element("div", { class: "bar" }, button("view", "the whole picture again (0)", () => this.space?.home()),
        button("PNG", "save the picture as PNG", () => this.space?.picture().toBlob((b) => b && save(fileName(data.title) + ".png", b)))),
      element("p", { class: "hint" }, "Drag to turn, use the wheel or two fingers to come nearer; a name above hides its points and shows them again. Keys: arrows turn, plus and minus come nearer, zero shows all. All axes have the same scale; the bar is as long as a mesh of the grid, where one looks."));
    this.root.dataset.points = String(what.clouds.reduce((n, c) => n + c.places.length, 0));
    this.canvas.dataset.clouds = names.join("\n");
    this.canvas.addEventListener("keydown", (e) => this.key(e));
  }

  private show(i: number, on: boolean): void {
    if (this.points[i]) this.points[i].visible = on;
    this.keys[i].setAttribute("aria-pressed", String(on));
    this.space?.draw();
  }

  private key(e: KeyboardEvent): void {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.space?.turn(-20, 0), ArrowRight: () => this.space?.turn(20, 0),
      ArrowUp: () => this.space?.turn(0, -20), ArrowDown: () => this.space?.turn(0, 20),
      "+": () => this.space?.nearer(1.15), "-": () => this.space?.nearer(1 / 1.15), "0": () => this.space?.home(),
    };
    if (!actions[e.key]) return;
    actions[e.key]();
    e.preventDefault();
  }

  // The canvas must be in the page before it has a size.
  private start(): void {
    const { clouds, letters } = this.what, all = clouds.flatMap((c) => c.places), names = clouds.map((c) => c.name);
    const low = [0, 1, 2].map((i) => all.reduce((m, p) => Math.min(m, p[i]), Infinity));
    const high = [0, 1, 2].map((i) => all.reduce((m, p) => Math.max(m, p[i]), -Infinity));
    const size = Math.hypot(...high.map((x, i) => x - low[i])) || 1;
    this.space = new SpaceScene(this.canvas, { low, high }, (take) => all.forEach((p) => take(p, 0)), letters);
    const map = disc();
    clouds.forEach((c, i) => {
      const look = lookOf(c.name, names), faint = look.alpha < 1;
      const material = new three.PointsMaterial({ size: (look.size * size) / 120, map, alphaTest: faint ? 0.1 : 0.5, transparent: faint, opacity: look.alpha });
      this.points.push(new three.Points(new three.BufferGeometry().setFromPoints(c.places.map(vector)), material));
      this.space!.scene.add(this.points[i]);
      this.keys[i].setAttribute("aria-pressed", "true");
    });
    this.space.onchange = () => this.space!.draw();
  }

  rebuild(): void {
    const names = this.what.clouds.map((c) => c.name);
    try {
      if (!this.space) this.start();
    } catch {
      this.root.replaceChildren(element("p", {}, "This browser cannot draw in space (WebGL is missing); the plot beside has two coordinates of all points."));
      this.rebuild = () => {};
      return;
    }
    this.points.forEach((p, i) => {
      const look = lookOf(names[i], names);
      (p.material as three.PointsMaterial).color.set(look.colour);
      this.keys[i].style.setProperty("--colour", look.colour);
      this.keys[i].style.setProperty("--alpha", String(look.alpha));
    });
    this.space!.draw();
  }
}

interface Drawn {
  root: HTMLElement;
  rebuild(): void;
}
export function cloudsOf(data: PageData): { said: HTMLElement[]; space: Drawn | null; planes: Drawn[] } {
  const space = inSpace(data), count = coordinatesOf(data.runs[0]).length;
  const left = data.runs.filter((r) => r.path.t.length < r.nodes);
  const said = left.map((r) => element("p", { class: "hint said" }, `${r.method}: ${r.path.t.length} of ${r.nodes} points are drawn.`));
  return { said, space: space && new SpaceCloud(data, space), planes: [1, 2].filter((k) => k < count).map((k) => new PlaneCloud(data.runs, k)) };
}
