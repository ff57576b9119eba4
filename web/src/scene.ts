// A canvas that shows something in space: camera, ground, scale bar, axes. What WebGL draws is copied to a flat canvas,
// on which words are written: so they are on saved pictures and videos, too.

import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { ink, savedInk } from "./colours";
import { Ground } from "./ground";
import { meshFor, scaleBar } from "./marks";
import { CanvasPaper, Inks, Paper } from "./paper";

const up = new three.Vector3(0, 0, 1);
const eyeDirection = new three.Vector3(1.1, -1.5, 0.8).normalize();
export const vector = (p: number[]): three.Vector3 => new three.Vector3(p[0], p[1], p[2] ?? 0);

export type Write = (paper: Paper, place: (p: number[]) => number[] | null, inks: Inks) => void;
export type Places = (take: (place: number[], around: number) => void) => void;

export class SpaceScene {
  onchange = (): void => {};
  readonly scene = new three.Scene();
  readonly controls: OrbitControls;
  readonly camera = new three.PerspectiveCamera(35, 1, 0.01, 100);
  private renderer: three.WebGLRenderer;
  private ground: Ground;
  private whole: number; // how far all of it reaches

  constructor(readonly canvas: HTMLCanvasElement, box: { low: number[]; high: number[] }, places: Places, private letters = ["x", "y", "z"]) {
    this.renderer = new three.WebGLRenderer({ antialias: true, alpha: true });
    const centre = vector(box.low).add(vector(box.high)).multiplyScalar(0.5);
    this.whole = Math.max(...box.high.map((x, i) => x - box.low[i]));
    this.camera.up.copy(up);
    this.camera.position.copy(centre).addScaledVector(eyeDirection, this.distanceToSee(centre, places));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.copy(centre);
    this.controls.addEventListener("change", () => this.onchange());
    this.controls.saveState();
    this.scene.add(new three.HemisphereLight(0xffffff, 0x777777, 2.2));
    const light = new three.DirectionalLight(0xffffff, 1.6);
    light.position.set(1, -2, 3);
    this.ground = new Ground(box.low[2] ?? 0);
    this.scene.add(light, this.ground.mesh);
    this.controls.update();
  }

  // How far from the centre the eye must be, in its direction, to have all places in sight.
  private distanceToSee(centre: three.Vector3, places: Places): number {
    const { clientWidth: w, clientHeight: h } = this.canvas, margin = 1.12;
    const tall = Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * (w / Math.max(1, h) || 1);
    const right = new three.Vector3().crossVectors(up, eyeDirection).normalize();
    const upright = new three.Vector3().crossVectors(eyeDirection, right);
    let distance = this.whole / 2;
    places((place, around) => {
      const p = vector(place).sub(centre);
      const across = Math.max((Math.abs(p.dot(right)) + around) / wide, (Math.abs(p.dot(upright)) + around) / tall);
      if (Number.isFinite(across)) distance = Math.max(distance, margin * across + p.dot(eyeDirection) + around);
    });
    return distance;
  }

  turn(dx: number, dy: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const flat = Math.atan2(offset.y, offset.x) - dx / 150, length = offset.length();
    const rise = Math.min(1.5, Math.max(-1.5, Math.asin(offset.z / length) + dy / 150));
    offset.set(Math.cos(rise) * Math.cos(flat), Math.cos(rise) * Math.sin(flat), Math.sin(rise)).multiplyScalar(length);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.onchange();
  }
  nearer(factor: number): void {
    this.camera.position.lerp(this.controls.target, 1 - 1 / factor);
    this.controls.update();
    this.onchange();
  }
  home(): void {
    this.controls.reset();
    this.onchange();
  }
  // Where the eye is, for who wants to know whether it moved.
  eye(): string {
    return this.camera.position.toArray().map((x) => x.toFixed(4)).join(" ");
  }

  draw(write: Write = () => {}): void {
    const { clientWidth: w, clientHeight: h } = this.canvas, ratio = Math.min(2, window.devicePixelRatio || 1);
    if (w && h) this.paint(this.canvas, w, h, ratio, ink(), write);
  }
  // As it is saved: twice as fine, on the background that was chosen.
  picture(write: Write = () => {}): HTMLCanvasElement {
    const copy = document.createElement("canvas");
    this.paint(copy, this.canvas.clientWidth, this.canvas.clientHeight, 2, savedInk(), write);
    return copy;
  }

  private paint(canvas: HTMLCanvasElement, w: number, h: number, ratio: number, inks: Inks, write: Write): void {
    const { camera, controls, renderer } = this, distance = camera.position.distanceTo(controls.target);
    camera.aspect = w / h;
    camera.near = distance / 100;
    camera.far = 60 * distance + 4 * this.whole;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    const unit = h / (2 * distance * Math.tan((camera.fov * Math.PI) / 360)), mesh = meshFor(unit); // where one looks
    this.ground.update(controls.target, 8 * distance, mesh, inks.text);
    renderer.setPixelRatio(ratio);
    renderer.setSize(w, h, false);
    if (inks.background === "none") renderer.setClearColor(0x000000, 0);
    else renderer.setClearColor(new three.Color(inks.background), 1);
    renderer.render(this.scene, camera);
    const { width, height } = renderer.domElement;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const context = canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 1;
    context.clearRect(0, 0, width, height);
    context.drawImage(renderer.domElement, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const paper = new CanvasPaper(context), at = new three.Vector3();
    write(paper, (p) => {
      at.set(p[0], p[1], p[2] ?? 0).project(camera);
      return at.z < 1 && Math.abs(at.x) < 1.1 && Math.abs(at.y) < 1.1 ? [((at.x + 1) * w) / 2, ((1 - at.y) * h) / 2] : null;
    }, inks);
    scaleBar(paper, mesh, unit, w, h, inks);
    this.axes(paper, h, inks);
    this.canvas.dataset.scale = String(mesh);
    this.canvas.dataset.axes = this.letters.join(" ");
    this.canvas.dataset.eye = this.eye();
  }

  // Which way they go, in a corner.
  private axes(paper: Paper, h: number, inks: Inks): void {
    const length = 24, x = 40, y = h - 40;
    this.letters.forEach((letter, i) => {
      const a = new three.Vector3(Number(i === 0), Number(i === 1), Number(i === 2)).transformDirection(this.camera.matrixWorldInverse);
      paper.line([[x, y], [x + length * a.x, y - length * a.y]], inks.text, 1.5, 0.8);
      paper.write(x + (length + 10) * a.x - 3, y - (length + 10) * a.y + 4, letter, inks);
    });
  }
}
