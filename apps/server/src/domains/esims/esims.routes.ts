import { esims, usage, type ConnectionImpact } from '@highline/contract';
import { sendCsv, chosenColumns } from '../../platform/csv/index.ts';
import { DomainError, isAllowedByRole, mayReadPart, required, type Actor, type Scope } from '../../kernel/index.ts';
import { sendSaved, tagResponse, isSet, type Routes } from '../../platform/calls/index.ts';
import { createTotals, type Cache, type Reader, type Totals } from '../../platform/listing/index.ts';
import { checkRouter } from './checking.ts';
import { importProfiles } from './esims.import.ts';
import { findProfile, profileList, readExampleRouters } from './esims.queries.ts';
import { type Confirmation, type EsimServiceDeps } from './profile-lock.ts';
import { orderProfiles } from './profile-order.ts';
import { removeProfile } from './profile-deletion.ts';
import { addProfile, resumeProfile, saveProfile, useProfile } from './esims.service.ts';
import { exampleColumns, exampleRowsOf, exportColumns } from './profile.export.ts';
import { iconOf, toPlaceholderDto, toProfileDto, type CodeReader, type ProfileRow } from './profile.dto.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export type EsimRoutesDeps = EsimServiceDeps & Pick<Deps, 'reader' | 'streams' | 'keySamples' | 'onChanged'>;

/** Registers the eSIM operations (SIM). */
export function registerEsimRoutes(routes: Routes, deps: EsimRoutesDeps): void {
  const totals = createTotals<Totals>(deps);
  registerLists(routes, deps, totals);
  registerChanges(routes, deps, totals);
}

/** Activation codes are shown only to admins of the organization, and to own roles that may add them. */
function readerOf({ codes }: EsimServiceDeps, actor: Actor): CodeReader {
  return actor.role === 'admin' && isAllowedByRole(actor, esims.addProfile) ? codes : undefined;
}

function registerLists(routes: Routes, deps: EsimRoutesDeps, totals: Cache<Totals>): void {
  const { reader, streams, keySamples, clock } = deps;

  routes.on(esims.listProfiles, async ({ scope, actor, query }) => {
    const codes = readerOf(deps, actor);
    const { serial, eid } = query;
    if (serial !== undefined || eid !== undefined) {
      const { cards, router } = await checkRouter(deps, scope, { serial, eid }, codes);
      return { result: cards, router };
    }
    return profileList(codes).respond({ reader, streams, keySamples, totals }, scope, query);
  });

  routes.on(esims.exportProfiles, async (call) => {
    const { scope, actor, query } = call;
    if (query.layout === 'example') {
      const examples = exampleRowsOf(await readExampleRouters(reader, scope));
      return sendCsv(call, 'eSIMs_export_example', exampleColumns(), streamOf(examples));
    }
    const columns = chosenColumns(exportColumns, query.columns, esims.profileColumns);
    const list = profileList(undefined, mayReadPart(actor, usage.usageOf) ? clock.now() : undefined);
    return sendCsv(call, 'eSIMs_export', columns, list.rows(streams, scope, query));
  });

  routes.on(esims.getProfile, async ({ scope, actor, params, reply }) => {
    const row = await getProfile(reader, scope, params.profile);
    tagResponse(reply, row.version);
    return { result: toProfileDto(row, readerOf(deps, actor)) };
  });
}

