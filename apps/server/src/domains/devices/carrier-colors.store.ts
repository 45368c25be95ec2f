import { sql } from 'kysely';
import type { OrganizationScope, Scope } from '../../kernel/scope.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** Whose colours a scope sees: those of its organization, or of the main account. */
export const ownerOf = (scope: Scope) => (scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId);

export type Colors = ReadonlyMap<string, number>;

/** Until the transaction ends, no other one gives colours to carriers of this owner: two at once would give two carriers the same. */
export async function lockColors(tx: Tx, scope: Scope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`carrier_colors ${ownerOf(scope)}`}))`.execute(tx);
}

export async function readColors(queries: Queries, scope: Scope): Promise<Colors> {
  const { rows } = await sql<Row<'carrier_colors', 'carrier' | 'color'>>`select carrier, color from carrier_colors
    where owner_id = ${ownerOf(scope)}::uuid order by since, carrier`.execute(queries);
  return new Map(rows.map(({ carrier, color }) => [carrier, color]));
}

export async function insertColor(tx: Tx, scope: Scope, carrier: string, color: number): Promise<void> {
  await sql`insert into carrier_colors (owner_id, carrier, color) values (${ownerOf(scope)}::uuid, ${carrier}, ${color})`.execute(
    tx,
  );
}

/** @returns whether the owner has this carrier */
export async function updateColor(tx: Tx, scope: Scope, carrier: string, color: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update carrier_colors set color = ${color}
    where owner_id = ${ownerOf(scope)}::uuid and carrier = ${carrier}`.execute(tx);
  return numAffectedRows > 0n;
}

/** Delete the colours of an organization that is being purged. */
export async function purgeCarrierColorsOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('carrier_colors').where('owner_id', '=', organizationId).execute();
}
