// Pictures in space, with three.

import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { colour, ink } from "./colours";
import { Shape } from "./data";
import { columns, number, numbers, Pictures } from "./pictures";

const up = new three.Vector3(0, 0, 1), along = new three.Vector3(0, 1, 0);
const eyeDirection = new three.Vector3(1.1, -1.5, 0.8).normalize();
const vector = (p: number[]) => new three.Vector3(p[0], p[1], p[2] ?? 0);

export class SpaceStage {
  onchange = (): void => {};
  private renderer: three.WebGLRenderer;
  private scene = new three.Scene();
  private camera: three.PerspectiveCamera;
  private controls: OrbitControls;
  private size: number;
  private following = false;
  private groups: three.Group[] = [];
  private ghosts = new three.Group();
  private ghostCount = -1;

  constructor(readonly canvas: HTMLCanvasElement, private pictures: Pictures) {
    this.renderer = new three.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    const { low, high } = pictures.box(), centre = vector(low).add(vector(high)).multiplyScalar(0.5);
    this.size = Math.max(...high.map((x, i) => x - low[i]));
    this.camera = new three.PerspectiveCamera(35, 1, this.size / 100, this.size * 100);
    this.camera.up.copy(up);
    this.camera.position.copy(centre).addScaledVector(eyeDirection, this.distanceToSee(centre));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.copy(centre);
    this.controls.addEventListener("change", () => this.onchange());
    this.controls.saveState();
    this.scene.add(new three.HemisphereLight(0xffffff, 0x777777, 2.2));
    const light = new three.DirectionalLight(0xffffff, 1.6);
    light.position.set(1, -2, 3);
    this.scene.add(light);
    const grid = new three.GridHelper(this.size * 1.4, 14, 0x888888, 0x888888);
    (grid.material as three.Material).transparent = true;
    (grid.material as three.Material).opacity = 0.25;
    grid.rotateX(Math.PI / 2);
    grid.position.set(centre.x, centre.y, low[2]);
    this.scene.add(grid, this.ghosts);
    pictures.runs.forEach(() => {
      const group = new three.Group();
      this.groups.push(group);
      this.scene.add(group);
    });
    this.controls.update();
  }

  // How far from the centre the eye must be, in its direction, to have all places of all frames in sight.
  private distanceToSee(centre: three.Vector3): number {
    const { clientWidth: w, clientHeight: h } = this.canvas, margin = 1.12;
    const tall = Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * (w / Math.max(1, h) || 1);
    const right = new three.Vector3().crossVectors(up, eyeDirection).normalize();
    const upright = new three.Vector3().crossVectors(eyeDirection, right);
    let distance = this.size / 2;
    this.pictures.allPlaces((place, around) => {
      const p = vector(place).sub(centre);
      const across = Math.max((Math.abs(p.dot(right)) + around) / wide, (Math.abs(p.dot(upright)) + around) / tall);
      if (Number.isFinite(across)) distance = Math.max(distance, margin * across + p.dot(eyeDirection) + around);
    });
    return distance;
  }

  get follow(): boolean {
    return this.following;
  }
  set follow(on: boolean) {
    this.following = on;
    this.ghostCount = -1;
    if (!on) {
      this.home();
      return;
    }
    const offset = this.camera.position.clone().sub(this.controls.target).normalize();
    this.size = this.pictures.cluster(this.pictures.begin).size || this.size;
    this.camera.near = this.size / 100;
    this.camera.position.copy(this.controls.target).addScaledVector(offset, 4 * this.size);
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
    const { low, high } = this.pictures.box();
    this.size = Math.max(...high.map((x, i) => x - low[i]));
    this.controls.reset();
    this.onchange();
  }
  // Where the eye is, for who wants to know whether it moved.
  eye(): string {
    return this.camera.position.toArray().map((x) => x.toFixed(4)).join(" ");
  }

  draw(time: number): void {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / Math.max(1, h);
    this.camera.updateProjectionMatrix();
    if (this.following) {
      const step = vector(this.pictures.cluster(time).centre).sub(this.controls.target);
      this.controls.target.add(step);
      this.camera.position.add(step);
      this.camera.lookAt(this.controls.target);
    }
    this.scene.background = new three.Color(ink().background);
    this.groups.forEach((group, run) => {
      clear(group);
      this.fill(group, run, time, 1);
      for (const s of this.pictures.view.shapes) if (s.kind === "trail") this.trails(group, s, run, time);
    });
    const snapshots = this.pictures.snapshotTimes(time);
    if (snapshots.length !== this.ghostCount) {
      this.ghostCount = snapshots.length;
      clear(this.ghosts);
      for (const t of snapshots.slice(-40)) this.pictures.runs.forEach((_, run) => this.fill(this.ghosts, run, t, 0.25));
    }
    this.renderer.render(this.scene, this.camera);
  }

