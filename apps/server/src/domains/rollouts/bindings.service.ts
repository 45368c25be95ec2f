import { isDeepStrictEqual } from 'node:util';
import { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError, newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Clock, Database, Log, Tx } from '../../platform/ports/index.ts';
import { lockConfigForBinding } from '../configs/index.ts';
import { lockFirmwareForBinding } from '../firmware/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { raise } from '../notifications/index.ts';
import {
  findActiveBinding,
  insertBinding,
  isPostponedUntil,
  lockGroupForUpdate,
  otherModels,
  type BindingContent,
  type BindingRecord,
  type NamedGroup,
} from './bindings.store.ts';
import { withStoredFirst } from './first-wave.queries.ts';
import { configImpact, firmwareImpact, members, rowsOf } from './impact.queries.ts';
import { rejectUnfitWindow } from '../windows/index.ts';
import { arrangeWaves } from './arrange-waves.ts';
import { requireRolloutApproval } from './rollout-approval.ts';
import { endBindingsWhere, insertTargets } from './targets.store.ts';
import { optionsOf, type OptionsInput } from './rollout-options.ts';

export interface BindingServiceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** A file to bind, and when. */
export interface BindingChoice extends OptionsInput {
  /** pk of the firmware or config file. */
  readonly file: string;
  /** Version of the config file; left out = the newest. */
  readonly configVersion?: number | undefined;
  readonly schedule: rollouts.Schedule;
  /** Epoch seconds; empty or left out = not postponed. */
  readonly postpone?: number | string | undefined;
  /** `confirmation` of the impact that the user has seen; undefined = not compared. */
  readonly confirmed?: string | undefined;
}

/** What to bind of each kind; null = nothing, left out = as it is. */
export type BindingChoices = Readonly<Partial<Record<rollouts.BindingKind, BindingChoice | null>>>;

export interface BindingInput extends BindingChoice {
  readonly kind: rollouts.BindingKind;
  /** Key. */
  readonly group: string;
}

/** A difference between what is bound to a group and what was requested. */
export interface BindingChange {
  readonly group: NamedGroup;
  readonly kind: rollouts.BindingKind;
  readonly present: BindingRecord | undefined;
  /** Undefined = the present binding is removed. */
  readonly desired: { readonly choice: BindingChoice; readonly binding: BindingContent } | undefined;
}

/** A change that is written but not in the log yet. */
export interface AppliedBinding extends BindingChange {
  /** How many routers got a target. */
  readonly routers: number;
}

/**
 * Bind a file to a group (GRP-10): the active binding of the same kind ends and every device of the group gets a target. Binding
 * the same file again changes nothing.
 * @returns the group's key
 * @throws DomainError `group.not_found`, and as `planBindings` and `applyBindings`
 */
export async function bindFile(
  deps: BindingServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  { kind, group, ...choice }: BindingInput,
): Promise<string> {
  return changeBindings(deps, scope, actor, group, { [kind]: choice });
}

/**
 * Remove a binding; routers keep what they have installed. If nothing is bound, nothing changes.
 * @returns the group's key
 * @throws DomainError `group.not_found`
 */
export async function unbindFile(
  deps: BindingServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  key: string,
  kind: rollouts.BindingKind,
): Promise<string> {
  return changeBindings(deps, scope, actor, key, { [kind]: null });
}

async function changeBindings(
  { database, clock, log }: BindingServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  key: string,
  choices: BindingChoices,
): Promise<string> {
  const now = clock.now();
  const { group, applied } = await database.write(async (tx) => {
    const found = await existing(tx, scope, key);
    const done = await applyBindings(tx, scope, actor, await planBindings(tx, scope, found, choices), now);
    await requireRolloutApproval(tx, scope, { group: found, applied: done });
    await recordBindings(tx, scope, actor, done, now);
    return { group: found.key, applied: done };
  });
  const { organizationId: organization } = scope;
  for (const { present, desired, routers } of applied) {
    if (present !== undefined)
      log.info({ rollout: present.id, organization }, 'A rollout has ended: its file is no longer bound.');
    if (desired !== undefined) log.info({ organization, group, kind: desired.binding.kind, routers }, 'A rollout has begun.');
  }
  return group;
}

