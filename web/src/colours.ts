// Colours that people with any kind of colour vision tell apart (Okabe and Ito), and dashes beside them.

const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#7f7f7f"];
const dashes: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2, 2, 2, 2, 2]];

export const colour = (i: number): string => palette[i % palette.length];
export const dash = (i: number): number[] => dashes[i % dashes.length];

// What [view] may say, as it is drawn.
const named: Record<string, string> = {
  blue: "#0072b2", orange: "#d55e00", green: "#009e73", pink: "#cc79a7", yellow: "#e69f00", sky: "#56b4e9",
  violet: "#8c6bb1", grey: "#7f7f7f", red: "#c0392b",
};
export const namedColour = (name: string | undefined, otherwise: string): string => (name && named[name]) || otherwise;

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
