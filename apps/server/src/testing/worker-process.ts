import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program of this folder in a process of its own, which can be killed with -9. */
export interface WorkerProcess {
  start(...args: readonly string[]): ChildProcess;
  /** Start it, and wait until it ends. @returns its exit code */
  run(...args: readonly string[]): Promise<number | null>;
  /** Kill the one that was started last, unless it has ended, and wait until it is gone. */
  kill(): Promise<void>;
}

/** @param file such as `mail-worker.ts` */
export function createWorkerProcess(file: string): WorkerProcess {
  const program = fileURLToPath(new URL(file, import.meta.url));
  let child: ChildProcess | undefined;
  const start = (...args: readonly string[]) => {
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return child;
  };
  return {
    start,
    async run(...args) {
      const [code] = (await once(start(...args), 'exit')) as [number | null];
      return code;
    },
    async kill() {
      const killed = child;
      child = undefined;
      if (killed === undefined || killed.exitCode !== null || killed.signalCode !== null) return;
      const gone = once(killed, 'exit');
      killed.kill('SIGKILL');
      await gone;
    },
  };
}
