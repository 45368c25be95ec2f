import type { ConfigFile, RouterState, Row } from '../state/state.ts';

/** What a backup holds: what was set at the router, and its config file. */
export type BackedUp = Pick<RouterState, 'rows'> & { config: ConfigFile | null };

const MARK = '# router backup 1';
const FILE_MARK = '# config file ';

/** Objects whose rows are settings. Others hold what the cloud sets up, passwords of this unit, or what runs. */
const SETTINGS = ['Cellular.', 'DHCPv4.', 'DNS.', 'Firewall.', 'IP.Interface.', 'NAT.', 'Routing.', 'Time.', 'WiFi.'].map(
  (object) => `Device.${object}`,
);

/** Whether a row of this path is part of a backup. */
export function isBackedUp(path: string): boolean {
  return SETTINGS.some((each) => path.startsWith(each));
}

/** The rows of a state that are part of a backup. */
export function settingRows(rows: RouterState['rows']): RouterState['rows'] {
  return Object.fromEntries(Object.entries(rows).filter(([path]) => isBackedUp(path)));
}

/** The backup of a router as text: a line for each value, in a fixed order, then the config file as it is. */
export function writeBackup({ rows, config }: BackedUp): string {
  const lines = Object.entries(settingRows(rows)).flatMap(([path, row]) =>
    Object.entries(row).map(([name, value]) => `${path}${name} = ${JSON.stringify(value)}`),
  );
  const head = [MARK, ...lines.sort()].map((line) => `${line}\n`).join('');
  if (config === null) return head;
  const { text, ...about } = config;
  return `${head}${FILE_MARK}${JSON.stringify(about)}\n${text}`;
}

/** What is stored of a value, or what is wrong with it. */
export type AcceptValue = (path: string, name: string, value: string) => { stored: Row } | { errMsg: string };

/** Read a backup. @returns undefined for a plain config file @throws Error naming the line that is wrong, never what stands in it: it may be a secret */
export function readBackup(text: string, accept: AcceptValue): BackedUp | undefined {
  if (!text.startsWith(`${MARK}\n`)) return undefined;
  const rows: Record<string, Record<string, string>> = {};
  let at = MARK.length + 1;
  for (let number = 2; at < text.length; number++) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length : end + 1;
    if (line.startsWith(FILE_MARK)) return { rows, config: { ...aboutFile(line, number), text: text.slice(at) } };
    if (line !== '') addValue(rows, line, number, accept);
  }
  return { rows, config: null };
}

function addValue(rows: Record<string, Record<string, string>>, line: string, number: number, accept: AcceptValue): void {
  const [name, value] = halves(line);
  const dot = name.lastIndexOf('.') + 1;
  const [path, parameter] = [name.slice(0, dot), name.slice(dot)];
  if (!/^[\w.]+$/u.test(name) || parameter === '' || !isBackedUp(path)) throw new Error(`line ${number} is no setting`);
  const accepted = accept(path, parameter, textIn(value, `line ${number}, ${name},`));
  if ('errMsg' in accepted) throw new Error(`line ${number}, ${name}: ${accepted.errMsg}`);
  rows[path] = { ...rows[path], ...accepted.stored };
}

function halves(line: string): [string, unknown] {
  const at = line.indexOf(' = ');
  return [line.slice(0, Math.max(0, at)), parsed(line.slice(at + 3))];
}

function textIn(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`${where} has no value in quotes`);
}

function aboutFile(line: string, number: number): Omit<ConfigFile, 'text'> {
  const about = parsed(line.slice(FILE_MARK.length)) as Partial<Row> | undefined;
  const text = (name: keyof Omit<ConfigFile, 'text'>) => textIn(about?.[name], `line ${number}, ${name} of the config file,`);
  return { name: text('name'), version: text('version'), description: text('description') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
