import { listSpec } from '../../ui/list/spec.ts';

/** /api-keys: API keys, the newest first (HKS-02). */
export const keyList = listSpec({ id: 'api-keys', defaultSize: 10, sorts: [], fields: [], filters: { org: 'text' } });
