import type { Module } from '../../platform/modules/module.ts';
import type { SealedKey } from '../../platform/modules/sealed-column.ts';
import { registerConfigRoutes, type ConfigRoutesDeps } from './configs.routes.ts';
import { createSeal } from './seal.ts';

export const configsModule: Module<ConfigRoutesDeps> = {
  open: registerConfigRoutes,
  sealed: [
    {
      table: 'config_versions',
      column: 'sealed',
      key: { organization_id: 'uuid', config_id: 'uuid', number: 'integer' },
      sealing(masterKey) {
        const { seal, open } = createSeal(masterKey);
        const contextOf = (row: SealedKey) => ({
          organizationId: row['organization_id']!,
          configId: row['config_id']!,
          number: Number(row['number']),
        });
        return {
          seal: (row, contents) => seal(contextOf(row), contents),
          open: (row, sealed) => open(contextOf(row), sealed),
        };
      },
    },
  ],
  // With their versions; their bindings have ended.
  organizationEnd: { lastTables: ['config_files'] },
};
