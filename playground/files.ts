/** Calls `take` with each file that is chosen in a field, even if it is the same file again. */
export function acceptChosen(field: HTMLInputElement, take: (file: File) => void): void {
  field.addEventListener("change", () => {
    const [file] = field.files ?? [];
    // A field that still holds a file sends no event when the same file is chosen again.
    field.value = "";
    if (file !== undefined) take(file);
  });
}

/** Calls `take` with each file that is dropped on an element. */
export function acceptDropped(element: HTMLElement, take: (file: File) => void): void {
  element.addEventListener("dragover", (event) => {
    event.preventDefault();
    element.classList.add("over");
  });
  element.addEventListener("dragleave", () => element.classList.remove("over"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    element.classList.remove("over");
    const [file] = event.dataTransfer?.files ?? [];
    if (file !== undefined) take(file);
  });
}
