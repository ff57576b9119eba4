// The report page in a real browser: Debian's Chromium, driven by playwright-core. Prints what failed, and last a line
// "N passed, M failed".
import assert from "node:assert/strict";
import fs from "node:fs";
import { browser, counts, file, folder, open, picture, range, rattleback, result, show, test, watch } from "./harness.mjs";

rattleback("run", "snakeboard", "--quiet", "--plain", "--report", file("plane.html"), "-o", file("snakeboard.csv"));
rattleback("run", "rolling_disk", "--quiet", "--report", file("space.html"));
rattleback("compare", "chaplygin_sleigh", "-m", "gni,dla,rk4", "--quiet", "--report", file("compare.html"));
rattleback("verify", "cartesian_pendulum", "-m", "rattle", "--quiet", "--report", file("verify.html"));
rattleback("papers", "003", "--quiet", "--report", file("papers.html"));
rattleback("report", file("snakeboard.csv"), "-o", file("csv.html"));
rattleback("report", file("snakeboard.csv"), "--model", "snakeboard", "-o", file("csv_model.html"));
rattleback("run", "henon_heiles", "-m", "gauss:stages=2", "-s", "0.05", "--steps", "1000000", "--quiet", "--report", file("long.html"));

rattleback("solve", "heisenberg_arc", "--wavefront", "--directions", "16", "--fan", "p_z=-8:8:9", "--quiet", "--report", file("cloud.html"));
rattleback("solve", "unicycle_parking", "--wavefront", "--directions", "16", "--fan", "p_y=-8:8:5", "--quiet", "--report", file("cloud_plane.html"));
await test("wavefronts: points of spheres, cut and conjugate points, in space and in the plane", async () => {
  for (const [name, kind] of [["cloud.html", "cloud"], ["cloud_plane.html", "xy"]]) {
    const { page, troubles, close } = await open(name);
    assert.deepEqual(troubles, []);
    const points = (await counts(page, ".plot." + kind))[0];
    assert.ok(kind === "cloud" ? points === 16 * 9 + 2 * 16 * 2 : points >= 80, name + ": " + points);
    assert.equal(await page.$$eval(".plot:not(.xy):not(.cloud)", (all) => all.length), 0);
    if (kind === "cloud") { // hiding a set changes the picture, and it can be turned
      const all = await picture(page);
      await page.getByRole("button", { name: "cut points" }).click();
      const fewer = await picture(page);
      assert.notEqual(fewer, all);
      await page.getByRole("button", { name: "cut points" }).click();
      assert.equal(await picture(page), all);
      await page.focus(".stage canvas");
      await page.keyboard.press("ArrowLeft");
      assert.notEqual(await picture(page), all);
      const axes = await page.$$eval(".plot.xy svg", (plots) => plots.map((p) => [...p.querySelectorAll("text")].map((t) => t.textContent)));
      assert.ok(axes.length === 2 && axes[1].includes("z"), "over y and over z");
    }
    assert.match(await page.$eval("main, #page, body", (e) => e.textContent), /on the sphere of this radius/);
    await close();
  }
});

await test("a wavefront whose view is flat is drawn over three coordinates", async () => {
  rattleback("solve", "rolling_sphere_geodesic", "--wavefront", "--directions", "8", "--steps", "16", "--at", "0.5", "--fan", "p_phi=-2:2:2", "--fan", "p_theta=-2:2:2", "--fan", "p_psi=-2:2:2", "--quiet", "--report", file("rolled.html"));
  const { page, troubles, close } = await open("rolled.html");
  assert.match(await page.$eval(".stage canvas", (c) => c.dataset.axes), /^x y \w+$/);
  assert.deepEqual(troubles, []);
  await close();
});

for (const name of ["plane", "space", "compare", "verify", "papers", "csv", "csv_model"])
  await test(name + ": loads without errors or requests, every plot has data", async () => {
    const { page, troubles, close } = await open(name + ".html");
    assert.deepEqual(troubles, []);
    const series = await counts(page, ".plot:not(.xy)");
    assert.ok(series.length >= 2 && series.every((n) => n > 1), "points: " + series);
    assert.ok((await counts(page, ".plot.xy"))[0] > 1);
    const ink = await page.$$eval(".uplot canvas", (all) => all.map((c) => {
      const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, seen = new Set();
      for (let i = 0; i < d.length; i += 4) if (d[i + 3]) seen.add(`${d[i] >> 5},${d[i + 1] >> 5},${d[i + 2] >> 5}`);
      return seen.size;
    }));
    assert.ok(ink.every((n) => n > 2), "colours on each plot: " + ink);
    assert.equal((await page.$(".stage")) !== null, name !== "papers" && name !== "csv");
    await close();
  });

