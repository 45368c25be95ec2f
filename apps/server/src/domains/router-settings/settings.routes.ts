import { routerSettings as calls, type SettingsCatalogue, settingSchemas } from '@highline/contract';
import { DomainError } from '../../kernel/index.ts';
import { sendVersioned, tagResponse, type Routes } from '../../platform/calls/index.ts';
import { isSet } from '../../platform/calls/query-flag.ts';
import { chosenColumns, sendCsv } from '../../platform/csv/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { deleteSchemaFile, readSchemaFiles, saveSchemaFile } from './schema-files.ts';
import type { SettingsReader } from './settings-reader.ts';
import { toRowDto } from './settings.dto.ts';
import { settingsList } from './settings.queries.ts';
import { settingsFileColumns } from './settings.export.ts';
import {
  adoptMany,
  adoptReported,
  importValues,
  previewLevel,
  readLevel,
  readVersions,
  saveLevel,
  type SettingsDeps,
} from './settings.service.ts';
import { readValuesFile, readValuesText } from './values-table.ts';

export interface SettingsRoutesDeps extends SettingsDeps, Pick<Deps, 'reader' | 'streams'> {
  readonly settingsReader: SettingsReader;
}

/** Registers the calls about settings of routers (TPL-02, TPL-03, TPL-05). */
export function registerSettingsRoutes(routes: Routes, deps: SettingsRoutesDeps): void {
  const list = settingsList(toRowDto);
  routes.on(calls.readSettings, async ({ scope, query: { group, device }, reply }) => {
    const result = await readLevel(deps, scope, { group, device });
    tagResponse(reply, result.version);
    return { result };
  });

  routes.on(calls.saveSettings, async ({ scope, actor, body: { group, device, values, secretsOf }, request, reply }) =>
    sendVersioned(
      { request, reply },
      (isCurrent) => saveLevel(deps, scope, actor, { group, device, values, secretsOf }, isCurrent),
      () => readLevel(deps, scope, { group, device }),
    ),
  );

  routes.on(calls.previewSettings, async ({ scope, body: { group, device, values, secretsOf } }) => ({
    result: await previewLevel(deps, scope, { group, device, values, secretsOf }),
  }));

  routes.on(calls.listVersions, async ({ scope, query: { group, device, before } }) => ({
    result: await readVersions(deps, scope, { group, device }, before),
  }));

  routes.on(calls.readDeviceSettings, async ({ scope, actor, query }) => ({
    result: await deps.settingsReader.read(scope, actor, query.device),
  }));

  routes.on(calls.adoptSettings, async ({ scope, actor, body }) => {
    await adoptReported(deps, scope, actor, body.device);
    return { result: await deps.settingsReader.read(scope, actor, body.device) };
  });

  routes.on(calls.importSettings, async ({ scope, actor, body: { csv }, query: { dryRun } }) => ({
    result: await importValues(deps, scope, actor, {
      read: (catalogue) => readValuesText(csv, catalogue),
      isDryRun: isSet(dryRun),
    }),
  }));
  routes.on(calls.importSettingsFile, async ({ scope, actor, file, query: { dryRun, encoding } }) => {
    if (file === undefined) throw new DomainError('csv.empty', { field: 'file', reason: 'There is no file.' });
    const read = (catalogue: SettingsCatalogue) => readValuesFile(file.path, { encoding }, catalogue);
    return { result: await importValues(deps, scope, actor, { read, isDryRun: isSet(dryRun) }) };
  });

  routes.on(settingSchemas.listSchemaFiles, async ({ scope }) => ({ result: await readSchemaFiles(deps.database.read, scope) }));

  routes.on(settingSchemas.saveSchemaFile, async ({ scope, actor, body }) => {
    await saveSchemaFile(deps, scope, actor, body.schema);
    return { result: await readSchemaFiles(deps.database.read, scope) };
  });

  routes.on(settingSchemas.deleteSchemaFile, async ({ scope, actor, body }) => {
    await deleteSchemaFile(deps, scope, actor, body.name);
    return { result: await readSchemaFiles(deps.database.read, scope) };
  });

  routes.on(calls.adoptMany, async ({ scope, actor, body }) => ({ result: await adoptMany(deps, scope, actor, body.group) }));

  routes.on(calls.exportSettings, async (call) => {
    const { scope, query } = call;
    const columns = chosenColumns(settingsFileColumns(query.zone, query.language), query.columns, calls.settingsColumns);
    return sendCsv(call, 'Settings_export', columns, list.rows(deps.streams, scope, query));
  });

  routes.on(calls.listSettings, ({ scope, query }) => list.respond(deps, scope, query));
}
