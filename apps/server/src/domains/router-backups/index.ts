export { sendBackup, sendRestore } from './backup-orders.ts';
export { createBackupSealing } from './backup-sealing.ts';
export { createBackupAddresses } from './backup-transfers.ts';
export { routerBackupsModule } from './module.ts';
