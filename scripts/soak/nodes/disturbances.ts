import { setTimeout as pause } from 'node:timers/promises';
import type { Link } from './link.ts';
import type { StormCluster, StormNode } from './cluster.ts';
import type { Versions } from './versions.ts';

export interface DisturbanceInput {
  readonly cluster: StormCluster;
  /** Of the round: each one takes another node. */
  readonly index: number;
  /** How long something is away. */
  readonly durationMs: number;
  /** Resolves when every router is connected and reads as online. */
  recovered(): Promise<void>;
}

export type DisturbanceName =
  | 'kill'
  | 'freeze'
  | 'nats'
  | 'cut-database'
  | 'cut-nats'
  | 'cut-front'
  | 'failover'
  | 'downgrade'
  | 'upgrade';

const nodeOf = ({ cluster: { nodes }, index }: Pick<DisturbanceInput, 'cluster' | 'index'>): StormNode =>
  nodes[index % nodes.length]!;

async function cut(input: DisturbanceInput, links: (node: StormNode) => readonly Link[]): Promise<void> {
  const chosen = links(nodeOf(input));
  for (const link of chosen) link.cut();
  await pause(input.durationMs);
  for (const link of chosen) link.mend();
}

/** One node after the other stops as for an upgrade, and starts with a version. */
async function roll({ cluster, recovered }: DisturbanceInput, version: keyof Versions): Promise<void> {
  for (const node of cluster.nodes) {
    if (node.version === version) continue;
    await node.server.stop();
    node.version = version;
    await node.server.start();
    await recovered();
  }
}

/** What happens to a node, or to what it needs. */
export const disturbances: Readonly<Record<DisturbanceName, (input: DisturbanceInput) => Promise<void>>> = {
  async kill(input) {
    const { server } = nodeOf(input);
    await server.kill();
    await input.recovered();
    await server.start();
  },
  async freeze(input) {
    const { server } = nodeOf(input);
    server.freeze();
    await pause(input.durationMs);
    server.resume();
  },
  async nats({ cluster: { nats }, durationMs }) {
    await nats.kill();
    await pause(durationMs);
    await nats.start();
  },
  'cut-database': (input) => cut(input, ({ toDatabase }) => toDatabase),
  'cut-nats': (input) => cut(input, ({ toNats }) => [toNats]),
  /** Routers and browsers reach a node through the proxy only. */
  'cut-front': (input) => cut(input, ({ fromFront }) => [fromFront]),
  async failover({ cluster: { database } }) {
    await database.failOver();
    await database.rebuildStandby();
  },
  /** Both versions run next to each other meanwhile; after a downgrade the version before is alone with the newer database. */
  downgrade: (input) => roll(input, 'former'),
  upgrade: (input) => roll(input, 'current'),
};
