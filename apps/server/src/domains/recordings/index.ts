export { endTexts } from './end-texts.ts';
export { recordingsModule } from './module.ts';
export { createRecorders, type Recorders } from './recorder.ts';
export type { RecordedTerminal } from './recordings.store.ts';
export { readRecordingSettings } from './recordings.queries.ts';
