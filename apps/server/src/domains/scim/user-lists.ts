import { isId } from '../../kernel/index.ts';
import type { ListRequest } from './answers.ts';
import type { Directory, DirectoryDeps } from './directory.ts';
import { effortOfSearch } from './effort.ts';
import { matches } from './filter-matches.ts';
import { readFilter } from './filter.ts';
import { countPeople, listPeople, whoseExternalIdIs, whoseIdIs, whoseNameIs } from './people.queries.ts';
import type { Document } from './resource.ts';
import { userType } from './schemas.ts';
import type { Filter } from './stored-values.ts';
import { toUser } from './user-documents.ts';

/** So many resources are compared with a filter at a time. */
const BATCH = 100;

/** People that fit a filter, a page of them. @throws ScimFailure `invalidFilter` */
export async function listUsers(
  { database }: DirectoryDeps,
  { scope }: Directory,
  { filter: text, startIndex, count }: ListRequest,
  base: string,
): Promise<{ readonly total: number; readonly resources: Document[] }> {
  if (text === undefined) {
    const [total, rows] = await Promise.all([
      countPeople(database.read, scope),
      count === 0 ? [] : listPeople(database.read, scope, { offset: startIndex - 1, limit: count }),
    ]);
    return { total, resources: rows.map((row) => toUser(row, base)) };
  }
  const filter = readFilter(userType, text);
  const where = narrow(filter);
  const resources: Document[] = [];
  let total = 0;
  let after = '';
  const effort = effortOfSearch();
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each batch begins where the last one ended
    const rows = await listPeople(database.read, scope, { where, after, limit: BATCH });
    for (const row of rows) {
      const user = toUser(row, base);
      // oxlint-disable-next-line no-await-in-loop -- others get their turn
      await effort.pause();
      if (!matches(filter, user, effort)) continue;
      total += 1;
      if (total >= startIndex && resources.length < count) resources.push(user);
    }
    if (rows.length < BATCH) return { total, resources };
    after = rows.at(-1)!.email;
  }
}

/** A condition with an index that holds for all that fit: directories look for one person by name or id. */
function narrow(filter: Filter): ReturnType<typeof whoseNameIs> | undefined {
  if (filter.kind === 'and') return filter.parts.map(narrow).find((condition) => condition !== undefined);
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.literal !== 'string') return undefined;
  const { attribute, extension } = filter.path;
  if (extension !== undefined) return undefined;
  if (attribute.name === 'userName') return whoseNameIs(filter.literal);
  if (attribute.name === 'externalId') return whoseExternalIdIs(filter.literal);
  return attribute.name === 'id' && isId(filter.literal) ? whoseIdIs(filter.literal) : undefined;
}
