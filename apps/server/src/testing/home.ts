import { makeMac } from '@highline/usp';
import type { Actor, MainScope, OrganizationScope } from '../kernel/scope.ts';
import type { Rooms } from './rooms.ts';

/** A main account with two organizations and signed-in users. */
export interface Home {
  readonly main: MainScope;
  readonly own: OrganizationScope;
  readonly sister: OrganizationScope;
  readonly mainPerson: Actor;
  /** The admin of the first organization; so is the user. */
  readonly admin: Actor;
  readonly user: Actor;
}

/** Create a main account 'Home' with the organizations 'Own' and 'Sister'. */
export async function openHome(rooms: Pick<Rooms, 'seeding' | 'person'>): Promise<Home> {
  const main = (await rooms.seeding.mainAccount('Home')).scope;
  const own = await rooms.seeding.organization(main, 'Own');
  const sister = await rooms.seeding.organization(main, 'Sister');
  return {
    main,
    own,
    sister,
    mainPerson: rooms.person(main, 'main'),
    admin: rooms.person(own, 'admin'),
    user: rooms.person(own, 'user'),
  };
}

export interface NewRouter {
  readonly serial: string;
  readonly mac: string;
}

/** Names of new routers, in sequence: 'SC0001', 'SC0002', … */
export function routersNamed(prefix: string): () => NewRouter {
  let count = 0;
  return () => {
    count += 1;
    return { serial: `${prefix}${String(count).padStart(4, '0')}`, mac: makeMac(count) };
  };
}

/** Properties of a device besides its router. */
export interface DeviceFacts {
  readonly group?: string;
  /** MM/DD/YYYY */
  readonly started?: string;
  readonly expired?: string;
  /** Columns that no call sets. */
  readonly columns?: Readonly<Record<string, unknown>>;
}

export interface TestDevice extends NewRouter {
  readonly id: string;
  readonly routerId: string;
}

/** Add a router to the inventory and claim it as a device of an organization. */
export async function addDevice(
  rooms: Pick<Rooms, 'seeding' | 'owner'>,
  scope: OrganizationScope,
  router: NewRouter,
  { columns = {}, ...more }: DeviceFacts = {},
): Promise<TestDevice> {
  const [registered] = await rooms.seeding.routers({ kind: 'main', mainAccountId: scope.mainAccountId }, [router]);
  const [id] = await rooms.seeding.devices(scope, [{ ...router, ...more }]);
  for (const [column, value] of Object.entries(columns))
    await rooms.owner.query(`update devices set ${column} = $2 where id = $1`, [id, value]);
  return { ...router, routerId: registered!.id, id: id! };
}