/**
 * Compare what is bound to a group with the choices. The caller has locked the group with `lockGroupForUpdate`, or just created it.
 * @returns what to change, firmware first; empty when everything is bound as chosen
 * @throws DomainError `firmware.not_found`, `config.not_found`, `binding.schedule`, `binding.waves`; `not_found` for a device that is not of the
 * organization and is to go first
 */
export async function planBindings(
  tx: Tx,
  scope: OrganizationScope,
  group: NamedGroup,
  choices: BindingChoices,
): Promise<BindingChange[]> {
  const changes: BindingChange[] = [];
  for (const kind of rollouts.bindingKinds) {
    const choice = choices[kind];
    if (choice === undefined) continue;
    const present = await findActiveBinding(tx, scope, group.key, kind);
    const desired = choice === null ? undefined : { choice, binding: await contentOf(tx, scope, kind, choice, present) };
    const isBound = desired === undefined ? present === undefined : present !== undefined && isSame(present, desired.binding);
    if (!isBound) changes.push({ group, kind, present, desired });
  }
  return changes;
}

/**
 * Write planned changes after the devices of the group have moved. Call `recordBindings` with the result at the end of the transaction.
 * @throws DomainError `binding.schedule`; `binding.first` when none of the devices that go first is in the group; `firmware.wrong_model` with the models as detail; `impact.changed` with the kind as field and
 * the new impact as detail
 */
export async function applyBindings(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  changes: readonly BindingChange[],
  now: Date,
): Promise<AppliedBinding[]> {
  // Before the first of them ends a binding.
  for (const { group, desired } of changes) if (desired !== undefined) await rejectPast(tx, scope, group, desired.binding, now);
  const applied: AppliedBinding[] = [];
  for (const change of changes) {
    const { group, present, desired } = change;
    if (desired !== undefined) await rejectUnfit(tx, scope, group, desired.choice, desired.binding);
    if (present !== undefined) await endBindingsWhere(tx, scope, sql`b.id = ${present.id}::uuid`, now);
    const routers = desired === undefined ? 0 : await startBinding(tx, scope, actor, group, desired.binding, now);
    applied.push({ ...change, routers });
  }
  return applied;
}

async function startBinding(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  { key, name }: NamedGroup,
  binding: BindingContent,
  now: Date,
): Promise<number> {
  const id = newId(now.getTime());
  await insertBinding(tx, scope, id, key, binding, actor.email, now);
  const routers = await insertTargets(tx, scope, sql`d.group_key = ${key}`, await countDevices(tx, scope, key), now);
  await arrangeWaves(tx, scope, id, binding, now);
  const detail = { what: [`${name} – ${binding.label}`], count: 1, id: key, by: actor.email };
  await raise(tx, scope, [{ event: 'FOTA_GROUP_SETUP', groupKey: key, detail }], now);
  return routers;
}

async function existing(tx: Tx, scope: OrganizationScope, key: string): Promise<NamedGroup> {
  const group = await lockGroupForUpdate(tx, scope, key);
  if (group === undefined) throw new DomainError('group.not_found', { field: 'group' });
  return group;
}

async function contentOf(
  tx: Tx,
  scope: OrganizationScope,
  kind: rollouts.BindingKind,
  choice: BindingChoice,
  present: BindingRecord | undefined,
): Promise<BindingContent> {
  const input = await withStoredFirst(tx, scope, choice);
  const { schedule } = input;
  const postponeUntil = postponeOf(input);
  if (input.window) await rejectUnfitWindow(tx, scope, input.window);
  if (kind === 'firmware') {
    const { id, version } = await lockFirmwareForBinding(tx, scope, input.file);
    const file = { fileId: id, number: null };
    return { kind, ...file, label: version, schedule, postponeUntil, ...optionsOf(input, file, present) };
  }
  const { id, name, number } = await lockConfigForBinding(tx, scope, input.file, input.configVersion);
  const file = { fileId: id, number };
  return { kind, ...file, label: name, schedule, postponeUntil, ...optionsOf(input, file, present) };
}

function postponeOf({ postpone, schedule }: BindingChoice): Date | null {
  if (postpone === undefined || postpone === '' || Number(postpone) === 0) return null;
  const moment = new Date(Number(postpone) * 1_000);
  if (schedule !== 'bootup' || Number.isNaN(moment.getTime()) || moment > LAST_MOMENT) throw wrongSchedule();
  return moment;
}

