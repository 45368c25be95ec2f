/** Why a setting is not in force, besides what the router says itself. */
export const settingFaults = ['differs', 'returned', 'no-value', 'invalid'] as const;
export type SettingFault = (typeof settingFaults)[number];

const DIFFERS = 'not changed';
const RETURNED = 'the router did not connect with this value and returned to its former one';
const [LACKS, LACKS_END] = ['not sent, ', ' has no value'] as const;
const INVALID = 'not sent, does not fit: ';
const BETWEEN = '; ';

/** One setting of a message. */
export interface NamedFault {
  readonly path: string;
  readonly fault: SettingFault;
  /** The variable without a value, or the value that does not fit; else empty. */
  readonly of: string;
}

/** The message of a command or of a rollout about settings that are not in force: English, as logs and programs get it. */
export function writeFaults(faults: readonly (NamedFault | string)[]): string {
  return faults.map((each) => (typeof each === 'string' ? each : `${each.path}: ${textOf(each)}`)).join(BETWEEN);
}

function textOf({ fault, of }: NamedFault): string {
  if (fault === 'differs') return DIFFERS;
  if (fault === 'returned') return RETURNED;
  return fault === 'no-value' ? `${LACKS}${of}${LACKS_END}` : `${INVALID}${of}`;
}

/** What such a message says, for another language; what the router said stays text. */
export function readFaults(message: string): readonly (NamedFault | string)[] {
  return message.split(BETWEEN).map((part) => {
    const at = part.indexOf(': ');
    const found = at < 1 ? undefined : readFault(part.slice(at + 2));
    return found === undefined ? part : { path: part.slice(0, at), ...found };
  });
}

function readFault(text: string): Omit<NamedFault, 'path'> | undefined {
  if (text === DIFFERS) return { fault: 'differs', of: '' };
  if (text === RETURNED) return { fault: 'returned', of: '' };
  if (text.startsWith(INVALID)) return { fault: 'invalid', of: text.slice(INVALID.length) };
  const isLacking = text.startsWith(LACKS) && text.endsWith(LACKS_END) && text.length > LACKS.length + LACKS_END.length;
  return isLacking ? { fault: 'no-value', of: text.slice(LACKS.length, -LACKS_END.length) } : undefined;
}
