import { createHash } from 'node:crypto';
import type { analysis } from '@highline/contract';
import { type Actor, DomainError, invalidField, isId, newId, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { getProjectGroup } from '../groups/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { findSamePin, lockPins, insertPin, removePin, selectPins, type PinRow } from './pins.store.ts';

export type PinServiceDeps = Pick<Deps, 'database' | 'clock'>;

/** The most charts on one user's overview. */
const MOST_PINS = 12;
const MOST_SPEC_BYTES = 65_536;

/** A chart to be pinned, from an API call. */
export type PinInput = Pick<analysis.PinnedChart, 'spec' | 'api' | 'content'> & { readonly creator?: string | undefined };

/** The user's own pinned charts, oldest first (OVW-08). */
export async function listPins(
  { database }: Pick<PinServiceDeps, 'database'>,
  scope: OrganizationScope,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<analysis.PinnedChart[]> {
  return (await selectPins(database.read, scope, accountId)).map((row) => toPinDto(accountId, row));
}

/** A pinned chart as the API returns it (part 2, section 3). */
function toPinDto(creator: string, row: PinRow): analysis.PinnedChart {
  const { id, spec, content, chart_type: chartType, arguments: chartArguments, created_at: created } = row;
  return { id, creator, spec, api: { chartType, arguments: chartArguments }, content, created: created.toISOString() };
}

/**
 * Pin a chart to the user's own overview (ANA-02, OVW-08). The same query drawn the same way is the existing pin.
 * @throws DomainError `request.invalid` for another user as creator, another organization's chart, or too long a specification;
 * `analysis.too_many_pins`
 */
export async function pinChart(
  { database, clock }: PinServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  input: PinInput,
): Promise<analysis.PinnedChart> {
  rejectStrange(actor, input);
  // Another organization is rejected, as in every call.
  for (const { projectId } of [input.api.arguments, input.content]) await getProjectGroup(database.read, scope, { projectId });
  const now = clock.now();
  const { accountId } = actor;
  const { api, spec, content } = input;
  const identity = identityOf(scope, input);
  return database.write(async (tx) => {
    const pinned = await lockPins(tx, scope, accountId);
    const same = await findSamePin(tx, scope, accountId, identity);
    if (same !== undefined) return toPinDto(accountId, same);
    if (pinned >= MOST_PINS) throw new DomainError('analysis.too_many_pins');
    const id = newId(now.getTime());
    await insertPin(tx, scope, accountId, { id, identity, api, spec, content }, now);
    await announce(tx, scope, 'charts', []);
    const event = {
      action: sentence('chart.pinned', content.title),
      subject: { kind: 'chart', id },
      detail: { title: content.title, mark: content.mark, ...api },
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
    return { id, creator: accountId, spec, api, content, created: now.toISOString() };
  });
}

/**
 * Remove one of the user's own charts from the overview.
 * @throws DomainError `not_found`, also for another user's and for an invalid id
 */
export async function unpinChart(
  { database, clock }: PinServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.write(async (tx) => {
    const removed = isId(id) ? await removePin(tx, scope, actor.accountId, id) : undefined;
    if (removed === undefined) throw new DomainError('not_found', { field: 'draw' });
    await announce(tx, scope, 'charts', []);
    const { title } = removed.content;
    const event = {
      action: sentence('chart.removed', title),
      subject: { kind: 'chart', id },
      detail: { title, chartType: removed.chart_type },
    };
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
  });
}

function rejectStrange({ accountId }: Actor, { creator, spec }: PinInput): void {
  if (creator !== undefined && creator !== '' && creator !== accountId)
    throw invalidField('creator', 'is not the calling account');
  if (Buffer.byteLength(JSON.stringify(spec)) > MOST_SPEC_BYTES) throw invalidField('spec', 'must have at most 64 kB');
}

/** The identity of a chart: the query and the mark, regardless of the reader's zone, of empty fields and of the organization. */
function identityOf({ organizationId }: OrganizationScope, { api, content }: PinInput): Buffer {
  const { zone: _, ...chartArguments } = api.arguments;
  const given = Object.entries(chartArguments)
    .filter(([, value]) => value !== undefined && value !== '' && value !== organizationId)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([api.chartType, content.mark, given]))
    .digest();
}
