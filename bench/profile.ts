import { Session } from 'node:inspector/promises';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** What the processor was used for, by the code that used it or that caused it. The first kind whose pattern is in a file's address counts. */
const KINDS: readonly (readonly [kind: string, of: RegExp])[] = [
  ['PIDF-LO', /pidf-lo|fast-xml-parser/u],
  ['PostgreSQL', /node_modules\/(?:pg|pg-[a-z-]+|kysely|postgres-[a-z]+)\/|adapters\/database|copy-rows/u],
  ['USP', /node_modules\/protobufjs\/|packages\/usp\/|sanitize-message/u],
  ['repeated notifications', /seen-notifications/u],
  ['alerts, geofences, coverage', /domains\/(?:alerts|geofences|coverage)\//u],
  ['positions', /domains\/positions\//u],
  ['data used', /domains\/usage\//u],
  ['readings', /router-state\/(?:ingest|telemetry)\//u],
  ['connections', /transport\/usp\/|router-state\/connection\/|node_modules\/ws\//u],
  ['events and jobs', /platform\/(?:outbox|jobs|nodes|engine)\/|domains\//u],
];
/** Functions of V8 and Node outside of any code. */
const IDLE = '(idle)';
const COLLECTION = '(garbage collector)';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: number[] | undefined;
}

/** Share of the busy time of this process by kind, over so long. @param file also write the whole profile there */
export async function profileShares(milliseconds: number, file?: string): Promise<Record<string, number>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  await pause(milliseconds);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  if (file !== undefined) writeFileSync(file, JSON.stringify(profile));
  return sharesOf(profile.nodes, profile.samples ?? []);
}

function sharesOf(nodes: readonly ProfileNode[], samples: readonly number[]): Record<string, number> {
  const parents = new Map<number, ProfileNode>();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);
  const kinds = new Map(nodes.map((node) => [node.id, kindOf(node, parents)]));
  const counts = new Map<string, number>();
  let busy = 0;
  for (const id of samples) {
    const kind = kinds.get(id) ?? 'other';
    if (kind === IDLE) continue;
    busy += 1;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const shares = Array.from(counts, ([kind, count]) => [kind, count / busy] as const);
  return Object.fromEntries(shares.toSorted(([, a], [, b]) => b - a));
}

/** That of the function, else of the nearest caller that has one. */
function kindOf(node: ProfileNode, parents: ReadonlyMap<number, ProfileNode>): string {
  const { functionName } = node.callFrame;
  if (functionName === IDLE) return IDLE;
  if (functionName === COLLECTION) return 'garbage collection';
  for (let each: ProfileNode | undefined = node; each !== undefined; each = parents.get(each.id)) {
    const { url } = each.callFrame;
    const kind = KINDS.find(([, of]) => of.test(url));
    if (kind !== undefined) return kind[0];
  }
  return 'other';
}
