// The moving picture and its controls.

import { colour } from "./colours";
import { PageData } from "./data";
import { button, element, fileName, save, select } from "./dom";
import { label } from "./figure";
import { Pictures } from "./pictures";
import { PlaneStage } from "./plane";
import { SpaceStage } from "./space";

const speeds = ["0.1", "0.25", "0.5", "1", "2", "5", "10", "20", "50", "100"];

export class Animation {
  readonly root: HTMLElement;
  private pictures: Pictures;
  private stage: PlaneStage | SpaceStage | null = null;
  private canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": "the moving system" });
  private clock = element("span", { class: "time", "aria-live": "off" });
  private slider: HTMLInputElement;
  private playButton: HTMLButtonElement;
  private speed: number;
  private time: number;
  private playing = false;
  private followAtFirst = false;
  private followButton = button("follow", "stay with the system (f)", () => this.follow(!this.stage?.follow));
  private last = 0;

  constructor(private data: PageData) {
    this.pictures = new Pictures(data);
    this.time = this.pictures.begin;
    const length = Math.abs(this.pictures.end - this.pictures.begin);
    this.speed = Number(speeds.find((s) => length / Number(s) <= 30) || "100"); // a look takes half a minute at most
    if (length <= 30) this.speed = Number([...speeds].reverse().find((s) => length / Number(s) >= 4) || "0.1");
    if (this.speed < 1 && length >= 4) this.speed = 1;
    this.slider = element("input", {
      type: "range", class: "timeline", min: "0", max: "1", step: "any", value: "0", "aria-label": "time",
    });
    this.slider.addEventListener("input", () => this.show(this.pictures.begin + Number(this.slider.value) * (this.pictures.end - this.pictures.begin)));
    this.playButton = button("play", "play or pause (space)", () => this.toggle());
    const stage = element("div", { class: "stage" }, this.canvas, this.clock);
    const bar = element("div", { class: "bar" }, this.playButton,
      select("speed", speeds, String(this.speed), (v) => (this.speed = Number(v))),
      button("start", "back to the start (Home)", () => this.show(this.pictures.begin)),
      button("view", "the whole picture again (0)", () => this.stage?.home()),
      button("PNG", "save the picture as PNG", () => this.canvas.toBlob((b) => b && save(this.file("png"), b))));
    const extent = this.pictures.box(), near = this.pictures.cluster(this.pictures.begin).size;
    const far = Math.max(...extent.high.map((x, i) => x - extent.low[i]));
    this.followAtFirst = near > 0 && near < 0.08 * far; // too small to be seen otherwise
    if (near > 0) bar.append(this.followButton);
    if (this.pictures.view.dimension === 2)
      bar.append(button("SVG", "save the picture as SVG", () =>
        save(this.file("svg"), new Blob([(this.stage as PlaneStage).svg(this.time)], { type: "image/svg+xml" }))));
    const key = element("div", { class: "key" });
    if (this.pictures.runs.length > 1)
      this.pictures.runs.forEach((run, i) => key.append(element("span", { style: "--colour: " + colour(i) }, run.method)));
    const help = element("p", {}, this.pictures.view.dimension === 3
      ? "drag to turn, wheel to come nearer; keys: space plays, arrows turn, + and - come nearer, , and . step, f follows, 0 shows all"
      : "drag to move, wheel to come nearer; keys: space plays, arrows move, + and - come nearer, , and . step, f follows, 0 shows all");
    help.style.cssText = "font-size: 12px; opacity: 0.75; margin: 4px 0";
    this.root = element("div", {}, stage, this.slider, bar, key, help);
    this.canvas.addEventListener("keydown", (e) => this.key(e));
  }

  // The canvas must be in the page before anything is drawn on it.
  start(): void {
    try {
      this.stage = this.pictures.view.dimension === 3 ? new SpaceStage(this.canvas, this.pictures) : new PlaneStage(this.canvas, this.pictures);
    } catch {
      this.root.replaceChildren(element("p", {}, "This browser cannot draw in space (WebGL is missing); the plots below have all numbers."));
      return;
    }
    this.stage.onchange = () => this.show(this.time);
    this.follow(this.followAtFirst);
  }

  private follow(on: boolean): void {
    if (!this.stage) return;
    if (this.stage.follow !== on) this.stage.follow = on;
    this.followButton.setAttribute("aria-pressed", String(on));
    this.show(this.time);
  }

  rebuild(): void {
    if (this.stage) this.show(this.time);
  }

  private file(ending: string): string {
    return fileName(this.data.title) + "_t" + label(this.time).replace(".", "p") + "." + ending;
  }

  private show(time: number): void {
    if (!this.stage) return;
    const { begin, end } = this.pictures;
    this.time = Math.min(Math.max(time, Math.min(begin, end)), Math.max(begin, end));
    this.stage.draw(this.time);
    this.slider.value = String(end === begin ? 0 : (this.time - begin) / (end - begin));
    this.clock.textContent = "t = " + this.time.toFixed(Math.abs(end - begin) < 1 ? 4 : 2);
    this.canvas.dataset.time = String(this.time);
    if (this.stage instanceof SpaceStage) this.canvas.dataset.eye = this.stage.eye();
  }

  private toggle(): void {
    this.playing = !this.playing;
    this.playButton.textContent = this.playing ? "pause" : "play";
    if (!this.playing) return;
    if (this.time === this.pictures.end) this.show(this.pictures.begin);
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const { begin, end } = this.pictures, forward = end >= begin ? 1 : -1;
    const next = this.time + (forward * this.speed * Math.max(0, now - this.last)) / 1000;
    this.last = now;
    if (forward * (next - end) >= 0) {
      this.show(end);
      this.toggle();
      return;
    }
    this.show(next);
    requestAnimationFrame((t) => this.tick(t));
  }

  private key(e: KeyboardEvent): void {
    const step = (this.pictures.end - this.pictures.begin) / 200;
    const actions: Record<string, () => void> = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.stage?.turn(-20, 0),
      ArrowRight: () => this.stage?.turn(20, 0),
      ArrowUp: () => this.stage?.turn(0, -20),
      ArrowDown: () => this.stage?.turn(0, 20),
      "+": () => this.stage?.nearer(1.15),
      "-": () => this.stage?.nearer(1 / 1.15),
      ",": () => this.show(this.time - step),
      ".": () => this.show(this.time + step),
      f: () => this.follow(!this.stage?.follow),
      "0": () => this.stage?.home(),
      Home: () => this.show(this.pictures.begin),
      End: () => this.show(this.pictures.end),
    };
    if (!actions[e.key]) return;
    actions[e.key]();
    e.preventDefault();
  }
}
