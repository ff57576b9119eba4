// What the tests of the page share: Debian's Chromium, driven by playwright-core; pages that the program wrote.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
const { chromium } = await import(pathToFileURL(path.join(root, "web/node_modules/playwright-core/index.mjs")));
const program = process.env.RATTLEBACK || path.join(root, "build/rattleback");
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rattleback_browser_"));
export const file = (name) => path.join(folder, name);
export const rattleback = (...words) => execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

export const result = { passed: 0, failed: 0 };
export async function test(name, run) {
  const begin = Date.now();
  try {
    await run();
    ++result.passed;
    console.log(`passed ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  } catch (e) {
    ++result.failed;
    console.log(`FAILED ${name}: ${e.message.split("\n").slice(0, 6).join("\n  ")}`);
  }
}

// A page from disk; whatever goes wrong on it is an error, and so is a request that leaves the file.
export async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, acceptDownloads: true, reducedMotion: "reduce", ...options });
  const page = await context.newPage(), troubles = await watch(page);
  await show(page, name);
  return { page, troubles, close: () => context.close() };
}
export async function watch(page) {
  const troubles = [];
  page.on("console", (m) => m.type() === "error" && troubles.push(m.text()));
  page.on("pageerror", (e) => troubles.push(String(e)));
  page.on("dialog", (d) => (troubles.push("dialog " + d.message()), d.dismiss()));
  page.on("request", (r) => /^(file|data|blob):/.test(r.url()) || troubles.push("request " + r.url()));
  return troubles;
}
export async function show(page, name) {
  await page.goto(pathToFileURL(file(name)).href);
  await page.waitForSelector("html[data-ready]", { timeout: 20000 });
}
export const counts = (page, selector) =>
  page.$$eval(selector, (all) => all.map((e) => Number(e.dataset.points)));
export const range = (page, i) => page.$$eval(".plot [data-range]", (all, k) => all[k].dataset.range.split(" ").map(Number), i);
export const picture = (page) => page.$eval(".stage canvas", (c) => c.toDataURL());
