import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Functions of a benchmark process, by name. */
export type Responses = Record<string, (...args: never[]) => unknown>;

/** A separate process, so that its memory and CPU time can be measured. */
export interface Child<A extends Responses> {
  readonly pid: number;
  ask<Name extends keyof A & string>(name: Name, ...args: Parameters<A[Name]>): Promise<Awaited<ReturnType<A[Name]>>>;
  stop(): Promise<void>;
  /** End it at once, as a loss of power does. */
  kill(): Promise<void>;
}

interface Question {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

type Reply = { readonly id: number; readonly result?: unknown; readonly fault?: string };

/** Start `file` of this folder. Resolves once it accepts requests; rejects when it ends before. */
export async function startChild<A extends Responses>(file: string, env: NodeJS.ProcessEnv = {}): Promise<Child<A>> {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(program, [], {
    env: { ...process.env, ...env },
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => {
    for (const [id, resolve] of waiting) resolve({ id, fault: `${file} ended` });
  });
  const ready = Promise.withResolvers<void>();
  waiting.set(0, (reply) => (reply.fault === undefined ? ready.resolve() : ready.reject(new Error(reply.fault))));
  child.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  let count = 0;
  const ask = (name: string, ...args: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++count;
      waiting.set(id, ({ fault, result }) => (fault === undefined ? resolve(result) : reject(new Error(fault))));
      child.send({ id, name, args } satisfies Question);
    });
  await ready.promise;
  return {
    pid: child.pid!,
    ask: ask as Child<A>['ask'],
    async stop() {
      if (child.connected) child.disconnect();
      const deadline = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(deadline);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The child's side: answer requests until the parent is gone or finished, then clean up and end. */
export function runQuestions(responses: Responses, close: () => Promise<void> | void = () => {}): void {
  process.on('message', async ({ id, name, args }: Question) => {
    try {
      reply({ id, result: await responses[name]!(...(args as never[])) });
    } catch (error) {
      reply({ id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.once('disconnect', async () => {
    await close();
    process.exit(0);
  });
  reply({ id: 0 });
}

function reply(response: Reply): void {
  if (process.connected) process.send!(response);
}
