// Colours that people with any kind of colour vision tell apart (Okabe and Ito), and dashes beside them. Each has a
// contrast of 3 or more with a dark page in its second tint.

const tints: Record<string, [string, string]> = { // on a light page, on a dark one
  blue: ["#0072b2", "#3d8fe0"], orange: ["#d55e00", "#f07a1f"], green: ["#009e73", "#1fbf92"], pink: ["#cc79a7", "#dd93bd"],
  yellow: ["#e69f00", "#f0b429"], sky: ["#56b4e9", "#8ccff2"], violet: ["#8c6bb1", "#a98bd0"], grey: ["#7f7f7f", "#9a9a9a"],
  red: ["#c0392b", "#e5675a"],
};
const order = ["blue", "orange", "green", "pink", "yellow", "sky", "violet", "grey"];
const dashes: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2, 2, 2, 2, 2]];

export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
export const colour = (i: number): string => tints[order[i % order.length]][Number(isDark())];
export const dash = (i: number): number[] => dashes[i % dashes.length];

// What [view] may say, as it is drawn.
export const namedColour = (name: string | undefined, otherwise: string): string =>
  (name && tints[name]?.[Number(isDark())]) || otherwise;

// Saved pictures go into papers: on white, unless something else is asked for.
export const backgrounds = ["on white", "as shown", "transparent"] as const;
let chosen: string = backgrounds[0];
export function saveOn(background: string): void {
  chosen = background;
}
export function savedInk(): { text: string; faint: string; background: string } {
  if (chosen === "as shown") return ink();
  const light = { text: "#1c1e21", faint: "#dfe3e8", background: "#ffffff" };
  return chosen === "transparent" ? { ...light, background: "none" } : light;
}

export function ink(): { text: string; faint: string; background: string } {
  const style = getComputedStyle(document.documentElement);
  return {
    text: style.getPropertyValue("--text").trim() || "#222",
    faint: style.getPropertyValue("--faint").trim() || "#ccc",
    background: style.getPropertyValue("--background").trim() || "#fff",
  };
}
