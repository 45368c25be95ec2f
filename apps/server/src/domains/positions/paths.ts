import { GPS, LOCATIONS } from '../../kernel/tr181.ts';

/** Our extension for trails; controllers find it by GetSupportedDM. */
export const GPS_TRAIL = `${GPS}Trail`;

/** Whether this is the path of a PIDF-LO document (TR-181 Device.DeviceInfo.Location.{i}.DataObject). */
export function isLocationPath(path: string): boolean {
  if (!path.startsWith(LOCATIONS) || !path.endsWith('.DataObject')) return false;
  return /^[1-9]\d{0,8}$/u.test(path.slice(LOCATIONS.length, -'.DataObject'.length));
}
