import { useQuery } from '@tanstack/react-query';
import type { Filter } from '../../ui/filter/filter.ts';
import { deviceQuery } from './device.api.ts';

/** What a list shows of one device, chosen elsewhere: its name; `unnamed` while it is fetched, and for a device that is no more. */
export function useDeviceFilter(device: string | undefined, text: { readonly label: string; readonly unnamed: string }): Filter {
  const { data } = useQuery({ ...deviceQuery(device ?? ''), enabled: device !== undefined });
  const found = data?.device;
  const name = found === undefined ? text.unnamed : found.vehicle_number || found.serial_number;
  return { name: 'device', label: text.label, options: [], value: device, shown: name };
}
