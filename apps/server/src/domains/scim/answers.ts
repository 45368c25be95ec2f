import { Slices } from '../../platform/process/slices.ts';
import { badRequest } from './failure.ts';
import { project, type Document, type Projection } from './resource.ts';
import { MESSAGES, MOST_RESULTS, type ResourceType } from './schemas.ts';

/** A query of a list (RFC 7644, 3.4.2), from the address or from the body of a search. */
export interface ListRequest extends Projection {
  readonly filter: string | undefined;
  /** The first has 1. */
  readonly startIndex: number;
  readonly count: number;
}

const USUAL_COUNT = 100;
const MOST_NAMES = 200;

/** Read the parameters of a query. @throws ScimFailure `invalidValue` */
export function readListRequest(sent: Readonly<Record<string, unknown>>): ListRequest {
  const { filter } = sent;
  if (filter !== undefined && typeof filter !== 'string') throw badRequest('invalidFilter', 'filter is a text.');
  return {
    ...readProjection(sent),
    filter: filter === '' ? undefined : filter,
    startIndex: Math.max(1, readNumber('startIndex', sent['startIndex'], 1)),
    count: Math.min(MOST_RESULTS, Math.max(0, readNumber('count', sent['count'], USUAL_COUNT))),
  };
}

function readNumber(name: string, sent: unknown, usual: number): number {
  if (sent === undefined || sent === '') return usual;
  const number = Number(sent);
  if (!Number.isInteger(number) || Math.abs(number) > 1_000_000_000)
    throw badRequest('invalidValue', `${name} is a whole number.`);
  return number;
}

/** Read which attributes an answer has. @throws ScimFailure `invalidValue` */
export function readProjection(sent: Readonly<Record<string, unknown>>): Projection {
  return {
    attributes: namesOf('attributes', sent['attributes']),
    excluded: namesOf('excludedAttributes', sent['excludedAttributes']),
  };
}

function namesOf(parameter: string, sent: unknown): string[] {
  if (sent === undefined) return [];
  const texts: readonly unknown[] = [sent].flat();
  if (!texts.every((text) => typeof text === 'string')) throw badRequest('invalidValue', `${parameter} are names of attributes.`);
  const names = texts
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > MOST_NAMES) throw badRequest('invalidValue', `${parameter} may have ${MOST_NAMES} names.`);
  return names;
}

/** A page of a list as RFC 7644, 3.4.2 has it. Others get their turn between its resources. */
export async function writeListResponse(
  type: ResourceType,
  { startIndex, ...request }: ListRequest,
  { total, resources }: { readonly total: number; readonly resources: readonly Document[] },
): Promise<string> {
  const slices = new Slices();
  const written: string[] = [];
  for (const resource of resources) {
    written.push(JSON.stringify(project(type, resource, request)));
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await slices.pause();
  }
  const page = { schemas: [`${MESSAGES}:ListResponse`], totalResults: total, startIndex, itemsPerPage: resources.length };
  return `${JSON.stringify(page).slice(0, -1)},"Resources":[${written.join(',')}]}`;
}