await test("play moves the drawing, pause stops it, scrubbing moves it", async () => {
  for (const name of ["plane", "space"]) {
    const { page, troubles, close } = await open(name + ".html");
    const before = await picture(page);
    await page.getByRole("button", { name: "play", exact: true }).click();
    await page.waitForTimeout(500);
    await page.getByRole("button", { name: "pause", exact: true }).click();
    const time = await page.$eval(".stage canvas", (c) => Number(c.dataset.time));
    assert.ok(time > 0, "time after playing: " + time);
    const played = await picture(page);
    assert.notEqual(played, before);
    await page.waitForTimeout(150);
    assert.equal(await picture(page), played, "it stands still");
    await page.$eval("input.timeline", (e) => ((e.value = "0.9"), e.dispatchEvent(new Event("input"))));
    assert.notEqual(await picture(page), played);
    await page.focus(".stage canvas");
    await page.keyboard.press("Home");
    assert.equal(await page.$eval(".stage canvas", (c) => Number(c.dataset.time)), 0);
    await page.keyboard.press(".");
    assert.ok((await page.$eval(".stage canvas", (c) => Number(c.dataset.time))) > 0);
    assert.deepEqual(troubles, []);
    await close();
  }
});

await test("it plays by itself and begins again, unless less motion is asked for", async () => {
  const time = (page) => page.$eval(".stage canvas", (c) => Number(c.dataset.time));
  const still = await open("plane.html");
  await still.page.waitForTimeout(300);
  assert.equal(await time(still.page), 0);
  await still.close();
  const { page, close } = await open("plane.html", { reducedMotion: "no-preference" });
  await page.waitForTimeout(400);
  assert.ok((await time(page)) > 0);
  const fastest = await page.$eval("select[aria-label=speed]", (s) => s.options[s.options.length - 1].value);
  await page.selectOption("select[aria-label=speed]", fastest);
  let last = 0, again = false;
  for (let i = 0; i < 60 && !again; ++i) {
    await page.waitForTimeout(100);
    const now = await time(page);
    again = now < last;
    last = now;
  }
  assert.ok(again, "it came back to the start");
  await close();
});

await test("speeds belong to the length of the run", async () => {
  for (const [name, args] of [["outer_solar_system", []], ["pendulum", ["--until", "0.001", "--step", "0.00001"]]]) {
    rattleback("run", name, ...args, "--quiet", "--report", file("speed.html"));
    const { page, close } = await open("speed.html");
    const length = await page.evaluate(() => { const e = document.querySelector("input.timeline"); e.value = "1"; e.dispatchEvent(new Event("input")); return Number(document.querySelector(".stage canvas").dataset.time); });
    const speeds = await page.$$eval("select[aria-label=speed] option", (all) => all.map((o) => Number(o.value)));
    const chosen = Number(await page.$eval("select[aria-label=speed]", (s) => s.value));
    assert.ok(length / chosen > 4 && length / chosen < 60, `${name}: ${length / chosen} s`);
    assert.ok(length / Math.max(...speeds) < 6, name);
    await close();
  }
});

await test("a model without a view is drawn, and its view can be pasted", async () => {
  const model = `coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - 10*y"
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[initial]
q = [1, 0]
v = [0, 0]
`;
  fs.writeFileSync(file("bare.toml"), model);
  rattleback("run", file("bare.toml"), "-m", "rattle", "-s", "0.01", "--steps", "100", "--quiet", "--report", file("bare.html"));
  const { page, troubles, close } = await open("bare.html");
  assert.ok((await page.$(".stage canvas")) !== null);
  assert.match(await page.textContent("section[aria-label=Motion]"), /The model has no \[view\]: points at its coordinates are drawn/);
  const view = await page.textContent("pre.view");
  assert.match(view, /points = .*rods +=.*trails =/s);
  fs.writeFileSync(file("pasted.toml"), model + view);
  rattleback("run", file("pasted.toml"), "-m", "rattle", "-s", "0.01", "--steps", "100", "--quiet", "--report", file("pasted.html"));
  const other = await open("pasted.html");
  assert.equal(await other.page.$("pre.view"), null);
  assert.deepEqual(troubles, []);
  await other.close();
  await close();
});

