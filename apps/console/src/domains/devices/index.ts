export { AgentSettings } from './AgentSettings.tsx';
export { RejectionNote } from './RejectionNote.tsx';
export { ImportDialog } from './add/ImportDialog.tsx';
export { TemplateDialog } from './add/TemplateDialog.tsx';
export { importDevices } from './add/device-add.api.ts';
export { loadOrgDeviceList } from './load.ts';
