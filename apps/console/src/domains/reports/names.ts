import { useQuery } from '@tanstack/react-query';
import { deviceQuery } from '../../entities/devices/device.api.ts';
import { groupQuery } from '../../entities/groups/group.api.ts';

/** The name of a group: empty until it is loaded, its key if it does not exist. */
export function useGroupName(group: string): string {
  const { data, isPending } = useQuery({ ...groupQuery(group), enabled: group !== '' });
  return isPending ? '' : (data?.group.groupName ?? group);
}

/** The name of a device: its vehicle, else its serial number; empty until it is loaded, its id if it does not exist. */
export function useDeviceName(device: string): string {
  const { data, isPending } = useQuery({ ...deviceQuery(device), enabled: device !== '' });
  if (isPending) return '';
  const found = data?.device;
  return found === undefined ? device : found.vehicle_number || found.serial_number;
}