await test("one pass is saved as WebM, pictures on white", async () => {
  const { page, troubles, close } = await open("plane.html", { colorScheme: "dark" });
  const fastest = await page.$eval("select[aria-label=speed]", (s) => s.options[s.options.length - 1].value);
  await page.selectOption("select[aria-label=speed]", fastest);
  const [video] = await Promise.all([page.waitForEvent("download", { timeout: 20000 }), page.getByRole("button", { name: "WebM", exact: true }).click()]);
  assert.equal(fs.readFileSync(await video.path()).subarray(0, 4).toString("hex"), "1a45dfa3");
  const saved = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("section[aria-label=Motion]").getByRole("button", { name: "SVG", exact: true }).click()]);
    return fs.readFileSync(await download.path()).toString();
  };
  assert.match(await saved(), /<rect[^>]*fill="#ffffff"/);
  await page.selectOption("select[aria-label='saved pictures']", "as shown");
  assert.match(await saved(), /<rect[^>]*fill="#16181b"/);
  assert.deepEqual(troubles, []);
  await close();
});

await import("./pictures.mjs");

await test("a lattice says how many of its columns are plotted", async () => {
  rattleback("run", "fput", "--steps", "20", "--quiet", "--report", file("lattice.html"));
  const { page, close } = await open("lattice.html");
  const text = await page.textContent('section[aria-label="Time series"]');
  assert.match(text, /Plots show the first 40 of \d+ columns/);
  await close();
});

await test("space is turned by mouse and by keys", async () => {
  const { page, close } = await open("space.html");
  const eye = () => page.$eval(".stage canvas", (c) => c.dataset.eye);
  const first = await eye(), box = await (await page.$(".stage canvas")).boundingBox();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 320, box.y + 240, { steps: 5 });
  await page.mouse.up();
  const dragged = await eye();
  assert.notEqual(dragged, first);
  await page.focus(".stage canvas");
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await eye(), dragged);
  await close();
});

await test("zooming one plot zooms all, by mouse and by keys", async () => {
  const { page, close } = await open("plane.html");
  const whole = await range(page, 0);
  const over = (await page.$$(".u-over"))[0];
  await over.scrollIntoViewIfNeeded();
  const area = await over.boundingBox();
  await page.mouse.move(area.x + 0.3 * area.width, area.y + 50);
  await page.mouse.down();
  await page.mouse.move(area.x + 0.6 * area.width, area.y + 60, { steps: 5 });
  await page.mouse.up();
  await page.waitForTimeout(100);
  const zoomed = await range(page, 0), plots = (await page.$$(".plot [data-range]")).length;
  assert.ok(zoomed[1] - zoomed[0] < 0.4 * (whole[1] - whole[0]), String(zoomed));
  for (let i = 1; i < plots; ++i) assert.deepEqual(await range(page, i), zoomed);
  await page.focus("figure.plot");
  await page.keyboard.press("+");
  await page.waitForTimeout(100);
  const closer = await range(page, plots - 1);
  assert.ok(closer[1] - closer[0] < 0.6 * (zoomed[1] - zoomed[0]));
  await page.keyboard.press("0");
  await page.waitForTimeout(100);
  assert.deepEqual(await range(page, 0), whole);
  await close();
});

await test("figures are saved as SVG and PNG", async () => {
  const { page, troubles, close } = await open("compare.html");
  const saved = async (scope, name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(scope).first().getByRole("button", { name, exact: true }).click()]);
    return fs.readFileSync(await download.path());
  };
  const svg = (await saved(".plot:not(.xy)", "SVG")).toString();
  assert.match(svg, /^<svg[^>]*xmlns/);
  assert.ok(svg.includes("<path") && svg.includes("energy error"));
  assert.match((await saved(".plot.xy", "SVG")).toString(), /^<svg/);
  assert.match((await saved("section[aria-label=Motion]", "SVG")).toString(), /^<svg.*(polyline|circle)/);
  for (const scope of [".plot:not(.xy)", "section[aria-label=Motion]"])
    assert.equal((await saved(scope, "PNG")).subarray(1, 4).toString(), "PNG");
  assert.deepEqual(troubles, []);
  await close();
});

