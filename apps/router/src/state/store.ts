import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../log.ts';
import { readIfExists, writeDurably } from '../platform/files.ts';
import { type RouterState, parseState } from './state.ts';

/**
 * Holds a router's state. `commit` returns when the state is durable, so a response sent afterwards survives a power cut; when it
 * throws, the old state is kept.
 */
export type StateStore = {
  current(): RouterState;
  /** @throws Error when the state could not be written */
  commit(next: RouterState): void;
};

/** State in memory: load-test fleets, tests. */
export function createMemoryStore(initial: RouterState): StateStore {
  let state = initial;
  return {
    current: () => state,
    commit(next) {
      state = next;
    },
  };
}

/**
 * State in one JSON file, which holds the old or the new state after a crash. Writing is deliberately synchronous: nothing else may
 * happen before the state is durable. An invalid file (torn by unreliable storage, edited, from a newer version) is renamed to
 * `<file>.unreadable` and the router starts from the state before it, in `<file>.old`, or from `factory`, with a warning.
 */
export function openFileStore(file: string, factory: RouterState, log: Log): StateStore {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  let state = readState(file, log) ?? readState(formerOf(file), log) ?? factory;
  return {
    current: () => state,
    commit(next) {
      writeDurably(file, JSON.stringify(next), formerOf(file));
      state = next;
    },
  };
}

function readState(file: string, log: Log): RouterState | undefined {
  const text = readIfExists(file);
  if (text === undefined) return undefined;
  try {
    return parseState(text);
  } catch (error) {
    renameSync(file, `${file}.unreadable`);
    const action = existsSync(formerOf(file)) ? 'starting from the state before it' : 'starting from factory defaults';
    log('warn', 'state.unreadable', { file, reason: String(error), action });
    return undefined;
  }
}

function formerOf(file: string): string {
  return `${file}.old`;
}
