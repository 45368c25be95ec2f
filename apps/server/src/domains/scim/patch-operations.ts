import { badRequest } from './failure.ts';
import { isRecord } from './stored-values.ts';

const MOST_OPERATIONS = 1_000;

export type Verb = 'add' | 'replace' | 'remove';

export interface Operation {
  readonly verb: Verb;
  readonly path: string | undefined;
  readonly value: unknown;
}

export function readOperations(body: Readonly<Record<string, unknown>>): Operation[] {
  const operations = field(body, 'operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw badRequest('invalidSyntax', 'Operations is a list of operations.');
  if (operations.length > MOST_OPERATIONS) throw badRequest('invalidSyntax', `A PATCH may have ${MOST_OPERATIONS} operations.`);
  return operations.map(readOperation);
}

function readOperation(sent: unknown): Operation {
  if (!isRecord(sent)) throw badRequest('invalidSyntax', 'An operation is an object.');
  const op = field(sent, 'op');
  const verb = typeof op === 'string' ? op.toLowerCase() : undefined;
  if (verb !== 'add' && verb !== 'replace' && verb !== 'remove')
    throw badRequest('invalidSyntax', 'op is add, replace or remove.');
  const path = field(sent, 'path') ?? undefined;
  if (path !== undefined && typeof path !== 'string') throw badRequest('invalidPath', 'path is a text.');
  return { verb, path: path === '' ? undefined : path, value: field(sent, 'value') };
}

/** A field of a message, whatever its case. */
function field(body: Readonly<Record<string, unknown>>, name: string): unknown {
  const key = Object.keys(body).find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : body[key];
}