function registerChanges(routes: Routes, deps: EsimRoutesDeps, totals: Cache<Totals>): void {
  const { reader, codes } = deps;
  const invalidate = ({ mainAccountId }: Scope) => totals.invalidate(mainAccountId);
  const toDto = async (scope: Scope, pk: string) => toProfileDto(await getProfile(reader, scope, pk), codes);

  routes.on(esims.addProfile, async ({ scope, actor, query, body }) => {
    const { serial, eid, ac: code, confirmationCode: confirmation, iccid = '', iccidConfirmed, apn } = body;
    const { apn2 = '', name = '', priority } = body;
    const input = { serial, eid, code, confirmation, iccid, iccidConfirmed, apn, apn2, name, priority };
    const confirmedImpact = confirmationOf(query);
    const { profile, impact } = await addProfile(deps, scope, actor, input, confirmedImpact);
    if (confirmedImpact.dryRun) return { status: 'Checked' as const, result: toCheckedDto(profile, code), impact };
    invalidate(scope);
    return { status: 'Created' as const, result: await toDto(scope, profile.id), impact };
  });

  routes.on(esims.saveProfile, async (call) => {
    const { scope, actor, params, query, body } = call;
    let impact: ConnectionImpact | undefined;
    const saved = await sendSaved(
      call,
      async (isCurrent) => {
        impact = await saveProfile(deps, scope, actor, params.profile, body, isCurrent, confirmationOf(query));
        invalidate(scope);
      },
      async () => {
        const row = await getProfile(reader, scope, params.profile);
        return { version: row.version, result: toProfileDto(row, codes) };
      },
    );
    return { ...saved, impact: impact! };
  });

  routes.on(esims.orderProfiles, async ({ scope, actor, query, body }) => {
    const { ids, impact } = await orderProfiles(deps, scope, actor, body.order, confirmationOf(query));
    invalidate(scope);
    const result = await Promise.all(ids.map((id) => toDto(scope, id)));
    return { result: result.toSorted((a, b) => a.priority - b.priority), impact };
  });

  routes.on(esims.useProfile, async ({ scope, actor, query, body }) => {
    const impact = await useProfile(deps, scope, actor, body.profile, confirmationOf(query), body.window);
    invalidate(scope);
    return { result: await toDto(scope, body.profile), impact };
  });

  routes.on(esims.deleteProfile, async ({ scope, actor, params, query }) => {
    const confirmedImpact = confirmationOf(query);
    const { row, impact } = await removeProfile(deps, scope, actor, params.profile, confirmedImpact);
    if (confirmedImpact.dryRun) return { result: toProfileDto(row, codes), impact };
    invalidate(scope);
    const status = 'Deleting...' as const;
    return { result: { ...toProfileDto(row, codes), status, statusIcon: iconOf[status], act: false }, impact };
  });

  routes.on(esims.resumeProfile, async ({ scope, actor, body }) => {
    await resumeProfile(deps, scope, actor, body.profile);
    invalidate(scope);
    return { result: await toDto(scope, body.profile) };
  });

  routes.on(esims.importProfiles, async ({ scope, actor, query, file }) => {
    if (file === undefined) throw new DomainError('csv.empty', { field: 'profile', reason: 'There is no file.' });
    const options = { ...confirmationOf(query), encoding: query.encoding, iccids: isSet(query.iccidsConfirmed) };
    const result = await importProfiles(deps, scope, actor, file, options);
    invalidate(scope);
    return { result };
  });
}

function confirmationOf({ dryRun, confirmed }: { dryRun?: string | undefined; confirmed?: string | undefined }): Confirmation {
  return { dryRun: isSet(dryRun), confirmed };
}

/** The preview of a profile that was checked and not added. */
function toCheckedDto(profile: Awaited<ReturnType<typeof addProfile>>['profile'], ac: string): esims.Profile {
  const { deviceId, serial, eid, iccid, apn, apn2, name, priority } = profile;
  const card = toPlaceholderDto({ device_id: deviceId, serial, eid }, priority);
  return { ...card, ac, iccid, apn, apn2, name, status: 'Assigning...', statusIcon: iconOf['Assigning...'] };
}

/** @throws DomainError `esim.not_found`, also for another organization's profile and for an invalid id */
async function getProfile(reader: Reader, scope: Scope, pk: string): Promise<ProfileRow> {
  return required(await findProfile(reader, scope, pk), 'esim.not_found', { field: 'profile' });
}

async function* streamOf<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}
