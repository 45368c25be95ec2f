import { run } from './run.ts';

// `npm run highline -- firmware|audit|account|key|map|mail <command> …`, `… -- backup|restore|verify|migrate …`, `… -- api <area> <call> …`

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
