import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelState } from './model/data-model.ts';

/** Cause of a start, for its Boot! event. */
export interface BootReason {
  readonly cause: 'LocalReboot' | 'RemoteReboot' | 'LocalFactoryReset' | 'RemoteFactoryReset';
  readonly commandKey: string;
  readonly isFirmwareUpdated: boolean;
}

/** State that survives a power cut. */
export interface KeptState {
  readonly model: ModelState;
  /** Written before a planned restart; absent after a power cut. */
  readonly boot?: BootReason;
  readonly hasStalled: boolean;
}

/** An agent's folder: its state, and the downloaded files. Each write is atomic. */
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

  /** Path of a file by its name. */
  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }
}
