import { Readable } from 'node:stream';
import { positions, tools } from '@highline/contract';
import { mayReadPart, required, withVersion, type OrganizationScope } from '../../kernel/index.ts';
import { announceFile, fileNameOf, sendSavedContent, type Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { findRouterOf } from '../commands/index.ts';
import { toRunDto } from './run.dto.ts';
import { findRun, listEarlier, listMeasuredSpeeds, runList } from './tools.queries.ts';
import { openSupportBundle } from './support-bundle.ts';
import { type ToolDeps } from './tool-ends.ts';
import { changeTargets, getOnlineDevice, getTargets, readFile, startRun } from './tools.service.ts';

export type ToolRoutesDeps = ToolDeps & Pick<Deps, 'streams' | 'keySamples'>;

/** Registers the operations of tests that routers run (LIV-04, LIV-05, LIV-06). */
export function registerToolRoutes(routes: Routes, deps: ToolRoutesDeps): void {
  const { database, reader, calls } = deps;

  const getDevice = async (scope: OrganizationScope, id: string) =>
    required(await findRouterOf(database.read, scope, id), 'not_found', { field: 'device' });
  const getRun = async (scope: OrganizationScope, id: string) => required(await findRun(reader, scope, id), 'tool.not_found');

  routes.on(tools.listRuns, async ({ scope, params, query }) => {
    const { deviceId } = await getDevice(scope, params.device);
    return runList(deviceId).respond(deps, scope, query);
  });

  routes.on(tools.listOffered, async ({ scope, actor, params }) => {
    const device = await getOnlineDevice(database, scope, params.device);
    return { result: await calls.offered(scope, actor, device) };
  });

  routes.on(tools.listSpeeds, async ({ scope, actor, params }) => {
    const { deviceId } = await getDevice(scope, params.device);
    const speeds = await listMeasuredSpeeds(reader, scope, deviceId);
    return { result: mayReadPart(actor, positions.map) ? speeds : speeds.map((speed) => ({ ...speed, place: null })) };
  });

  routes.on(tools.runTool, async ({ scope, actor, params, body }) => {
    const id = await startRun(deps, scope, actor, params.device, body.input);
    return { result: toRunDto(await getRun(scope, id)) };
  });

  routes.on(tools.getRun, async ({ scope, params }) => {
    const run = await getRun(scope, params.run);
    return { result: { run: toRunDto(run), earlier: (await listEarlier(reader, scope, run)).map(toRunDto) } };
  });

  routes.on(tools.readSupportBundle, async ({ scope, actor, params, query, reply }) => {
    const device = await getDevice(scope, params.device);
    const pieces = await openSupportBundle(deps, scope, actor, device, query.days ?? 7);
    announceFile(reply, `${fileNameOf(device.serial, 'device')}.zip`, 'application/zip');
    return Readable.from(pieces, { objectMode: false });
  });

  routes.on(tools.getTargets, async ({ scope }) => ({ result: withVersion(await getTargets(deps, scope)) }));

  routes.on(tools.saveTargets, (call) => {
    const { scope, actor, body } = call;
    const { allow, ranges } = body;
    return sendSavedContent(
      call,
      (isCurrent) => changeTargets(deps, scope, actor, { allow, ranges }, isCurrent),
      () => getTargets(deps, scope),
    );
  });

  routes.on(tools.readRunFile, async ({ scope, actor, params, reply }) => {
    const run = await getRun(scope, params.run);
    const { serial } = await getDevice(scope, run.device_id);
    const contents = await readFile(deps, scope, actor, run, serial);
    const name = `${fileNameOf(`${serial} ${run.created_at.toISOString().slice(0, 16)}`, 'file')}.${extensionOf(contents, run.tool)}`;
    announceFile(reply, name, 'application/octet-stream');
    return Readable.from([contents]);
  });
}

/** By how the file begins: agents write either format of captures. */
function extensionOf(contents: Buffer, tool: tools.ToolKind): string {
  if (tool !== 'capture') return 'log';
  return contents.subarray(0, 4).toString('hex') === '0a0d0d0a' ? 'pcapng' : 'pcap';
}
