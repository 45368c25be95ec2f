import type { ListRequest } from './answers.ts';
import { findPath } from './attribute-paths.ts';
import type { Directory, DirectoryDeps } from './directory.ts';
import { effortOfSearch } from './effort.ts';
import { matches } from './filter-matches.ts';
import { readFilter } from './filter.ts';
import { type Filter } from './stored-values.ts';
import { listGroups, listGroupsAlone, whichAre, whichIsNamed, type GroupAlone } from './groups.queries.ts';
import { toGroup } from './groups.ts';
import type { Document, Projection } from './resource.ts';
import { groupType } from './schemas.ts';

/** So many groups are read at a time. */
const MOST_GROUPS = 50;
/** With the group that reaches this number of people a page ends, and what is read at a time. */
const MOST_MEMBERS = 5_000;

/**
 * Groups that fit a filter, a page of them. It has fewer than requested where many people are in them (RFC 7644, 3.4.2.4).
 * @throws ScimFailure `invalidFilter`
 */
export async function listDirectoryGroups(
  { database }: DirectoryDeps,
  { scope }: Directory,
  { filter: text, startIndex, count, ...projection }: ListRequest,
  base: string,
): Promise<{ readonly total: number; readonly resources: Document[] }> {
  const filter = text === undefined ? undefined : readFilter(groupType, text);
  const all = await listGroupsAlone(database.read, scope, filter === undefined ? undefined : narrow(filter));
  const read = async (some: readonly GroupAlone[], hasMembers: boolean) => {
    const rows = await listGroups(database.read, scope, { where: whichAre(some.map(({ id }) => id)), hasMembers });
    return rows.map((row) => toGroup(row, base));
  };
  const fitting = filter === undefined ? all : await fittingOf(all, filter, (some) => read(some, /members/iu.test(text ?? '')));
  const hasMembers = showsMembers(projection);
  const page = fitting.slice(startIndex - 1, startIndex - 1 + count);
  const shown = hasMembers ? (portionsOf(page, count)[0] ?? []) : page;
  const resources: Document[] = [];
  for (const some of portionsOf(shown))
    // oxlint-disable-next-line no-await-in-loop -- one portion after another
    resources.push(...(await read(some, hasMembers)));
  return { total: fitting.length, resources };
}

/** Whether an answer has who is in a group, or a part of that. */
function showsMembers({ attributes, excluded }: Projection): boolean {
  const pathsOf = (names: readonly string[]) =>
    names.map((name) => findPath(groupType, name)).filter((path) => path?.attribute.name === 'members');
  return attributes.length > 0
    ? pathsOf(attributes).length > 0
    : !pathsOf(excluded).some((path) => path !== undefined && path.sub === undefined);
}

function portionsOf(groups: readonly GroupAlone[], mostGroups = MOST_GROUPS): GroupAlone[][] {
  const portions: GroupAlone[][] = [];
  let members = 0;
  for (const group of groups) {
    const last = portions.at(-1);
    const isFull = last === undefined || last.length >= mostGroups || members >= MOST_MEMBERS;
    if (isFull) portions.push([group]);
    else last.push(group);
    members = group.members + (isFull ? 0 : members);
  }
  return portions;
}

async function fittingOf(
  groups: readonly GroupAlone[],
  filter: Filter,
  read: (some: readonly GroupAlone[]) => Promise<Document[]>,
): Promise<GroupAlone[]> {
  const effort = effortOfSearch();
  const fitting = new Set<unknown>();
  for (const some of portionsOf(groups))
    // oxlint-disable-next-line no-await-in-loop -- one portion is in memory at a time
    for (const group of await read(some)) {
      // oxlint-disable-next-line no-await-in-loop -- others get their turn
      await effort.pause();
      if (matches(filter, group, effort)) fitting.add(group['id']);
    }
  return groups.filter(({ id }) => fitting.has(id));
}

function narrow(filter: Filter): ReturnType<typeof whichIsNamed> | undefined {
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.literal !== 'string') return undefined;
  return filter.path.attribute.name === 'displayName' ? whichIsNamed(filter.literal) : undefined;
}
