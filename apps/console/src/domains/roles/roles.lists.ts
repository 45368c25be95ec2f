import { listSpec } from '../../ui/list/spec.ts';

/** /roles: roles that the company made, the newest first (IAM-03). */
export const roleList = listSpec({ id: 'roles', defaultSize: 10, sorts: [], fields: [], filters: { org: 'text' } });
