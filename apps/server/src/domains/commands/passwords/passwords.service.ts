import { routerPasswords as calls, sentCommands } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import {
  type Actor,
  authorOf,
  contentVersion,
  DomainError,
  invalidField,
  type OrganizationScope,
  required,
  type Sealing,
} from '../../../kernel/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../../platform/locks/row-locks.ts';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../../logs/index.ts';
import { sendOrder } from '../sent-commands.service.ts';
import { generatePassword } from './generate-password.ts';
import { findPasswords, readPasswordSettings } from './passwords.queries.ts';
import type { RotationDeps } from './passwords.job.ts';
import { insertPasswords } from './stored-passwords.job.queries.ts';

export interface PasswordDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly passwordSealing: Sealing;
  readonly rotationAlerts: Pick<RotationDeps['rotationAlerts'], 'end'>;
  /** @throws DomainError `account.wrong_password`, `account.too_many_tries` */
  readonly checkOwnPassword: (actor: Actor, password: string) => Promise<void>;
}

type SetInput = z.output<typeof calls.setRouterPassword.body>;

/**
 * Set the password of a router's own user, with a command that waits like any other (LIV-11).
 * @returns the command, and the password when it is random
 * @throws DomainError as `sendCommand`
 */
export async function setRouterPassword(
  { database, clock, passwordSealing }: PasswordDeps,
  scope: OrganizationScope,
  actor: Actor,
  { device, username = calls.USUAL_USERNAME, password: typed, wait, window }: SetInput,
): Promise<{ readonly id: string; readonly password: string | null }> {
  const now = clock.now();
  return database.write(async (tx) => {
    const order = { kind: sentCommands.SET_PASSWORD, argument: username, name: '' } as const;
    const { id, target } = await sendOrder(tx, scope, actor, { device, order, wait, window }, now);
    const password = typed ?? generatePassword(await readPasswordSettings(tx, scope));
    const { organizationId } = scope;
    const row = { id, organizationId, deviceId: target.device_id, routerId: target.router_id, username, password };
    await insertPasswords(tx, passwordSealing, [row], now);
    return { id, password: typed === undefined ? password : null };
  });
}

/**
 * Open what a router may have, with a log entry. An API key was given the right to it by itself; of a person an open console is not enough.
 * @throws DomainError `not_found` for the device, `password.none`, `password.own_needed`, `account.wrong_password`, `account.too_many_tries`
 */
export async function showRouterPasswords(
  { database, clock, passwordSealing, checkOwnPassword }: PasswordDeps,
  scope: OrganizationScope,
  actor: Actor,
  { device, own_password: own = '' }: z.output<typeof calls.showRouterPassword.body>,
): Promise<z.output<typeof calls.showRouterPassword.response>['result']> {
  required(await findPasswords(database.read, scope, device), 'not_found', { field: 'device' });
  if (actor.key === undefined) {
    await checkOwnPassword(actor, own).catch((error: unknown) => {
      throw own === '' ? new DomainError('password.own_needed', { field: 'own_password' }) : error;
    });
  }
  const now = clock.now();
  return database.write(async (tx) => {
    const found = required(await findPasswords(tx, scope, device), 'not_found', { field: 'device' });
    const [first] = found;
    if (first === undefined) throw new DomainError('password.none');
    const event = {
      action: sentence('password.shown', first.serial),
      subject: { kind: 'device', id: device },
      detail: { serial: first.serial, shown: found.length },
    };
    await announce(tx, scope, 'commands', [device]);
    await recordAudit(tx, scope.organizationId, actor, event, now);
    return found.map(({ id, username, sealed, state, at }) => ({
      username,
      password: passwordSealing.open(id, sealed).toString('utf8'),
      state,
      at: at.toISOString(),
    }));
  });
}

/**
 * Replace the settings of an organization.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `request.invalid` for automatic rotation without days, `conflict.stale`
 */
export async function savePasswordSettings(
  { database, clock, rotationAlerts }: PasswordDeps,
  scope: OrganizationScope,
  actor: Actor,
  { length, symbols, rotateDays, automatic }: calls.PasswordSettings,
  isCurrent: (version: string) => boolean,
): Promise<void> {
  if (automatic && rotateDays === null) throw invalidField('rotateDays', 'automatic rotation needs it');
  const now = clock.now();
  await database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    if (!isCurrent(contentVersion(await readPasswordSettings(tx, scope)))) throw new DomainError('conflict.stale');
    await sql`insert into router_password_settings (organization_id, main_account_id, length, symbols, rotate_days, automatic, author, updated_at)
      values (${scope.organizationId}::uuid, ${scope.mainAccountId}::uuid, ${length}, ${symbols}, ${rotateDays}, ${automatic},
        ${JSON.stringify(authorOf(actor))}::jsonb, ${now}::timestamptz)
      on conflict (organization_id) do update set length = excluded.length, symbols = excluded.symbols, rotate_days = excluded.rotate_days,
        automatic = excluded.automatic, author = excluded.author, updated_at = excluded.updated_at`.execute(tx);
    await rotationAlerts.end(tx, scope, now);
    await announce(tx, scope, 'commands', []);
    const event = {
      action: sentence('password.settings'),
      subject: { kind: 'organization', id: scope.organizationId },
      detail: { length, symbols, rotateDays, automatic },
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
  });
}
