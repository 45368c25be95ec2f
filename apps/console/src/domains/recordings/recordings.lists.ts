import { listSpec } from '../../ui/list/spec.ts';

/** /recordings: recorded terminals, the newest first (LIV-07). */
export const recordingList = listSpec({
  id: 'recordings',
  defaultSize: 20,
  sorts: [],
  fields: ['person', 'vehicle', 'serial'],
  filters: { device: 'text' },
});
