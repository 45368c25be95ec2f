export { registerDeviceRoutes } from './devices.routes.ts';
export { addDevices } from './devices.add.ts';
export { purgeArchivedDevices, purgeDevicesOf } from './devices.purge.ts';
export { withdrawDevices } from './devices.withdraw.ts';
import './devices.tables.ts';
