// The moving picture and its controls.

import { colour } from "./colours";
import { PageData } from "./data";
import { button, element, fileName, save, select } from "./dom";
import { label } from "./figure";
import { Pictures } from "./pictures";
import { PlaneStage } from "./plane";
import { SpaceStage } from "./space";

const lookTakes = 15; // seconds, about, for the whole run
const restAtEnd = 0.8; // seconds, before it begins again
const longestFrame = 100; // milliseconds: a page in the background stands still

// 1, 2 or 5 times a power of ten.
function round(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x)), first = x / power;
  return Number(((first < 1.5 ? 1 : first < 3.5 ? 2 : first < 7.5 ? 5 : 10) * power).toPrecision(1));
}

// Of the model's time in a second: slower and faster than what shows the whole run while one looks at it. Where the
// model's own pace does, it is that.
function speedsFor(length: number): { all: number[]; usual: number } {
  const usual = length >= 4 && length <= 2 * lookTakes ? 1 : round(Math.max(length, 1e-300) / lookTakes);
  return { all: [0.1, 0.2, 0.5, 1, 2, 5, 10].map((f) => Number((f * usual).toPrecision(3))), usual };
}

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
  private legend = element("div", { class: "key" });
  private recordButton = button("WebM", "save one pass as a video, at the chosen speed", () => this.record());
  private recorder: MediaRecorder | null = null;
  private rest: number | null = null; // at the end of the run: until when

  constructor(private data: PageData) {
    this.pictures = new Pictures(data);
    this.time = this.pictures.begin;
    const length = Math.abs(this.pictures.end - this.pictures.begin);
    const speeds = speedsFor(length);
    this.speed = speeds.usual;
    this.slider = element("input", {
      type: "range", class: "timeline", min: "0", max: "1", step: "any", value: "0", "aria-label": "time",
    });
    this.slider.addEventListener("input", () => {
      if (this.playing) this.toggle();
      this.show(this.pictures.begin + Number(this.slider.value) * (this.pictures.end - this.pictures.begin));
    });
    this.playButton = button("play", "play or pause (space)", () => this.toggle());
    const stage = element("div", { class: "stage" }, this.canvas, this.clock);
    const bar = element("div", { class: "bar" }, this.playButton,
      select("speed", speeds.all.map(String), String(this.speed), (v) => (this.speed = Number(v)), "units of time in a second"),
      button("start", "back to the start (Home)", () => this.show(this.pictures.begin)),
      button("view", "the whole picture again (0)", () => this.stage?.home()),
      button("PNG", "save the picture as PNG", () => this.savePng()));
    if (typeof MediaRecorder !== "undefined" && "captureStream" in this.canvas)
      bar.append(this.recordButton);
    const extent = this.pictures.box(), near = this.pictures.cluster(this.pictures.begin).size;
    const far = Math.max(...extent.high.map((x, i) => x - extent.low[i]));
    this.followAtFirst = near > 0 && near < 0.08 * far; // too small to be seen otherwise
    if (near > 0) bar.append(this.followButton);
    if (this.pictures.view.dimension === 2)
      bar.append(button("SVG", "save the picture as SVG", () =>
        save(this.file("svg"), new Blob([(this.stage as PlaneStage).svg(this.time)], { type: "image/svg+xml" }))));
    const key = this.legend;
    if (this.pictures.runs.length > 1)
      this.pictures.runs.forEach((run) => key.append(element("span", {}, run.method)));
    const inSpace = this.pictures.view.dimension === 3, does = inSpace ? "turn" : "move";
    const help = element("p", { class: "hint" }, `Drag to ${does}, use the wheel or two fingers to come nearer. Keys: the space bar plays, arrows ${does}, plus and minus come nearer, ` +
      `comma and full stop go a step back and on, f follows, zero shows all. The bar is as long as a mesh of the grid${inSpace ? ", where one looks" : ""}.`);
    const said = this.pictures.omissions().map((words) => element("p", { class: "hint said" }, words));
    this.root = element("div", {}, stage, this.slider, bar, key, ...said, help);
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
    this.rebuild();
    this.follow(this.followAtFirst);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches && this.pictures.end !== this.pictures.begin) this.toggle();
  }

  private follow(on: boolean): void {
    if (!this.stage) return;
    if (this.stage.follow !== on) this.stage.follow = on;
    this.followButton.setAttribute("aria-pressed", String(on));
    this.show(this.time);
  }

  rebuild(): void {
    [...this.legend.children].forEach((e, i) => (e as HTMLElement).style.setProperty("--colour", colour(i)));
    if (this.stage) this.show(this.time);
  }

  private savePng(): void {
    this.stage?.picture(this.time).toBlob((b) => b && save(this.file("png"), b));
  }

  // One pass from the start, as it is drawn.
  private record(): void {
    if (!this.stage || this.recorder) return;
    const kind = ["video/webm;codecs=vp9", "video/webm"].find((k) => MediaRecorder.isTypeSupported(k));
    if (!kind) return;
    const parts: Blob[] = [], recorder = new MediaRecorder(this.canvas.captureStream(30), { mimeType: kind });
    recorder.ondataavailable = (e) => parts.push(e.data);
    recorder.onstop = () => {
      this.recorder = null;
      this.recordButton.setAttribute("aria-pressed", "false");
      save(fileName(this.data.title) + ".webm", new Blob(parts, { type: "video/webm" }));
    };
    this.recorder = recorder;
    this.recordButton.setAttribute("aria-pressed", "true");
    this.rest = null;
    this.show(this.pictures.begin);
    if (!this.playing) this.toggle();
    recorder.start();
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
  }

  private toggle(): void {
    this.playing = !this.playing;
    this.playButton.textContent = this.playing ? "pause" : "play";
    this.rest = null;
    if (!this.playing) return;
    if (this.time === this.pictures.end) this.show(this.pictures.begin);
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const { begin, end } = this.pictures, forward = end >= begin ? 1 : -1;
    const next = this.time + (forward * this.speed * Math.min(longestFrame, Math.max(0, now - this.last))) / 1000;
    this.last = now;
    if (forward * (next - end) >= 0) {
      this.show(end);
      this.recorder?.stop();
      if (this.rest === null) this.rest = now + 1000 * restAtEnd;
      if (now >= this.rest) {
        this.rest = null;
        this.show(begin);
      }
    } else this.show(next);
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
