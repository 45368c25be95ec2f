import { randomBytes } from 'node:crypto';
import { type links as calls, linkRights, normalizeGroupKey } from '@highline/contract';
import type { z } from 'zod';
import {
  authorOf,
  DomainError,
  isId,
  newId,
  required,
  requireRight,
  type Actor,
  type OrganizationScope,
  type Scope,
} from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { sentence } from '../logs/index.ts';
import { findNamed, links } from './links.queries.ts';
import { hashToken } from './token.ts';

export type LinkDeps = Pick<Deps, 'database' | 'reader' | 'streams' | 'clock'>;
export type LinkInput = z.output<typeof calls.createLink.body>;

/**
 * Make a link to one vehicle or group (RPM-06).
 * @returns its id, and its token, which is stored as a hash only
 * @throws DomainError `link.shows_one`, `not_found`, `link.too_many`, and for what it shows that the caller may not read
 */
export async function createLink(
  deps: LinkDeps,
  scope: OrganizationScope,
  actor: Actor,
  { device, group, note = '', showsNames, hours }: LinkInput,
): Promise<{ readonly id: string; readonly token: string }> {
  if ((device === undefined) === (group === undefined)) throw new DomainError('link.shows_one');
  for (const right of linkRights({ isGroup: group !== undefined, showsNames })) requireRight(actor, right);
  const key = group === undefined ? undefined : normalizeGroupKey(group);
  const isPossible = device === undefined || isId(device);
  const name = required(isPossible ? await findNamed(deps.reader, scope, { device, group: key }) : undefined, 'not_found');
  const now = deps.clock.now();
  const id = newId(now.getTime());
  const token = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + hours * 3_600_000);
  const row = {
    id,
    device_id: device ?? null,
    group_key: key ?? null,
    note,
    shows_names: showsNames,
    token_hash: hashToken(token),
    author: JSON.stringify(authorOf(actor)),
    created_by_email: actor.email,
    expires_at: expires,
    looked_at: now,
  };
  const until = `${expires.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const entry = { action: sentence('link.created', name, until), detail: { note, showsNames, hours } };
  await links.create(deps, scope, actor, row, entry);
  return { id, token };
}

/** End a link at once; one that has ended stays as it is. @throws DomainError `link.not_found` */
export async function endLink(deps: LinkDeps, scope: Scope, actor: Actor, id: string): Promise<void> {
  const { state, shows } = await links.get(deps, scope, id);
  if (state !== 'active') return;
  await links.change(deps, scope, actor, id, async (tx, row, now) => {
    if (row.ended_at === null) await links.update(tx, row, { ended_at: now, end_reason: 'revoked' });
    return { action: sentence('link.revoked', shows, String(row.opened)), detail: { note: row.note } };
  });
}
