import { normalizeGroupKey, type accounts } from '@highline/contract';
import { contentVersion, DomainError, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import type { AccountRow } from './accounts.store.ts';
import { findLimit, lockNamedGroups } from './limits.queries.ts';
import { replaceLimit } from './limits.store.ts';
import { lockMember } from './locked-users.ts';
import { endMailsBeyond } from './mail-lists.ts';
import { endControls, keepAnAdmin } from './users.service.ts';

/** Sets what people of an organization are limited to (IAM-04). */
export function createLimits({
  database,
  clock,
  endStreams,
}: Pick<Deps, 'database' | 'clock'> & { readonly endStreams: (which: { readonly accountId: string }) => void }) {
  return {
    /**
     * Limit a person to groups and tags from the next call on, or let the person see everything (null). Mails about other devices end: the
     * person's address leaves the notifications, the rules of alerts and the summaries of others.
     * @throws DomainError `account.not_found`, `account.is_self`, `account.last_admin` when no unlimited admin would be left,
     * `account.last_break_glass`, `account.last_excepted`, `group.not_found`, `conflict.stale`
     * @param isCurrent whether the caller's version, from If-Match, is the current one
     */
    async saveLimit(
      actor: Actor,
      id: string,
      limit: accounts.LimitInput | null,
      isCurrent: (version: string) => boolean,
    ): Promise<void> {
      if (id === actor.accountId) throw new DomainError('account.is_self');
      const now = clock.now();
      await database.write(async (tx) => {
        const { member, scope } = await lockMember(tx, actor, id);
        const before = await findLimit(tx, scope, id);
        if (!isCurrent(contentVersion(before))) throw new DomainError('conflict.stale');
        if (limit === null && before === null) return;
        if (limit !== null) await keepAnAdmin(tx, { member, scope });
        const keys = new Set(limit?.groups.map(normalizeGroupKey));
        if ((await lockNamedGroups(tx, scope, [...keys])).length < keys.size)
          throw new DomainError('group.not_found', { field: 'groups' });
        const { after, isChanged, detail } = await putLimit(tx, scope, member, limit, now);
        if (!isChanged) return;
        await announce(tx, scope, 'accounts', [id]);
        const names = [...(after?.groups.map(({ name }) => name) ?? []), ...(after?.tags ?? [])].join(', ');
        const action =
          limit === null ? sentence('account.unlimited', member.email) : sentence('account.limited', member.email, names);
        await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'account', id }, detail }, now);
      });
      endStreams({ accountId: id });
    },
  };
}

/**
 * Replace the limit of a locked person of an organization; null ends it. Groups that do not exist are left out. Who is limited from now on gets
 * no more mails about devices, and Full Control of single groups ends.
 */
export async function putLimit(
  tx: Tx,
  scope: OrganizationScope,
  account: Pick<AccountRow, 'id' | 'email'>,
  limit: accounts.LimitInput | null,
  now: Date,
): Promise<{
  readonly after: accounts.PersonLimit | null;
  readonly isChanged: boolean;
  /** Of the log entry: no groups are those of a person who sees nothing, or everything. */
  readonly detail: Readonly<Record<'before' | 'after', object>> & { readonly fullControlEnded?: readonly string[] };
}> {
  const { id } = account;
  const before = await findLimit(tx, scope, id);
  const groups = await lockNamedGroups(tx, scope, [...new Set(limit?.groups.map(normalizeGroupKey))]);
  const tags = [...new Set(limit?.tags)].toSorted();
  await replaceLimit(tx, scope, id, limit === null ? null : { groups: groups.map(({ key }) => key), tags }, now);
  const after = await findLimit(tx, scope, id);
  const isChanged = JSON.stringify(after) !== JSON.stringify(before);
  if (isChanged && limit !== null) await endMailsBeyond(tx, scope, [account], () => false, now);
  const seen = (one: accounts.PersonLimit | null) => ({ limited: one !== null, ...one });
  const fullControlEnded = isChanged ? await endControls(tx, scope, [id]) : [];
  const ended = fullControlEnded.length === 0 ? {} : { fullControlEnded };
  return { after, isChanged, detail: { before: seen(before), after: seen(after), ...ended } };
}
