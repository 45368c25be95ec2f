import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { parseArgs } from 'node:util';
import { parsePublicKeys } from '@highline/image';
import { parseEndpointId } from '@highline/usp';
import type { z } from 'zod';
import { HELP, AGENT_HELP, FLEET_HELP, SECRET_VARIABLE } from './cli-help.ts';
import { type RouterDescription, routerDescription } from './description.ts';
import { readFleetFile } from './fleet-file.ts';

/** The parsed and validated command line. */
export type CliCommand =
  | { kind: 'help'; text: string }
  | ({ kind: 'agent'; routers: [RouterDescription] } & CommonArguments)
  | ({ kind: 'fleet'; routers: RouterDescription[]; rampMs: number } & CommonArguments);

type CommonArguments = {
  server: string;
  controllerId: string;
  stateDir: string | undefined;
  /** Port of the control server on loopback; undefined: none. */
  controlPort: number | undefined;
  exitWithStdin: boolean;
  /** Public keys as PEM. */
  trustedKeys: readonly string[];
  /** Before this write of state the process kills itself, like a power cut; undefined: never. */
  killAtWrite: number | undefined;
  /** Undefined: the production value. */
  callHomeSeconds: number | undefined;
  /** Program and arguments; undefined: the agent's own command line. */
  shell: readonly string[] | undefined;
  /** Interface of this machine; undefined: a simulated network. */
  lan: string | undefined;
};

/** All faults of a command line, one line each. */
export class ArgumentFaults extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const COMMON = {
  server: { type: 'string' },
  controller: { type: 'string' },
  'state-dir': { type: 'string' },
  control: { type: 'string' },
  'exit-with-stdin': { type: 'boolean' },
  'trusted-keys': { type: 'string' },
  'kill-at-write': { type: 'string' },
  'call-home-seconds': { type: 'string' },
  shell: { type: 'string' },
  lan: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** Flag → field of the router description. */
const AGENT_FIELDS = {
  serial: 'serial',
  mac: 'mac',
  secret: 'secret',
  'client-cert': 'clientCert',
  'client-key': 'clientKey',
  model: 'model',
  firmware: 'firmware',
  config: 'config',
  carrier: 'carrier',
  apn: 'apn',
  imei: 'imei',
  imsi: 'imsi',
  iccid: 'iccid',
  msisdn: 'msisdn',
  eid: 'eid',
  vehicle: 'vehicle',
  'clock-skew-seconds': 'clockSkewSeconds',
} as const;

/**
 * Parse a command line.
 * @param argv arguments after the program's name
 * @throws ArgumentFaults naming every fault
 */
export function readCommandLine(argv: readonly string[], environment: NodeJS.ProcessEnv): CliCommand {
  const [command, ...rest] = argv;
  switch (command) {
    case 'agent':
      return readAgent(rest, environment);
    case 'fleet':
      return readFleet(rest);
    case undefined:
    case 'help':
    case '--help':
      return { kind: 'help', text: HELP };
    default:
      throw new ArgumentFaults([`no command '${command}': agent or fleet`]);
  }
}

function readAgent(argv: string[], environment: NodeJS.ProcessEnv): CliCommand {
  const fields = Object.fromEntries(Object.keys(AGENT_FIELDS).map((flag) => [flag, { type: 'string' as const }]));
  const { values, faults } = readFlags(argv, { ...COMMON, ...fields });
  if (values['help']) return { kind: 'help', text: AGENT_HELP };
  const common = readCommon(values, faults);
  const secret = readSecret(values, environment, faults);
  const described: { [field: string]: unknown } = secret === undefined ? {} : { secret };
  for (const [flag, field] of Object.entries(AGENT_FIELDS)) {
    const value = values[flag];
    if (value !== undefined) described[field] = field === 'clockSkewSeconds' ? Number(value) : value;
  }
  const parsed = routerDescription.safeParse(described);
  const isWithoutProof = secret === undefined && values['client-cert'] === undefined;
  if (isWithoutProof) faults.push(`the secret is missing: set ${SECRET_VARIABLE}`);
  const issues = parsed.success ? [] : parsed.error.issues.filter(({ path }) => !isWithoutProof || path[0] !== 'secret');
  faults.push(...issues.map((issue) => agentFault(issue, described)));
  if (faults.length > 0 || !parsed.success || !common) throw new ArgumentFaults(faults);
  return { kind: 'agent', routers: [parsed.data], ...common };
}

function readFleet(argv: string[]): CliCommand {
  const { values, faults } = readFlags(argv, { ...COMMON, file: { type: 'string' }, 'ramp-ms': { type: 'string' } });
  if (values['help']) return { kind: 'help', text: FLEET_HELP };
  const common = readCommon(values, faults);
  const rampMs = readWhole(values, 'ramp-ms', 3_600_000, faults) ?? 0;
  const routers = readFleetFile(values['file'], faults);
  if (faults.length > 0 || !common) throw new ArgumentFaults(faults);
  return { kind: 'fleet', routers, rampMs, ...common };
}

type Values = { [flag: string]: string | boolean | undefined };
type Flags = { [flag: string]: { type: 'string' | 'boolean' } };

/** Not the strict mode of parseArgs, which stops at the first fault. */
function readFlags(argv: string[], flags: Flags): { values: Values; faults: string[] } {
  const { tokens } = parseArgs({ args: argv, options: flags, strict: false, tokens: true });
  const values: Values = {};
  const faults: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') faults.push(`'${token.value}' is no option`);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (!flag) faults.push(`no option ${token.rawName}`);
    else if (flag.type === 'string' && token.value === undefined) faults.push(`--${token.name} needs a value`);
    else values[token.name] = flag.type === 'string' ? token.value : true;
  }
  return { values, faults };
}

