/**
 * Time for everything a router does. One scheduler serves thousands of routers with a single operating-system timer, so an idle
 * router costs no timer objects; tests pass one whose time they control.
 */
export type Scheduler = {
  /** True time in epoch milliseconds, as far as the machine's date is right. The router's own time is its platform's clock. */
  now(): number;
  /** Milliseconds of a clock that nothing sets: the difference of two is how long something took. */
  elapsed(): number;
  /** Run `task` once, no earlier than `ms` from now. The returned function cancels it; later calls do nothing. */
  after(ms: number, task: () => void): Cancel;
};

export type ManualScheduler = Scheduler & { advance(ms: number): void; setDate(now: number): void };

export type Cancel = () => void;

type Entry = { due: number; order: number; task: (() => void) | undefined };

/** Entries by due time, then in insertion order: a binary heap. */
class DueQueue {
  readonly #entries: Entry[] = [];
  #order = 0;

  add(due: number, task: () => void): Entry {
    const entry = { due, order: this.#order++, task };
    this.#entries.push(entry);
    this.#rise(this.#entries.length - 1);
    return entry;
  }

  /** The next entry that is not cancelled; cancelled ones are dropped on the way. */
  peek(): Entry | undefined {
    while (this.#entries[0] && !this.#entries[0].task) this.pop();
    return this.#entries[0];
  }

  pop(): Entry | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    if (last && this.#entries.length > 0) {
      this.#entries[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #before(a: number, b: number): boolean {
    const left = this.#entries[a];
    const right = this.#entries[b];
    if (!left || !right) return left !== undefined;
    return left.due === right.due ? left.order < right.order : left.due < right.due;
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(from: number): void {
    let at = from;
    for (;;) {
      let first = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#entries.length && this.#before(child, first)) first = child;
      }
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #swap(a: number, b: number): void {
    const swapped = this.#entries[a]!;
    this.#entries[a] = this.#entries[b]!;
    this.#entries[b] = swapped;
  }
}

/** setTimeout counts in 31 bits; a longer delay is split. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A real-time scheduler. `close` cancels everything and lets the process end. Delays use the monotonic clock: correcting the
 * machine's date neither shortens nor lengthens them.
 */
export function createScheduler(): Scheduler & { close(): void } {
  let queue = new DueQueue();
  let timer: NodeJS.Timeout | undefined;
  let timerDue = Infinity;

  const arm = () => {
    const due = queue.peek()?.due ?? Infinity;
    if (due >= timerDue) return;
    clearTimeout(timer);
    timerDue = due;
    timer = setTimeout(fire, Math.min(LONGEST_TIMER_MS, Math.max(0, due - performance.now())));
  };
  const fire = () => {
    timerDue = Infinity;
    runDue(queue, performance.now());
    arm();
  };
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    after(ms, task) {
      const entry = queue.add(performance.now() + ms, task);
      arm();
      return () => {
        entry.task = undefined;
      };
    },
    close() {
      clearTimeout(timer);
      queue = new DueQueue();
      timerDue = Infinity;
    },
  };
}

/** A scheduler whose time stands still until `advance`, which runs due tasks in order; `setDate` corrects its date only. */
export function createManualScheduler(start = Date.UTC(2026, 0, 1)): ManualScheduler {
  const queue = new DueQueue();
  let date = start;
  let elapsed = 0;
  return {
    now: () => date + elapsed,
    elapsed: () => elapsed,
    setDate(now) {
      date = now - elapsed;
    },
    after(ms, task) {
      const entry = queue.add(elapsed + Math.max(0, ms), task);
      return () => {
        entry.task = undefined;
      };
    },
    advance(ms) {
      const end = elapsed + ms;
      for (let next = queue.peek(); next && next.due <= end; next = queue.peek()) {
        elapsed = Math.max(elapsed, next.due);
        queue.pop();
        next.task?.();
      }
      elapsed = end;
    },
  };
}

function runDue(queue: DueQueue, now: number): void {
  for (let next = queue.peek(); next && next.due <= now; next = queue.peek()) {
    queue.pop();
    next.task?.();
  }
}
