import type { FuzzOptions } from './cases.ts';

export type FindingKind =
  | 'process end'
  | 'server fault'
  | 'slow call'
  | 'slow livez'
  | 'slow step'
  | 'memory'
  | 'log'
  | 'leak'
  | 'description';

/** A violation, and the first case after which it was seen. */
export interface Finding {
  readonly kind: FindingKind;
  readonly what: string;
  /** The case it belongs to; undefined when it was seen between cases. */
  readonly index?: number;
  times: number;
}

/** Counts of one run. */
export class Report {
  readonly target: string;
  readonly options: FuzzOptions;
  /** Completed cases. */
  cases = 0;
  /** Further named counts: frames, connections, bytes. */
  readonly counts = new Map<string, number>();
  readonly statuses = new Map<string, number>();
  readonly findings: Finding[] = [];
  slowest: { readonly ms: number; readonly what: string } = { ms: 0, what: 'none' };
  slowestLivezMs = 0;
  longestStep: { readonly ms: number; readonly what: string } = { ms: 0, what: 'none' };
  mostMemory = 0;
  readonly #began = performance.now();

  constructor(target: string, options: FuzzOptions) {
    this.target = target;
    this.options = options;
  }

  count(name: string, times = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + times);
  }

  /** @param status of the response, or how the connection ended without one */
  responded(status: number | string, ms: number, what: string): void {
    const name = String(status);
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    if (ms > this.slowest.ms) this.slowest = { ms, what };
  }

  /** @param ms that one step took, of the server's processor */
  stepped(ms: number, what: string, index?: number): void {
    if (ms > this.longestStep.ms) this.longestStep = { ms, what };
    const { slowStepMs } = this.options;
    if (ms > slowStepMs) this.find('slow step', `${what}: ${Math.round(ms)} ms of the processor, more than ${slowStepMs}`, index);
  }

  /** Record a violation; a repeated one is only counted. */
  find(kind: FindingKind, what: string, index?: number): void {
    const known = this.findings.find((finding) => finding.kind === kind && finding.what === what);
    if (known !== undefined) known.times++;
    else this.findings.push({ kind, what, times: 1, ...(index === undefined ? {} : { index }) });
  }

  /** The whole report, as lines to print. */
  lines(): string[] {
    const { target, options, cases, counts, statuses, findings, slowest, longestStep } = this;
    const seconds = (performance.now() - this.#began) / 1_000;
    return [
      `${target}: ${cases} cases in ${seconds.toFixed(1)} s (seed ${options.seed}, from case ${options.first})`,
      ...[...counts].map(([name, times]) => `  ${name}: ${times}`),
      '  status   answers',
      ...[...statuses].sort(([a], [b]) => a.localeCompare(b)).map(([name, times]) => `  ${name.padEnd(8)} ${times}`),
      `  slowest: ${Math.round(slowest.ms)} ms, ${slowest.what}`,
      `  slowest /livez: ${Math.round(this.slowestLivezMs)} ms; memory at most ${Math.round(this.mostMemory / 1_048_576)} MB`,
      `  longest step: ${Math.round(longestStep.ms)} ms of the processor, ${longestStep.what}`,
      `  findings: ${findings.length}`,
      ...findings.flatMap((finding) => this.#describe(finding)),
    ];
  }

  #describe({ kind, what, index, times }: Finding): string[] {
    const { target, options } = this;
    const replay = `npm run fuzz -- ${target} --seed ${options.seed} --first ${index ?? options.first} --count ${index === undefined ? options.count : 1}`;
    return [`  ! ${kind} (${times}×): ${what}`, `    replay: ${replay}`];
  }
}
