// A small picture of a model as SVG: where its shapes are at the end of its run, and the ways they took, from the numbers
// of its report page.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const width = 160, height = 110, margin = 8;

// The data that the page has inside.
function pageData(program, model) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rattleback_picture_")), file = path.join(folder, "page.html");
  try {
    try {
      execFileSync(program, ["run", model, "--quiet", "--report", file], { stdio: "ignore" });
    } catch { // between two ends, with bounds: there is no motion to run
      execFileSync(program, ["solve", model, "--starts", "1", "--quiet", "--report", file], { stdio: "ignore" });
    }
    return JSON.parse(fs.readFileSync(file, "utf8").match(/<script type="application\/json" id="data">(.*?)<\/script>/s)[1]);
  } catch {
    return null;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

// In space: seen from above and the side.
const flat = (p) => (p.length < 3 ? p : [0.87 * (p[1] - p[0]) , p[2] - 0.4 * (p[0] + p[1])]);

export function picture(program, model) {
  const data = pageData(program, model), raw = data?.runs[0]?.pictures;
  if (!data?.view || !raw) return "";
  const bytes = Buffer.from(raw.data, "base64"), n = data.view.numbers, frames = Math.floor(bytes.length / 4 / n);
  const get = (frame, at, count) => Array.from({ length: count }, (_, i) => bytes.readFloatLE(4 * (frame * n + at + i)));
  const lines = [], dots = [], d = data.view.dimension, last = frames - 1;
  for (const shape of data.view.shapes)
    for (let m = 0; m < shape.members; ++m) {
      const of = (name, frame = last) => {
        const part = shape.parts[name];
        return part ? get(frame, part.at + m * part.width, part.width) : null;
      };
      const at = of("at"), size = (of("radius") ?? of("length") ?? of("size") ?? [0])[0];
      if (shape.kind === "rod") lines.push({ points: [of("from"), of("to")].map(flat), width: 2 });
      else if (shape.kind === "trail") {
        const every = Math.max(1, Math.floor(frames / 300)), points = [];
        for (let k = 0; k < frames; k += every) points.push(flat(of("at", k)));
        lines.push({ points, width: 0.8, faint: true });
      } else if (shape.kind === "point") dots.push(flat(at));
      else if (shape.kind === "frame")
        for (let k = 0; k < d; ++k) {
          const axes = of("axes"), axis = axes ? at.map((_, i) => axes[i * d + k]) : of("xyz"[k]) ?? at.map((_, i) => Number(i === k));
          lines.push({ points: [at, at.map((x, i) => x + size * axis[i])].map(flat), width: 1.5 });
        }
      else { // wheels, discs and blades: a line along the heading, or a circle
        const heading = of("heading"), turn = (a) => flat(at.map((x, i) => x + size * [Math.cos(a), Math.sin(a), 0][i]));
        const angles = heading ? [heading[0], heading[0] + Math.PI] : Array.from({ length: 25 }, (_, i) => (i * Math.PI) / 12);
        lines.push({ points: angles.map(turn), width: heading ? 3 : 1.5 });
      }
    }
  const finite = (p) => p.every(Number.isFinite), all = [...lines.flatMap((l) => l.points), ...dots].filter(finite);
  if (!all.length) return "";
  const low = [0, 1].map((i) => Math.min(...all.map((p) => p[i]))), high = [0, 1].map((i) => Math.max(...all.map((p) => p[i])));
  const unit = Math.min((width - 2 * margin) / Math.max(high[0] - low[0], 1e-12), (height - 2 * margin) / Math.max(high[1] - low[1], 1e-12));
  const place = (p) => [width / 2 + unit * (p[0] - (low[0] + high[0]) / 2), height / 2 - unit * (p[1] - (low[1] + high[1]) / 2)].map((x) => x.toFixed(1));
  const drawn = lines.map((l) => `<polyline points="${l.points.filter(finite).map((p) => place(p).join(",")).join(" ")}" fill="none" stroke="#0072b2" stroke-width="${l.width}"${l.faint ? ' opacity="0.5"' : ""}/>`);
  drawn.push(...dots.filter(finite).map((p) => `<circle cx="${place(p)[0]}" cy="${place(p)[1]}" r="3.5" fill="#0072b2"/>`));
  return `<svg role="img" aria-label="${model}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${drawn.join("")}</svg>`;
}
