import type { SinkMessage } from '../../../platform/ports/reading-sink.ts';
import { readings } from '../facts.ts';
import { readRows } from './copy-rows.ts';
import type { Row } from '../../../platform/ports/tables.ts';

/** Which schema of docs/telemetry-sink.md the lines follow; a change that a reader has to know increases it. */
const SCHEMA = 1;
/** Lines of one message. */
const LINES = 200;

/** What one transaction stored. */
export type SinkBatch = Row<'telemetry_sink_batches', 'id' | 'created_at' | 'reports' | 'payload'>;

/** The router of a report, and whose it was at that time. */
export interface ReportOwner {
  /** Null if the router is no longer in the inventory. */
  readonly serial: string | null;
  /** Null while it was in stock. */
  readonly organization_id: string | null;
  readonly device_id: string | null;
}

/** Finds the owners of reports, in the order of the reports. */
export type FindOwners = (
  reports: readonly { readonly routerId: string; readonly at: Date }[],
) => Promise<readonly ReportOwner[]>;

/** The messages of a batch: their ids and lines are the same each time. */
export async function messagesOf({ id, payload }: SinkBatch, findOwners: FindOwners): Promise<SinkMessage[]> {
  const reports = readRows(payload);
  const owners = await findOwners(reports.map(({ routerId, at }) => ({ routerId, at: new Date(at) })));
  const messages: SinkMessage[] = [];
  for (let start = 0; start < reports.length; start += LINES) {
    const lines = reports.slice(start, start + LINES).map(({ routerId, at, values }, index) => {
      const { serial, organization_id: organization, device_id: device } = owners[start + index]!;
      const measured = Object.fromEntries(
        readings.flatMap(({ key }, place) => (values[place] === undefined ? [] : [[key, values[place]]])),
      );
      const time = new Date(at).toISOString();
      return `${JSON.stringify({ schema: SCHEMA, id: `${id}-${start + index}`, router: routerId, serial, organization, device, at: time, readings: measured })}\n`;
    });
    messages.push({ id: `${id}-${start}`, lines: lines.join('') });
  }
  return messages;
}
