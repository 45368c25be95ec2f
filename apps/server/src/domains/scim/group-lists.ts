import type { ListRequest } from './answers.ts';
import type { Directory, DirectoryDeps } from './directory.ts';
import { effortOfSearch } from './effort.ts';
import { matches } from './filter-matches.ts';
import { readFilter } from './filter.ts';
import { type Filter } from './stored-values.ts';
import { listGroups, whichIsNamed } from './groups.queries.ts';
import { toGroup } from './groups.ts';
import type { Document } from './resource.ts';
import { groupType } from './schemas.ts';

/** Groups that fit a filter, a page of them. @throws ScimFailure `invalidFilter` */
export async function listDirectoryGroups(
  { database }: DirectoryDeps,
  { scope }: Directory,
  { filter: text, startIndex, count, ...projection }: ListRequest,
  base: string,
): Promise<{ readonly total: number; readonly resources: Document[] }> {
  const filter = text === undefined ? undefined : readFilter(groupType, text);
  const isExcluded = projection.excluded.some((name) => name.toLowerCase() === 'members');
  const hasMembers = !isExcluded || /members/iu.test(text ?? '');
  const rows = await listGroups(database.read, scope, { where: filter === undefined ? undefined : narrow(filter), hasMembers });
  const all = rows.map((row) => toGroup(row, base));
  const fitting = filter === undefined ? all : await fittingOf(all, filter);
  return { total: fitting.length, resources: fitting.slice(startIndex - 1, startIndex - 1 + count) };
}

async function fittingOf(groups: readonly Document[], filter: Filter): Promise<Document[]> {
  const effort = effortOfSearch();
  const fitting: Document[] = [];
  for (const group of groups) {
    // oxlint-disable-next-line no-await-in-loop -- others get their turn
    await effort.pause();
    if (matches(filter, group, effort)) fitting.push(group);
  }
  return fitting;
}

function narrow(filter: Filter): ReturnType<typeof whichIsNamed> | undefined {
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.literal !== 'string') return undefined;
  return filter.path.attribute.name === 'displayName' ? whichIsNamed(filter.literal) : undefined;
}
