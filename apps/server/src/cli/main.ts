import { report, type Console } from './command.ts';
import { health } from './health.ts';

// `npm run highline -- firmware|audit|account|key|map|mail <command> …`, `… -- backup|restore|verify|migrate|health …`, `… -- api <area> <call> …`

const console: Console = {
  environment: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
};
const line = process.argv.slice(2);
// A container runs it every ten seconds: without the other commands, which take a second to load.
if (line.length === 1 && line[0] === health.name)
  process.exitCode = await report(() => health.run([], process.env, (text) => console.out(`${text}\n`)), console);
else {
  const { run } = await import('./run.ts');
  process.exitCode = await run(line, console);
}
