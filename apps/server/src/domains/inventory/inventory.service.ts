import { normalizeMac } from '@highline/usp';
import { DomainError } from '../../failure.ts';
import { isId } from '../../ids.ts';
import { announce } from '../../live/announce.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database } from '../../ports/database.ts';
import type { DeviceLink } from '../../ports/device-link.ts';
import type { Actor, MainScope } from '../../scope.ts';
import { recordAudit } from '../logs/index.ts';
import { deleteRouters, lockRouters, replaceSecret } from './inventory.store.ts';
import { registerRouters, type RegisteredRouter } from './register-routers.ts';
import { hashSecret, mintSecret, OVERLAP_MS } from './router-secret.ts';

export interface InventoryServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly deviceLink: DeviceLink;
  /** Called after each committed change of a main account's inventory: what was counted before is stale. */
  readonly changed: (mainAccountId: string) => void;
}

export interface NewRouterInput {
  readonly serial_number: string;
  /** In any writing. */
  readonly mac: string;
  readonly model?: string | undefined;
}

export type InventoryService = ReturnType<typeof createInventoryService>;

/** What may happen to the main account's inventory (DECISIONS, Inventory and claiming). */
export function createInventoryService({ database, clock, deviceLink, changed }: InventoryServiceDeps) {
  return {
    /**
     * Enter one router; its secret is in the answer and nowhere else.
     * @throws DomainError `request.invalid` (MAC), `inventory.serial_taken`, `inventory.mac_taken`
     */
    async addRouter(scope: MainScope, actor: Actor, input: NewRouterInput): Promise<RegisteredRouter> {
      const mac = normalizeMac(input.mac);
      if (mac === undefined) throw new DomainError('request.invalid', { message: 'mac: must be 12 hex digits', field: 'mac' });
      const router = { serial: input.serial_number, mac, ...(input.model === undefined ? {} : { model: input.model }) };
      const registered = await database.write(async (tx) => {
        const { registered, taken } = await registerRouters(tx, scope, actor, [router], clock.now());
        if (taken[0]?.by === 'serial') throw new DomainError('inventory.serial_taken', { field: 'serial_number' });
        if (taken[0]?.by === 'mac') throw new DomainError('inventory.mac_taken', { field: 'mac' });
        return registered[0]!;
      });
      changed(scope.mainAccountId);
      return registered;
    },

    /**
     * Take routers out of the inventory, all or none; their secrets open nothing any more.
     * @returns how many
     * @throws DomainError `not_found` for an id that is not one of ours, `inventory.claimed`
     */
    async deleteRouters(scope: MainScope, actor: Actor, ids: readonly string[]): Promise<number> {
      const chosen = [...new Set(ids.map((id) => id.toLowerCase()))];
      if (!chosen.every(isId)) throw new DomainError('not_found');
      await database.write(async (tx) => {
        const routers = await lockRouters(tx, scope, chosen);
        if (routers.length !== chosen.length) throw new DomainError('not_found');
        const claimed = routers.filter((router) => router.organization_id !== null);
        if (claimed.length > 0)
          throw new DomainError('inventory.claimed', { detail: claimed.slice(0, 20).map(({ serial }) => serial) });
        await deleteRouters(tx, scope, chosen);
        await announce(tx, scope, 'inventory', chosen);
        await recordAudit(tx, scope.mainAccountId, actor, deletion(routers), clock.now());
      });
      deviceLink.disconnect(chosen, 'This router was taken out of the inventory.');
      changed(scope.mainAccountId);
      return chosen.length;
    },

    /**
     * Mint a new secret; the one so far opens connections for 24 h more.
     * @returns the secret, shown once
     * @throws DomainError `not_found`
     */
    async rotateSecret(scope: MainScope, actor: Actor, id: string): Promise<string> {
      if (!isId(id)) throw new DomainError('not_found');
      const secret = mintSecret();
      await database.write(async (tx) => {
        const now = clock.now();
        const [router] = await lockRouters(tx, scope, [id]);
        if (router === undefined) throw new DomainError('not_found');
        await replaceSecret(tx, scope, id, hashSecret(secret), new Date(now.getTime() + OVERLAP_MS));
        await announce(tx, scope, 'inventory', [id]);
        const subject = { kind: 'router', id };
        const event = { action: `Minted a new secret for router ${router.serial}`, subject, detail: { serial: router.serial } };
        await recordAudit(tx, scope.mainAccountId, actor, event, now);
      });
      return secret;
    },
  };
}

function deletion(routers: readonly { readonly id: string; readonly serial: string }[]) {
  const [only] = routers;
  const one = routers.length === 1 && only !== undefined;
  return {
    action: one ? `Took router ${only.serial} out of the inventory` : `Took ${routers.length} routers out of the inventory`,
    subject: { kind: 'router', id: one ? only.id : 'many' },
    detail: { serials: routers.map(({ serial }) => serial) },
  };
}
