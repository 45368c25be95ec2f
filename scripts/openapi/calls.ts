import { readFileSync, writeFileSync } from 'node:fs';
import { failures } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { breakingChanges, describeApi, type JsonSchema } from '@highline/contract/openapi';
import { writeClientCalls } from './client-types.ts';
import { faultsOfChanges, type NamedChange } from './named-changes.ts';

const folder = new URL('../../packages/client/', import.meta.url);
const files = {
  description: new URL('openapi.json', folder),
  calls: new URL('src/calls.generated.ts', folder),
  released: new URL('openapi.released.json', folder),
  named: new URL('breaking-changes.json', folder),
};
const read = (file: URL) => readFileSync(file, 'utf8');
const written = (file: URL) => {
  try {
    return read(file);
  } catch {
    return '';
  }
};

/** JSON with a line for each call: a difference shows the calls that changed. */
function oneCallPerLine({ paths, ...rest }: JsonSchema): string {
  const calls = Object.entries(paths as Record<string, Record<string, unknown>>).map(([path, methods]) => {
    const lines = Object.entries(methods).map(([method, call]) => `${JSON.stringify(method)}:${JSON.stringify(call)}`);
    return `${JSON.stringify(path)}:{\n${lines.join(',\n')}\n}`;
  });
  return `${JSON.stringify(rest).slice(0, -1)},"paths":{\n${calls.join(',\n')}\n}}\n`;
}

const { version } = JSON.parse(read(new URL('../../package.json', import.meta.url))) as { version: string };
const description = describeApi(allOperations, version);
const made = new Map([
  [files.description, oneCallPerLine(description)],
  [files.calls, writeClientCalls(allOperations, Object.keys(failures))],
]);

if (process.argv.includes('--release')) {
  // What is compared needs no examples.
  const compared = JSON.stringify(description, (name, value: unknown) => (/^examples?$/u.test(name) ? undefined : value));
  made.set(files.released, `${compared}\n`);
  made.set(files.named, '[]\n');
}
const stale = [...made].filter(([file, text]) => written(file) !== text);
if (!process.argv.includes('--check')) for (const [file, text] of stale) writeFileSync(file, text);

const nameOf = (file: URL) => file.pathname.slice(file.pathname.indexOf('packages/'));
const released = JSON.parse(made.get(files.released) ?? read(files.released)) as JsonSchema;
const named = JSON.parse(made.get(files.named) ?? read(files.named)) as NamedChange[];
const faults = [
  ...(process.argv.includes('--check')
    ? stale.map(([file]) => `${nameOf(file)} is not what the contract makes. Run \`npm run openapi\` and commit it.`)
    : []),
  ...faultsOfChanges(breakingChanges(released, description), named, nameOf(files.named)),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
