import { networks as calls } from '@highline/contract';
import type { z } from 'zod';
import {
  addDays,
  contentVersion,
  DomainError,
  required,
  withVersion,
  type Actor,
  type OrganizationScope,
  type Scope,
} from '../../../kernel/index.ts';
import { identifierCell, safeCell, type ListColumns } from '../../../platform/csv/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../../platform/locks/row-locks.ts';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../../logs/index.ts';
import { readToday } from '../../usage/index.ts';
import { hasSearched } from '../client-search.ts';
import type { ClientUse } from './count-use.ts';
import {
  findUseDevice,
  listUseDays,
  readClientSettings,
  readUseDay,
  readUseNow,
  type UseDay,
  type UseDevice,
} from './use.queries.ts';
import { writeClientSettings } from './use.store.ts';

export type UseDeps = Pick<Deps, 'database' | 'clock'>;
type UseQuery = z.output<typeof calls.readClientUse.query>;

/** What clients of a device used, by day, and each of them on one day (LIV-02). @throws DomainError `not_found` for the device */
export async function readClientUse(
  deps: UseDeps,
  scope: Scope,
  { device, day, search = '', limit = calls.CLIENTS_PAGE }: UseQuery,
): Promise<calls.ClientUseAnswer> {
  const { target, own, settings, today, first, now, days } = await findUse(deps, scope, device);
  const chosen = day ?? today;
  const readStored = async () => (chosen < first ? [] : readUseDay(deps.database.read, own, target.deviceId, chosen));
  const clients = chosen === now?.day ? now.clients : await readStored();
  const matching = clients.map((client) => toUseDto(client)).filter(({ name, mac }) => hasSearched(search, mac, [name]));
  return {
    settings: withVersion(settings),
    today,
    day: chosen,
    readAt: now === undefined ? null : Math.floor(now.readAt.getTime() / 1_000),
    days: [...days],
    clients: matching.toSorted(byUse).slice(0, limit),
    found: matching.length,
    total: clients.length,
  };
}

async function findUse({ database, clock }: UseDeps, scope: Scope, device: string) {
  const target = required(await findUseDevice(database.read, scope, device), 'not_found');
  const own = scopeOf(target);
  const settings = await readClientSettings(database.read, target.organizationId);
  const [{ today }, now, closed] = await Promise.all([
    readToday(database.read, own, clock.now()),
    readUseNow(database.read, own, target),
    listUseDays(database.read, own, target.deviceId),
  ]);
  const first = addDays(today, -settings.days);
  const days = [...(now === undefined ? [] : [sumOf(now)]), ...closed.filter(({ day }) => day !== now?.day)].filter(
    ({ day, clients }) => day >= first && clients > 0,
  );
  return { target, own, settings, today, first, now, days };
}

function sumOf({ day, clients }: { readonly day: string; readonly clients: readonly ClientUse[] }): UseDay {
  const sums = { sent: 0, received: 0 };
  for (const { sent, received } of clients) {
    sums.sent += sent;
    sums.received += received;
  }
  return { day, clients: clients.length, ...sums };
}

const scopeOf = ({ organizationId, mainAccountId }: UseDevice): OrganizationScope => ({
  kind: 'organization',
  organizationId,
  mainAccountId,
});

function toUseDto({ mac, name, sent, received }: ClientUse): calls.UsedClient {
  return { mac: mac.match(/../gu)!.join(':'), name, random: (Number.parseInt(mac.slice(0, 2), 16) & 2) !== 0, sent, received };
}

/** The most first. */
function byUse(a: calls.UsedClient, b: calls.UsedClient): number {
  const difference = b.sent + b.received - (a.sent + a.received);
  return difference === 0 ? (a.mac < b.mac ? -1 : 1) : difference;
}

export interface UseFileRow extends calls.UsedClient {
  readonly day: string;
}

/** Every client on every day that is kept, the newest day first. @throws DomainError `not_found` for the device */
export async function openUseFile(
  deps: UseDeps,
  scope: Scope,
  device: string,
): Promise<{ readonly name: string; readonly rows: AsyncIterable<UseFileRow> }> {
  const { target, own, now, days } = await findUse(deps, scope, device);
  async function* rows(): AsyncGenerator<UseFileRow> {
    for (const { day } of days) {
      // oxlint-disable-next-line no-await-in-loop -- a day at a time stays in memory
      const clients = day === now?.day ? now.clients : await readUseDay(deps.database.read, own, target.deviceId, day);
      for (const client of clients.map((each) => toUseDto(each)).toSorted(byUse)) yield { day, ...client };
    }
  }
  return { name: target.name, rows: rows() };
}

/** The columns of the file. */
export const useColumns: ListColumns<'day' | 'name' | 'mac' | 'received' | 'sent', UseFileRow> = {
  day: ['Day', '日期', ({ day }) => day, 'time'],
  name: ['Client', '用戶端', ({ name }) => safeCell(name)],
  mac: ['MAC Address', 'MAC 位址', ({ mac }) => identifierCell(mac)],
  received: ['Bytes sent by the client', '用戶端送出位元組', ({ received }) => String(received), 'number'],
  sent: ['Bytes received by the client', '用戶端接收位元組', ({ sent }) => String(sent), 'number'],
};

/**
 * Store what an organization keeps of clients; what it keeps no longer is deleted at once.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `conflict.stale`
 */
export async function saveClientSettings(
  { database, clock }: UseDeps,
  scope: OrganizationScope,
  actor: Actor,
  settings: calls.ClientSettings,
  isCurrent: (version: string) => boolean,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    const before = await readClientSettings(tx, scope.organizationId);
    if (!isCurrent(contentVersion(before))) throw new DomainError('conflict.stale');
    await writeClientSettings(tx, scope, settings, now);
    await announce(tx, scope, 'devices', []);
    const event = {
      action: sentence('networks.clients_settings'),
      subject: { kind: 'organization', id: scope.organizationId },
      detail: { keep: settings.keep, days: settings.days },
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
  });
}
