export { routerSettingsModule } from './module.ts';
export { applyToRouter } from './router-check.ts';
export { createRunningReader } from './running-profile.ts';
export { createSettingSealing } from './setting-sealing.ts';
export { createSettingsEngine } from './settings.engine.ts';
export { createSettingsReader } from './settings-reader.ts';
export { differing, isSet, settingsState } from './settings.queries.ts';
export { stateTexts } from './settings.export.ts';
export { deleteSettingsOf } from './settings.store.ts';
