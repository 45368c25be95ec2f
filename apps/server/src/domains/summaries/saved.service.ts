import { summaryRights, type SummaryKind, type summaries as calls } from '@highline/contract';
import type { z } from 'zod';
import { authorOf, checkZone, DomainError, isId, newId, requireRight, type Actor, type Scope } from '../../kernel/index.ts';
import { withoutLimit } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { endReportAlert } from '../alerts/index.ts';
import { sentence } from '../logs/index.ts';
import { resumeAddress } from './bounces.job.queries.ts';
import type { KindSources } from './kind-request.ts';
import { checkChoice, kinds } from './kinds.ts';
import { timeOf } from '../outages/index.ts';
import { readAuthor, saved, type SavedRow } from './saved.queries.ts';
import { scopeOfOwner } from '../../platform/resources/resource.ts';
import type { RunDeps } from './runs.job.ts';
import { dropPostponedRuns, insertRun, keepKindOfSent } from './runs.job.queries.ts';
import { nextTime } from './schedule.ts';

export type SavedDeps = Pick<Deps, 'database' | 'clock'> &
  Pick<KindSources, 'expiringDays' | 'keptDays'> &
  Pick<RunDeps, 'findAllowed'>;
export type SummaryInput = z.output<typeof calls.saveSummary.body>;

/** @throws DomainError `permission.denied`, `key.not_allowed`, `request.invalid`, `summary.no_recipient` */
function valuesOf(deps: SavedDeps, scope: Scope, actor: Actor, { realm: _realm, org: _org, ...input }: SummaryInput, now: Date) {
  requireRight(actor, summaryRights[input.kind]);
  checkZone(input.zone, 'zone');
  if (input.every === 'week' && input.onDay > 7)
    throw new DomainError('request.invalid', { message: 'onDay: must be 1 to 7', field: 'onDay' });
  if (input.every !== 'never' && input.recipients.length === 0)
    throw new DomainError('summary.no_recipient', { field: 'recipients' });
  const recipients = [...new Set(input.recipients.map((mail) => mail.toLowerCase()))];
  const { group = null, carrier = null, tag = null, sumBy = null, columns = null, separator = 'comma' } = input;
  const choice = {
    kind: input.kind,
    group: group ?? undefined,
    carrier: carrier ?? undefined,
    tag: tag ?? undefined,
    sumBy: sumBy ?? undefined,
  };
  const request = { ...choice, scope, time: timeOf({ zone: input.zone }, now, deps.keptDays), language: input.language, now };
  checkChoice(choice, columns ?? [], kinds[input.kind].columns(request, deps));
  return {
    fields: { ...input, group, carrier, tag, sumBy, columns, separator, recipients },
    nextAt: nextTime(input, now) ?? null,
  };
}

/** Save a new summary (RPM-03). @returns its id @throws as `valuesOf`, DomainError `summary.too_many` */
export async function createSummary(deps: SavedDeps, scope: Scope, actor: Actor, input: SummaryInput): Promise<string> {
  const now = deps.clock.now();
  const id = newId(now.getTime());
  const { fields, nextAt } = valuesOf(deps, scope, actor, input, now);
  const row = {
    ...saved.columnsOf(fields),
    id,
    next_at: nextAt,
    author: JSON.stringify(authorOf(actor)),
    created_by_email: actor.email,
  };
  const entry = { action: sentence('summary.created', fields.name), detail: detailOf(fields) };
  await saved.create(deps, scope, actor, row, entry);
  return id;
}

/** Whose name a summary has once an actor saves it: a limited person keeps what is theirs, since it would get every device otherwise. */
async function findNextAuthor(
  { database, findAllowed }: SavedDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  kind: SummaryKind,
): Promise<Actor> {
  const author = actor.limit === undefined ? await readAuthor(database.read, scope, id) : undefined;
  // Also where it is the actor's own account: a limited API key has that of its maker.
  const allowed = author && (await findAllowed(author, summaryRights[kind]));
  return author === undefined || allowed?.limit === undefined ? authorOf(actor) : author;
}

