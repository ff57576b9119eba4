// Shapes of a view at a time, for every run: numbers between frames are taken along a line.

import { PageData, Part, Run, Shape, View } from "./data";

export class Pictures {
  readonly view: View;
  readonly runs: Run[];
  readonly begin: number;
  readonly end: number;

  constructor(data: PageData) {
    this.view = data.view!;
    this.runs = data.runs.filter((r) => r.pictures && r.pictures.t.length > 0);
    const ends = this.runs.map((r) => r.pictures!.t);
    this.begin = ends[0][0];
    this.end = ends.reduce((a, t) => (Math.abs(t[t.length - 1] - this.begin) > Math.abs(a - this.begin) ? t[t.length - 1] : a), ends[0][0]);
  }

  // What is not drawn though the run has it, in sentences.
  omissions(): string[] {
    const words: string[] = [], most = this.runs.reduce((a, b) => (b.nodes > a.nodes ? b : a)), frames = most.pictures!.t.length;
    const part = shownPart(most.pictures!.t, most);
    if (part) words.push(`The picture shows ${part}, by ${frames} nodes with straight lines between them: of the whole these would not follow the motion.`);
    else if (frames < most.nodes) words.push(`The picture has ${frames} of ${most.nodes} nodes; between them shapes move along straight lines.`);
    const thinned = this.view.shapes.filter((s) => s.members < s.of);
    if (thinned.length)
      words.push("The picture is thinned: it has " + thinned.map((s) => `${s.members} of ${s.of} ${s.kind}s (every ${s.every}${ordinal(s.every)})`).join(", ") + ".");
    return words;
  }

  // All numbers of a run at a time; after its end, those of its end.
  at(run: number, time: number): Float32Array {
    const { t, data } = this.runs[run].pictures!, n = this.view.numbers;
    const forward = this.end >= this.begin ? 1 : -1;
    let lo = 0, hi = t.length - 1;
    if (forward * (time - t[hi]) >= 0) return data.subarray(hi * n, (hi + 1) * n);
    while (hi - lo > 1) {
      const middle = (lo + hi) >> 1;
      if (forward * (t[middle] - time) <= 0) lo = middle;
      else hi = middle;
    }
    const part = hi === lo ? 0 : (time - t[lo]) / (t[hi] - t[lo]), result = new Float32Array(n);
    for (let i = 0; i < n; ++i) result[i] = data[lo * n + i] + part * (data[hi * n + i] - data[lo * n + i]);
    return result;
  }

  // Places that a part passed until a time, from `seconds` before it.
  trail(run: number, part: Part, member: number, time: number, seconds: number): number[][] {
    const { t, data } = this.runs[run].pictures!, n = this.view.numbers, forward = this.end >= this.begin ? 1 : -1;
    const places: number[][] = [];
    for (let k = 0; k < t.length && forward * (t[k] - time) <= 0; ++k)
      if (Math.abs(time - t[k]) <= seconds) places.push(numbers(data.subarray(k * n, (k + 1) * n), part, member));
    places.push(numbers(this.at(run, time), part, member));
    return places;
  }

  snapshotTimes(time: number): number[] {
    const every = this.view.snapshots, times: number[] = [];
    if (!every) return times;
    const forward = this.end >= this.begin ? 1 : -1, most = 200;
    for (let k = 0; k < most && forward * (this.begin + forward * k * every - time) < 0; ++k)
      times.push(this.begin + forward * k * every);
    return times;
  }

  // The middle of what is drawn of all runs at a time, trails left out, and how far it reaches.
  cluster(time: number): { centre: number[]; size: number } {
    const d = this.view.dimension, low = Array(d).fill(Infinity), high = Array(d).fill(-Infinity);
    this.runs.forEach((_, run) => this.places(this.at(run, time), false, (place, around) => widen(low, high, place, around)));
    const size = Math.max(0, ...high.map((x, i) => x - low[i]).filter(Number.isFinite));
    return { centre: low.map((x, i) => (Number.isFinite(x) ? (x + high[i]) / 2 : 0)), size };
  }

  // Every place of a frame, and how far is drawn around it.
  private places(frame: Float32Array, trails: boolean, take: (place: number[], around: number) => void): void {
    for (const shape of this.view.shapes) {
      if (shape.kind === "trail" && !trails) continue;
      for (let m = 0; m < shape.members; ++m) {
        const around = reach(frame, shape, m);
        for (const name of ["at", "from", "to"]) if (shape.parts[name]) take(numbers(frame, shape.parts[name], m), around);
      }
    }
  }

  // The places of all runs, in at most 400 frames of each.
  allPlaces(take: (place: number[], around: number) => void): void {
    this.runs.forEach((run) => {
      const { t, data } = run.pictures!, n = this.view.numbers, stride = Math.max(1, Math.floor(t.length / 400));
      for (let k = 0; k < t.length; k += stride) this.places(data.subarray(k * n, (k + 1) * n), true, take);
    });
  }

  // The box of all places of all frames, larger by what is drawn around them.
  box(): { low: number[]; high: number[] } {
    const d = this.view.dimension, low = Array(d).fill(Infinity), high = Array(d).fill(-Infinity);
    this.allPlaces((place, around) => widen(low, high, place, around));
    for (let i = 0; i < d; ++i)
      if (!(low[i] < high[i])) {
        const middle = Number.isFinite(low[i]) ? low[i] : 0;
        [low[i], high[i]] = [middle - 0.5, middle + 0.5];
      }
    return { low, high };
  }
}

// "t = 0 to 10 of 200", where something ends before its run; else nothing.
export function shownPart(t: Float64Array, run: Run): string {
  const all = run.series.t, last = all[all.length - 1], end = t[t.length - 1];
  if (!t.length || Math.abs(end - t[0]) >= Math.abs(last - t[0]) * (1 - 1e-9)) return "";
  const short = (x: number) => String(Number(x.toPrecision(4)));
  return `t = ${short(t[0])} to ${short(end)} of ${short(last)}`;
}

export function ordinal(n: number): string {
  const last = n % 10, teen = Math.floor(n / 10) % 10 === 1;
  return teen ? "th" : last === 1 ? "st" : last === 2 ? "nd" : last === 3 ? "rd" : "th";
}

function widen(low: number[], high: number[], place: number[], around: number): void {
  place.forEach((x, i) => {
    if (!Number.isFinite(x)) return;
    low[i] = Math.min(low[i], x - around);
    high[i] = Math.max(high[i], x + around);
  });
}

export function numbers(frame: Float32Array, part: Part, member: number): number[] {
  const from = part.at + member * part.width;
  return Array.from(frame.subarray(from, from + part.width));
}

export function number(frame: Float32Array, shape: Shape, name: string, member: number, otherwise: number): number {
  const part = shape.parts[name];
  return part ? numbers(frame, part, member)[0] : otherwise;
}

// Of a square matrix that is given row by row.
export function columns(matrix: number[]): number[][] {
  const n = Math.round(Math.sqrt(matrix.length));
  return Array.from({ length: n }, (_, column) => matrix.filter((_, i) => i % n === column));
}

function reach(frame: Float32Array, shape: Shape, member: number): number {
  const of = (name: string) => Math.abs(number(frame, shape, name, member, 0));
  return shape.kind === "frame" ? of("size") : Math.max(of("radius"), of("length") / 2);
}
