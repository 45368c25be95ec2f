// Processor time of a whole run, with everything it starts.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/**
 * Begin to count, as early as possible.
 * @returns `seconds` so far: of a cgroup of this process where it may make one (root), else of this process and of all that ended and were
 * waited for, which leaves out what outlived its parent
 */
export function countProcessorTime() {
  const own = ofProcess();
  for (const { folder, usage } of cgroups()) {
    const group = join(folder, `highline-test-${process.pid}`);
    try {
      mkdirSync(group);
      writeFileSync(join(group, 'cgroup.procs'), String(process.pid));
      const seconds = () => own + usage(group);
      seconds();
      process.on('exit', () => leave(folder, group));
      return { seconds };
    } catch {
      leave(folder, group);
    }
  }
  return { seconds: ofProcess };
}

function leave(folder, group) {
  try {
    writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
    rmdirSync(group);
  } catch {
    // There was none, or a process is still in it.
  }
}

/** The cgroups of this process that know processor times, of either version. */
function* cgroups() {
  const read = (file) => readFileSync(file, 'utf8');
  let lines;
  try {
    lines = read('/proc/self/cgroup').trim().split('\n');
  } catch {
    return;
  }
  for (const line of lines) {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === '')
      yield {
        folder: join('/sys/fs/cgroup', path),
        usage: (group) => Number(/usage_usec (\d+)/.exec(read(join(group, 'cpu.stat')))[1]) / 1e6,
      };
    else if (controllers?.split(',').includes('cpuacct'))
      yield {
        folder: join('/sys/fs/cgroup', controllers, path),
        usage: (group) => Number(read(join(group, 'cpuacct.usage'))) / 1e9,
      };
  }
}

const TICKS_PER_SECOND = 100;

/** User and system time of this process, and of its children and theirs that were waited for. */
function ofProcess() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(11, 15);
    return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** What `unitOfWork` takes on the machine that the limit of a run was measured on, with both cores at work. */
export const USUAL_UNIT_MS = 385;

/** Processor time in ms of a fixed piece of work like that of a run: objects, text, compiling and hashes. */
function unitOfWork() {
  const before = process.cpuUsage();
  let text = '';
  for (let round = 0; round < 180; round += 1) {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      id: (index * 7919 + round) % 1000,
      name: `Router ${index * round}`,
    }));
    rows.sort((one, other) => one.id - other.id || one.name.localeCompare(other.name));
    text = JSON.stringify(JSON.parse(JSON.stringify(rows)));
    text += createHash('sha256')
      .update(text.replaceAll(/Router (\d+)/g, 'Device $1'))
      .digest('hex');
    const compiled = new Script(
      rows.map(({ id }) => `function f${id}_${round}(a) { return [a, ${id}].map((b) => b + ${round}); }`).join('\n'),
    );
    text += compiled.cachedDataRejected ?? '';
  }
  const { user, system } = process.cpuUsage(before);
  return text === '' ? 0 : (user + system) / 1000;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(String(unitOfWork()));
