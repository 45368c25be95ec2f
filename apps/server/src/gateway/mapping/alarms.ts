import type { RouterReport } from '../../domains/notifications/index.ts';
import type { Answers } from './answers.ts';
import { BATTERY_LOW, MODEMS, PASSWORD_CHANGED, THERMAL_PROTECTION } from './paths.ts';
import { cleanText } from '../../told-text.ts';
import { readFlag } from './text.ts';
import type { Primary } from './reported.ts';

/** Code units kept of a time that a router tells. */
const LONGEST = 40;

/** Whether a path is one that people are told of changes of, be it of the modem in use or not. */
export function isAlarmPath(path: string): boolean {
  return path === BATTERY_LOW || path === PASSWORD_CHANGED || path.endsWith(`.${THERMAL_PROTECTION}`);
}

/** What a value tells that people are told of; nothing where it is of another modem than the one in use, or no value at all. */
export function readAlarm(path: string, value: string, { modem }: Primary): RouterReport | undefined {
  if (path === PASSWORD_CHANGED) {
    const at = cleanText(value, LONGEST);
    return at === null ? undefined : { kind: 'password-changed', at };
  }
  const isOn = readFlag(value);
  if (isOn === undefined) return undefined;
  if (path === BATTERY_LOW) return { kind: 'battery-low', isOn };
  return path === `${MODEMS}${modem}.${THERMAL_PROTECTION}` ? { kind: 'thermal-protection', isOn } : undefined;
}

/** The same out of an answer to READ_PATHS: what changed while a router was away. */
export function readAlarms(answers: Answers, primary: Primary): RouterReport[] {
  const paths = [BATTERY_LOW, `${MODEMS}${primary.modem}.${THERMAL_PROTECTION}`, PASSWORD_CHANGED];
  return paths.flatMap((path) => {
    const value = answers.get(path);
    return (value === undefined ? undefined : readAlarm(path, value, primary)) ?? [];
  });
}
