import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelState } from './model/data-model.ts';

/** Why the software starts, for its Boot! event. */
export interface BootReason {
  readonly cause: 'LocalReboot' | 'RemoteReboot' | 'LocalFactoryReset' | 'RemoteFactoryReset';
  readonly commandKey: string;
  readonly isFirmwareUpdated: boolean;
}

/** What survives a power cut. */
export interface KeptState {
  readonly model: ModelState;
  /** Written before a planned restart; a power cut leaves none. */
  readonly boot?: BootReason;
  readonly hasStalled: boolean;
}

/** An agent's folder: its state, and the files that it fetched. Each write is whole or not there. */
export class Disk {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  load(): KeptState | undefined {
    try {
      return JSON.parse(readFileSync(join(this.#folder, 'state.json'), 'utf8')) as KeptState;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  save(state: KeptState): void {
    const path = join(this.#folder, 'state.json');
    writeFileSync(`${path}.new`, JSON.stringify(state));
    renameSync(`${path}.new`, path);
  }

  /** Where a file is kept, by its name. */
  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }
}
