export { AdminSwitchFields, SavedAdminSwitch } from './AdminSwitch.tsx';
export { TestMailButton } from './TestMailButton.tsx';
export { type AdminSwitch, switchFault, switchedOff } from './admin-switch.ts';
export { useAdminSwitch, useSaveNewSwitch } from './useAdminSwitch.ts';
