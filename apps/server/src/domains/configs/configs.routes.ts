import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { configs } from '@highline/contract';
import { DomainError, required, type OrganizationScope } from '../../kernel/index.ts';
import { announceFile, sendSaved, fileNameOf, tagResponse, type Routes } from '../../platform/calls/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { toConfigDto, type ConfigRow } from './config.dto.ts';
import { configList, readBoundBy, readConfig, readVersions } from './configs.queries.ts';
import { removeConfigs } from './config-removal.ts';
import { readContents, saveConfig, uploadConfig, type ConfigServiceDeps } from './configs.service.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export type ConfigRoutesDeps = ConfigServiceDeps & Pick<Deps, 'reader' | 'streams'>;

/** Registers the config file operations (CFG). */
export function registerConfigRoutes(routes: Routes, deps: ConfigRoutesDeps): void {
  const { reader } = deps;

  routes.on(configs.listConfigs, async ({ scope, query }) => configList.respond(deps, scope, query));

  routes.on(configs.getConfig, async ({ scope, params, reply }) => {
    const row = await getConfig(reader, scope, params.config);
    const [versions, boundBy] = await Promise.all([readVersions(reader, scope, row.id), readBoundBy(reader, scope, row.id)]);
    tagResponse(reply, row.version);
    return { result: { ...toConfigDto(row), versions, boundBy } };
  });

  routes.on(configs.readConfigVersion, async ({ scope, actor, params, reply }) => {
    const { name, contents } = await readContents(deps, scope, actor, params.config, params.number);
    announceFile(reply, fileNameOf(name, 'config'), 'application/octet-stream');
    return Readable.from([contents]);
  });

  routes.on(
    configs.uploadConfig,
    async ({ scope, actor, body, file }) => {
      if (file === undefined) throw new DomainError('config.empty', { field: 'config' });
      const contents = await readFile(file.path);
      const pk = await uploadConfig(deps, scope, actor, { fileName: file.name, note: body.note, contents });
      return { result: toConfigDto(await getConfig(reader, scope, pk)) };
    },
    { maxBytes: configs.MAX_CONFIG_BYTES, tooLarge: 'config.too_large' },
  );

  routes.on(configs.saveConfig, (call) => {
    const { scope, actor, params, body } = call;
    return sendSaved(
      call,
      (isCurrent) => saveConfig(deps, scope, actor, params.config, body.note, isCurrent),
      async () => {
        const row = await getConfig(reader, scope, params.config);
        return { version: row.version, result: toConfigDto(row) };
      },
    );
  });

  routes.on(configs.deleteConfig, async ({ scope, actor, params }) => ({
    result: { deleted: await removeConfigs(deps, scope, actor, params.config) },
  }));
}

/** @throws DomainError `config.not_found`, also for another organization's file and for an invalid id */
async function getConfig(reader: Reader, scope: OrganizationScope, pk: string): Promise<ConfigRow> {
  return required(await readConfig(reader, scope, pk), 'config.not_found', { field: 'config' });
}