await test("methods are overlaid, with a work-precision plot and a recommendation", async () => {
  const { page, close } = await open("compare.html");
  const text = await page.textContent("main");
  for (const method of ["gni", "dla", "rk4"]) assert.ok(text.includes(method));
  assert.match(text, /For short accurate runs: .*For long runs: /s);
  const work = page.locator('section[aria-label="Work and precision"] svg path[data-curve]');
  assert.equal(await work.count(), 3);
  assert.equal(await page.locator('section[aria-label="Work and precision"]').count(), 1, "one title");
  assert.equal(await page.locator('section[aria-label="Work and precision"] details[open]').count(), 0, "numbers are folded");
  assert.equal(await page.locator(".key span").count(), 3);
  await close();
});

await test("the model and the numbers can be read and copied", async () => {
  const { page, close } = await open("plane.html");
  const model = rattleback("gallery", "snakeboard");
  assert.equal(await page.textContent("pre"), model);
  assert.ok((await page.textContent('section[aria-label="Numbers"]')).includes("largest energy error"));
  await page.evaluate(() => { window.copied = ""; navigator.clipboard.writeText = async (t) => void (window.copied = t); });
  await page.locator('section[aria-label="Model"]').getByRole("button", { name: "copy" }).click();
  assert.equal(await page.evaluate(() => window.copied), model);
  await close();
});

await test("a section is taken where the motion returns, and says where it does not", async () => {
  const { page, close } = await open("long.html");
  const figure = page.locator(".plot.xy").last(), value = figure.getByLabel("value of the section");
  assert.ok(Number(await figure.getAttribute("data-points")) >= 5);
  await value.fill("1000");
  await value.press("Tab");
  assert.equal(await figure.getAttribute("data-points"), "0");
  assert.match(await figure.locator("svg").textContent(), /does not pass 1000 upwards in this run/);
  await close();
});

await test("the whole picture is in sight: nothing is drawn at the edges of the stage", async () => {
  const { page, close } = await open("space.html");
  await page.$eval("input.timeline", (e) => ((e.value = "1"), e.dispatchEvent(new Event("input"))));
  const { edges, middle } = await page.$eval(".stage canvas", (c) => {
    const copy = document.createElement("canvas"), paper = copy.getContext("2d", { willReadFrequently: true });
    const w = (copy.width = 400), h = (copy.height = 200), count = { edges: 0, middle: 0 };
    paper.drawImage(c, 0, 0, w, h);
    const d = paper.getImageData(0, 0, w, h).data;
    for (let y = 0; y < h; ++y)
      for (let x = 0; x < w; ++x) {
        const i = 4 * (y * w + x), blue = d[i + 2] - d[i] > 40; // what moves; the grid is grey
        if (blue) ++count[x < 2 || y < 2 || x >= w - 2 || y >= h - 2 ? "edges" : "middle"];
      }
    return count;
  });
  assert.ok(edges === 0 && middle > 100, `${edges} at the edges, ${middle} inside`);
  await close();
});

// In time of the page's own thread, since the machine may be busy: 0.15 s when this was written.
await test("a million nodes make a page below 5 MB that opens within a second", async () => {
  assert.ok(fs.statSync(file("long.html")).size < 5e6, "size " + fs.statSync(file("long.html")).size);
  const page = await browser.newPage({ reducedMotion: "reduce" }), troubles = await watch(page);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await show(page, "long.html");
  const { metrics } = await session.send("Performance.getMetrics"), seconds = metrics.find((m) => m.name === "ThreadTime").value;
  assert.ok(seconds > 0 && seconds <= 1, seconds + " s");
  assert.deepEqual(troubles, []);
  assert.match(await page.textContent("header"), /1000001 nodes/);
  assert.match(await page.textContent("section[aria-label=Motion]"), /The picture shows t = 0 to \d+ of 50000, by 6000 nodes/);
  assert.match(await page.textContent('section[aria-label^=Phase]'), /These plots show t = 0 to \d+ of 50000/);
  await page.close();
});

