import { parseArgs } from 'node:util';

/** An invalid command line; its message explains the fault. */
export class UsageFault extends Error {}

/** A command that failed; its message explains why. */
export class CommandFault extends Error {}

/** One that may succeed later. */
export class TemporaryFault extends CommandFault {}

/** Where a command prints its result. */
export type Say = (line: string) => void;

/** One command: `highline firmware <name>`. */
export interface Command {
  readonly name: string;
  /** The arguments after the name. */
  readonly usage: string;
  readonly summary: string;
  /** @throws UsageFault, CommandFault */
  run(argv: readonly string[], environment: NodeJS.ProcessEnv, say: Say): Promise<void>;
}

/** Exit code for a wrong command line, like the shell's own commands. */
const USAGE_ERROR = 2;
/** EX_TEMPFAIL of sysexits.h, which mail servers know. */
const TEMPORARY_FAILURE = 75;

/** Input and output of a command line. */
export interface Console {
  readonly environment: NodeJS.ProcessEnv;
  out(text: string): void;
  err(text: string): void;
}

/**
 * Print what a command failed with.
 * @returns the exit code: 0, 1 for a failure, 2 for an invalid command line, 75 for what may succeed later
 */
export async function report(work: () => Promise<void>, { err }: Pick<Console, 'err'>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!(error instanceof UsageFault) && !(error instanceof CommandFault)) throw error;
    const more = error instanceof UsageFault ? '\nSee `npm run highline -- --help`.' : '';
    err(`highline: ${error.message}${more}\n`);
    if (error instanceof UsageFault) return USAGE_ERROR;
    return error instanceof TemporaryFault ? TEMPORARY_FAILURE : 1;
  }
}

export interface Flags {
  /** Each takes a value and is required. */
  readonly required?: readonly string[];
  /** Each takes a value. */
  readonly optional?: readonly string[];
  /** Given or not. */
  readonly switches?: readonly string[];
}

export interface Parsed {
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly switches: ReadonlySet<string>;
  readonly files: readonly string[];
}

/**
 * Read flags and file names.
 * @param files how many file names are required
 * @throws UsageFault
 */
export function readArguments(argv: readonly string[], flags: Flags, files: number): Parsed {
  const { required = [], optional = [], switches = [] } = flags;
  const options = Object.fromEntries([
    ...[...required, ...optional].map((name) => [name, { type: 'string' as const }]),
    ...switches.map((name) => [name, { type: 'boolean' as const }]),
  ]);
  const { values, positionals } = parse(argv, options);
  const missing = required.filter((name) => values[name] === undefined || values[name] === '');
  if (missing.length > 0) throw new UsageFault(`${missing.map((name) => `--${name}`).join(', ')}: missing`);
  if (positionals.length !== files)
    throw new UsageFault(`expected ${files} file name${files === 1 ? '' : 's'}, not ${positionals.length}`);
  return {
    values: Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string')) as Parsed['values'],
    switches: new Set(switches.filter((name) => values[name] === true)),
    files: positionals,
  };
}

function parse(argv: readonly string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    throw new UsageFault((error as Error).message);
  }
}
