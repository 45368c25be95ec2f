import { linkRights, links as calls, type Right } from '@highline/contract';
import { DomainError, networkOf, type Actor } from '../../kernel/index.ts';
import { workWithin } from '../../platform/calls/index.ts';
import { JsonText } from '../../platform/calls/json-text.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { countTry, type Allowed } from '../accounts/index.ts';
import { countOpenings, endByItself } from './links.store.ts';
import { findLinkByToken, findShown, listShown, scopeOf, type FoundLink, type ShownVehicle } from './shown.queries.ts';
import { hashToken } from './token.ts';

export interface OpenLinksDeps extends Pick<Deps, 'database' | 'reader' | 'clock'> {
  /** What the maker of a link may do now; a link shows no more. */
  readonly findAllowed: (actor: Actor, right: Right) => Promise<Allowed | undefined>;
}

/** Answers the pages of links (RPM-06). */
export interface OpenLinks {
  /** @throws DomainError `link.not_found`, `link.over`, and `account.too_many_tries` for a network that guesses */
  open(token: string, isFirst: boolean, address: string): Promise<JsonText>;
  /** Whether a token is that of a live link. */
  isLive(token: string): Promise<boolean>;
  /** Why a link that has not ended must end now; undefined = it goes on. */
  findEnd(link: FoundLink): Promise<calls.LinkEnd | undefined>;
  /** Write the openings that wait. */
  flush(): Promise<void>;
}

/** An answer is used again for so long: a page that is opened ten thousand times is read once in this time. */
const FRESH_MS = 3_000;
const MOST_CACHED = 200;
/** Openings of a link are written at most this often. */
const COUNT_MS = 5_000;
/** Wrong tokens of a network. */
const GUESSES = { name: 'link-guesses', hits: 30, seconds: 900 };
const TOKEN = /^[\w-]+$/u;

interface Answer {
  readonly link: FoundLink;
  readonly text: JsonText;
}

interface Shown {
  /** '' for a vehicle without a number. */
  readonly name: string;
  list(): Promise<ShownVehicle[]>;
}

interface Waiting {
  readonly link: FoundLink;
  count: number;
  /** Epoch milliseconds of the last write. */
  written: number;
}

export function createOpenLinks({ database, reader, clock, findAllowed }: OpenLinksDeps): OpenLinks {
  const answers = new Map<string, { readonly until: number; readonly answer: Promise<Answer | undefined> }>();
  const waiting = new Map<string, Waiting>();

  /** What a link shows, as its maker sees it now; or why it ends. */
  const show = async (link: FoundLink): Promise<Shown | calls.LinkEnd> => {
    if (link.expires_at <= clock.now()) return 'expired';
    const shown = linkRights({ isGroup: link.device_id === null, showsNames: link.shows_names });
    const allowed = await Promise.all([calls.createLink, ...shown].map((right) => findAllowed(link.author, right)));
    if (allowed.includes(undefined)) return 'maker';
    const limit = allowed[0]?.limit;
    const name = await workWithin(limit, () => findShown(reader, scopeOf(link), link));
    return name === undefined ? 'gone' : { name, list: () => workWithin(limit, () => listShown(reader, scopeOf(link), link)) };
  };

  const findEnd = async (link: FoundLink): Promise<calls.LinkEnd | undefined> => {
    const shown = await show(link);
    return typeof shown === 'string' ? shown : undefined;
  };

  /** Undefined: there is no such link. @throws DomainError `link.over` */
  const read = async (tokenHash: Buffer): Promise<Answer | undefined> => {
    const link = await findLinkByToken(reader, tokenHash);
    if (link === undefined) return undefined;
    if (link.ended_at !== null) throw new DomainError('link.over');
    const shown = await show(link);
    if (typeof shown === 'string') {
      await database.write((tx) => endByItself(tx, scopeOf(link), link.id, shown, clock.now()));
      throw new DomainError('link.over');
    }
    const { name } = shown;
    const found = await shown.list();
    const vehicles = found
      .slice(0, calls.MOST_SHOWN)
      .map(({ vehicle_number: vehicle, latitude, longitude, at }): calls.SharedVehicle => [
        link.shows_names && vehicle !== '' ? vehicle : null,
        rounded(latitude),
        rounded(longitude),
        at,
      ]);
    const result: calls.OpenedLink = {
      name: link.shows_names && name !== '' ? name : null,
      until: link.expires_at.toISOString(),
      vehicles,
      isCut: found.length > calls.MOST_SHOWN,
    };
    return { link, text: new JsonText(JSON.stringify({ result })) };
  };

  /** One read for all that ask within some seconds, also for a link that is over; of one that does not exist, nothing is kept. */
  const cached = async (token: string): Promise<Answer | undefined> => {
    if (token.length !== calls.TOKEN_LENGTH || !TOKEN.test(token)) return undefined;
    const tokenHash = hashToken(token);
    const key = tokenHash.toString('base64url');
    const now = clock.now().getTime();
    const known = answers.get(key);
    if (known !== undefined && known.until > now) return known.answer;
    const answer = read(tokenHash);
    answers.delete(key);
    answers.set(key, { until: now + FRESH_MS, answer });
    if (answers.size > MOST_CACHED) answers.delete(answers.keys().next().value!);
    try {
      const found = await answer;
      if (found === undefined) answers.delete(key);
      return found;
    } catch (error) {
      if (!(error instanceof DomainError)) answers.delete(key);
      throw error;
    }
  };

  const write = async (entry: Waiting): Promise<void> => {
    const { link, count } = entry;
    if (count === 0) return;
    entry.count = 0;
    await countOpenings(database, scopeOf(link), link.id, count, clock.now());
  };

  const count = async (link: FoundLink, openings: number): Promise<void> => {
    const now = clock.now().getTime();
    const entry = waiting.get(link.id) ?? { link, count: 0, written: 0 };
    entry.count += openings;
    if (entry.count === 0) return;
    waiting.set(link.id, entry);
    if (now - entry.written < COUNT_MS) return;
    entry.written = now;
    await write(entry);
  };

  const flush = async (): Promise<void> => {
    for (const [id, entry] of waiting) {
      await write(entry);
      waiting.delete(id);
    }
  };

  return {
    async open(token, isFirst, address) {
      const found = await cached(token);
      if (found === undefined) {
        await countTry(database, GUESSES, networkOf(address), clock.now());
        throw new DomainError('link.not_found');
      }
      await count(found.link, isFirst ? 1 : 0);
      return found.text;
    },
    async isLive(token) {
      try {
        return (await cached(token)) !== undefined;
      } catch (error) {
        if (error instanceof DomainError) return false;
        throw error;
      }
    },
    findEnd,
    flush,
  };
}

/** About a metre. */
const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
