import { button, byId, make } from "./dom.ts";
import {
  OPTIONS,
  type OptionSchema,
  type Options,
  presetText,
  presetValue,
  textOfValue,
  valueOfText,
} from "./option-values.ts";

/** Names the options that stand first: what most people come for. */
const FIRST = [
  "www",
  "fragment",
  "trackingParams",
  "dropParams",
  "keepParams",
  "sortQuery",
  "sessionIds",
  "trailingSlash",
];
/** Names the options that stand last: they change no URL, or how all of it runs. */
const LAST = ["maxLength", "engine"];

type Field = HTMLSelectElement | HTMLInputElement | HTMLTextAreaElement;

/** Shows a preset and a field for each option, and tells when they change. */
export class OptionsForm {
  readonly #preset = byId<HTMLSelectElement>("preset");
  readonly #fields = new Map<string, Field>();
  readonly #changed = byId("options-changed");
  readonly #problem = byId("options-problem");
  readonly #onChange: (options: Options) => void;

  constructor(onChange: (options: Options) => void) {
    this.#onChange = onChange;
    const { preset, ...others } = OPTIONS;
    this.#preset.append(...(preset?.enum ?? []).map((name) => optionOf(String(name))));
    this.#preset.addEventListener("change", () => {
      this.#showPreset();
      this.#tell();
    });
    for (const [name, option] of inOrder(others)) this.#addField(name, option);
    byId("options-reset").replaceWith(
      button("Reset", () => this.set({ preset: this.#preset.value }), "quiet"),
    );
  }

  /** Returns the preset and what differs from it. Throws an `Error` for a text that is not a value. */
  get options(): Options {
    const options: Record<string, unknown> = { preset: this.#preset.value };
    for (const [name, field] of this.#fields) {
      const value = valueOfText(field.value, name);
      if (value !== undefined) options[name] = value;
    }
    return options;
  }

  /** Shows options, and tells of them. */
  set(options: Options): void {
    const { preset, ...others } = options;
    this.#preset.value = String(preset ?? OPTIONS["preset"]?.default);
    this.#showPreset();
    for (const [name, field] of this.#fields) {
      field.value = textOfValue(others[name], OPTIONS[name] ?? {});
    }
    this.#tell();
  }

  /** Shows what is wrong with the options; "" for nothing. */
  showProblem(text: string): void {
    this.#problem.textContent = text;
  }

  #addField(name: string, option: OptionSchema): void {
    const id = `option-${name}`;
    const note = make("p", { id: `${id}-note`, className: "note" }, option.description ?? "");
    const field = fieldOf(name, option);
    field.id = id;
    field.setAttribute("aria-describedby", note.id);
    field.addEventListener("change", () => this.#tell());
    this.#fields.set(name, field);
    const label = make("label", { htmlFor: id }, make("code", {}, name));
    byId("option-fields").append(make("div", { className: "option" }, label, field, note));
  }

  /** Shows in each field what the preset sets. */
  #showPreset(): void {
    byId("preset-note").textContent = presetText(this.#preset.value);
    for (const [name, field] of this.#fields) {
      const option = OPTIONS[name] ?? {};
      const value = presetValue(this.#preset.value, name);
      const text = textOfValue(value, option) || "none";
      if (field instanceof HTMLSelectElement) {
        (field.options[0] as HTMLOptionElement).text = `${text} (as the preset)`;
      } else field.placeholder = text;
    }
  }

  #tell(): void {
    let changed = 0;
    for (const field of this.#fields.values()) {
      const isChanged = field.value.trim() !== "";
      field.closest(".option")?.classList.toggle("changed", isChanged);
      if (isChanged) changed++;
    }
    this.#changed.textContent = changed === 0 ? "" : ` (${changed} changed)`;
    try {
      const { options } = this;
      this.showProblem("");
      this.#onChange(options);
    } catch (error) {
      this.showProblem((error as Error).message);
    }
  }
}

/** Returns options by how often people look for them. */
function inOrder(options: Readonly<Record<string, OptionSchema>>): [string, OptionSchema][] {
  const last = Object.keys(options).filter((name) => !FIRST.includes(name) && !LAST.includes(name));
  return [...FIRST, ...last, ...LAST].flatMap((name) => {
    const option = options[name];
    return option === undefined ? [] : [[name, option] as [string, OptionSchema]];
  });
}

function fieldOf(name: string, option: OptionSchema): Field {
  if (option.enum !== undefined) {
    const values = option.enum.map((value) => optionOf(String(value)));
    return make("select", {}, optionOf(""), ...values);
  }
  if (option.type === "integer") {
    const { minimum, maximum } = option;
    return make("input", { type: "number", min: String(minimum), max: String(maximum) });
  }
  const isLong = ["rules", "pageAliases", "sites"].includes(name);
  const field = isLong ? make("textarea", { rows: 3 }) : make("input", { type: "text" });
  field.spellcheck = false;
  field.setAttribute("autocapitalize", "off");
  return field;
}

function optionOf(value: string): HTMLOptionElement {
  return make("option", { value }, value);
}
