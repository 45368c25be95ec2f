import { MOST_REDIRECTS, redirectTarget } from './redirect.ts';

/** Where the directory of a cloud sent this router: origins of the configured address and of the cell. */
export type StoredCell = { home: string; origin: string };

/** Keeps the cell over restarts. */
export type CellMemory = { read(): StoredCell | null; write(cell: StoredCell | null): void };

/**
 * Chooses between the configured address and the cell that its server redirected to. The cell is stored until it rejects the
 * router; while it cannot be reached, attempts alternate between the two, so that neither has to be there for the other.
 */
export class CellAddress {
  readonly #memory: CellMemory;
  #attempt: { home: string; url: string } = { home: '', url: '' };
  #tryHome = false;
  #redirects = 0;

  constructor(memory: CellMemory) {
    this.#memory = memory;
  }

  /** The address of the next attempt. @param home the configured one, with the secret in its path */
  next(home: string): string {
    const cell = this.#memory.read();
    const isKnown = cell !== null && cell.home === new URL(home).origin;
    const url = isKnown && !this.#tryHome ? moved(home, cell.origin) : home;
    this.#attempt = { home, url };
    return url;
  }

  /** The address in use. */
  get current(): string {
    return this.#attempt.url;
  }

  /** The attempt became a connection. */
  opened(): void {
    this.#redirects = 0;
    this.#tryHome = false;
    if (this.#attempt.url === this.#attempt.home && this.#memory.read() !== null) this.#memory.write(null);
  }

  /** The attempt did not become a connection. @param rejected the server does not know this router */
  failed(rejected: boolean): void {
    this.#redirects = 0;
    if (this.#attempt.url === this.#attempt.home) this.#tryHome = false;
    else if (rejected) this.#memory.write(null);
    else this.#tryHome = true;
  }

  /**
   * The attempt was answered with a redirect: the next one goes there, to the same path.
   * @throws Error that says why it is not followed
   */
  redirected(location: string | undefined): void {
    const from = new URL(this.#attempt.url);
    const to = redirectTarget(location, from);
    if (to.pathname !== from.pathname || to.search !== from.search) throw new Error('a redirect to another path');
    if (++this.#redirects > MOST_REDIRECTS) throw new Error(`more than ${MOST_REDIRECTS} redirects`);
    this.#memory.write({ home: new URL(this.#attempt.home).origin, origin: to.origin });
    this.#tryHome = false;
  }
}

function moved(home: string, origin: string): string {
  const { pathname, search } = new URL(home);
  return `${origin}${pathname}${search}`;
}
