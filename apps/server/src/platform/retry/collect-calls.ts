interface Waiting<Input, Result> {
  readonly input: Input;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface CollectSettings<Input, Result> {
  /** Calls that are made as one, at most. */
  readonly most: number;
  /** Inputs with the same key are not made together; left out: any are. */
  readonly keyOf?: (input: Input) => unknown;
  /** Makes calls, and returns their results in the same order. */
  readonly run: (inputs: readonly Input[]) => Promise<readonly Result[]>;
}

/**
 * Make calls that come while one runs as one when it has ended: what a statement costs hardly depends on its rows. One that comes alone is made at
 * once, and a result is never older than its call. An error is that of each of its calls.
 */
export function collectCalls<Input, Result>({
  most,
  keyOf = (input) => ({ input }),
  run,
}: CollectSettings<Input, Result>): (input: Input) => Promise<Result> {
  let waiting: Waiting<Input, Result>[] = [];
  let isRunning = false;

  const takeNext = () => {
    const taken = new Map<unknown, Waiting<Input, Result>>();
    const left = waiting.filter((each) => {
      const key = keyOf(each.input);
      if (taken.size >= most || taken.has(key)) return true;
      taken.set(key, each);
      return false;
    });
    waiting = left;
    return [...taken.values()];
  };

  const runAll = async () => {
    isRunning = true;
    while (waiting.length > 0) {
      const taken = takeNext();
      try {
        // oxlint-disable-next-line no-await-in-loop -- the next ones are collected meanwhile
        const results = await run(taken.map(({ input }) => input));
        for (const [at, { resolve }] of taken.entries()) resolve(results[at]!);
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    isRunning = false;
  };

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (!isRunning) void runAll();
    });
}
