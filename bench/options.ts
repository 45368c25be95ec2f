import { parseArgs } from 'node:util';

const MOST = 5_000_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Devices of the organization that the sections `devices` and `backup` use; vehicles of the call of the section `map`. */
    devices: { type: 'string' },
    /** Routers of the sections `rollouts` (which then measures only a config file to all of them), `nodes`, `pace`, `settings` and `tools`. */
    routers: { type: 'string' },
    /** Folder that keeps a seeded database for the next run; without it everything is created for the run and removed. */
    cache: { type: 'string' },
    /**
     * Of the section `devices`: only its `lists`, or only the `whole` of them (a start, CSV, overview, groups, a move), or, instead
     * of both, its `csv`, its `jobs`, or the `answers` of every list, search, count, overview and export, compared with SQL. Of the
     * section `console`: only its `first` loads, or only its `lists`. Of the section `map`: only the `call`, or only the `draw`. Of the section `tools`:
     * only the `command`, or only the `waiting` ones. Of the section `reports`: only its `records`, or only its `summaries`. Of the section
     * `settings`: only what it `compare`s, only how it `draw`s a difference, or only what it `send`s.
     */
    part: { type: 'string' },
    /** Of the section `telemetry`: how many former days have a report a minute of each router. */
    days: { type: 'string' },
    /** Of the section `pace`: how long the routers are measured. */
    minutes: { type: 'string' },
    /** Of the section `pace`: a file for the profile of the server, `.cpuprofile`. */
    profile: { type: 'string' },
    /**
     * Instead of measuring: kill server and PostgreSQL in the middle, and count what was acknowledged and what is there. Of the sections `alerts`, `pace`,
     * `positions`, `rollouts`, `telemetry`, `usage`, `webhooks`.
     */
    kill: { type: 'boolean' },
    /** Of the section `pace`: the statements that took most of PostgreSQL, which takes a little more meanwhile. */
    statements: { type: 'boolean' },
    /** A few calls of each kind, a few seconds of each load: shows that everything still runs, no figures to quote. */
    short: { type: 'boolean' },
    /** A file for all figures of the run, as JSON. */
    json: { type: 'string' },
    /** Print the figures that are worse than in the kept runs, beyond their noise, and end with 1 if there are any. */
    compare: { type: 'boolean' },
    /** Keep the figures of this run in bench/kept.json. */
    keep: { type: 'boolean' },
    /** Of the section `start`: also from a bare clone. */
    bare: { type: 'boolean' },
  },
});

/** The command line of `npm run bench`: its sections, and its options. */
export const options = {
  sections: positionals,
  devices: values.devices === undefined ? undefined : countOf('devices', values.devices, 1_000),
  routers: values.routers === undefined ? undefined : countOf('routers', values.routers, 10),
  cache: values.cache,
  part: values.part,
  minutes: values.minutes === undefined ? undefined : countOf('minutes', values.minutes, 1),
  profile: values.profile,
  days: Number(values.days ?? 0),
  kill: values.kill ?? false,
  statements: values.statements ?? false,
  short: values.short ?? false,
  json: values.json,
  compare: values.compare ?? false,
  keep: values.keep ?? false,
  bare: values.bare ?? false,
};

function countOf(name: string, text: string, least: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= least && count <= MOST) return count;
  throw new Error(`--${name} ${text}: must be a number from ${least.toLocaleString('en')} to ${MOST.toLocaleString('en')}`);
}
