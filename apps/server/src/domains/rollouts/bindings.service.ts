import type { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Clock } from '../../platform/ports/clock.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { lockConfigForBinding } from '../configs/index.ts';
import { lockFirmwareForBinding } from '../firmware/index.ts';
import { recordAudit } from '../logs/index.ts';
import { raise } from '../notifications/index.ts';
import {
  findActiveBinding,
  insertBinding,
  lockGroupForUpdate,
  otherModels,
  type BindingContent,
  type BindingRecord,
  type NamedGroup,
} from './bindings.store.ts';
import { configImpact, firmwareImpact, members, rowsOf } from './impact.queries.ts';
import { chooseCanaries, endBindingsWhere, insertTargets } from './targets.store.ts';

export interface BindingServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface BindingInput {
  readonly kind: rollouts.BindingKind;
  /** Key. */
  readonly group: string;
  /** pk of the firmware or config file. */
  readonly file: string;
  readonly schedule: rollouts.Schedule;
  /** Epoch seconds; empty or left out = not postponed. */
  readonly postpone?: number | string | undefined;
  readonly failureThreshold?: number | undefined;
  readonly canaries?: number | undefined;
  /** `confirmation` of the impact that the user has seen; undefined = not compared. */
  readonly confirmed?: string | undefined;
}

const DEFAULT_THRESHOLD = 20;
const names = { firmware: 'firmware', config: 'config file' } as const;

/**
 * Bind a file to a group (GRP-10): the active binding of the same kind ends and every device of the group gets a target. Binding
 * the same file again changes nothing.
 * @returns the group's key
 * @throws DomainError `group.not_found`, `firmware.not_found`, `config.not_found`, `binding.schedule`, and `firmware.wrong_model`
 * with the models as detail; `impact.changed` with the new impact as detail
 */
export async function bindFile(
  { database, clock }: BindingServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  input: BindingInput,
): Promise<string> {
  const now = clock.now();
  return database.write(async (tx) => {
    const group = await existing(tx, scope, input.group);
    const present = await findActiveBinding(tx, scope, group.key, input.kind);
    const binding = await contentOf(tx, scope, input, present);
    if (present !== undefined && isSame(present, binding)) return group.key;
    rejectPast(binding, now);
    await rejectOtherModels(tx, scope, group, input);
    await refuseUnconfirmed(tx, scope, group, input);
    const id = newId(now.getTime());
    if (present !== undefined) await endBindingsWhere(tx, scope, sql`b.id = ${present.id}::uuid`, now);
    await insertBinding(tx, scope, id, group.key, binding, actor.email, now);
    const ofGroup = sql`d.group_key = ${group.key}`;
    const routers = await insertTargets(tx, scope, ofGroup, await countDevices(tx, scope, group.key), now);
    if (binding.canaries > 0) await chooseCanaries(tx, scope, id, binding.canaries);
    const eventDetail = { what: [`${group.name} – ${binding.label}`], count: 1, id: group.key, by: actor.email };
    await raise(tx, scope, [{ event: 'FOTA_GROUP_SETUP', groupKey: group.key, detail: eventDetail }], now);
    await record(tx, scope, actor, `Bound ${names[binding.kind]} ${binding.label} to group ${group.name}`, group, binding, now, {
      routers,
    });
    return group.key;
  });
}

/**
 * Remove a binding; routers keep what they have installed. If nothing is bound, nothing changes.
 * @returns the group's key
 * @throws DomainError `group.not_found`
 */
export async function unbindFile(
  { database, clock }: BindingServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  key: string,
  kind: rollouts.BindingKind,
): Promise<string> {
  const now = clock.now();
  return database.write(async (tx) => {
    const group = await existing(tx, scope, key);
    const present = await findActiveBinding(tx, scope, group.key, kind);
    if (present === undefined) return group.key;
    await endBindingsWhere(tx, scope, sql`b.id = ${present.id}::uuid`, now);
    await record(tx, scope, actor, `Removed ${names[kind]} ${present.label} from group ${group.name}`, group, present, now, {});
    return group.key;
  });
}

async function existing(tx: Tx, scope: OrganizationScope, key: string): Promise<NamedGroup> {
  const group = await lockGroupForUpdate(tx, scope, key);
  if (group === undefined) throw new DomainError('group.not_found', { field: 'group' });
  return group;
}

