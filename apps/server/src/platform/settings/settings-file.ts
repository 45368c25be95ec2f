import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { variables, type Environment, type Values } from './variables.ts';

/**
 * A fault that an administrator can fix. Its message is one or several plain lines: print it without a stack and exit with code
 * 1.
 */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
  }
}

/** The lines of the file named by HIGHLINE_SETTINGS; none without it. */
export function readSettingsFile(environment: Environment): Environment {
  const path = environment['HIGHLINE_SETTINGS'];
  return path === undefined || path === '' ? {} : readFile(path);
}

/** Empty counts as left out: Compose files pass variables that were never set. */
export function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''));
}

function readFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new StartupError(
      `HIGHLINE_SETTINGS: the file cannot be read (${(error as Error).message}). Name a file of NAME=value lines.`,
    );
  }
}

export function parseEach(given: Environment): { values: Values; faults: string[] } {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables)) {
    const text = given[name]?.trim();
    if (text === undefined) {
      if ('fallback' in variable) values[name] = variable.fallback;
      continue;
    }
    const parsed = variable.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else
      faults.push(
        `${name}: ${'secret' in variable ? 'its value' : JSON.stringify(text)} is invalid. Set it to ${variable.needs}.`,
      );
  }
  return { values: values as Values, faults };
}
