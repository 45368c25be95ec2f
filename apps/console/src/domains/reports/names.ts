import { useQuery } from '@tanstack/react-query';
import { deviceQuery } from '../devices/setting/device-setting.api.ts';
import { groupQuery } from '../groups/groups.api.ts';

/** The name of a group; its key until the name is loaded, or if it does not exist. */
export function useGroupName(group: string): string {
  return useQuery({ ...groupQuery(group), enabled: group !== '' }).data?.group.groupName ?? group;
}

/** The name of a device: its vehicle, else its serial number; its id until the name is loaded, or if it does not exist. */
export function useDeviceName(device: string): string {
  const found = useQuery({ ...deviceQuery(device), enabled: device !== '' }).data?.device;
  if (found === undefined) return device;
  return found.vehicle_number === '' ? found.serial_number : found.vehicle_number;
}