function readCommon(values: Values, faults: string[]): CommonArguments | undefined {
  const server = readServer(values['server'], faults);
  const controllerId = String(values['controller'] ?? 'self::highline');
  if (!parseEndpointId(controllerId)) faults.push('--controller: not a USP endpoint id');
  const controlPort = readWhole(values, 'control', 65_535, faults);
  const stateDir = typeof values['state-dir'] === 'string' ? values['state-dir'] : undefined;
  const rest = {
    controllerId,
    stateDir,
    controlPort,
    exitWithStdin: values['exit-with-stdin'] === true,
    trustedKeys: readKeys(values['trusted-keys'], faults),
    killAtWrite: readWhole(values, 'kill-at-write', 1_000_000, faults),
    callHomeSeconds: readWhole(values, 'call-home-seconds', 86_400, faults),
    shell: readShell(values['shell'], faults),
    lan: typeof values['lan'] === 'string' ? values['lan'] : undefined,
  };
  return server === undefined ? undefined : { server, ...rest };
}

function readShell(value: string | boolean | undefined, faults: string[]): string[] | undefined {
  if (typeof value !== 'string') return undefined;
  const parts = value.trim().split(/\s+/u);
  if (!isAbsolute(parts[0] ?? '')) faults.push('--shell: expected the full path of a program, and its arguments');
  return parts;
}

/** Keys of a PEM file, each as separate PEM. */
function readKeys(file: string | boolean | undefined, faults: string[]): string[] {
  if (typeof file !== 'string') return [];
  try {
    return parsePublicKeys(readFileSync(file, 'utf8')).map((key) => key.export({ type: 'spki', format: 'pem' }).toString());
  } catch (error) {
    faults.push(`--trusted-keys: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

function readServer(value: string | boolean | undefined, faults: string[]): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (value === undefined) faults.push('--server is missing');
  else if (!url || (url.protocol !== 'ws:' && url.protocol !== 'wss:'))
    faults.push('--server: expected ws:// or wss:// and a host');
  else if (url.search || url.hash) faults.push('--server: no query and no fragment');
  return url?.href;
}

function readSecret(values: Values, environment: NodeJS.ProcessEnv, faults: string[]): string | undefined {
  const given = values['secret'];
  const fromEnvironment = environment[SECRET_VARIABLE];
  if (given !== undefined && fromEnvironment && given !== fromEnvironment) {
    faults.push(`--secret and ${SECRET_VARIABLE} differ: give one`);
  }
  return typeof given === 'string' ? given : fromEnvironment;
}

function readWhole(values: Values, flag: string, most: number, faults: string[]): number | undefined {
  const text = values[flag];
  if (typeof text !== 'string') return undefined;
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
  faults.push(`--${flag}: expected a whole number from 0 to ${most}`);
  return undefined;
}

function agentFault(issue: z.core.$ZodIssue, described: { [field: string]: unknown }): string {
  const field = String(issue.path[0] ?? '');
  const flag = Object.entries(AGENT_FIELDS).find(([, name]) => name === field)?.[0] ?? field;
  return described[field] === undefined ? `--${flag} is missing` : `--${flag}: ${issue.message}`;
}
