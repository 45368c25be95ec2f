import { sql } from 'kysely';
import { DomainError, isId, required, type Actor, type Scope } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import { devicesMatching } from '../devices/index.ts';
import { readViews } from './views.queries.ts';
import { type ViewDeps, isOfDevices, deviceFilterOf } from './views.service.ts';

/**
 * The devices that a view shows to a person at a time, as a condition on `devices d`: the target of alert rules and bulk actions (BLK-03).
 * @throws DomainError `view.not_found` for a view that the person does not see, or that is not of a device list
 */
export async function devicesOfView(
  { reader }: Pick<ViewDeps, 'reader'>,
  scope: Scope,
  actor: Pick<Actor, 'accountId'>,
  id: string,
  { expiringDays, at }: { readonly expiringDays: number; readonly at: Date },
): Promise<Fragment> {
  const [view] = await readViews(reader, scope, actor, id);
  const { list, content } = required(view, 'view.not_found');
  if (!isOfDevices(list)) throw new DomainError('view.not_found');
  const { org } = content.search;
  const matching = devicesMatching(scope, deviceFilterOf(content), expiringDays, at);
  // An organization of the main account: the scope is still that of the main account.
  if (list === 'devices' || org === undefined) return matching;
  return isId(org) ? sql`${matching} and d.organization_id = ${org}::uuid` : sql`false`;
}
