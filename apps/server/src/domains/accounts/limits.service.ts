import { normalizeGroupKey, type accounts } from '@highline/contract';
import { DomainError, type Actor } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { hasOtherAdmin } from './accounts.store.ts';
import { findLimit, lockNamedGroups } from './limits.queries.ts';
import { replaceLimit } from './limits.store.ts';
import { lockMember } from './locked-users.ts';
import { endMailsOf } from './own-role.ts';
import { roleOf } from './standing.ts';

/** Sets what people of an organization are limited to (IAM-04). */
export function createLimits({
  database,
  clock,
  endStreams,
}: Pick<Deps, 'database' | 'clock'> & { readonly endStreams: (which: { readonly accountId: string }) => void }) {
  return {
    /**
     * Limit a person to groups and tags from the next call on, or let the person see everything (null). Mails about other devices end: the
     * person's address leaves the notifications and the rules of alerts.
     * @throws DomainError `account.not_found`, `account.is_self`, `account.last_admin` when no unlimited admin would be left, `group.not_found`
     */
    async saveLimit(actor: Actor, id: string, limit: accounts.LimitInput | null): Promise<accounts.PersonLimit | null> {
      if (id === actor.accountId) throw new DomainError('account.is_self');
      const now = clock.now();
      const saved = await database.write(async (tx) => {
        const { member, scope } = await lockMember(tx, actor, id);
        const before = await findLimit(tx, scope, id);
        if (limit === null && before === null) return null;
        if (limit !== null && roleOf(member) === 'admin' && !(await hasOtherAdmin(tx, scope, id)))
          throw new DomainError('account.last_admin');
        const keys = [...new Set(limit?.groups.map(normalizeGroupKey))];
        const groups = await lockNamedGroups(tx, scope, keys);
        if (groups.length < keys.length) throw new DomainError('group.not_found', { field: 'groups' });
        const tags = [...new Set(limit?.tags)].toSorted();
        await replaceLimit(tx, scope, id, limit === null ? null : { groups: keys, tags }, now);
        const after = await findLimit(tx, scope, id);
        if (JSON.stringify(after) === JSON.stringify(before)) return after;
        if (limit !== null) await endMailsOf(tx, scope, member, now);
        await announce(tx, scope, 'accounts', [id]);
        const names = [...groups.map(({ name }) => name), ...tags].join(', ');
        const action =
          limit === null ? sentence('account.unlimited', member.email) : sentence('account.limited', member.email, names);
        await recordAudit(
          tx,
          scope.organizationId,
          actor,
          { action, subject: { kind: 'account', id }, detail: { from: before, to: after } },
          now,
        );
        return after;
      });
      endStreams({ accountId: id });
      return saved;
    },
  };
}
