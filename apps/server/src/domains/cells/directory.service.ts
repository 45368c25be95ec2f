import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { DomainError } from '../../kernel/failure.ts';
import type { Database } from '../../platform/ports/database.ts';
import { dropUnseen, findCell, putNames, removeNames } from './directory.store.ts';
import { directoryMessages, emailName, secretName, type CellKeys, type CellName, type DirectoryMessage } from './names.ts';

export interface DirectoryDeps {
  readonly database: Pick<Database, 'read' | 'write'>;
  readonly keys: CellKeys;
  /** Origin of each cell by its name. */
  readonly cells: ReadonlyMap<string, string>;
}

/** Which cell people and routers belong to. */
export interface Directory {
  /** Origin of the cell of an e-mail address; an unknown address has one too, always the same. */
  cellOfEmail(email: string): Promise<string>;
  /** Origin of the cell of a router's secret; undefined = unknown. */
  cellOfSecret(secret: string): Promise<string | undefined>;
  /** Origin of the cell of an endpoint id; an unknown one has one too: an endpoint id is not a secret. */
  cellOfEndpoint(endpointId: string): Promise<string>;
  /** @throws DomainError when the bearer is not that of a cell of this name */
  checkCell(cell: string, bearer: string): void;
  /** Answer a message of a cell that was checked. @throws DomainError when the body is invalid */
  respond(cell: string, message: string, body: unknown): Promise<object>;
}

/** Deleted in one statement at the end of a pass. */
const BATCH = 5_000;
/** A name may be claimed a while before its transaction commits. */
const CLAIM_MS = 3_600_000;

class Taken extends Error {
  readonly names: Awaited<ReturnType<typeof putNames>>;
  constructor(names: Taken['names']) {
    super('taken');
    this.names = names;
  }
}

export function createDirectory({ database, keys, cells }: DirectoryDeps): Directory {
  const originOf = async (name: CellName) => {
    const cell = await findCell(database.read, keys.hash(name));
    return cell === undefined ? undefined : cells.get(cell);
  };
  const originOfAny = async (name: CellName) => (await originOf(name)) ?? anyOrigin(keys, cells, name);
  const handlers = createHandlers(database);
  return {
    cellOfEmail: (email) => originOfAny(emailName(email)),
    cellOfSecret: (secret) => originOf(secretName(secret)),
    cellOfEndpoint: (endpointId) => originOfAny({ kind: 'endpoint', name: endpointId }),
    checkCell(cell, bearer) {
      const expected = Buffer.from(keys.bearerOf(cell));
      const given = Buffer.from(bearer);
      if (given.length !== expected.length || !timingSafeEqual(given, expected) || !cells.has(cell))
        throw new DomainError('permission.denied', {
          message: 'The directory does not know this cell. Compare CELLS and CELLS_KEY with those of the cell.',
        });
    },
    async respond(cell, message, body) {
      if (!Object.hasOwn(directoryMessages, message)) throw new DomainError('not_found');
      return handlers[message as DirectoryMessage](cell, body);
    },
  };
}

/**
 * The cell that an unknown name leads to: the one with the greatest hash, so that a new cell changes the responses of few names, and
 * no response reveals whether a name is known.
 */
function anyOrigin(keys: CellKeys, cells: ReadonlyMap<string, string>, { kind, name }: CellName): string {
  const ranked = [...cells].map(([cell, origin]) => ({ origin, rank: keys.hash({ kind, name: `${cell}\0${name}` }).hash }));
  const [first] = ranked.toSorted((a, b) => (a.rank < b.rank ? 1 : -1));
  return first!.origin;
}

type Handler = (cell: string, body: unknown) => Promise<object>;

function createHandlers(database: DirectoryDeps['database']): Record<DirectoryMessage, Handler> {
  return {
    async claim(cell, body) {
      const { names } = parse('claim', body);
      try {
        await database.write(async (tx) => {
          const taken = await putNames(tx, cell, names);
          if (taken.length > 0) throw new Taken(taken);
        });
        return { taken: [] };
      } catch (error) {
        if (error instanceof Taken) return { taken: error.names };
        throw error;
      }
    },
    async update(cell, body) {
      const { add, remove } = parse('update', body);
      return database.write(async (tx) => {
        await removeNames(tx, cell, remove);
        return { taken: await putNames(tx, cell, add) };
      });
    },
    async begin(_cell, body) {
      parse('begin', body);
      const { rows } = await sql<{ at: Date }>`select now() as at`.execute(database.read);
      return { at: rows[0]!.at.toISOString() };
    },
    async end(cell, body) {
      const before = new Date(Date.parse(parse('end', body).began) - CLAIM_MS);
      let dropped = 0;
      for (let last = BATCH; last === BATCH; dropped += last)
        last = await database.write((tx) => dropUnseen(tx, cell, before, BATCH));
      return { dropped };
    },
  };
}

function parse<Message extends DirectoryMessage>(message: Message, body: unknown) {
  const parsed = directoryMessages[message].body.safeParse(body);
  if (!parsed.success) throw new DomainError('request.invalid', { message: 'The message of the cell is invalid.' });
  return parsed.data as ReturnType<(typeof directoryMessages)[Message]['body']['parse']>;
}
