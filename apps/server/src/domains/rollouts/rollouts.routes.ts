import { rollouts, normalizeGroupKey } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { isId } from '../../kernel/ids.ts';
import type { Reader } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { findConfig } from '../configs/index.ts';
import { findFirmware } from '../firmware/index.ts';
import { bindingList, findBindings } from './bindings.queries.ts';
import { bindFile, unbindFile, type BindingServiceDeps } from './bindings.service.ts';
import { storedNames } from '../inventory/index.ts';
import { findWindowImpact, rejectUnfitWindow } from '../windows/index.ts';
import { findFirstImpact, withStoredFirst } from './first-wave.queries.ts';
import {
  arrivalImpact,
  configImpact,
  findOptions,
  firmwareImpact,
  members,
  rejectForeign,
  rejectForeignGroups,
} from './impact.queries.ts';
import { listRollouts, targetList } from './rollouts.queries.ts';
import { controlRollout } from './rollout-control.service.ts';
import { rollOutSettings } from './settings-rollout.service.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export type RolloutRoutesDeps = BindingServiceDeps & Pick<Deps, 'reader' | 'streams'>;

/** Registers bindings and rollouts (GRP-06 … 10). */
export function registerRolloutRoutes(routes: Routes, deps: RolloutRoutesDeps): void {
  registerBindings(routes, deps);
  registerImpact(routes, deps);
  registerMoveImpact(routes, deps);
  registerRollouts(routes, deps);
  registerSettings(routes, deps);
}

function registerBindings(routes: Routes, deps: RolloutRoutesDeps): void {
  const { reader } = deps;

  routes.on(rollouts.listBindings, async ({ scope, query }) => bindingList.respond(deps, scope, query));

  routes.on(rollouts.bindFirmware, async ({ scope, actor, body: { firmware: file, ...body } }) =>
    bound(reader, scope, await bindFile(deps, scope, actor, { kind: 'firmware', file, ...body })),
  );

  routes.on(rollouts.bindConfig, async ({ scope, actor, body: { config: file, ...body } }) =>
    bound(reader, scope, await bindFile(deps, scope, actor, { kind: 'config', file, ...body })),
  );

  routes.on(rollouts.unbindFirmware, async ({ scope, actor, query }) =>
    bound(reader, scope, await unbindFile(deps, scope, actor, query.group, 'firmware')),
  );

  routes.on(rollouts.unbindConfig, async ({ scope, actor, query }) =>
    bound(reader, scope, await unbindFile(deps, scope, actor, query.group, 'config')),
  );
}

/** Registers the rollout of settings (TPL-03). */
function registerSettings(routes: Routes, deps: RolloutRoutesDeps): void {
  routes.on(rollouts.rollOutSettings, async ({ scope, actor, body }) => {
    const id = await rollOutSettings(deps, scope, actor, body);
    return { result: await existingRollout(deps.reader, scope, id) };
  });
}

async function bound(reader: Reader, scope: OrganizationScope, key: string): Promise<{ result: rollouts.GroupBind }> {
  const { firmware = [], config = [], status = [] } = (await findBindings(reader, scope, key)) ?? {};
  return { result: { firmware, config, status } };
}

function registerImpact(routes: Routes, { database, reader, clock }: RolloutRoutesDeps): void {
  routes.on(rollouts.bindingImpact, async ({ scope, body }) => {
    const group = body.group === undefined ? undefined : await existingGroup(reader, scope, body.group);
    const named = async (devices: readonly string[] = []) => storedNames(database.read, scope, devices);
    const membership = { group, whole: body.whole, add: await named(body.add), remove: await named(body.remove) };
    const firmware = body.firmware === undefined ? undefined : await findFirmware(database.read, scope, body.firmware);
    const config =
      body.config === undefined ? undefined : await findConfig(database.read, scope, body.config, body.configVersion);
    await rejectForeign(reader, scope, { add: membership.add, remove: membership.remove });
    if (body.window) await rejectUnfitWindow(database.read, scope, body.window);
    const input = await withStoredFirst(database.read, scope, body);
    const devices = members(scope, membership);
    const { waves, canaries, window } = await findOptions(database.read, scope, group, { firmware, config }, input);
    const result = {
      firmware: firmware === undefined ? null : await firmwareImpact(reader, devices, firmware),
      config: config === undefined ? null : await configImpact(reader, devices, config),
      first: await findFirstImpact(reader, devices, { firmware, config, waves, canaries }, clock.now()),
      window: window === null ? null : await findWindowImpact(reader, scope, devices, window, clock.now()),
    };
    return { result };
  });
}

function registerMoveImpact(routes: Routes, { database, reader }: RolloutRoutesDeps): void {
  routes.on(rollouts.moveImpact, async ({ scope, body }) => {
    const add = await storedNames(database.read, scope, body.add ?? []);
    const [group, from] = [normalizeGroupKey(body.group), (body.from ?? []).map(normalizeGroupKey)];
    await rejectForeignGroups(reader, scope, [group, ...from]);
    await rejectForeign(reader, scope, { add, remove: [] });
    return { result: await arrivalImpact(database.read, scope, group, members(scope, { add, remove: [], from })) };
  });
}

/** @throws DomainError `group.not_found`, also for another organization's group */
async function existingGroup(reader: Reader, scope: OrganizationScope, text: string): Promise<string> {
  const key = normalizeGroupKey(text);
  await rejectForeignGroups(reader, scope, [key]);
  return key;
}

function registerRollouts(routes: Routes, deps: RolloutRoutesDeps): void {
  const { reader } = deps;

  routes.on(rollouts.listRollouts, async ({ scope, query }) => {
    const group = query.group === undefined ? undefined : await existingGroup(reader, scope, query.group);
    return { result: await listRollouts(reader, scope, { group }) };
  });

  routes.on(rollouts.listTargets, async ({ scope, query }) => {
    await existingRollout(reader, scope, query.rollout);
    return targetList.respond(deps, scope, query);
  });

  routes.on(rollouts.controlRollout, async ({ scope, actor, body }) => {
    await controlRollout(deps, scope, actor, body);
    return { result: await existingRollout(reader, scope, body.rollout) };
  });
}

/** @throws DomainError `rollout.not_found`, also for another organization's and for an ended one */
async function existingRollout(reader: Reader, scope: OrganizationScope, id: string): Promise<rollouts.Rollout> {
  const [rollout] = isId(id) ? await listRollouts(reader, scope, { id }) : [];
  if (rollout === undefined) throw new DomainError('rollout.not_found', { field: 'rollout' });
  return rollout;
}
