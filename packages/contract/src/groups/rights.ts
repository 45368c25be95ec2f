import { saveDevice } from '../devices/calls.ts';
import type { Right } from '../operation.ts';

/**
 * Devices that join or leave a group together with its other fields, or return from one that is deleted, are moved as by this call (GRP-04, GRP-09).
 * Users with Full Control of a group choose its devices too: the role is checked by the calls of groups.
 */
export const moveRight: Right = { id: saveDevice.id, method: saveDevice.method, roles: ['admin', 'user'] };
