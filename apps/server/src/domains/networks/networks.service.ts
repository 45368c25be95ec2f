import { networks as calls } from '@highline/contract';
import { z } from 'zod';
import {
  createRemoteCalls,
  type RemoteCallReply,
  type RemoteCallsDeps,
  type RemoteCallTimeouts,
} from '../../platform/node-rpc/index.ts';
import { DomainError, required, sanitizeLine, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { unreachableAs, type DeviceLink, type Tx } from '../../platform/ports/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { toNetworksDto } from './networks.dto.ts';
import { findNetworkTarget, findTables, isDataUsedUp, type NetworkTarget, type StoredTables } from './networks.queries.ts';
import { readClientSettings } from './use/use.queries.ts';
import { findWifiCause, repairPaths } from './wifi-cause.ts';

export interface NetworksDeps extends RemoteCallsDeps, Pick<Deps, 'clock'> {
  readonly deviceLink: DeviceLink;
}

export type Repaired = { readonly outcome: 'done' | 'rejected' | 'unsupported'; readonly message: string };

/** The networks of vehicles: what their routers report of them, read again while someone looks. */
export interface Networks {
  /** @throws DomainError `not_found` for the device */
  read(scope: Scope, actor: Actor, query: NetworksQuery): Promise<calls.DeviceNetworks>;
  /**
   * Switch on what is the cause, if it still is. Every sent change is logged with its actor, whatever the router answers.
   * @throws DomainError `not_found` for the device, `command.offline`, `command.no_answer`, `networks.other_cause`
   */
  repair(scope: OrganizationScope, actor: Actor, device: string, cause: calls.RepairableCause): Promise<Repaired>;
}

type NetworksQuery = z.output<typeof calls.readNetworks.query>;

/** However many look, a router is read once in this time. */
const FRESH_MS = 4_000;
/** What is older was not read for the answer. */
const LIVE_MS = 10_000;
const timeouts: RemoteCallTimeouts = { claimMs: 3_000, responseMs: 25_000 };

const order = z.object({
  deviceId: z.string(),
  routerId: z.string(),
  serial: z.string(),
  does: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('read'), part: z.enum(calls.networkParts) }),
    z.object({ kind: z.literal('repair'), cause: z.enum(calls.repairableCauses) }),
  ]),
});
type Order = z.infer<typeof order>;

