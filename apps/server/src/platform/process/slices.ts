import { setImmediate as nextTurn } from 'node:timers/promises';

/** Short beside the leases of nodes and the patience of people, long beside what a turn costs. */
const SLICE_MS = 10;

/** Divides long computation: between two slices everything else has its turn, such as connections, timers and the lease of the node. */
export class Slices {
  readonly #sliceMs: number;
  #began = performance.now();

  /** @param sliceMs 0 = each pause waits for a turn */
  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs;
  }

  /** Waits for a turn of the others where the slice is over. To be called about every millisecond of computation. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began < this.#sliceMs) return;
    await nextTurn();
    this.#began = performance.now();
  }
}
