import { isoFromDay } from '../../../ui/time/format.ts';

/** A router of the stock that the new organization will get. */
export interface StockRouter {
  readonly id: string;
  readonly serial_number: string;
  readonly mac: string;
  readonly model: string;
}

/** The chosen routers, and the first and the last day of their subscriptions (MM/DD/YYYY, or both empty). */
export interface StockChoice {
  readonly routers: readonly StockRouter[];
  readonly started: string;
  readonly expired: string;
}

/** The most routers that are chosen one by one; of more, a CSV names them. */
export const MOST_CHOSEN = 1_000;

export const nothingChosen: StockChoice = { routers: [], started: '', expired: '' };

/** What is wrong with the two days: only one of them is given, or they are in the wrong order. */
export type DayProblem = 'incomplete' | 'reversed';

/** Both days or none; without days the devices have no subscription. */
export function dayProblem({ started, expired }: Pick<StockChoice, 'started' | 'expired'>): DayProblem | undefined {
  const [first, last] = [isoFromDay(started), isoFromDay(expired)];
  if ((first === '') !== (last === '')) return 'incomplete';
  return first !== '' && last < first ? 'reversed' : undefined;
}

/** The file that the wizard sends for chosen routers: the same call as for a file of the user, with the same rules and report. */
export function stockFile({ routers, started, expired }: StockChoice): File {
  const rows = routers.map(({ serial_number: serial, mac }) => [serial, mac, started, expired]);
  const text = [['SN', 'MAC', 'Start Date', 'Expiry Date'], ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
  return new File([text], 'stock.csv', { type: 'text/csv' });
}

const isText = (value: unknown): value is string => typeof value === 'string';

function isRouter(value: unknown): value is StockRouter {
  if (typeof value !== 'object' || value === null) return false;
  const { id, serial_number, mac, model } = value as Readonly<Record<keyof StockRouter, unknown>>;
  return [id, serial_number, mac, model].every(isText);
}

/** A choice found in the browser's storage; undefined for anything else. */
export function parseChoice(stored: unknown): StockChoice | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { routers, started, expired } = stored as Readonly<Record<keyof StockChoice, unknown>>;
  if (!Array.isArray(routers) || !isText(started) || !isText(expired)) return undefined;
  return routers.length <= MOST_CHOSEN && routers.every(isRouter) ? { routers, started, expired } : undefined;
}