/** A later date is a typing error, and not every screen can show it. */
const LAST_MOMENT = new Date('9999-12-31T23:59:59Z');

/** A file that is bound with the time of the present bindings goes on with it, also once it has passed. */
async function rejectPast(
  tx: Tx,
  scope: OrganizationScope,
  { key }: NamedGroup,
  { postponeUntil }: BindingContent,
  now: Date,
): Promise<void> {
  if (postponeUntil === null || postponeUntil > now) return;
  if (!(await isPostponedUntil(tx, scope, key, postponeUntil))) throw wrongSchedule();
}

function wrongSchedule(): DomainError {
  return new DomainError('binding.schedule', { field: 'postpone' });
}

/** Binding the same file again restarts a cancelled rollout. */
function isSame(present: BindingRecord, input: BindingContent): boolean {
  // The number of routers that were chosen to go first is not an input.
  const counted = input.waves?.first ? [] : (['canaries'] as const);
  const keys = ['fileId', 'number', 'schedule', 'failureThreshold', ...counted] as const;
  const isPostponedAlike = present.postponeUntil?.getTime() === input.postponeUntil?.getTime();
  const hasSameOptions = isDeepStrictEqual([present.waves, present.window], [input.waves, input.window]);
  return present.state !== 'cancelled' && isPostponedAlike && hasSameOptions && keys.every((key) => present[key] === input[key]);
}

/** The group's row is locked: no device joins or leaves before the binding stands. */
async function rejectUnfit(
  tx: Tx,
  scope: OrganizationScope,
  { key: group }: NamedGroup,
  { schedule, confirmed }: BindingChoice,
  binding: BindingContent,
): Promise<void> {
  const { kind, fileId, number } = binding;
  const isCompared = confirmed !== undefined && schedule === 'immediate';
  const devices = members(scope, { group, add: [], remove: [] });
  let impact: rollouts.Impact | undefined;
  if (kind === 'firmware') {
    const record = await lockFirmwareForBinding(tx, scope, fileId);
    const models = await otherModels(tx, scope, group, record.profile);
    if (models.length > 0) throw new DomainError('firmware.wrong_model', { field: 'firmware', detail: { models } });
    if (isCompared) impact = await firmwareImpact(rowsOf(tx), devices, record);
  } else if (isCompared)
    impact = await configImpact(rowsOf(tx), devices, await lockConfigForBinding(tx, scope, fileId, number ?? undefined));
  if (impact !== undefined && impact.confirmation !== confirmed)
    throw new DomainError('impact.changed', { field: kind, detail: impact });
}

async function countDevices(tx: Tx, scope: OrganizationScope, groupKey: string): Promise<number> {
  const row = await tx
    .selectFrom('devices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', scope.organizationId)
    .where('group_key', '=', groupKey)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** Log entries and live events of applied changes. Last in the transaction: it locks the head of the organization's log. */
export async function recordBindings(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  applied: readonly AppliedBinding[],
  now: Date,
): Promise<void> {
  for (const { group, present, desired, routers } of applied) {
    const binding = desired?.binding ?? present;
    if (binding === undefined) continue;
    await announce(tx, scope, 'groups', [group.key]);
    await announce(tx, scope, 'rollouts', []);
    await announce(tx, scope, 'devices', []);
    await announce(tx, scope, binding.kind === 'firmware' ? 'firmware' : 'configs', [binding.fileId]);
    const { kind, label, number, schedule, postponeUntil, failureThreshold, canaries, waves, window } = binding;
    const file = sentence(kind === 'firmware' ? 'part.firmware' : 'part.config', label);
    const content = {
      kind,
      label,
      number,
      schedule,
      postponeUntil,
      failureThreshold,
      canaries,
      ...(waves ? { waves } : {}),
      ...(window ? { window } : {}),
    };
    const event = {
      action: sentence(desired ? 'group.bound' : 'group.unbound', file, group.name),
      subject: { kind: 'group', id: group.key },
      detail: { group: group.name, ...content, ...(desired ? { routers } : {}) },
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
  }
}
