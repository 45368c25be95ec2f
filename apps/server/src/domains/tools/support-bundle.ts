import { Zip, ZipDeflate } from 'fflate';
import { mayReadPart, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { RowStreams } from '../../platform/listing/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { RouterOfDevice } from '../commands/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { bundlePartsOf, type BundlePart } from './support-bundle.queries.ts';
import type { ToolDeps } from './tool-ends.ts';

const DAY = 86_400_000;
/** Bytes that are compressed at once. */
const PIECE = 64 * 1024;

/**
 * Everything that is stored of a device of the last days, as a ZIP file that is made while it is sent; logged. Positions and the contents of
 * config files are not in it; what own role or API key of the caller do not let it read elsewhere is left out, and named.
 */
export async function openSupportBundle(
  { database, clock, streams }: Pick<ToolDeps, 'database' | 'clock'> & { readonly streams: RowStreams },
  scope: OrganizationScope,
  actor: Actor,
  { deviceId, serial }: RouterOfDevice,
  days: number,
): Promise<AsyncIterable<Uint8Array>> {
  const now = clock.now();
  await database.write(async (tx) => {
    const event = {
      action: sentence('tool.bundled', serial),
      subject: { kind: 'device', id: deviceId },
      detail: { serial, days },
    };
    await announce(tx, scope, 'tools', [deviceId]);
    await recordAudit(tx, scope.organizationId, actor, event, now);
  });
  const parts = bundlePartsOf(scope, actor, deviceId, new Date(now.getTime() - days * DAY));
  const { read = [], leftOut = [] } = Object.groupBy(parts, ({ right }) =>
    right === undefined || mayReadPart(actor, right) ? 'read' : 'leftOut',
  );
  return zipOf(read, leftOut, streams);
}

/** One file after the other, each in pieces, and one that names what was left out. */
async function* zipOf(
  parts: readonly BundlePart[],
  leftOut: readonly BundlePart[],
  streams: RowStreams,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    ready.push(piece);
  });
  const encoder = new TextEncoder();
  for (const { name, statement } of parts) {
    const file = new ZipDeflate(name);
    zip.add(file);
    let text = '';
    for await (const { line } of streams.open<{ line: string }>(statement)) {
      text += `${line}\n`;
      if (text.length < PIECE) continue;
      file.push(encoder.encode(text));
      text = '';
      yield* ready.splice(0);
    }
    file.push(encoder.encode(text), true);
    yield* ready.splice(0);
  }
  if (leftOut.length > 0) {
    const file = new ZipDeflate('left-out.txt');
    zip.add(file);
    const names = leftOut.map(({ name }) => name).join(', ');
    file.push(encoder.encode(`Left out, because the role or API key of the caller does not allow to read it: ${names}\n`), true);
  }
  zip.end();
  yield* ready;
}
