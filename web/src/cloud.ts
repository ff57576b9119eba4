// Wavefronts: every run of the page is a cloud of points, drawn where the model's view has its first trail or point.

import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { colour, ink } from "./colours";
import { PageData, Part, Run } from "./data";
import { element } from "./dom";
import { Curve, Figure } from "./figure";
import { numbers } from "./pictures";
import { XyPlot } from "./phase";

// Where the view draws what moves; null: it does not say.
function placeOf(data: PageData): Part | null {
  const shapes = data.view?.shapes ?? [], first = (kind: string) => shapes.find((s) => s.kind === kind && s.parts.at);
  return (first("trail") ?? first("point") ?? shapes.find((s) => s.parts.at))?.parts.at ?? null;
}

function placesOf(run: Run, part: Part, width: number): number[][] {
  if (!run.pictures) return [];
  const { t, data } = run.pictures, all: number[][] = [];
  for (let k = 0; k < t.length; ++k) all.push(numbers(data.subarray(k * width, (k + 1) * width), part, 0));
  return all.filter((p) => p.every(Number.isFinite));
}

// In a plane: of the view, where it is one, else of two coordinates.
export class PlaneCloud extends XyPlot {
  private curves: Curve[];
  private x = "x";
  private y = "y";
  constructor(data: PageData) {
    super();
    const part = placeOf(data);
    if (part && data.view!.dimension === 2) {
      this.curves = data.runs.map((run, i) => {
        const places = placesOf(run, part, data.view!.numbers);
        return { name: run.method, x: places.map((p) => p[0]), y: places.map((p) => p[1]), colour: colour(i), points: true };
      });
    } else {
      const [x, y] = data.runs[0].path.columns;
      [this.x, this.y] = [x.name, (y ?? x).name];
      this.curves = data.runs.map((run, i) => {
        const of = (name: string) => run.path.columns.find((c) => c.name === name)!.values;
        return { name: run.method, x: of(this.x), y: of(this.y), colour: colour(i), points: true };
      });
    }
    this.start();
  }
  protected figure(): Figure {
    return { title: "wavefront", x: this.x, y: this.y, curves: this.curves, equal: true };
  }
}

// In space: to be turned with the mouse.
export class SpaceCloud {
  readonly root: HTMLElement;
  private canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": "the wavefront in space" });
  private renderer: three.WebGLRenderer;
  private scene = new three.Scene();
  private camera = new three.PerspectiveCamera(35, 1, 0.01, 100);
  private controls: OrbitControls;

  constructor(data: PageData) {
    const part = placeOf(data)!, clouds = data.runs.map((r) => placesOf(r, part, data.view!.numbers));
    const box = new three.Box3();
    clouds.flat().forEach((p) => box.expandByPoint(new three.Vector3(p[0], p[1], p[2] ?? 0)));
    const centre = box.getCenter(new three.Vector3()), size = Math.max(1e-9, box.getSize(new three.Vector3()).length());
    let count = 0;
    clouds.forEach((places, i) => {
      const geometry = new three.BufferGeometry().setFromPoints(places.map((p) => new three.Vector3(p[0], p[1], p[2] ?? 0)));
      const marked = data.runs[i].method.endsWith("points"); // cut and conjugate points stand out
      const material = new three.PointsMaterial({ color: colour(i), size: size / (marked ? 60 : 110) });
      this.scene.add(new three.Points(geometry, material));
      count += places.length;
    });
    this.renderer = new three.WebGLRenderer({ canvas: this.canvas, antialias: true, preserveDrawingBuffer: true });
    this.camera.near = size / 100;
    this.camera.far = size * 100;
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(centre).add(new three.Vector3(0.8, -1.1, 0.6).multiplyScalar(0.8 * size));
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.target.copy(centre);
    this.controls.addEventListener("change", () => this.rebuild());
    const legend = data.runs.map((r, i) => element("span", { class: "key", style: `color: ${colour(i)}` }, "\u25cf " + r.method + " "));
    this.root = element("figure", { class: "plot cloud" }, element("div", { class: "bar" }, ...legend), element("div", { class: "stage" }, this.canvas));
    this.root.dataset.points = String(count);
  }

  rebuild(): void {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    if (!w || !h) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.camera.lookAt(this.controls.target);
    this.scene.background = new three.Color(ink().background);
    this.renderer.render(this.scene, this.camera);
  }
}
