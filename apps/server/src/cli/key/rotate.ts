import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { findFact, ROTATING, storeFact } from '../../platform/adapters/installation/facts.ts';
import { LOCK, masterKeyCheck } from '../../platform/adapters/installation/keys.ts';
import { takeAdvisoryLock } from '../../platform/adapters/postgres/advisory-lock.ts';
import { openOwned } from '../../platform/adapters/postgres/connect.ts';
import { createLog } from '../../platform/process/log.ts';
import { StartupError } from '../../platform/settings/settings-file.ts';
import { readCommandSettings } from '../../platform/settings/settings.ts';
import { CommandFault, readArguments, type Command, type Say } from '../command.ts';
import { listNodes, nodeNames, type KeyNode } from './nodes.ts';
import { resealColumn } from './reseal.ts';
import { sealedColumns } from './sealed-columns.ts';

const VARIABLE = 'HIGHLINE_MASTER_KEY_PREVIOUS';
/** Held for the whole of a rotation; a session that ends unlocks too. */
const ROTATION_LOCK = "hashtextextended('highline key rotation', 0)";
/** Pause between two looks at the processes. */
const LOOK_MS = 500;
/** Processes that do not follow within this time are named, and the rotation stops. */
const FOLLOW_MS = 180_000;

/** Replace the master key of an installation, whose processes may go on working. */
export const rotateKey: Command = {
  name: 'rotate',
  usage: '',
  summary: `Seal everything with a new master key, while processes run or not. Give each of them HIGHLINE_MASTER_KEY=<new key> and ${VARIABLE}=<key in use> and restart it; then run this with the same settings. An interrupted run continues where it stopped.`,
  async run(argv, environment, say) {
    readArguments(argv, {}, 0);
    try {
      const { database, masterKey, previousMasterKey } = readCommandSettings(environment, ['database']);
      if (previousMasterKey === undefined) throw new CommandFault(`${VARIABLE}: set it to the master key in use.`);
      const opened = await openOwned(database, 'shared', createLog('fatal'));
      try {
        await opened.withOwner((client) => rotate(client, { previous: previousMasterKey, next: masterKey }, say));
      } finally {
        await opened.close();
      }
    } catch (error) {
      if (error instanceof StartupError) throw new CommandFault(error.message, { cause: error });
      throw error;
    }
  },
};

interface Keys {
  readonly previous: KeyObject;
  readonly next: KeyObject;
}

async function rotate(client: Client, keys: Keys, say: Say): Promise<void> {
  const { rows } = await client.query<{ isMine: boolean }>(`select pg_try_advisory_lock(${ROTATION_LOCK}) as "isMine"`);
  if (!rows[0]!.isMine) throw new CommandFault('Another rotation is running on this database. Wait until it has ended.');
  // A start reads the keys under this lock, so it comes before the rotation or knows of it.
  const isBegun = await locked(client, say, () => begin(client, keys));
  await followed(client, masterKeyCheck(keys.next), say);
  let sealed = 0;
  for (const column of sealedColumns) sealed += await resealColumn(client, column, keys, say);
  if (!isBegun) {
    say(`HIGHLINE_MASTER_KEY is the key of this database already; ${sealed} values were left, and are sealed with it now.`);
    return;
  }
  await locked(client, say, async () => {
    await client.query('begin');
    await storeFact(client, 'master_key_check', masterKeyCheck(keys.next));
    await client.query('delete from installation where key = $1', [ROTATING]);
    await client.query('commit');
  });
  say(`The new master key is in use. Restart the processes without ${VARIABLE}, but keep that key: earlier backups need it.`);
}

async function locked<T>(client: Client, say: Say, work: () => Promise<T>): Promise<T> {
  const warn = (fields: object, sentence: string) => say(`${sentence} ${JSON.stringify(fields)}`);
  await takeAdvisoryLock(client, LOCK, { warn }, 'Waiting for a process that starts and opens the keys of the installation:');
  try {
    return await work();
  } finally {
    await client.query(`select pg_advisory_unlock(${LOCK})`);
  }
}

/**
 * Note which key is coming: from now on processes seal with it, and one that does not know both keys does not start.
 * @returns false when the key is in use already, so that there is nothing to note
 */
async function begin(client: Client, { previous, next }: Keys): Promise<boolean> {
  const [from, to] = [masterKeyCheck(previous), masterKeyCheck(next)];
  const check = await findFact(client, 'master_key_check');
  const begun = await findFact(client, ROTATING);
  if (begun === undefined && check === to) return false;
  if (check !== from) throw new CommandFault(`${VARIABLE} is not the key of this database.`);
  if (begun !== undefined && begun !== to)
    throw new CommandFault('A rotation to another key was started. Finish it with that key as HIGHLINE_MASTER_KEY first.');
  const lacking = (await listNodes(client)).filter(({ known }) => !known.includes(from) || !known.includes(to));
  if (begun === undefined && lacking.length > 0)
    throw new CommandFault(
      `Processes do not have both keys: ${nodeNames(lacking)}. Restart each with HIGHLINE_MASTER_KEY set to the new key and ${VARIABLE} to the one in use, or stop it. Nothing was changed.`,
    );
  await storeFact(client, ROTATING, to);
  return true;
}

/** Wait until every process seals with the new key only, and has ended what it began before. */
async function followed(client: Client, check: string, say: Say): Promise<void> {
  const deadline = performance.now() + FOLLOW_MS;
  let said = '';
  for (;;) {
    const others: readonly KeyNode[] = (await listNodes(client)).filter(({ sealing }) => sealing !== check);
    if (others.length === 0) return;
    const names = nodeNames(others);
    if (names !== said) say(`Waiting for ${names} to seal with the new key.`);
    said = names;
    if (performance.now() > deadline)
      throw new CommandFault(
        `These processes do not seal with the new key: ${names}. Restart or stop them, and run the command again; no value was sealed again yet.`,
      );
    await pause(LOOK_MS);
  }
}
