import { makeMac } from '@highline/usp';
import type { Actor, MainScope, OrganizationScope } from '../kernel/scope.ts';
import type { TestApp } from './test-app.ts';

/** A main account with two organizations and signed-in users. */
export interface Home {
  readonly main: MainScope;
  readonly own: OrganizationScope;
  readonly sibling: OrganizationScope;
  readonly mainPerson: Actor;
  /** The admin of the first organization; so is the user. */
  readonly admin: Actor;
  readonly user: Actor;
}

/** Create a main account 'Home' with the organizations 'Own' and 'Sibling'. */
export async function openHome(app: Pick<TestApp, 'seeding' | 'person'>): Promise<Home> {
  const main = (await app.seeding.mainAccount('Home')).scope;
  const own = await app.seeding.organization(main, 'Own');
  const sibling = await app.seeding.organization(main, 'Sibling');
  return {
    main,
    own,
    sibling,
    mainPerson: app.person(main, 'main'),
    admin: app.person(own, 'admin'),
    user: app.person(own, 'user'),
  };
}

export interface HomeRouter {
  readonly serial: string;
  readonly mac: string;
}

/** Names of new routers, in sequence: 'SC0001', 'SC0002', … */
export function routersNamed(prefix: string): () => HomeRouter {
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

export interface TestDevice extends HomeRouter {
  readonly id: string;
  readonly routerId: string;
}

/** Add a router to the inventory and claim it as a device of an organization. */
export async function addDevice(
  app: Pick<TestApp, 'seeding' | 'owner'>,
  scope: OrganizationScope,
  router: HomeRouter,
  { columns = {}, ...more }: DeviceFacts = {},
): Promise<TestDevice> {
  const [registered] = await app.seeding.routers({ kind: 'main', mainAccountId: scope.mainAccountId }, [router]);
  const [id] = await app.seeding.devices(scope, [{ ...router, ...more }]);
  for (const [column, value] of Object.entries(columns))
    await app.owner.query(`update devices set ${column} = $2 where id = $1`, [id, value]);
  return { ...router, routerId: registered!.id, id: id! };
}
