import { hashToUnit, seedOf } from '../../platform/random.ts';
import { formatTime } from '../../model/params.ts';
import type { RemoteHost } from '../host.ts';
import { type Reading, duration, firmwareReadings, liveReadings, simReadings, systemReadings } from '../readings.ts';

/** Environment of a command. */
export type CommandContext = {
  host: RemoteHost;
  /** Write a line; control characters are removed. */
  line(text: string): void;
  /** Clear the screen, if there is one. */
  clearScreen(): void;
  /** Ask the user for one line; undefined without a terminal or after an interrupt. */
  promptUser(question: string): Promise<string | undefined>;
  /** Wait. @returns false when the user interrupted it */
  pause(ms: number): Promise<boolean>;
};

export type Command = {
  /** Possible arguments, for help and completion. */
  args?: readonly string[];
  /** Usage of the arguments; default: their values. */
  usage?: string;
  help: string;
  /** @returns exit status, or 'exit' to end the session */
  run(context: CommandContext, args: readonly string[]): number | 'exit' | Promise<number>;
};

const OK = 0;
const FAILED = 1;
/** Exit code for wrong usage, as in shells. */
const MISUSED = 2;

const TOPICS: { readonly [topic: string]: (host: RemoteHost) => readonly Reading[] } = {
  config: ({ router }) => {
    const { config } = router.installed();
    if (config === null) return [['Config file', 'none was installed']];
    const lines = config.text.split(/\r?\n/u).filter((line) => line.trim() !== '');
    return [['Config file', config.name], ['Version', config.version], ...lines.map((line): Reading => ['', line])];
  },
  firmware: ({ router }) => firmwareReadings(router),
  interfaces: ({ router }) => [
    ['eth0', `up, ${router.identity.mac.match(/../gu)?.join(':') ?? ''}`],
    ['wwan0', router.platform.modem.signal().registered ? `up, APN ${router.platform.modem.identity().apn}` : 'down'],
    ['lo', 'up, 127.0.0.1'],
  ],
  log: ({ activityLog }) => activityLog.entries.map(({ at, part, text }): Reading => [formatTime(at), `${part}: ${text}`]),
  sim: ({ router }) => simReadings(router),
};

const MOST_PINGS = 20;

/** The commands of the router's own command line; no input reaches a program of the machine. */
export const commands: { readonly [name: string]: Command } = {
  clear: {
    help: 'clear the screen',
    run(context) {
      context.clearScreen();
      return OK;
    },
  },
  exit: { help: 'leave', run: () => 'exit' },
  help: {
    help: 'this list',
    run(context) {
      const rows = Object.entries(commands).map(([name, { usage, args, help }]): Reading => {
        return [`${name} ${usage ?? args?.join('|') ?? ''}`.trimEnd(), help];
      });
      return table(context, rows);
    },
  },
  ping: { usage: '<host> [count]', help: 'reach a host over the mobile network', run: ping },
  reboot: {
    args: ['now'],
    usage: '[now]',
    help: 'restart the router; now: without confirmation',
    async run(context, [word]) {
      if (word !== undefined && word !== 'now') return misused(context, 'reboot [now]');
      const response = word === 'now' ? 'y' : await context.promptUser('Restart the router? This session ends. [y/N] ');
      if (response === undefined) context.line("No confirmation possible: 'reboot now' restarts at once.");
      if (!/^y(es)?$/iu.test(response?.trim() ?? '')) return FAILED;
      context.line('Restarting.');
      context.host.restart();
      return OK;
    },
  },
  show: {
    args: Object.keys(TOPICS),
    help: 'one part of the router',
    run(context, [word = '', ...more]) {
      const topic = findWord(word, Object.keys(TOPICS));
      if (topic === undefined || more.length > 0) return misused(context, `show ${Object.keys(TOPICS).join('|')}`);
      return table(context, TOPICS[topic]!(context.host));
    },
  },
  status: {
    help: 'identity and state of the router',
    run: (context) => table(context, [...systemReadings(context.host.router), ...liveReadings(context.host.router)]),
  },
  uptime: {
    help: 'time since the last start',
    run(context) {
      context.line(`up ${duration(context.host.router.uptimeSeconds())}`);
      return OK;
    },
  },
};

/** The argument itself, or the only one that begins with the input. */
export function findWord(typed: string, args: readonly string[]): string | undefined {
  if (args.includes(typed)) return typed;
  const begun = typed === '' ? [] : args.filter((word) => word.startsWith(typed));
  return begun.length === 1 ? begun[0] : undefined;
}

function misused(context: CommandContext, usage: string): number {
  context.line(`Usage: ${usage}`);
  return MISUSED;
}

function table(context: CommandContext, rows: readonly Reading[]): number {
  const width = Math.max(...rows.map(([name]) => name.length), 0);
  for (const [name, value] of rows) context.line(`${name.padEnd(width)}  ${value}`.trimEnd());
  return OK;
}

/** Simulated like its network: the same host always has the same delay. */
async function ping(context: CommandContext, [to = '', count = '4', ...more]: readonly string[]): Promise<number> {
  const times = Number(count);
  const isHost = /^[A-Za-z0-9][A-Za-z0-9.:-]{0,252}$/u.test(to);
  if (!isHost || more.length > 0 || !Number.isInteger(times) || times < 1 || times > MOST_PINGS)
    return misused(context, `ping <host> [1-${MOST_PINGS}]`);
  if (!context.host.router.platform.modem.signal().registered) {
    context.line('Network is unreachable.');
    return FAILED;
  }
  let sent = 0;
  while (sent < times) {
    if (sent > 0 && !(await context.pause(1_000))) break;
    sent += 1;
    const ms = 28 + 60 * hashToUnit(seedOf(to), 1) + 9 * hashToUnit(seedOf(to), 2, sent);
    context.line(`Reply from ${to}: seq=${sent} time=${ms.toFixed(1)} ms`);
  }
  context.line(`${sent} sent, ${sent} received.`);
  return OK;
}
