// Motions in space, with three.

import * as three from "three";
import { colour, namedColour } from "./colours";
import { Shape } from "./data";
import { labels } from "./marks";
import { number, Pictures } from "./pictures";
import { SpaceScene, vector, Write } from "./scene";
import { clear, solids } from "./solids";

const mostGhosts = 40; // snapshots that are drawn

export class SpaceStage {
  private space: SpaceScene;
  private size: number;
  private following = false;
  private groups: three.Group[] = [];
  private ghosts = new three.Group();
  private ghostKey = "";
  private materials = new Map<string, three.Material>();

  constructor(readonly canvas: HTMLCanvasElement, private pictures: Pictures) {
    const box = pictures.box();
    this.size = Math.max(...box.high.map((x, i) => x - box.low[i]));
    this.space = new SpaceScene(canvas, box, (take) => pictures.allPlaces(take));
    this.space.scene.add(this.ghosts);
    pictures.runs.forEach(() => {
      const group = new three.Group();
      this.groups.push(group);
      this.space.scene.add(group);
    });
  }

  set onchange(action: () => void) {
    this.space.onchange = action;
  }
  get follow(): boolean {
    return this.following;
  }
  set follow(on: boolean) {
    this.following = on;
    this.ghostKey = "";
    if (!on) {
      this.home();
      return;
    }
    const { camera, controls } = this.space, offset = camera.position.clone().sub(controls.target).normalize();
    this.size = this.pictures.cluster(this.pictures.begin).size || this.size;
    camera.position.copy(controls.target).addScaledVector(offset, 4 * this.size);
  }

  turn(dx: number, dy: number): void {
    this.space.turn(dx, dy);
  }
  nearer(factor: number): void {
    this.space.nearer(factor);
  }
  home(): void {
    const { low, high } = this.pictures.box();
    this.size = Math.max(...high.map((x, i) => x - low[i]));
    this.space.home();
  }

  draw(time: number): void {
    this.arrange(time);
    this.space.draw(this.words(time));
  }
  picture(time: number): HTMLCanvasElement {
    this.arrange(time);
    return this.space.picture(this.words(time));
  }

  private words(time: number): Write {
    return (paper, place, inks) => {
      this.canvas.dataset.labels = labels(paper, this.pictures, this.pictures.at(0, time), place, inks).join("\n");
    };
  }

  // Everything where it is at this time.
  private arrange(time: number): void {
    if (this.following) {
      const { camera, controls } = this.space, step = vector(this.pictures.cluster(time).centre).sub(controls.target);
      controls.target.add(step);
      camera.position.add(step);
      camera.lookAt(controls.target);
    }
    this.groups.forEach((group, run) => {
      clear(group);
      this.fill(group, run, time, 1);
      for (const s of this.pictures.view.shapes) if (s.kind === "trail") this.trails(group, s, run, time);
    });
    const snapshots = this.pictures.snapshotTimes(time), key = snapshots.length + colour(0);
    if (key === this.ghostKey) return;
    this.ghostKey = key;
    clear(this.ghosts);
    for (const t of snapshots.slice(-mostGhosts)) this.pictures.runs.forEach((_, run) => this.fill(this.ghosts, run, t, 0.25));
  }

  private paint(s: Shape, run: number): string {
    return this.pictures.runs.length > 1 ? colour(run) : namedColour(s.colour, colour(run)); // of several runs it tells which
  }
  private material(paint: string, opacity: number): three.Material {
    const key = paint + opacity, known = this.materials.get(key);
    if (known) return known;
    const material = new three.MeshLambertMaterial({ color: paint, transparent: opacity < 1, opacity });
    this.materials.set(key, material);
    return material;
  }

  private fill(group: three.Group, run: number, time: number, opacity: number): void {
    const frame = this.pictures.at(run, time);
    for (const s of this.pictures.view.shapes) {
      if (s.kind === "trail") continue;
      const material = this.material(this.paint(s, run), opacity);
      for (let m = 0; m < s.members; ++m) for (const o of solids(s, m, frame, this.size / 150, material)) group.add(o);
    }
  }

  private trails(group: three.Group, s: Shape, run: number, time: number): void {
    const frame = this.pictures.at(run, time), key = "trail" + this.paint(s, run);
    const material = this.materials.get(key) ?? new three.LineBasicMaterial({ color: this.paint(s, run), transparent: true, opacity: 0.6 });
    this.materials.set(key, material);
    for (let m = 0; m < s.members; ++m) {
      const seconds = number(frame, s, "seconds", m, Infinity);
      const places = this.pictures.trail(run, s.parts.at, m, time, seconds).filter((p) => p.every(Number.isFinite));
      const line = new three.Line(new three.BufferGeometry().setFromPoints(places.map(vector)), material);
      line.frustumCulled = false;
      group.add(line);
    }
  }
}