/** Replace a summary, by someone who may read its present kind too. @throws as `createSummary`, DomainError `summary.not_found`, `conflict.stale` */
export async function saveSummary(
  deps: SavedDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  input: SummaryInput,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  const author = isId(id) ? await findNextAuthor(deps, scope, actor, id, input.kind) : authorOf(actor);
  await saved.change(deps, scope, actor, id, async (tx, row, now) => {
    const kind = row.kind as SummaryKind;
    requireRight(actor, summaryRights[kind]);
    if (!isCurrent(row.version)) throw new DomainError('conflict.stale');
    const { fields, nextAt } = valuesOf(deps, scope, actor, input, now);
    const before = saved.fieldsOf(row);
    const values = { ...saved.columnsOf(fields), next_at: nextAt, author: JSON.stringify(author) };
    await saved.update(tx, row, values, now);
    if (fields.kind !== kind) await keepKindOfSent(tx, row.id, kind);
    if (scheduleOf(before) !== scheduleOf(fields)) await dropPostponedRuns(tx, row.id, now);
    if (nextAt === null) await endAlert(tx, row, now);
    return { action: sentence('summary.changed', fields.name), detail: { before: detailOf(before), after: detailOf(fields) } };
  });
}

/** What a run reads of its summary for its period and its time. */
const scheduleOf = ({ kind, every, onDay, hour, zone }: Pick<SummaryInput, 'kind' | 'every' | 'onDay' | 'hour' | 'zone'>) =>
  JSON.stringify([kind, every, onDay, hour, zone]);

/** It will not be sent by itself any more. */
async function endAlert(tx: Tx, row: SavedRow, now: Date): Promise<void> {
  const owner = scopeOfOwner(row);
  // The alert is about no device, so that someone who is limited does not see it.
  if (owner.kind === 'organization') await withoutLimit(tx, () => endReportAlert(tx, owner, row.id, now));
}

/** Delete a summary; what waits is not sent. @throws DomainError `summary.not_found` */
export async function deleteSummary(deps: SavedDeps, scope: Scope, actor: Actor, id: string): Promise<void> {
  await saved.change(deps, scope, actor, id, async (tx, row, now) => {
    await saved.remove(tx, row);
    await endAlert(tx, row, now);
    return { action: sentence('summary.deleted', row.name), detail: detailOf(saved.fieldsOf(row)) };
  });
}

/** Send a summary now, in the name of the caller. @throws DomainError `summary.not_found`, `summary.no_recipient`, and for missing rights */
export async function sendSummary(deps: SavedDeps, scope: Scope, actor: Actor, id: string): Promise<void> {
  await saved.change(deps, scope, actor, id, async (tx: Tx, row, now) => {
    requireRight(actor, summaryRights[row.kind as SummaryKind]);
    if (row.recipients.length === 0) throw new DomainError('summary.no_recipient');
    await insertRun(tx, row.id, now, now);
    return { action: sentence('summary.requested', row.name), detail: { recipients: row.recipients } };
  });
}

/** Send to a recipient again whose mail server rejected what was sent. @throws DomainError `summary.not_found`, `summary.not_paused` */
export async function resumeRecipient(deps: SavedDeps, scope: Scope, actor: Actor, id: string, mail: string): Promise<void> {
  await saved.change(deps, scope, actor, id, async (tx, row) => {
    const isOf = row.recipients.includes(mail);
    if (!isOf || !(await resumeAddress(tx, row.organization_id ?? row.main_account_id, mail)))
      throw new DomainError('summary.not_paused');
    return { action: sentence('summary.resumed', mail), detail: { mail } };
  });
}

const detailOf = ({ kind, format, every, recipients }: Pick<SummaryInput, 'kind' | 'format' | 'every' | 'recipients'>) => ({
  kind,
  format,
  every,
  recipients,
});
