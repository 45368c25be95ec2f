import { listSpec } from '../../ui/list/spec.ts';

/** /devices/service/noitify: the addresses that receive notifications (SVC-02). */
export const recipientList = listSpec({ id: 'recipients', defaultSize: 10, sorts: ['mail'], fields: ['mail'], filters: {} });
