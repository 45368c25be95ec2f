import { search as contract } from '@highline/contract';
import { startHighline, type Cluster } from './cluster.ts';
import { comparePairs, draws, printLists, type Aim, type Pair } from './compare.ts';
import { DEVICES, seedDevices } from './devices.seed.ts';
import { createHttpClient } from './http-client.ts';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { openRaw } from './raw.ts';

const ROUNDS = 60;
const MOST_MS = 50;
const count = options.devices ?? DEVICES;

/** The 95th percentile of each pair, in their order. */
const measured: number[] = [];

const p95: Aim = {
  text: `p95 ≤ ${MOST_MS} ms`,
  isMet({ ours }) {
    const ms = percentile(ours, 0.95);
    measured.push(ms);
    return ms <= MOST_MS;
  },
};

/** What raw SQL looks for: the first rows of one column that match. */
type RawSearch = (column: string, text: string) => Promise<unknown>;

/** The search of the palette over real HTTP, alternating with raw SQL that searches the one column in which the text is (BLK-04). */
export async function benchPalette(cluster: Cluster): Promise<void> {
  const database = await cluster.open(`bench_devices_${count}`);
  const organization = await database.seeded(() => seedDevices(database, count));
  const main = await database.seeding.account(
    { kind: 'main', mainAccountId: organization.mainAccountId },
    `palette-${Date.now()}@bench.example`,
    'main',
  );
  await database.owner.query('vacuum analyze device_identifiers');
  const server = await startHighline(cluster, database);
  const raw = await openRaw(database.serveUrl);
  const clients = {
    admin: createHttpClient(server.url, await database.seeding.bearer(organization.adminId)),
    'main account': createHttpClient(server.url, await database.seeding.bearer(main)),
  };
  const numbers = new Set(['iccid', 'imei', 'mtn']);
  const find: RawSearch = (column, text) =>
    raw.first.query({
      text: numbers.has(column)
        ? `select d.id, d.serial, d.vehicle_number from device_identifiers i join devices d on d.organization_id = i.organization_id and d.id = i.device_id
           where i.organization_id = $1 and i.value like $2 limit 5`
        : `select id, serial, vehicle_number from devices where organization_id = $1 and archived_at is null and ${column} ilike $2 limit 5`,
      values: [organization.organizationId, text],
    });
  const { rows: known } = await database.owner.query<Known>(
    'select serial, vehicle_number as vehicle, iccid, imei, mtn from devices where organization_id = $1 order by id limit 300',
    [organization.organizationId],
  );
  const figuresOf = Object.entries(clients).flatMap(([name, client]) =>
    pairs(name, (text) => client.get(contract.find.path, { text }), find, known),
  );
  const { figures, used } = await comparePairs(figuresOf, ROUNDS, cluster, server);
  printLists(
    `Palette, ${count.toLocaleString('en')} devices in one organization`,
    String(ROUNDS),
    figures,
    `p95 in ms, from the first to the last: ${measured.map((ms) => ms.toFixed(1)).join(', ')}`,
    used,
  );
  for (const client of Object.values(clients)) client.close();
  await raw.close();
  await server.stop();
  await database.close();
}

type Known = Readonly<Record<'serial' | 'vehicle' | 'iccid' | 'imei' | 'mtn', string>>;

function pairs(who: string, ask: (text: string) => Promise<unknown>, find: RawSearch, known: readonly Known[]): Pair[] {
  const texts: readonly (readonly [
    name: string,
    column: string,
    textOf: (round: number, device: Known) => string,
    pattern: (text: string) => string,
  ])[] = [
    ['1 character', 'vehicle_number', (round) => 'btmev0123456789hx'.charAt(round % 17), (text) => `${text}%`],
    [
      '2 characters',
      'vehicle_number',
      (round) => `${'btmev1h'.charAt(round % 7)}${'uan0e'.charAt(round % 5)}`,
      (text) => `${text}%`,
    ],
    ['a vehicle, in capitals', 'vehicle_number', (_, { vehicle }) => vehicle.toUpperCase(), (text) => `${text}%`],
    [
      'the number of a vehicle',
      'vehicle_number',
      (_, { vehicle }) => vehicle.split(' ')[1]!.padStart(3, ' '),
      (text) => `%${text}%`,
    ],
    ['a serial number, in lower case', 'serial', (_, { serial }) => serial.toLowerCase(), (text) => text],
    ['3 digits of serial numbers', 'serial', (round) => String((round * 7919) % 1000).padStart(3, '0'), (text) => `%${text}%`],
    ['an ICCID', 'iccid', (_, { iccid }) => iccid, (text) => text],
    ['the last 6 digits of an IMEI', 'imei', (_, { imei }) => imei.slice(-6), (text) => `%${text}`],
    ['an MTN', 'mtn', (_, { mtn }) => mtn, (text) => text],
    ['a text that nothing has', 'vehicle_number', (round) => `zq${round}x`, (text) => `%${text}%`],
  ];
  return texts.map(([name, column, textOf, pattern]) => {
    const text = draws((round) => textOf(round, known[round % known.length]!));
    return {
      name: `${who}: ${name}`,
      aim: p95,
      warmUp: 5,
      ours: () => ask(text.ours()),
      raw: () => find(column, pattern(text.raw())),
    };
  });
}
