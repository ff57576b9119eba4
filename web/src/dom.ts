// Elements with text in them: never markup, whatever the text is.

type Attributes = Record<string, string>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

export function button(label: string, help: string, action: () => void): HTMLButtonElement {
  const b = element("button", { type: "button", title: help }, label);
  b.addEventListener("click", action);
  return b;
}

export function select(label: string, options: string[], chosen: string, change: (value: string) => void, help = ""): HTMLLabelElement {
  const s = element("select", { "aria-label": label, ...(help ? { title: help } : {}) });
  for (const o of options) {
    const option = element("option", { value: o }, o);
    option.selected = o === chosen;
    s.append(option);
  }
  s.addEventListener("change", () => change(s.value));
  return element("label", {}, label + " ", s);
}

export function section(title: string, ...children: (Node | string)[]): HTMLElement {
  return element("section", { "aria-label": title }, element("h2", {}, title), ...children);
}

export function copyButton(what: string, text: () => string): HTMLButtonElement {
  const b = button("copy", "copy " + what, async () => {
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      const area = element("textarea", {}, text());
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    b.textContent = "copied";
    setTimeout(() => (b.textContent = "copy"), 1500);
  });
  return b;
}

export function save(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const a = element("a", { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// Letters and digits of a title, for a file.
export function fileName(title: string): string {
  return title.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 60) || "figure";
}
