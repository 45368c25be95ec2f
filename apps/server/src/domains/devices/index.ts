export { addDevices } from './devices.add.ts';
export { purgeArchivedDevices } from './devices.purge.ts';
export {
  changeDevices,
  deleteInBulk,
  moveChange,
  rejectEmptyTags,
  restoringChange,
  subscriptionChange,
  tagsChange,
  type BulkChange,
  type BulkFacet,
  type BulkOutcome,
} from './devices.bulk.ts';
export {
  estimatedPlace,
  FOLLOWED_MS,
  intervalOfDevice,
  isRejected,
  newestPosition,
  positionTime,
  rejectedSince,
} from './device-position.queries.ts';
export { devicesMatching, tagsAsInUse } from './devices.queries.ts';
export { organizationsOfRouters } from './devices.organizations.ts';
export { firstDiagnosis } from './device-diagnosis.queries.ts';
export { devicesOf, isOutage } from './device.filters.ts';
export { untilStill } from './devices.moved.ts';
export { readReportSeconds } from './report-intervals.ts';
export { saveDevice } from './devices.service.ts';
export { withdrawDevices } from './devices.withdraw.ts';
export { devicesModule } from './module.ts';
