type Child = Node | string;

/** Makes an element with properties and children. Texts are put in as text, never read as HTML. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Returns the element of the page with an id. Throws if the page has no such element. */
export function byId<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element as E;
}

/** Makes a button that does something. */
export function button(text: string, onClick: () => void, className = ""): HTMLButtonElement {
  const made = make("button", { type: "button", className }, text);
  made.addEventListener("click", onClick);
  return made;
}

/** Makes the button that explains a line. */
export function whyButton(line: number, onClick: () => void): HTMLButtonElement {
  const why = button("Why?", onClick, "quiet");
  why.setAttribute("aria-label", `Why? Explain line ${line}`);
  return why;
}

/** Saves bytes as a file of the visitor. */
export function download(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  make("a", { href, download: name }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** Writes a number with commas between thousands. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** Writes "1 line" or "2 lines". */
export function counted(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`;
}
