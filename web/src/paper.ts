// What pictures are drawn on: a canvas, or the text of an SVG file.

import { ink } from "./colours";

export type Inks = ReturnType<typeof ink>;

export interface Paper {
  line(points: number[][], colour: string, width: number, alpha: number, dash?: number[]): void;
  circle(x: number, y: number, radius: number, colour: string, alpha: number, filled: boolean): void;
  write(x: number, y: number, words: string, inks: Inks): void; // with a rim, to be read on top of anything
}

const fontSize = 12;
export const widthOf = (words: string): number => 0.6 * fontSize * words.length; // about

export class CanvasPaper implements Paper {
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
  write(x: number, y: number, words: string, inks: Inks): void {
    const c = this.context;
    c.globalAlpha = 1;
    c.font = fontSize + "px system-ui, sans-serif";
    c.setLineDash([]);
    c.lineJoin = "round";
    c.lineWidth = 3;
    c.strokeStyle = inks.background;
    if (inks.background !== "none") c.strokeText(words, x, y);
    c.fillStyle = inks.text;
    c.fillText(words, x, y);
  }
}

export class SvgPaper implements Paper {
  text = "";
  line(points: number[][], stroke: string, width: number, alpha: number, dash: number[] = []): void {
    const path = points.map((p) => p[0].toFixed(1) + "," + p[1].toFixed(1)).join(" ");
    this.text += `<polyline points="${path}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-opacity="${alpha}" stroke-linecap="round" stroke-dasharray="${dash.join(" ")}"/>`;
  }
  circle(x: number, y: number, radius: number, paint: string, alpha: number, filled: boolean): void {
    this.text += `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}" fill="${filled ? paint : "none"}" stroke="${paint}" opacity="${alpha}"/>`;
  }
  write(x: number, y: number, words: string, inks: Inks): void {
    const safe = words.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
    this.text += `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${inks.text}" stroke="${inks.background}" stroke-width="3" stroke-linejoin="round" paint-order="stroke" font-family="system-ui, sans-serif" font-size="${fontSize}">${safe}</text>`;
  }
}

// 1, 2 or 5 times a power of ten, at least so long.
export function spacing(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= least * (1 - 1e-9)) || least;
}
// How many meshes of that length one of the next coarser grid has, and how many of the next finer one it has; both round.
const digit = (mesh: number): number => Math.round(mesh / 10 ** Math.floor(Math.log10(mesh * 1.01)));
export const coarser = (mesh: number): number => (digit(mesh) === 5 ? 2 : 5);
export const finer = (mesh: number): number => (digit(mesh) === 2 ? 2 : 5);
