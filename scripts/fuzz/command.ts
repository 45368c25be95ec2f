import { parseArgs } from 'node:util';
import { defaultOptions, type FuzzOptions } from './cases.ts';
import { targets, type Target } from './run.ts';
import type { UspScale } from './usp.ts';

export const usage = `npm run fuzz -- ${targets.join('|')} [--count N] [--seed S] [--seconds T]
  --first N         start at this case (to replay one: --first N --count 1)
  --largest BYTES   of one body
  --slow MS         a call that takes longer is a finding (5000), and so is /livez at --slow-livez MS (2000)
  --memory MB       resident memory of the server that is a finding (2048)
  --connections N   concurrently connected routers (usp)`;

export interface Command {
  readonly target: Target;
  readonly options: FuzzOptions;
  readonly scale: UspScale;
}

const number = { type: 'string' } as const;

/** @returns undefined for invalid arguments */
export function readCommand(args: readonly string[]): Command | undefined {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        count: number,
        seed: number,
        seconds: number,
        first: number,
        largest: number,
        slow: number,
        'slow-livez': number,
        memory: number,
        connections: number,
      },
    });
    const target = targets.find((name) => name === positionals[0]);
    const given = (name: keyof typeof values, otherwise: number) => whole(values[name]) ?? otherwise;
    if (target === undefined || positionals.length !== 1 || Object.values(values).some((text) => whole(text) === undefined))
      return undefined;
    const connections = given('connections', 60);
    return {
      target,
      scale: { connections, routers: connections * 8 },
      options: {
        first: given('first', defaultOptions.first),
        count: given('count', defaultOptions.count),
        seed: given('seed', defaultOptions.seed),
        seconds: given('seconds', defaultOptions.seconds),
        largest: given('largest', defaultOptions.largest),
        slowCallMs: given('slow', defaultOptions.slowCallMs),
        slowLivezMs: given('slow-livez', defaultOptions.slowLivezMs),
        mostMemory: given('memory', defaultOptions.mostMemory / 1_048_576) * 1_048_576,
      },
    };
  } catch {
    return undefined;
  }
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
}