  private fill(group: three.Group, run: number, time: number, opacity: number): void {
    const frame = this.pictures.at(run, time);
    const material = new three.MeshLambertMaterial({ color: colour(run), transparent: opacity < 1, opacity });
    for (const s of this.pictures.view.shapes)
      for (let m = 0; m < s.members; ++m)
        if (s.kind !== "trail") for (const o of this.shape(s, m, frame, material)) group.add(o);
  }

  private trails(group: three.Group, s: Shape, run: number, time: number): void {
    const frame = this.pictures.at(run, time);
    for (let m = 0; m < s.members; ++m) {
      const seconds = number(frame, s, "seconds", m, Infinity);
      const places = this.pictures.trail(run, s.parts.at, m, time, seconds).filter((p) => p.every(Number.isFinite));
      const geometry = new three.BufferGeometry().setFromPoints(places.map(vector));
      group.add(new three.Line(geometry, new three.LineBasicMaterial({ color: colour(run), transparent: true, opacity: 0.6 })));
    }
  }

  private shape(s: Shape, m: number, frame: Float32Array, material: three.Material): three.Object3D[] {
    const where = (name: string) => vector(numbers(frame, s.parts[name], m));
    const get = (name: string, otherwise: number) => number(frame, s, name, m, otherwise);
    const thin = this.size / 150;
    if (s.kind === "rod") return [rod(where("from"), where("to"), thin * get("width", 1), material)];
    const at = where("at");
    if (![at.x, at.y, at.z].every(Number.isFinite)) return [];
    if (s.kind === "point") {
      const ball = new three.Mesh(new three.SphereGeometry(2 * thin * get("size", 1), 16, 12), material);
      ball.position.copy(at);
      return [ball];
    }
    const heading = get("heading", 0), ahead = new three.Vector3(Math.cos(heading), Math.sin(heading), 0);
    if (s.kind === "wheel" || s.kind === "disc") {
      const axis = (s.parts.axis ? where("axis") : new three.Vector3(-ahead.y, ahead.x, 0)).normalize();
      const radius = get("radius", 1);
      const ring = new three.Mesh(new three.TorusGeometry(radius, 0.8 * thin, 8, 48), material);
      ring.quaternion.setFromUnitVectors(up, axis);
      ring.position.copy(at);
      const all: three.Object3D[] = [ring];
      if (s.parts.angle) {
        const spoke = spokeOf(axis, get("angle", 0)).multiplyScalar(radius);
        all.push(rod(at.clone().sub(spoke), at.clone().add(spoke), 0.5 * thin, material));
      }
      return all;
    }
    if (s.kind === "blade") {
      const half = ahead.multiplyScalar(get("length", 1) / 2);
      return [rod(at.clone().sub(half), at.clone().add(half), 1.2 * thin, material)];
    }
    const axes = ["x", "y", "z"].filter((a) => s.parts[a]).map(where);
    if (s.parts.axes) axes.splice(0, 3, ...columns(numbers(frame, s.parts.axes, m)).map(vector));
    if (axes.length === 2) axes.push(axes[0].clone().cross(axes[1]));
    if (!axes.length) axes.push(new three.Vector3(Math.cos(get("angle", 0)), Math.sin(get("angle", 0)), 0), up.clone());
    return axes.map((a, i) => rod(at, at.clone().add(a.normalize().multiplyScalar(get("size", 1))), (1.3 - 0.35 * i) * thin, material));
  }
}

function rod(from: three.Vector3, to: three.Vector3, radius: number, material: three.Material): three.Object3D {
  const length = from.distanceTo(to);
  const mesh = new three.Mesh(new three.CylinderGeometry(radius, radius, Math.max(1e-9, length) || 1e-9, 10), material);
  if (length > 0) mesh.quaternion.setFromUnitVectors(along, to.clone().sub(from).normalize());
  mesh.position.copy(from).lerp(to, 0.5);
  return mesh;
}

// The direction of an angle in the plane normal to an axis, from the horizontal in it.
function spokeOf(axis: three.Vector3, angle: number): three.Vector3 {
  let level = new three.Vector3().crossVectors(up, axis);
  if (level.lengthSq() < 1e-8) level = new three.Vector3(1, 0, 0);
  level.normalize();
  const other = new three.Vector3().crossVectors(axis, level);
  return level.multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
}

function clear(group: three.Group): void {
  for (const o of [...group.children]) {
    (o as three.Mesh).geometry?.dispose();
    group.remove(o);
  }
}
