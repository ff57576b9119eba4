// Colours that people with any kind of colour vision tell apart (Okabe and Ito), and dashes beside them.

const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#7f7f7f"];
const dashes: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2, 2, 2, 2, 2]];

export const colour = (i: number): string => palette[i % palette.length];
export const dash = (i: number): number[] => dashes[i % dashes.length];

export function ink(): { text: string; faint: string; background: string } {
  const style = getComputedStyle(document.documentElement);
  return {
    text: style.getPropertyValue("--text").trim() || "#222",
    faint: style.getPropertyValue("--faint").trim() || "#ccc",
    background: style.getPropertyValue("--background").trim() || "#fff",
  };
}
