import type { ObjectDef, RouterView } from '../definition.ts';
import { addressFault, alias, atMost, between, flag, oneOf, setting, text, toggle } from '../params.ts';

export const MAPPINGS = 'Device.NAT.PortMapping.';
const RULES = 'Device.Firewall.Chain.1.Rule.';

const port = setting('PARAM_UNSIGNED_INT', '0', between(0, 65_535));
const address = setting('PARAM_STRING', '', addressFault);

/** Ports of the router that lead to a device of the vehicle's network. */
const mapping: ObjectDef = {
  path: `${MAPPINGS}{i}.`,
  table: { grows: { max: 64 }, uniqueKeys: [['Alias'], ['ExternalPort', 'Protocol']] },
  params: {
    Alias: alias,
    Enable: toggle(false),
    Status: text((router, [id]) => {
      const found = mappingsOf(router).find((each) => each.id === id);
      if (found === undefined) return 'Disabled';
      return router.forwards(found.externalPort, found.protocol) ? 'Enabled' : 'Error';
    }),
    AllInterfaces: flag(() => true),
    ExternalPort: port,
    Protocol: setting('PARAM_STRING', 'TCP', oneOf('TCP', 'UDP')),
    InternalClient: address,
    InternalPort: port,
    Description: setting('PARAM_STRING', '', atMost(256)),
  },
};

/** A port mapping that is enabled and whole. */
export type Mapping = {
  id: number;
  externalPort: number;
  protocol: 'TCP' | 'UDP';
  client: string;
  clientPort: number;
};

/** Port mappings that count, by their numbers. */
export function mappingsOf(router: Pick<RouterView, 'row' | 'rowPaths'>): Mapping[] {
  return rowsBelow(router, MAPPINGS).flatMap(({ id, row }) => {
    const [externalPort, clientPort] = [Number(row['ExternalPort'] ?? 0), Number(row['InternalPort'] ?? 0)];
    const client = row['InternalClient'] ?? '';
    if (row['Enable'] !== 'true' || !isPort(externalPort) || !isPort(clientPort) || client === '') return [];
    return [{ id, externalPort, clientPort, client, protocol: row['Protocol'] === 'UDP' ? ('UDP' as const) : ('TCP' as const) }];
  });
}

/** Rows of a backup that an older version restored were not checked. */
function isPort(number: number): boolean {
  return Number.isInteger(number) && number > 0 && number <= 65_535;
}

function rowsBelow({ row, rowPaths }: Pick<RouterView, 'row' | 'rowPaths'>, table: string) {
  const found = rowPaths().flatMap((path) => {
    const id = path.startsWith(table) ? Number(path.slice(table.length, -1)) : Number.NaN;
    return Number.isInteger(id) ? [{ id, row: row(path) ?? {} }] : [];
  });
  return found.sort((a, b) => a.id - b.id);
}

const firewall: ObjectDef = { path: 'Device.Firewall.', params: { Enable: toggle(true) } };
const chain: ObjectDef = {
  path: 'Device.Firewall.Chain.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias']] },
  params: { Alias: alias, Enable: flag(() => true), Name: text(() => 'outbound') },
};

/** Rules on what the router sends, in their order; what no rule matches passes. */
const rule: ObjectDef = {
  path: 'Device.Firewall.Chain.{i}.Rule.{i}.',
  table: { grows: { max: 64 }, uniqueKeys: [['Alias']] },
  params: {
    Alias: alias,
    Enable: toggle(false),
    Order: setting('PARAM_UNSIGNED_INT', '1', between(1, 999)),
    Description: setting('PARAM_STRING', '', atMost(256)),
    Target: setting('PARAM_STRING', 'Drop', oneOf('Accept', 'Drop', 'Reject')),
    Protocol: setting('PARAM_INT', '-1', between(-1, 255)),
    SourceIP: address,
    SourceMask: address,
    DestIP: address,
    DestMask: address,
    DestPort: setting('PARAM_INT', '-1', between(-1, 65_535)),
  },
};

const TCP = '6';

/** Whether a TCP connection of the router itself to this address and port passes its firewall. */
export function passesFirewall(router: Pick<RouterView, 'row' | 'rowPaths'>, host: string, toPort: number): boolean {
  if (router.row('Device.Firewall.')?.['Enable'] === 'false') return true;
  const rules = rowsBelow(router, RULES)
    .map(({ row }) => row)
    .filter((row) => row['Enable'] === 'true')
    .sort((a, b) => Number(a['Order'] ?? 1) - Number(b['Order'] ?? 1));
  const first = rules.find(
    (row) =>
      ['-1', TCP].includes(row['Protocol'] ?? '-1') &&
      (row['SourceIP'] ?? '') === '' &&
      ['', host].includes(row['DestIP'] ?? '') &&
      ['-1', '0', String(toPort)].includes(row['DestPort'] ?? '-1'),
  );
  return first === undefined || first['Target'] === 'Accept';
}

/** Has the number of its mappings. */
const nat: ObjectDef = { path: 'Device.NAT.', params: {} };

export const forwardingObjects: readonly ObjectDef[] = [nat, mapping, firewall, chain, rule];
