import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Far below the leases of nodes and what people notice, far above what an interruption costs. */
const SLICE_MS = 10;

/** Divides long computation: between two slices everything else runs, such as connections, timers and the lease of the node. */
export class Slices {
  readonly #sliceMs: number;
  #began = performance.now();

  /** @param sliceMs 0 = each pause lets others run */
  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs;
  }

  /** Lets everything else run where the slice is over. To be called about every millisecond of computation. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began < this.#sliceMs) return;
    await yieldToOthers();
    this.#began = performance.now();
  }
}
