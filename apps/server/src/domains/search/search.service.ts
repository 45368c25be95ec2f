import {
  accounts,
  compareNames,
  configs,
  devices,
  esims,
  firmware,
  groups,
  organizations,
  search,
  views,
  type Right,
} from '@highline/contract';
import { hasRight } from '../../kernel/rights.ts';
import type { Actor, Scope } from '../../kernel/scope.ts';
import { searchable, type Reader } from '../../platform/listing/index.ts';
import { closeness, numberTextOf } from './search-text.ts';
import { findBeginnings, findContaining, type FoundRow } from './search.queries.ts';

/** The list of each kind: who may not call it by an own role, as a visitor or with an API key does not find what is on it. */
const lists: Readonly<Record<search.FoundKind, Right>> = {
  device: devices.listDevices,
  sim: esims.listProfiles,
  view: views.listViews,
  firmware: firmware.listFirmware,
  person: accounts.listAccounts,
  organization: organizations.listOrganizations,
  group: groups.listGroups,
  config: configs.listConfigs,
};

/** Kinds of which there are so many that their values are first searched by their beginning. */
const many = ['device', 'sim'] as const;

/**
 * What the palette finds (BLK-04): of each kind the closest matches, ignoring case. A text of three and more characters is also looked for within
 * the values, if too few begin with it.
 * @throws DomainError `request.invalid` for a text no column can hold
 */
export async function findEverywhere(reader: Reader, scope: Scope, actor: Actor, typed: string): Promise<search.Found[]> {
  const text = searchable(typed, 'text');
  const beginnings = await findBeginnings(reader, scope, actor, text);
  const few = many.filter((kind) => countOf(beginnings, kind) < search.MOST_FOUND);
  const containing = few.length === 0 ? [] : await findContaining(reader, scope, text, few);
  // What a role, or a limit to groups, opens besides is decided by the queries.
  const isNarrowed = actor.ownRole !== undefined || actor.visit !== undefined || actor.key !== undefined;
  const mayOpen = ({ kind }: FoundRow) => !isNarrowed || hasRight(actor, lists[kind]);
  return closest([...beginnings, ...containing].filter(mayOpen), text);
}

const countOf = (rows: readonly FoundRow[], kind: search.FoundKind) =>
  new Set(rows.flatMap((row) => (row.kind === kind ? [row.id] : []))).size;

/** Of each kind the closest, and of each thing the value that matches best. */
function closest(rows: readonly FoundRow[], text: string): search.Found[] {
  const typed = [text, ...numberTextOf(text).cases];
  const ranked = rows
    .map((row) => ({ row, rank: Math.min(...typed.map((one) => closeness(row.value, one))) }))
    .toSorted((a, b) => a.rank - b.rank || compareNames(a.row.title, b.row.title) || compareNames(a.row.id, b.row.id));
  const things = [...Map.groupBy(ranked, ({ row }) => `${row.kind} ${row.id}`).values()].map(([best]) => best!.row);
  return search.foundKinds.flatMap((kind) =>
    things
      .filter((row) => row.kind === kind)
      .slice(0, search.MOST_FOUND)
      .map((row) => toFoundDto(row)),
  );
}

function toFoundDto({ org, org_name: orgName, ...row }: FoundRow): search.Found {
  return { ...row, org: orgName === null ? '' : (org ?? ''), orgName: orgName ?? '' };
}
