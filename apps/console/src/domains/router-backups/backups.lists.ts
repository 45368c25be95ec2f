import { listSpec } from '../../ui/list/spec.ts';

/** /backups: devices without a recent backup (TPL-06). */
export const overdueList = listSpec({
  id: 'router-backups',
  defaultSize: 20,
  sorts: [],
  fields: [],
  filters: { days: ['1', '7', '30', '90'] },
});