/** Create the reader of networks; nothing happens before the first call. */
export function createNetworks(deps: NetworksDeps): Networks {
  const { database, clock, deviceLink } = deps;
  /** Readings that run, by router and part. */
  const reading = new Map<string, Promise<void>>();

  const readNow = (routerId: string, part: calls.NetworkPart): Promise<void> => {
    const key = `${routerId} ${part}`;
    const running = reading.get(key) ?? deviceLink.refresh(routerId, part).finally(() => reading.delete(key));
    reading.set(key, running);
    return running;
  };

  const factsOf = async (target: NetworkTarget, tables: StoredTables) => ({
    uplinks: tables.uplinks?.content.uplinks ?? [],
    isDataUsedUp: await isDataUsedUp(database.read, scopeOf(target), target.iccid, clock.now()),
  });

  const repairNow = async (scope: OrganizationScope, { deviceId, routerId }: Order, cause: calls.RepairableCause) => {
    // The device may have moved to another organization meanwhile.
    const target = required(await findNetworkTarget(database.read, scope, deviceId), 'not_found', { field: 'device' });
    if (target.routerId !== routerId) throw new DomainError('not_found', { field: 'device' });
    await readNow(routerId, 'wifi');
    const tables = await findTables(database.read, scope, target, ['uplinks', 'wifi']);
    const wifi = tables.wifi?.content;
    const isCause = wifi !== undefined && findWifiCause({ wifi, ...(await factsOf(target, tables)) }).cause === cause;
    const paths = isCause ? repairPaths(cause, wifi) : [];
    if (paths.length === 0) throw new DomainError('networks.other_cause');
    const repaired = await switchOn(deviceLink, routerId, paths);
    if (repaired.outcome === 'done') await readNow(routerId, 'wifi');
    return repaired;
  };

  const execute = async (scope: OrganizationScope, payload: Order): Promise<Repaired | null> => {
    try {
      if (payload.does.kind === 'repair') return await repairNow(scope, payload, payload.does.cause);
      await readNow(payload.routerId, payload.does.part);
      return null;
    } catch (error) {
      throw unreachableAs('command', error);
    }
  };

  const record = async (tx: Tx, scope: OrganizationScope, actor: Actor, { deviceId, serial, does }: Order, outcome: string) => {
    if (does.kind !== 'repair') return;
    await announce(tx, scope, 'devices', [deviceId]);
    const event = {
      action: sentence('networks.repaired', serial),
      subject: { kind: 'device', id: deviceId },
      detail: { serial, cause: does.cause, outcome },
    };
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
  };

  const remoteCalls = createRemoteCalls<Order>(deps, {
    name: 'networks',
    shape: order,
    timeouts,
    silent: 'command.no_answer',
    findNode: async ({ scope, payload }) =>
      (await findNetworkTarget(database.read, scope, payload.deviceId))?.heldBy ?? undefined,
    isHere: ({ routerId }) => deviceLink.isConnected(routerId),
    execute: ({ scope, payload }) => execute(scope, payload),
    async complete(tx, { scope, actor, payload }, response) {
      const outcome = outcomeOf(response);
      if (outcome !== undefined) await record(tx, scope, actor, payload, outcome);
    },
  });

  /** Have it done by the process that has the router. */
  const request = async (target: NetworkTarget, actor: Actor, does: Order['does']): Promise<Repaired | null> => {
    const { deviceId, routerId, serial } = target;
    const scope = scopeOf(target);
    const payload: Order = { deviceId, routerId, serial, does };
    if (!target.isOnline) throw new DomainError('command.offline');
    if (!deviceLink.isConnected(routerId)) return remoteCalls.request({ scope, actor, payload }, 'command.offline');
    try {
      const repaired = await execute(scope, payload);
      if (repaired !== null) await database.write((tx) => record(tx, scope, actor, payload, repaired.outcome));
      return repaired;
    } catch (error) {
      // The router may have done it anyway.
      if (error instanceof DomainError && error.key === 'command.no_answer')
        await database.write((tx) => record(tx, scope, actor, payload, 'no-answer'));
      throw error;
    }
  };

  const isOlder = (at: Date | undefined, ms: number) => at === undefined || clock.now().getTime() - at.getTime() > ms;

  return {
    async read(scope, actor, { device, part, search = '', limit = calls.CLIENTS_PAGE }) {
      const target = required(await findNetworkTarget(database.read, scope, device), 'not_found');
      const names = part === 'wifi' ? (['uplinks', 'wifi'] as const) : [part];
      if (part === 'clients' && (await readClientSettings(database.read, target.organizationId)).keep === 'nothing')
        return toNetworksDto({}, { part, live: false, search, limit, isDataUsedUp: undefined, isOff: true });
      let tables = await findTables(database.read, scopeOf(target), target, names);
      if (target.isOnline && isOlder(tables[part]?.readAt, FRESH_MS)) {
        await request(target, actor, { kind: 'read', part }).catch(withoutAnswer);
        tables = await findTables(database.read, scopeOf(target), target, names);
      }
      const live = target.isOnline && !isOlder(tables[part]?.readAt, LIVE_MS);
      const { isDataUsedUp: usedUp } = part === 'wifi' ? await factsOf(target, tables) : { isDataUsedUp: undefined };
      return toNetworksDto(tables, { part, live, search, limit, isDataUsedUp: usedUp, isOff: false });
    },
    async repair(scope, actor, device, cause) {
      const target = required(await findNetworkTarget(database.read, scope, device), 'not_found', { field: 'device' });
      return (await request(target, actor, { kind: 'repair', cause }))!;
    },
  };
}

/** That of the organization which has the device. */
function scopeOf({ organizationId, mainAccountId }: NetworkTarget): OrganizationScope {
  return { kind: 'organization', organizationId, mainAccountId };
}

/** What the router last reported is shown instead. Any other failure is not the router's. */
function withoutAnswer(error: unknown): void {
  if (!(error instanceof DomainError) || !['command.offline', 'command.no_answer', 'server.busy'].includes(error.key))
    throw error;
}

/** Switch these objects on, one after another, until one is rejected. */
async function switchOn(deviceLink: DeviceLink, routerId: string, paths: readonly string[]): Promise<Repaired> {
  for (const object of paths) {
    // oxlint-disable-next-line no-await-in-loop -- a later one may need an earlier one
    const outcome = await deviceLink.operate(routerId, { type: 'set-values', object, values: new Map([['Enable', 'true']]) });
    if (outcome.type !== 'failed') continue;
    return {
      outcome: outcome.cause === 'unsupported' ? 'unsupported' : 'rejected',
      message: sanitizeLine(outcome.message) ?? '',
    };
  }
  return { outcome: 'done', message: '' };
}

/** The logged outcome of a repair; undefined if nothing was sent. */
function outcomeOf(response: RemoteCallReply | undefined): string | undefined {
  if (response === undefined) return 'no-answer';
  if ('value' in response) return (response.value as Repaired | null)?.outcome;
  return response.rejected === 'command.no_answer' ? 'no-answer' : undefined;
}
