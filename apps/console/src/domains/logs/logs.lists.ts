import { logs } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /logs: who did what, from where (LOG-01). */
export const logList = listSpec({
  id: 'logs',
  defaultSize: 10,
  sorts: ['time'],
  fields: logs.logFields,
  filters: { span: logs.logSpans, person: 'text', kind: logs.logKinds, from: 'text', until: 'text', entry: 'text' },
});

/** The same on the page of an organization (ATT-03). */
export const organizationLogList: typeof logList = { ...logList, keeps: ['org', 'tab'] };
