import { createInterface } from 'node:readline';
import { ArgumentFaults, type CliCommand, readCommandLine } from './cli-arguments.ts';
import { control, parseControlLine } from './control.ts';
import { serveControl } from './control-server.ts';
import { type Log, createLog } from './log.ts';
import { type FleetHandle, startFleet } from './start.ts';

type RunCommand = Exclude<CliCommand, { kind: 'help' }>;

/** Exit code for a wrong command line, as in shell commands. */
const USAGE_ERROR = 2;

async function main(): Promise<void> {
  const command = readArguments();
  if (!command) return;
  if (command.kind === 'help') console.log(command.text);
  else await run(command);
}

function readArguments(): CliCommand | undefined {
  try {
    return readCommandLine(process.argv.slice(2), process.env);
  } catch (error) {
    if (!(error instanceof ArgumentFaults)) throw error;
    for (const fault of error.faults) console.error(fault);
    console.error('See --help.');
    process.exitCode = USAGE_ERROR;
    return undefined;
  }
}

async function run(command: RunCommand): Promise<void> {
  const log = createLog(
    (line) => console.log(line),
    command.routers.map(({ secret }) => secret),
  );
  const { server, controllerId, routers, stateDir, trustedKeys, killAtWrite, callHomeSeconds, shell, lan } = command;
  const rampMs = command.kind === 'fleet' ? command.rampMs : 0;
  const fleet = startFleet({
    server,
    controllerId,
    routers,
    rampMs,
    log,
    trustedKeys,
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(shell === undefined ? {} : { shell }),
    ...(lan === undefined ? {} : { lan }),
    ...(callHomeSeconds === undefined ? {} : { timing: { callHomeMs: callHomeSeconds * 1_000 } }),
    ...(killAtWrite === undefined ? {} : { beforeWrite: (_serial: string, write: number) => cutPower(write, killAtWrite) }),
  });
  if (command.controlPort !== undefined) {
    const { port } = await serveControl(fleet.routers, command.controlPort);
    log('info', 'control.listening', { port });
  }
  const end = createEnd(fleet, log);
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  listenToStdin(fleet, log, command.exitWithStdin ? end : undefined);
}

/** A power cut: the process ends before the write. */
function cutPower(write: number, at: number): void {
  if (write === at) process.kill(process.pid, 'SIGKILL');
}

/** Closes every socket properly, once, and ends the process. */
function createEnd(fleet: FleetHandle, log: Log): () => void {
  let ending = false;
  return () => {
    if (ending) return;
    ending = true;
    log('info', 'stopping', { routers: fleet.routers.size });
    void fleet.stop().finally(() => process.exit(0));
  };
}

function listenToStdin(fleet: FleetHandle, log: Log, whenEnded: (() => void) | undefined): void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    const response = control(fleet.routers, parseControlLine(line));
    log(response.ok ? 'info' : 'warn', 'control', { answer: JSON.stringify(response.ok ? response.result : response.error) });
  });
  if (whenEnded) lines.on('close', whenEnded);
}

await main();
