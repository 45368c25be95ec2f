import * as fc from 'fast-check';

/** Options of a run. */
export interface FuzzOptions {
  /** The first case of the run; a replay starts at the case it names. */
  readonly first: number;
  readonly count: number;
  readonly seed: number;
  /** Time limit in seconds, regardless of `count`. */
  readonly seconds: number;
  /** Largest body of a case, bytes. */
  readonly largest: number;
  /** Time limits of a call and of /livez, milliseconds. */
  readonly slowCallMs: number;
  readonly slowLivezMs: number;
  /** Time limit of one step of the server's event loop, milliseconds of its processor. */
  readonly slowStepMs: number;
  /** Limit of the server's resident memory, bytes. */
  readonly mostMemory: number;
  /** Of `limits`: one case of each way into the server, another one with another seed. */
  readonly isBrief: boolean;
}

export const defaultOptions: FuzzOptions = {
  first: 0,
  count: 1_000,
  seed: 1,
  seconds: 3_600,
  largest: 32 * 1_048_576,
  slowCallMs: 5_000,
  slowLivezMs: 2_000,
  slowStepMs: 2_000,
  mostMemory: 2 * 1_073_741_824,
  isBrief: false,
};

/** One value of an arbitrary. The same seed and index give the same value, independent of earlier draws. */
export function draw<T>(arbitrary: fc.Arbitrary<T>, seed: number, index: number): T {
  return fc.sample(arbitrary, { seed: mix(seed, index), numRuns: 1 })[0]!;
}

/** A separate 32-bit seed for each case (the finalizer of MurmurHash3). */
function mix(seed: number, index: number): number {
  let bits = Math.imul(seed ^ 0x9e_37_79_b9, 0x85_eb_ca_6b) ^ Math.imul(index + 1, 0xc2_b2_ae_35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85_eb_ca_6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2_b2_ae_35);
  return bits ^ (bits >>> 16);
}

/** Hands out the case numbers of a run until they or the time are used up. */
export class CaseNumbers {
  #next: number;
  readonly #end: number;
  readonly #deadline: number;
  #isStopped = false;

  constructor({ first, count, seconds }: FuzzOptions) {
    this.#next = first;
    this.#end = first + count;
    this.#deadline = performance.now() + seconds * 1_000;
  }

  /** @returns undefined when the run is over */
  take(): number | undefined {
    const isOver = this.#isStopped || this.#next >= this.#end || performance.now() > this.#deadline;
    return isOver ? undefined : this.#next++;
  }

  /** End the run: the server is gone. */
  stop(): void {
    this.#isStopped = true;
  }
}

/** Run cases with this many concurrent workers; each takes the next number until there is none. */
export async function runCases(numbers: CaseNumbers, workers: number, run: (index: number) => Promise<void>): Promise<void> {
  const work = async () => {
    for (let index = numbers.take(); index !== undefined; index = numbers.take()) await run(index);
  };
  await Promise.all(Array.from({ length: workers }, work));
}
