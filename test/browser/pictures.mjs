// Pictures of motions: grid, scale bar, labels, colours, what is saved and what is left out.
import assert from "node:assert/strict";
import fs from "node:fs";
import { file, open, rattleback, test } from "./harness.mjs";

const viewOf = (dimension, view) => `coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2"
[initial]
q = [3, 0]
v = [0, 2]
[view]
${view.replaceAll("AT", dimension === 3 ? '["x", "y", "0.5"]' : '["x", "y"]').replaceAll("BEAD", dimension === 3 ? '["x + i", "y", "i"]' : '["x + i", "y"]')}
`;
const drawn = (name, dimension, view) => {
  fs.writeFileSync(file("view.toml"), viewOf(dimension, view));
  rattleback("run", file("view.toml"), "-m", "verlet", "-s", "0.1", "--steps", "30", "--quiet", "--report", file(name));
  return open(name);
};
// How many pixels of a part of the stage are of that kind; the part in the canvas's own pixels.
const pixels = (page, what, [x, y, w, h]) => page.$eval(".stage canvas", (c, [what, x, y, w, h]) => {
  const copy = document.createElement("canvas"), paper = copy.getContext("2d", { willReadFrequently: true });
  [copy.width, copy.height] = [c.width, c.height];
  paper.drawImage(c, 0, 0);
  const box = [x < 0 ? c.width + x : x, y < 0 ? c.height + y : y], d = paper.getImageData(...box, w, h).data;
  const is = { red: (r, g, b) => r > 120 && r > 1.6 * g && r > 1.6 * b, dark: (r) => r < 110, line: (r) => r < 252 }[what];
  let count = 0;
  for (let i = 0; i < d.length; i += 4) count += Number(is(d[i], d[i + 1], d[i + 2]));
  return count;
}, [what, x, y, w, h]);

for (const dimension of [2, 3])
  await test(`in dimension ${dimension}: a grid without end, a scale bar, labels, named colours`, async () => {
    const view = 'points = [{ at = AT, label = "<b>bob</b>", colour = "red", size = 3 }, { at = BEAD, for = "i in 2..4", name = "bead" }]';
    const { page, troubles, close } = await drawn("marks.html", dimension, view);
    const data = () => page.$eval(".stage canvas", (c) => ({ ...c.dataset }));
    assert.deepEqual((await data()).labels.split("\n"), ["<b>bob</b>", "bead 2", "bead 3", "bead 4"]);
    assert.ok((await pixels(page, "red", [0, 0, 1066, 480])) > 50, "the red point");
    const corner = [-240, -34, 239, 33];
    assert.ok((await pixels(page, "dark", corner)) > 150, "the scale bar and its number");
    const length = Number((await data()).scale), digit = length / 10 ** Math.floor(Math.log10(length * 1.001));
    assert.ok([1, 2, 5].some((d) => Math.abs(d - digit) < 1e-9), "a round length: " + length);
    await page.focus(".stage canvas");
    for (let i = 0; i < 12; ++i) await page.keyboard.press("+");
    assert.ok(Number((await data()).scale) < length / 3, "nearer, a mesh is shorter: " + (await data()).scale);
    for (let i = 0; i < 36; ++i) await page.keyboard.press("-");
    assert.ok(Number((await data()).scale) > 10 * length, "farther, longer");
    await page.keyboard.press("0");
    for (let i = 0; i < 20; ++i) await page.keyboard.press(dimension === 2 ? "ArrowLeft" : "ArrowUp"); // far away, or from above
    for (const place of [[100, 60, 250, 200], [700, 60, 250, 200]])
      assert.ok((await pixels(page, "line", place)) > 60, "the grid is there, too");
    assert.deepEqual(troubles, []);
    await close();
  });

await test("a grid in space fades with the distance", async () => {
  const { page, close } = await drawn("fade.html", 3, "points = [{ at = AT, size = 0.2 }]");
  const strip = (y) => page.$eval(".stage canvas", (c, y) => {
    const copy = document.createElement("canvas"), paper = copy.getContext("2d", { willReadFrequently: true });
    [copy.width, copy.height] = [c.width, c.height];
    paper.drawImage(c, 0, 0);
    const d = paper.getImageData(200, y, 700, 12).data;
    let darkest = 255;
    for (let i = 0; i < d.length; i += 4) darkest = Math.min(darkest, d[i]);
    return 255 - darkest;
  }, y);
  const far = await strip(4), near = await strip(380);
  assert.ok(near > 20 && far < 0.75 * near, `${far} far away, ${near} near`);
  await close();
});

await test("pictures in space are saved on white, in the dark as well", async () => {
  const { page, troubles, close } = await open("space.html", { colorScheme: "dark" });
  const corner = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("section[aria-label=Motion]").getByRole("button", { name: "PNG", exact: true }).click()]);
    const bytes = fs.readFileSync(await download.path()).toString("base64");
    return page.evaluate(async (b) => {
      const image = new Image();
      image.src = "data:image/png;base64," + b;
      await image.decode();
      const c = document.createElement("canvas"), paper = c.getContext("2d");
      [c.width, c.height] = [image.width, image.height];
      paper.drawImage(image, 0, 0);
      return [...paper.getImageData(3, 3, 1, 1).data];
    }, bytes);
  };
  assert.ok(Math.min(...(await corner())) > 200);
  await page.selectOption("select[aria-label='saved pictures']", "as shown");
  assert.ok((await corner())[0] < 60);
  await page.selectOption("select[aria-label='saved pictures']", "transparent");
  assert.ok((await corner())[3] < 100);
  assert.deepEqual(troubles, []);
  await close();
});

await test("a picture of too many shapes is thinned and says so, as it does of nodes; the run does not fail", async () => {
  rattleback("run", "chain", "--set", "n=4000", "-s", "1e-5", "--steps", "80", "--quiet", "--report", file("many.html"));
  assert.ok(fs.statSync(file("many.html")).size < 5e6);
  const { page, troubles, close } = await open("many.html");
  const said = (await page.$$eval(".said", (all) => all.map((e) => e.textContent))).join("\n");
  assert.match(said, /The picture is thinned: it has \d+ of 4000 points \(every \d+(st|nd|rd|th)\), \d+ of 4000 rods/);
  assert.match(said, /The picture has 60 of 81 nodes/);
  assert.deepEqual(troubles, []);
  await close();
});

await test("a model that does not say where it is has no picture, and the page says what to write", async () => {
  fs.writeFileSync(file("blind.toml"), `coordinates = ["a"]
[mechanics]
lagrangian = "a'^2/2"
[initial]
q = [0]
v = [1]
`);
  rattleback("run", file("blind.toml"), "-m", "midpoint", "-s", "0.1", "--steps", "5", "--quiet", "--report", file("blind.html"));
  const { page, troubles, close } = await open("blind.html");
  assert.match(await page.textContent("section[aria-label=Motion]"), /Nothing is drawn: the model has no \[view\]/);
  assert.equal(await page.$(".stage canvas"), null);
  assert.deepEqual(troubles, []);
  await close();
});
