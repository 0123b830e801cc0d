/** Above this many pages, a page is looked up in a map. */
const FEW = 8;

/**
 * Counts, for each page of some components, how many URLs have it and how many of the components. Its memory is used
 * again for the next components.
 */
export class PageTally {
  /** Counts the pages; the lists hold old values after that. */
  size = 0;
  readonly pages: number[] = [];
  readonly urls: number[] = [];
  readonly components: number[] = [];
  readonly #places = new Map<number, number>();

  clear(): void {
    this.size = 0;
    if (this.#places.size > 0) this.#places.clear();
  }

  /** Adds a component with so many URLs of a page. */
  add(page: number, urls: number): void {
    const place = this.#placeOf(page);
    if (place < this.size) {
      this.urls[place] = (this.urls[place] as number) + urls;
      this.components[place] = (this.components[place] as number) + 1;
      return;
    }
    this.pages[place] = page;
    this.urls[place] = urls;
    this.components[place] = 1;
    this.size++;
    if (place === FEW)
      for (let at = 0; at < FEW; at++) this.#places.set(this.pages[at] as number, at);
    if (place >= FEW) this.#places.set(page, place);
  }

  /** Returns the place of a page in the lists; the one after the last if it is new. */
  #placeOf(page: number): number {
    if (this.size > FEW) return this.#places.get(page) ?? this.size;
    let place = 0;
    while (place < this.size && this.pages[place] !== page) place++;
    return place;
  }
}