async function contentOf(
  tx: Tx,
  scope: OrganizationScope,
  input: BindingInput,
  present: BindingRecord | undefined,
): Promise<BindingContent> {
  const { kind, schedule } = input;
  const postponeUntil = postponeOf(input);
  const limits = {
    failureThreshold: input.failureThreshold ?? present?.failureThreshold ?? DEFAULT_THRESHOLD,
    canaries: input.canaries ?? present?.canaries ?? 0,
  };
  if (kind === 'firmware') {
    const { id, version } = await lockFirmwareForBinding(tx, scope, input.file);
    return { kind, fileId: id, number: null, label: version, schedule, postponeUntil, ...limits };
  }
  const { id, name, number } = await lockConfigForBinding(tx, scope, input.file);
  return { kind, fileId: id, number, label: name, schedule, postponeUntil, ...limits };
}

function postponeOf({ postpone, schedule }: BindingInput): Date | null {
  if (postpone === undefined || postpone === '' || Number(postpone) === 0) return null;
  const moment = new Date(Number(postpone) * 1_000);
  if (schedule !== 'bootup' || Number.isNaN(moment.getTime()) || moment > LAST_MOMENT) throw wrongSchedule();
  return moment;
}

/** A later date is a typing error, and not every screen can show it. */
const LAST_MOMENT = new Date('9999-12-31T23:59:59Z');

function rejectPast({ postponeUntil }: BindingContent, now: Date): void {
  if (postponeUntil !== null && postponeUntil <= now) throw wrongSchedule();
}

function wrongSchedule(): DomainError {
  return new DomainError('binding.schedule', { field: 'postpone' });
}

/** Binding the same file again restarts a cancelled rollout. */
function isSame(present: BindingRecord, input: BindingContent): boolean {
  const keys = ['fileId', 'number', 'schedule', 'failureThreshold', 'canaries'] as const;
  const isPostponedAlike = present.postponeUntil?.getTime() === input.postponeUntil?.getTime();
  return present.state !== 'cancelled' && isPostponedAlike && keys.every((key) => present[key] === input[key]);
}

async function rejectOtherModels(
  tx: Tx,
  scope: OrganizationScope,
  group: NamedGroup,
  { kind, file }: BindingInput,
): Promise<void> {
  if (kind !== 'firmware') return;
  const { profile } = await lockFirmwareForBinding(tx, scope, file);
  const models = await otherModels(tx, scope, group.key, profile);
  if (models.length > 0) throw new DomainError('firmware.wrong_model', { field: 'firmware', detail: { models } });
}

/** The group's row is locked: no device joins or leaves before the binding stands. */
async function refuseUnconfirmed(
  tx: Tx,
  scope: OrganizationScope,
  { key: group }: NamedGroup,
  { kind, file, schedule, confirmed }: BindingInput,
): Promise<void> {
  if (confirmed === undefined || schedule !== 'immediate') return;
  const devices = members(scope, { group, add: [], remove: [] });
  const rows = rowsOf(tx);
  const impact =
    kind === 'firmware'
      ? await firmwareImpact(rows, devices, await lockFirmwareForBinding(tx, scope, file))
      : await configImpact(rows, devices, await lockConfigForBinding(tx, scope, file));
  if (impact.confirmation !== confirmed) throw new DomainError('impact.changed', { detail: impact });
}

async function countDevices(tx: Tx, scope: OrganizationScope, groupKey: string): Promise<number> {
  const row = await tx
    .selectFrom('devices')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', scope.organizationId)
    .where('group_key', '=', groupKey)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

async function record(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  action: string,
  group: NamedGroup,
  binding: BindingContent,
  now: Date,
  more: Readonly<Record<string, number>>,
): Promise<void> {
  await announce(tx, scope, 'groups', [group.key]);
  await announce(tx, scope, 'rollouts', []);
  await announce(tx, scope, 'devices', []);
  await announce(tx, scope, binding.kind === 'firmware' ? 'firmware' : 'configs', [binding.fileId]);
  const { kind, label, number, schedule, postponeUntil, failureThreshold, canaries } = binding;
  const detail = { group: group.name, kind, label, number, schedule, postponeUntil, failureThreshold, canaries, ...more };
  await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'group', id: group.key }, detail }, now);
}
