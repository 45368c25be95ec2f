import { listSpec } from '../../ui/list/spec.ts';

/** /identity-providers: identity providers, the newest first (IAM-01). */
export const providerList = listSpec({ id: 'identity-providers', defaultSize: 10, sorts: [], fields: [], filters: {} });
