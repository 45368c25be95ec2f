import { listDevices } from '../devices/calls.ts';
import { listGroups } from '../groups/calls.ts';
import type { Right } from '../operation.ts';
import { map } from '../positions/calls.ts';

/** A link shows what these calls answer: places, names of vehicles, and the name of a group (RPM-06). */
export const linkRights = (shows: { readonly isGroup: boolean; readonly showsNames: boolean }): readonly Right[] => [
  map,
  ...(shows.isGroup ? [listGroups] : [listDevices]),
  ...(shows.isGroup && shows.showsNames ? [listDevices] : []),
];
