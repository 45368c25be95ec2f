// Reads tables of other domains: router_positions.
import { sql } from 'kysely';
import type { Scope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/index.ts';

/** Keep where routers were last before the time ends in which an organization has them: the next position of each may be of another one (POS-07). */
export async function keepLastPositions(
  tx: Tx,
  { mainAccountId }: Scope,
  routerIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`insert into former_positions (router_id, owned_from, at, latitude, longitude, accuracy, speed, heading, is_jump, stored_at)
    select o.router_id, o.owned_from, p.at, p.latitude, p.longitude, p.accuracy, p.speed, p.heading, p.is_jump, p.stored_at
    from routers r join router_ownership o on o.router_id = r.id join router_positions p on p.router_id = o.router_id and p.at >= o.owned_from and p.at < ${now}::timestamptz
    where r.id = any(${[...routerIds]}::uuid[]) and r.main_account_id = ${mainAccountId}::uuid and o.owned_until is null`.execute(
    tx,
  );
}
