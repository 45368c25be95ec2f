import type { Responses } from './responses.ts';
import { sanitizeText, BATTERY_LOW, MODEMS, PASSWORD_CHANGED, readFlag, THERMAL_PROTECTION } from '../../../kernel/index.ts';
import type { Primary } from './reported.ts';

/** A router report that leads to notifications; a repetition has no effect. */
export type RouterAlarm =
  | { readonly kind: 'battery-low' | 'thermal-protection'; readonly isOn: boolean }
  /** When the administrator's password was last changed, as the router reports it. */
  | { readonly kind: 'password-changed'; readonly at: string };

/** Code units kept of a time reported by a router. */
const LONGEST = 40;

/** Whether changes of a path raise notifications, for any modem of the router. */
export function isAlarmPath(path: string): boolean {
  return path === BATTERY_LOW || path === PASSWORD_CHANGED || path.endsWith(`.${THERMAL_PROTECTION}`);
}

/** The alarm in a value change; undefined when it concerns a modem not in use, or has no usable value. */
export function readAlarm(path: string, value: string, { modem }: Primary): RouterAlarm | undefined {
  if (path === PASSWORD_CHANGED) {
    const at = sanitizeText(value, LONGEST);
    return at === null ? undefined : { kind: 'password-changed', at };
  }
  const isOn = readFlag(value);
  if (isOn === undefined) return undefined;
  if (path === BATTERY_LOW) return { kind: 'battery-low', isOn };
  return path === `${MODEMS}${modem}.${THERMAL_PROTECTION}` ? { kind: 'thermal-protection', isOn } : undefined;
}

/** Alarms in an answer to the paths read at a connect: changes that happened while a router was offline. */
export function readAlarms(responses: Responses, primary: Primary): RouterAlarm[] {
  const paths = [BATTERY_LOW, `${MODEMS}${primary.modem}.${THERMAL_PROTECTION}`, PASSWORD_CHANGED];
  return paths.flatMap((path) => {
    const value = responses.get(path);
    return (value === undefined ? undefined : readAlarm(path, value, primary)) ?? [];
  });
}
