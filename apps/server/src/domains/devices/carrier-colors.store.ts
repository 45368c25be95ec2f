import { devices } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError } from '../../kernel/failure.ts';
import type { Actor, OrganizationScope, Scope } from '../../kernel/scope.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import type { Database, Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** Carriers of an owner whose colours are kept: a router may report any name. */
const MOST_KEPT = 100;

/** Whose colours a scope sees: those of its organization, or of the main account. */
const ownerOf = (scope: Scope) => (scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId);

type Colors = ReadonlyMap<string, number>;

/**
 * The colour of each carrier, from 1. One that has none gets the one that the fewest have, and keeps it: a further carrier never changes those of
 * others (SAY-11).
 */
export async function readCarrierColors(database: Database, scope: Scope, carriers: readonly string[]): Promise<Colors> {
  const kept = await readColors(database.read, scope);
  if (carriers.every((carrier) => kept.has(carrier))) return kept;
  return database.write(async (tx) => {
    // Two at once would give two carriers the same colour.
    await sql`select pg_advisory_xact_lock(hashtext(${`carrier_colors ${ownerOf(scope)}`}))`.execute(tx);
    const known = await readColors(tx, scope);
    const all = withColors(carriers, known);
    const added = [...all].filter(([carrier]) => !known.has(carrier)).slice(0, Math.max(0, MOST_KEPT - known.size));
    for (const [carrier, color] of added)
      await sql`insert into carrier_colors (owner_id, carrier, color) values (${ownerOf(scope)}::uuid, ${carrier}, ${color})`.execute(
        tx,
      );
    return all;
  });
}

async function readColors(queries: Queries, scope: Scope): Promise<Colors> {
  const { rows } = await sql<Row<'carrier_colors', 'carrier' | 'color'>>`select carrier, color from carrier_colors
    where owner_id = ${ownerOf(scope)}::uuid order by since, carrier`.execute(queries);
  return new Map(rows.map(({ carrier, color }) => [carrier, color]));
}

/** The colour of each carrier: the one it has, else the one that the fewest have. */
export function withColors(carriers: readonly string[], kept: Colors): Colors {
  const colors = new Map(kept);
  for (const carrier of carriers.filter((each) => !colors.has(each)).toSorted()) {
    const uses = Array.from(
      { length: devices.CARRIER_COLORS },
      (_, place) => [...colors.values()].filter((color) => color === place + 1).length,
    );
    colors.set(carrier, uses.indexOf(Math.min(...uses)) + 1);
  }
  return colors;
}

/** @returns whether the owner has this carrier */
async function updateCarrierColor(tx: Tx, scope: Scope, carrier: string, color: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update carrier_colors set color = ${color}
    where owner_id = ${ownerOf(scope)}::uuid and carrier = ${carrier}`.execute(tx);
  return numAffectedRows > 0n;
}

/**
 * Change the colour of a carrier for everyone who sees this scope.
 * @throws DomainError `not_found` for a carrier that the scope does not have
 */
export async function changeCarrierColor(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  scope: Scope,
  actor: Actor,
  change: { readonly carrier: string; readonly color: number },
): Promise<void> {
  const { carrier, color } = change;
  await database.write(async (tx) => {
    if (!(await updateCarrierColor(tx, scope, carrier, color))) throw new DomainError('not_found');
    await announce(tx, scope, 'devices', []);
    const kind = scope.kind === 'organization' ? 'organization' : 'main_account';
    const event = {
      action: sentence('carrier.color_changed', carrier),
      subject: { kind, id: ownerOf(scope) },
      detail: { carrier, color },
    };
    await recordAudit(tx, ownerOf(scope), actor, event, clock.now());
  });
}

/** Delete the colours of an organization that is being purged. */
export async function purgeCarrierColorsOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('carrier_colors').where('owner_id', '=', organizationId).execute();
}
