export { boundColumn, toBoundDto, type BoundRow } from './bound.ts';
export { reportMissingFirmware } from './firmware.missing.ts';
export type { FirmwareRecord } from './firmware.store.ts';
export { findFirmware, lockFirmwareForBinding, removeFirmware, sweepFirmwareBlobs, uploadFirmware } from './firmware.service.ts';
export { firmwareModule } from './module.ts';
