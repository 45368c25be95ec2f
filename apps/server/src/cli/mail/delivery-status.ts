import { isBounceAddress } from '../../domains/mails/index.ts';

/** What a delivery status notification (RFC 3464) says of the mail that it is about. */
export interface DeliveryStatus {
  /** Where the notification was sent to. */
  readonly address: string;
  /** RFC 3463. */
  readonly status: string;
  /** What the mail server of the recipient said. */
  readonly reason: string;
}

type Fields = readonly (readonly [name: string, value: string])[];

/** A head of fields, and the lines after it. */
interface Part {
  readonly fields: Fields;
  readonly lines: readonly string[];
}

/** The envelope is lost on the way into a program; mail servers note it in one of these. */
const RECIPIENT_FIELDS = new Set(['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to']);
const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status']);
/** One of the places that a mail was sent on to has it. */
const DELIVERED = new Set(['delivered', 'relayed', 'expanded']);
const FAILURE = /^[45]\.\d{1,3}\.\d{1,3}/u;

/** @returns undefined for whatever else arrives at such an address: automatic replies, delays, notes that a mail was delivered */
export function readDeliveryStatus(message: string): DeliveryStatus | undefined {
  const { fields, lines } = readPart(message.split(/\r?\n/u));
  const address = fields.find(([name, value]) => RECIPIENT_FIELDS.has(name) && isBounceAddress(value))?.[1];
  const { type, parameters } = readType(fields);
  const boundary = parameters.get('boundary');
  if (address === undefined || type !== 'multipart/report' || boundary === undefined) return undefined;
  const report = splitParts(lines, boundary).find((part) => STATUS_TYPES.has(readType(part.fields).type));
  return report && failureIn(groupsOf(report.lines), addressIn(address));
}

/** `"Bounces" <bounces+…@example.com>` or the address alone. */
function addressIn(value: string): string {
  return value.split(/[<>,\s]+/u).find(isBounceAddress) ?? '';
}

function failureIn(groups: readonly Fields[], address: string): DeliveryStatus | undefined {
  const actions = groups.map((group) => valueOf(group, 'action').toLowerCase());
  if (actions.some((action) => DELIVERED.has(action))) return undefined;
  const failed = groups[actions.indexOf('failed')];
  const status = failed && FAILURE.exec(valueOf(failed, 'status'))?.[0];
  if (failed === undefined || status === undefined) return undefined;
  const diagnostic = valueOf(failed, 'diagnostic-code');
  return { address, status, reason: diagnostic.slice(diagnostic.indexOf(';') + 1).trim() };
}

const valueOf = (fields: Fields, name: string) => fields.find(([each]) => each === name)?.[1] ?? '';

function readType(fields: Fields) {
  const [type = '', ...parameters] = valueOf(fields, 'content-type').split(';');
  return {
    type: type.trim().toLowerCase(),
    parameters: new Map(
      parameters.map((text) => {
        const at = text.indexOf('=');
        return [
          text.slice(0, at).trim().toLowerCase(),
          text
            .slice(at + 1)
            .trim()
            .replaceAll('"', ''),
        ];
      }),
    ),
  };
}

function readPart(lines: readonly string[]): Part {
  const end = lines.indexOf('');
  return end < 0
    ? { fields: readFields(lines), lines: [] }
    : { fields: readFields(lines.slice(0, end)), lines: lines.slice(end + 1) };
}

function readFields(lines: readonly string[]): Fields {
  const fields: [string, string][] = [];
  for (const line of lines) {
    const last = fields.at(-1);
    const colon = line.indexOf(':');
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (last !== undefined) last[1] += ` ${line.trim()}`;
    } else if (colon > 0) fields.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return fields;
}

function splitParts(lines: readonly string[], boundary: string): Part[] {
  const parts: string[][] = [];
  for (const line of lines) {
    const text = line.trimEnd();
    if (text === `--${boundary}--`) break;
    if (text === `--${boundary}`) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map(readPart);
}

/** The groups of fields of a delivery status, separated by empty lines: one about the mail, and one about each recipient. */
function groupsOf(lines: readonly string[]): Fields[] {
  const groups: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === '') groups.push([]);
    else groups.at(-1)!.push(line);
  }
  return groups.map(readFields);
}
