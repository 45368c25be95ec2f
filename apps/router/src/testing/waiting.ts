/** Tests that wait until an event makes something true; limited only by a test's own timeout. */
export class Waiting {
  #entries: { readonly done: () => boolean; readonly resolve: () => void }[] = [];

  async until(done: () => boolean): Promise<void> {
    if (!done()) await new Promise<void>((resolve) => this.#entries.push({ done, resolve }));
  }

  /** Something happened. */
  resume(): void {
    const ready = this.#entries.filter(({ done }) => done());
    this.#entries = this.#entries.filter((entry) => !ready.includes(entry));
    for (const { resolve } of ready) resolve();
  }
}
