// Work and precision beside other libraries, from what bench_peers kept (docs/peers.json): a picture and a table a problem.
const colours = ["#1f6fb4", "#2a9d8f", "#0b3c6f", "#8d6e63", "#d1495b", "#e08e0b", "#8e5bb5", "#c05299", "#6b7280", "#4d7c0f", "#b45309"];
const tolerances = [1e-10, 1e-6];
const escape = (s) => String(s).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const power = (k) => `10<tspan dy="-5" font-size="9">${k}</tspan>`;

const cheapest = (solver, tolerance) => Math.min(...solver.seconds_per_time.filter((_, i) => solver.error[i] <= tolerance));
const micro = (s) => (isFinite(s) ? (1e6 * s < 100 ? (1e6 * s).toPrecision(3) : Math.round(1e6 * s)) : "never");

// Errors from left to right, small ones at the right; costs from bottom to top.
function plot(problem) {
  const width = 640, height = 380, left = 60, right = 12, top = 12, bottom = 44;
  const cost = problem.solvers.flatMap((s) => s.seconds_per_time.map((x) => Math.log10(1e6 * x)));
  const low = Math.floor(Math.min(...cost)), high = Math.ceil(Math.max(...cost)), first = -2, last = -13;
  const x = (e) => left + ((Math.log10(Math.max(e, 1e-13)) - first) / (last - first)) * (width - left - right);
  const y = (s) => height - bottom - ((Math.log10(1e6 * s) - low) / (high - low)) * (height - top - bottom);
  let svg = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(problem.title)}" style="max-width:40rem;width:100%;font:12px system-ui,sans-serif" fill="currentColor">`;
  for (let k = first; k >= last; --k) {
    const at = x(10 ** k);
    svg += `<path d="M${at} ${top}V${height - bottom}" stroke="#8884"/>`;
    if (k % 2 === 0) svg += `<text x="${at}" y="${height - bottom + 18}" text-anchor="middle">${power(k)}</text>`;
  }
  for (let k = low; k <= high; ++k) {
    const at = y(10 ** (k - 6));
    svg += `<path d="M${left} ${at}H${width - right}" stroke="#8884"/><text x="${left - 8}" y="${at + 4}" text-anchor="end">${power(k)}</text>`;
  }
  svg += `<text x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">error at the end</text>`;
  svg += `<text transform="translate(14 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">µs of computing for a unit of time</text>`;
  problem.solvers.forEach((s, i) => {
    const points = s.error.map((e, k) => [x(e).toFixed(1), y(s.seconds_per_time[k]).toFixed(1)]);
    const dash = s.group === "rattleback" ? "" : s.group === "hand" ? ' stroke-dasharray="2 3"' : ' stroke-dasharray="7 3"';
    svg += `<polyline fill="none" stroke="${colours[i % colours.length]}" stroke-width="2"${dash} points="${points.map((p) => p.join(",")).join(" ")}"><title>${escape(s.solver)}</title></polyline>`;
  });
  return svg + "</svg>";
}

function legend(problem) {
  return `<p>${problem.solvers.map((s, i) => `<span style="white-space:nowrap;margin-right:1rem"><b style="color:${colours[i % colours.length]}">&#9644;</b> ${escape(s.solver)}</span>`).join(" ")}</p>`;
}

export function peersPage(data, table) {
  const head = `<h1>Work and precision</h1><p>Computing time for a unit of simulated time against the error at the end, by <code>scripts/bench peers</code>: every solver with a grid of steps or tolerances, of each the least processor time of several runs, on one core of ${escape(data.processor)} (commit ${escape(data.commit)}). Set-up and compilation are not counted. Problems and hand-written code are in <code>bench/ways.hpp</code> and <code>bench/hand</code>; other libraries get right-hand sides with the multipliers solved for by hand. Solid lines are methods of Rattleback, dotted ones the same by hand, dashed ones other libraries.</p>`;
  return head + data.problems.map((p) => `<h2>${escape(p.title)}</h2>${plot(p)}${legend(p)}` +
    table(["solver", ...tolerances.map((t) => `µs at ${t.toExponential()}`)], p.solvers.map((s) => [escape(s.solver), ...tolerances.map((t) => micro(cheapest(s, t)))]))).join("");
}
