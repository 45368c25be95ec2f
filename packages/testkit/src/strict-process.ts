import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Order } from './cli.ts';
import type { AgentEvent } from './events.ts';
import type { TraitChoice } from './traits.ts';

/** A strict agent in a separate process. */
export interface StrictProcess {
  readonly events: readonly AgentEvent[];
  /** Resolves when this many events of a kind have occurred. */
  happened(event: AgentEvent['event'], times?: number): Promise<void>;
  order(order: Order): void;
  /** SIGKILL: a power cut. Its state is in its folder. */
  kill(): Promise<void>;
}

const CLI = fileURLToPath(new URL('cli.ts', import.meta.url));

/** Start a strict agent as a process; its state is read from `stateDir` if it exists. */
export function startStrictProcess(choice: TraitChoice): StrictProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, JSON.stringify(choice)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const events: AgentEvent[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line) as AgentEvent);
    for (const resolve of waiting) resolve();
  });
  return {
    events,
    async happened(event, times = 1) {
      const isReached = () => events.filter((each) => each.event === event).length >= times;
      while (!isReached()) {
        await new Promise<void>((resolve) => waiting.add(resolve));
        waiting.clear();
      }
    },
    order: (order) => void child.stdin.write(`${JSON.stringify(order)}\n`),
    kill: () => kill(child),
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
