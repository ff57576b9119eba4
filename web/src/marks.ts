// What is written on a picture: how long something is, and the names of shapes.

import { label } from "./figure";
import { Inks, Paper, spacing, widthOf } from "./paper";
import { numbers, Pictures } from "./pictures";

// A round length that takes 90 to 225 of these pixels, each 1 / unit long: a mesh of the grid, and the scale bar.
export const meshFor = (unit: number): number => spacing(90 / unit);

export function scaleBar(paper: Paper, mesh: number, unit: number, w: number, h: number, inks: Inks): void {
  const right = w - 16, left = right - mesh * unit;
  paper.line([[left, h - 14], [right, h - 14]], inks.text, 2, 0.8);
  for (const x of [left, right]) paper.line([[x, h - 18], [x, h - 10]], inks.text, 2, 0.8);
  paper.write(left + 4, h - 20, label(mesh), inks);
}

const mostOfFamily = 20; // members of a family that have their labels written

// Beside the middle of its shape; where others are in the way on another side of it, and else not at all.
export function labels(paper: Paper, pictures: Pictures, frame: Float32Array, place: (p: number[]) => number[] | null, inks: Inks): string[] {
  const taken: number[][] = [], written: string[] = [];
  const write = (x: number, y: number, words: string) => {
    const wide = widthOf(words);
    for (const [dx, dy] of [[8, -8], [8, 16], [-8 - wide, -8], [-8 - wide, 16]]) {
      const box = [x + dx, y + dy - 11, x + dx + wide, y + dy + 3];
      if (taken.some((t) => t[0] < box[2] && t[2] > box[0] && t[1] < box[3] && t[3] > box[1])) continue;
      taken.push(box);
      written.push(words);
      paper.write(x + dx, y + dy, words, inks);
      return;
    }
  };
  for (const shape of pictures.view.shapes) {
    if (!shape.name || shape.kind === "trail") continue;
    const every = Math.ceil(shape.members / mostOfFamily);
    for (let m = 0; m < shape.members; m += every) {
      const ends = ["at", "from", "to"].filter((n) => shape.parts[n]).map((n) => numbers(frame, shape.parts[n], m));
      if (!ends.length || !ends.flat().every(Number.isFinite)) continue;
      const at = place(ends[0].map((_, i) => ends.reduce((sum, p) => sum + p[i], 0) / ends.length));
      if (at) write(at[0], at[1], shape.of > 1 ? `${shape.name} ${shape.first + m * shape.every}` : shape.name);
    }
  }
  return written;
}
