// What the program put into the page, decoded.

export interface Column {
  name: string;
  group: string;
  values: Float32Array;
}
export interface Table {
  t: Float64Array;
  columns: Column[];
}
export interface Run {
  method: string;
  file: string;
  status: string;
  nodes: number;
  summary: Record<string, string>;
  shown?: string; // how many of its columns, where that is not all
  series: Table;
  path: Table & { stride: number };
  pictures?: { t: Float64Array; data: Float32Array };
}
export interface Part {
  at: number; // of its first number in a picture
  width: number;
  words?: string[]; // its formulas, where there is one member
}
export interface Shape {
  kind: string;
  name: string;
  colour?: string;
  members: number; // that are drawn: every `every`-th of as many, from index `first` on
  first: number;
  every: number;
  of: number;
  parts: Record<string, Part>;
}
export interface View {
  dimension: number;
  snapshots: number;
  shapes: Shape[];
  numbers: number;
}
export interface PageData {
  kind: string;
  title: string;
  note: string;
  command: string;
  version: string;
  model?: { name: string; reference: string; file: string; text: string };
  view?: View;
  view_text?: string; // of a view that the model does not have
  runs: Run[];
  tables: { title: string; head: string[]; rows: { cells: string[] }[] }[];
  work: { method: string; cost: number[]; error: number[] }[];
}

function bytes(text: string): ArrayBuffer {
  const binary = atob(text);
  const array = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) array[i] = binary.charCodeAt(i);
  return array.buffer;
}

/* eslint-disable @typescript-eslint/no-explicit-any */
function table(raw: any): any {
  const columns = raw.columns.map((c: any) => ({
    name: c.name,
    group: c.group,
    values: new Float32Array(bytes(c.data)),
  }));
  return { ...raw, t: new Float64Array(bytes(raw.t)), columns };
}

export function readData(): PageData {
  const raw = JSON.parse(document.getElementById("data")!.textContent!);
  for (const run of raw.runs) {
    run.series = table(run.series);
    run.path = table(run.path);
    if (run.pictures)
      run.pictures = {
        t: new Float64Array(bytes(run.pictures.t)),
        data: new Float32Array(bytes(run.pictures.data)),
      };
  }
  return raw;
}