await test("the section of a long run lies on its curves", async () => {
  const { page, close } = await open("long.html"); // energy 0.1247: H = (x'^2 + y'^2)/2 + V, where y = 0 and y' > 0
  const worst = await page.evaluate(() => {
    const run = JSON.parse(document.getElementById("data").textContent).runs[0], path = {};
    for (const c of run.path.columns) path[c.name] = new Float32Array(Uint8Array.from(atob(c.data), (x) => x.charCodeAt(0)).buffer);
    const { x, y, "x'": vx, "y'": vy } = path;
    let off = 0, count = 0;
    for (let k = 0; k + 1 < y.length; ++k) {
      if (!(y[k] < 0 && y[k + 1] >= 0)) continue;
      const part = -y[k] / (y[k + 1] - y[k]), at = (c) => c[k] + part * (c[k + 1] - c[k]);
      off = Math.max(off, Math.abs((at(vx) ** 2 + at(vy) ** 2 + at(x) ** 2) / 2 - 0.12465833));
      ++count;
    }
    return [off, count];
  });
  assert.ok(worst[0] < 1e-3 && worst[1] > 100, String(worst)); // of energy, by the line between two nodes
  await close();
});

await test("phone, dark, and without a mouse", async () => {
  const { page, troubles, close } = await open("plane.html", { viewport: { width: 360, height: 700 }, colorScheme: "dark" });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, "nothing is wider than the phone");
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(22, 24, 27)");
  await page.getByRole("button", { name: "light / dark" }).focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  const named = await page.$$eval("button, select, input", (all) => all.filter((e) => !(e.textContent || e.ariaLabel || e.title)).length);
  assert.equal(named, 0, "every control has a name");
  assert.deepEqual(troubles, []);
  await close();
});

// --- text stays text ------------------------------------------------------------------------------------------------

const scripts = ["alert(1)", "window.pwned=1", "document.body.innerHTML=''", "fetch('http://example.com')", "throw 1"];
const payloads = scripts.flatMap((js) => [
  `<script>${js}</script>`, `</script><script>${js}</script>`, `<img src=x onerror="${js}">`, `"><svg onload=${js}>`,
  `</title><script>${js}</script>`, `<!--<script>${js}//`, `javascript:${js}`, `' onfocus=${js} autofocus '`,
  `</style><img src=x onerror=${js}>`, `&#x2028;${js}&NewLine;<b>&lt;${js}&amp;</b>`,
]);
await test(payloads.length + " names full of HTML stay text", async () => {
  assert.equal(payloads.length, 50);
  const page = await browser.newPage(), troubles = await watch(page);
  for (const [i, payload] of payloads.entries()) {
    const quoted = JSON.stringify(payload);
    fs.writeFileSync(file("payload.toml"), `name = ${quoted}
reference = ${quoted}
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - x^2"
[symmetries]
${quoted} = { y = "1" }
[observables]
${JSON.stringify("o" + payload)} = "x"
[initial]
q = [1, 0]
v = [0, 1]
[view]
points = [{ at = ["x", "y"], name = ${quoted} }]
# ${payload}
`);
    rattleback("run", file("payload.toml"), "-m", "midpoint", "-s", "0.1", "--steps", "20", "--quiet", "--report", file("payload.html"));
    await show(page, "payload.html");
    assert.deepEqual(troubles, [], `payload ${i}: ${payload}`);
    assert.equal(await page.textContent("h1"), payload + ": midpoint");
    assert.equal(await page.title(), (payload + ": midpoint").replace(/[\t\n\f\r ]+/g, " "));
    assert.equal(await page.textContent("pre"), fs.readFileSync(file("payload.toml"), "utf8"));
    assert.equal(await page.evaluate(() => document.querySelectorAll("script").length + "," + typeof window.pwned), "2,undefined");
  }
  await page.close();
});

await test("every gallery model draws something, without errors", async () => {
  const models = JSON.parse(rattleback("gallery", "--json")).models;
  assert.ok(models.length > 80);
  const page = await browser.newPage({ viewport: { width: 500, height: 500 } }), troubles = await watch(page);
  for (const { name, method } of models) { // with bounds there is no method: no run, but a path
    const how = method ? ["run"] : ["solve", "--starts", "1"];
    rattleback(...how, name, "--steps", "40", "--quiet", "--report", file("gallery.html"));
    await show(page, "gallery.html");
    assert.deepEqual(troubles, [], name);
    assert.ok((await page.$(".stage canvas")) !== null, name + " has no picture");
  }
  await page.close();
});

await browser.close();
fs.rmSync(folder, { recursive: true });
console.log(`${result.passed} passed, ${result.failed} failed`);
process.exit(result.failed ? 1 : 0);
