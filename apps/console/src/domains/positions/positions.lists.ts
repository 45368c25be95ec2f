import { devices } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';
import { deviceList, orgDeviceList } from '../../entities/devices/devices.lists.ts';

/** What the address of /map has besides the filters of the device list: the chosen vehicle, and what the colours mean. */
const own = { vehicle: 'text', color: ['signal', 'alert'] } as const;

/** /map, with the filters of /devices/list and, for the main account, of /devices/orgList (POS-02). */
export const mapList = listSpec({
  id: 'map',
  defaultSize: deviceList.defaultSize,
  sorts: [],
  fields: ['any', ...devices.deviceFields.filter((field) => field !== 'any')],
  unlisted: 'any',
  filters: { ...deviceList.filters, ...orgDeviceList.filters, ...own },
});

/** The part of the address that the device list shares. */
export function sharedSearch<Search extends { readonly vehicle?: unknown; readonly color?: unknown }>(search: Search) {
  const { vehicle: _vehicle, color: _color, ...shared } = search;
  return shared;
}
