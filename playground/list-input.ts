import { byId, make } from "./dom.ts";
import { acceptChosen } from "./files.ts";

/** Limits a text in the field. A longer one would make the page slow, so it is taken as a file. */
const LONGEST_TEXT = 1 << 20;
/** Names the text of the field, as a file of lines would be named. */
const NO_FILE = "urls.txt";
/** A text is taken this many milliseconds after the last key. */
const PAUSE_MS = 150;

/** Holds what is deduped: the text of the field, or a file. */
export class ListInput {
  readonly #field: HTMLTextAreaElement;
  readonly #onChange: () => void;
  readonly #note = byId("file-note");
  readonly #clear = byId<HTMLButtonElement>("file-clear");
  #file: Blob | null = null;
  #name = NO_FILE;
  #timer = 0;

  constructor(field: HTMLTextAreaElement, onChange: () => void) {
    this.#field = field;
    this.#onChange = onChange;
    field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(onChange, PAUSE_MS) as unknown as number;
    });
    field.addEventListener("paste", (event) => this.#paste(event));
    acceptChosen(byId<HTMLInputElement>("file"), (file) => this.setFile(file));
    this.#clear.addEventListener("click", () => {
      this.setText(field.value);
      field.focus();
      onChange();
    });
  }

  /** Returns the bytes of the list. */
  get source(): Blob {
    return this.#file ?? new Blob([this.#field.value]);
  }

  /** Returns the name of the list's file, whose end tells the format. */
  get name(): string {
    return this.#name;
  }

  /** Puts a text into the field, and forgets the file. */
  setText(text: string): void {
    this.#file = null;
    this.#name = NO_FILE;
    this.#field.value = text;
    this.#show("");
  }

  /** Takes a file in place of the field. */
  setFile(file: File): void {
    this.#take(file, file.name, file.name);
  }

  #take(list: Blob, name: string, shown: string): void {
    this.#file = list;
    this.#name = name;
    this.#show(`${shown}, ${sizeOf(list)}`);
    this.#onChange();
  }

  #paste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length <= LONGEST_TEXT) return;
    event.preventDefault();
    this.#take(new Blob([text]), NO_FILE, "Pasted text");
  }

  #show(file: string): void {
    this.#field.hidden = file !== "";
    this.#clear.hidden = file === "";
    this.#note.replaceChildren(...(file === "" ? [] : ["List: ", make("strong", {}, file)]));
  }
}

function sizeOf({ size }: Blob): string {
  return size < 1e5 ? `${(size / 1e3).toFixed(1)} kB` : `${(size / 1e6).toFixed(1)} MB`;
}
