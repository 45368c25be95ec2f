import type { Client } from 'pg';
import { sqlState } from '../../platform/adapters/postgres/faults.ts';
import { CommandFault } from '../command.ts';

/** A process at the database, as far as its keys are concerned. */
export interface KeyNode {
  readonly id: string;
  readonly host: string | null;
  readonly version: string;
  readonly startedAt: Date;
  /** Check values. */
  readonly known: readonly string[];
  readonly sealing: string | null;
}

/**
 * A process whose lease lapsed longer ago than this writes nothing any more: PostgreSQL ends a session that stands still in a transaction
 * after 60 s.
 */
const GONE = "interval '75 seconds'";
const UNKNOWN_COLUMN = new Set(['42P01', '42703']);

/** Processes that may still write. */
export async function listNodes(client: Client): Promise<readonly KeyNode[]> {
  try {
    const { rows } = await client.query<KeyNode>(`
      select id, host, version, started_at as "startedAt", coalesce(known_keys, '{}') as known, sealing_key as sealing
      from nodes where ended_at is null and lease_until > now() - ${GONE} order by started_at, id`);
    return rows;
  } catch (error) {
    if (!UNKNOWN_COLUMN.has(sqlState(error) ?? '')) throw error;
    throw new CommandFault('This database is of an earlier version. Start a server of this version on it first.', {
      cause: error,
    });
  }
}

/** How they are named in messages: as in the log line of their start. */
export function nodeNames(nodes: readonly KeyNode[]): string {
  return nodes
    .map(
      ({ host, version, startedAt }) => `${host === null ? '' : `${host}, `}version ${version} since ${startedAt.toISOString()}`,
    )
    .join('; ');
}
