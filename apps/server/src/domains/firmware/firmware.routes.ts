import { firmware } from '@highline/contract';
import { DomainError, required } from '../../kernel/failure.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { firmwareList, readFirmware } from './firmware.queries.ts';
import { removeFirmware, uploadFirmware, type FirmwareServiceDeps } from './firmware.service.ts';
import { toFirmwareDto } from './firmware.dto.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export type FirmwareRoutesDeps = FirmwareServiceDeps & Pick<Deps, 'reader' | 'streams'>;

/** Registers the firmware operations (FWR). */
export function registerFirmwareRoutes(routes: Routes, deps: FirmwareRoutesDeps): void {
  routes.on(firmware.listFirmware, async ({ scope, query }) => firmwareList.respond(deps, scope, query));

  routes.on(
    firmware.uploadFirmware,
    async ({ scope, actor, body, file }) => {
      if (file === undefined) throw new DomainError('firmware.empty', { field: 'file' });
      const { version, profile, note } = body;
      const pk = await uploadFirmware(deps, scope, actor, { version, profile, note, file, unsigned: body.unsigned === 'true' });
      const row = required(await readFirmware(deps.reader, scope, pk), 'firmware.not_found');
      return { result: toFirmwareDto(row) };
    },
    { maxBytes: deps.maxBytes, tooLarge: 'firmware.too_large' },
  );

  routes.on(firmware.deleteFirmware, async ({ scope, actor, params }) => {
    await removeFirmware(deps, scope, actor, params.firmware);
    return { result: { deleted: 1 } };
  });
}
