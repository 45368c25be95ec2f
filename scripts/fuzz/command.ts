import { parseArgs } from 'node:util';
import { defaultOptions, type FuzzOptions } from './cases.ts';
import { targets, type Target } from './run.ts';
import type { UspScale } from './usp.ts';

export const usage = `npm run fuzz -- ${targets.join('|')} [--count N] [--seed S] [--seconds T]
  --first N         start at this case (to replay one: --first N --count 1)
  --largest BYTES   of one body
  --slow MS         a call that takes longer is a finding (5000), and so is /livez at --slow-livez MS (2000; limits: 250)
  --slow-step MS    of the server's processor without serving others (2000; limits: 50)
  --memory MB       resident memory of the server that is a finding (2048)
  --connections N   concurrently connected routers (usp)`;

export interface Command {
  readonly target: Target;
  readonly options: FuzzOptions;
  readonly scale: UspScale;
}

const number = { type: 'string' } as const;

/** What the largest inputs may cost others (SECURITY.md). */
const LIVEZ_OF_LIMITS_MS = 250;
const STEP_OF_LIMITS_MS = 50;

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
        'slow-step': number,
        memory: number,
        connections: number,
      },
    });
    const target = targets.find((name) => name === positionals[0]);
    const given = (name: keyof typeof values, otherwise: number) => whole(values[name]) ?? otherwise;
    if (target === undefined || positionals.length !== 1 || Object.values(values).some((text) => whole(text) === undefined))
      return undefined;
    const isLimits = target === 'limits';
    const connections = given('connections', 60);
    return {
      target,
      scale: { connections, routers: connections * 8 },
      options: {
        isBrief: false,
        first: given('first', defaultOptions.first),
        // Each case once.
        count: given('count', isLimits ? Number.MAX_SAFE_INTEGER : defaultOptions.count),
        seed: given('seed', defaultOptions.seed),
        seconds: given('seconds', defaultOptions.seconds),
        largest: given('largest', defaultOptions.largest),
        slowCallMs: given('slow', defaultOptions.slowCallMs),
        slowLivezMs: given('slow-livez', isLimits ? LIVEZ_OF_LIMITS_MS : defaultOptions.slowLivezMs),
        slowStepMs: given('slow-step', isLimits ? STEP_OF_LIMITS_MS : defaultOptions.slowStepMs),
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
