import { groups, normalizeGroupKey } from '@highline/contract';
import { sendCsv, chosenColumns } from '../../platform/csv/index.ts';
import { invalidField, required } from '../../kernel/failure.ts';
import type { Call, Routes } from '../../platform/calls/call.ts';
import { sendSaved, tagResponse } from '../../platform/calls/entity-tag.ts';
import { streamPieces, type JsonPiece } from '../../platform/calls/json-stream.ts';
import { limitOf, type Reader } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { BindingChoices } from '../rollouts/index.ts';
import { changeControl, controlOf, listControllers, listControls } from './control.service.ts';
import { groupColumns, usualGroupColumns } from './group.export.ts';
import { groupTag, toGroupDto } from './group.dto.ts';
import { streamGroupPieces, type GroupPieceRow } from './group-pieces.queries.ts';
import { findGroupRow, groupList, type NumberedGroupRow } from './groups.queries.ts';
import { deleteGroups } from './group-deletion.ts';
import { type GroupChanges } from './group-plans.ts';
import { addGroup, getGroup, saveGroup, type GroupServiceDeps } from './groups.service.ts';
import { memberList } from './members.queries.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export type GroupRoutesDeps = GroupServiceDeps & Pick<Deps, 'reader' | 'streams' | 'keySamples'>;

type SaveCall = Pick<Call<typeof groups.saveGroup>, 'scope' | 'actor' | 'params' | 'request' | 'reply'>;

const USERS_PER_PAGE = 50;

/** Registers the group operations (GRP). */
export function registerGroupRoutes(routes: Routes, deps: GroupRoutesDeps): void {
  registerLists(routes, deps);
  registerChanges(routes, deps);
}

function registerLists(routes: Routes, deps: GroupRoutesDeps): void {
  const { database, reader, streams, clock, expiringDays } = deps;

  routes.on(groups.listGroups, async ({ scope, query }) => {
    if (limitOf(query) === undefined) return streamPieces(piecesOf(streamGroupPieces(streams, scope, query, clock.now())));
    return groupList(clock.now()).respond(deps, scope, query);
  });

  routes.on(groups.exportGroups, async (call) => {
    const rows = groupList(clock.now()).rows(streams, call.scope, call.query);
    const { zone = 'UTC', language } = call.query;
    const columns = chosenColumns(groupColumns(zone, language), call.query.columns, usualGroupColumns);
    return sendCsv(call, 'Groups_export', columns, rows);
  });

  routes.on(groups.getGroup, async ({ scope, actor, params, reply }) => {
    const row = await getRow(reader, scope, params.group);
    const control = await controlOf(database.read, scope, actor, row.key);
    const fullControl = await listControllers(database.read, scope, row.key);
    tagResponse(reply, groupTag(row));
    return { result: { ...toGroupDto(row), number: row.number, models: row.models, control, fullControl } };
  });

  routes.on(groups.listControls, async ({ scope, params, query }) => {
    const { key } = await getGroup(database.read, scope, params.group);
    const limit = query.limit ?? USERS_PER_PAGE;
    const rows = await listControls(database.read, scope, key, { after: query.cursor ?? '', limit: limit + 1 });
    const result = rows.slice(0, limit);
    return { result, next: rows.length > limit ? (result.at(-1)?.email ?? null) : null };
  });

  routes.on(groups.listMembers, async ({ scope, params, query }) => {
    const { key } = await getGroup(database.read, scope, params.group);
    return memberList(key, { now: clock.now(), expiringDays }).respond(deps, scope, query);
  });
}

function registerChanges(routes: Routes, deps: GroupRoutesDeps): void {
  const { reader } = deps;

  routes.on(groups.createGroup, async ({ scope, actor, body, reply }) => {
    const row = await getRow(reader, scope, await addGroup(deps, scope, actor, { ...body, bindings: bindingsOf(body) }));
    tagResponse(reply, groupTag(row));
    return { result: toGroupDto(row) };
  });

  const save = async (call: SaveCall, { group, ...changes }: GroupChanges & { readonly group?: string | undefined }) => {
    const {
      scope,
      actor,
      params: { group: key },
    } = call;
    if (group !== undefined && normalizeGroupKey(group) !== normalizeGroupKey(key))
      throw invalidField('group', 'does not match the group in the URL');
    return sendSaved(
      call,
      (isCurrent) => saveGroup(deps, scope, actor, key, changes, isCurrent),
      async () => {
        const row = await getRow(reader, scope, key);
        return { version: groupTag(row), result: toGroupDto(row) };
      },
    );
  };
  routes.on(groups.saveGroup, (call) => save(call, call.body));
  routes.on(groups.saveWholeGroup, (call) => save(call, { ...call.body, bindings: bindingsOf(call.body) }));

  routes.on(groups.changeControl, async ({ scope, actor, params, body }) => {
    await changeControl(deps, scope, actor, params.group, body);
    return { result: { control: body.control } };
  });

  routes.on(groups.deleteGroups, async ({ scope, actor, body }) => ({
    result: { deleted: await deleteGroups(deps, scope, actor, body.groups, { confirmed: body.confirmed }) },
  }));
}

/**
 * The requested bindings; undefined when the body names neither firmware nor config file.
 * @throws DomainError `request.invalid` for a file without a schedule, and for a schedule without a file
 */
function bindingsOf({
  firmware,
  config,
  configVersion,
  schedule,
  confirmed = {},
  ...body
}: groups.FileChoices): BindingChoices | undefined {
  const { postpone, failureThreshold, canaries, first, waves, window } = body;
  const isBinding = [firmware, config].some((file) => file !== undefined && file !== '');
  if (isBinding !== (schedule !== undefined)) throw invalidField('schedule', 'goes with firmware or config');
  const choiceOf = (file: string, seen: string | undefined) =>
    schedule === undefined || file === ''
      ? null
      : { file, schedule, postpone, failureThreshold, canaries, first, waves, window, confirmed: seen };
  const configOf = (file: string) => {
    const choice = choiceOf(file, confirmed.config);
    return choice && { ...choice, configVersion };
  };
  if (firmware === undefined && config === undefined) return undefined;
  return {
    ...(firmware === undefined ? {} : { firmware: choiceOf(firmware, confirmed.firmware) }),
    ...(config === undefined ? {} : { config: configOf(config) }),
  };
}

/** @throws DomainError `group.not_found`, also for another organization's group */
async function getRow(reader: Reader, scope: OrganizationScope, key: string): Promise<NumberedGroupRow> {
  return required(await findGroupRow(reader, scope, key), 'group.not_found', { field: 'group' });
}

/** Each group's JSON with `devices` at its end, so that they can be streamed in pieces. */
async function* piecesOf(rows: AsyncIterable<GroupPieceRow>): AsyncGenerator<JsonPiece> {
  let isOpen = false;
  for await (const { serials, piece, ...row } of rows) {
    const texts = serials.map((serial) => JSON.stringify(serial)).join(',');
    if (piece > 0) {
      yield { text: `,${texts}`, begins: false };
      continue;
    }
    if (isOpen) yield { text: ']}', begins: false };
    isOpen = true;
    yield { text: `${JSON.stringify(toGroupDto(row)).slice(0, -1)},"devices":[${texts}`, begins: true };
  }
  if (isOpen) yield { text: ']}', begins: false };
}
