import { search as contract } from '@highline/contract';
import type { Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { shareWithin, type Pair, type Run } from './compare.ts';
import { DEVICES, seedDevices, type BigOrganization } from './devices.seed.ts';
import { options } from './options.ts';
import { whole } from './table.ts';

const count = options.devices ?? DEVICES;
const numbers = new Set(['iccid', 'imei', 'mtn']);

type Known = Readonly<Record<'serial' | 'vehicle' | 'iccid' | 'imei' | 'mtn', string>>;

/** The search of the palette over real HTTP, alternating with raw SQL that searches the one column in which the text is (BLK-04). */
export function benchPalette(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: `bench_devices_${count}`,
    seed: (database) => database.seeded(() => seedDevices(database, count)),
    title: `Palette, ${whole(count)} devices in one organization`,
    rounds: 60,
    async pairs(run) {
      const { owner, seeding } = run.database;
      const { mainAccountId, organizationId, adminId } = run.seeded;
      const main = await seeding.account({ kind: 'main', mainAccountId }, `palette-${Date.now()}@bench.example`, 'main');
      await owner.query('vacuum analyze device_identifiers');
      const { rows } = await owner.query<Known>(
        'select serial, vehicle_number as vehicle, iccid, imei, mtn from devices where organization_id = $1 order by id limit 300',
        [organizationId],
      );
      const [asAdmin, asMain] = [await seeding.bearer(adminId), await seeding.bearer(main)];
      return [...pairsOf(run, 'admin', asAdmin, rows), ...pairsOf(run, 'main account', asMain, rows)];
    },
  });
}

function pairsOf({ raw, clientOf, seeded }: Run<BigOrganization>, who: string, bearer: string, known: readonly Known[]): Pair[] {
  const client = clientOf(bearer);
  // The first rows of one column that match.
  const find = (column: string, text: string) =>
    raw([
      numbers.has(column)
        ? `select d.id, d.serial, d.vehicle_number from device_identifiers i join devices d on d.organization_id = i.organization_id and d.id = i.device_id
           where i.organization_id = $1 and i.value like $2 limit 5`
        : `select id, serial, vehicle_number from devices where organization_id = $1 and archived_at is null and ${column} ilike $2 limit 5`,
      [seeded.organizationId, text],
    ]);
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
    const text = (round: number) => textOf(round, known[round % known.length]!);
    return {
      name: `${who}: ${name}`,
      aim: shareWithin(0.95, 50),
      warmUp: 5,
      ours: (round) => client.get(contract.find.path, { text: text(round) }),
      raw: (round) => find(column, pattern(text(round))),
    };
  });
}
