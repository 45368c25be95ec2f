import { allOperations } from '@highline/contract/all-operations';
import { checkResponse } from './api.ts';
import { numberedObjects } from './costly-bodies.ts';
import { sendRaw, type RawRequest } from './raw-call.ts';
import type { Report } from './report.ts';
import type { Stage } from './stage.ts';
import type { Subject } from './subject.ts';

export const READ_MS = 120_000;

export interface Case {
  /** The way into the server. */
  readonly entry: string;
  readonly name: string;
  run(subject: Subject, report: Report, stage: Stage, index: number): Promise<void>;
}

const ANONYMOUS_BYTES = 8_400_000;

/** Requests without a session at the same time, and what they may cost (SECURITY.md). */
const ANONYMOUS = 40;

const ANONYMOUS_MEMORY = 64 * 1_048_576;

const request = (port: number, method: string, target: string, type: string, body: Buffer): RawRequest => ({
  method,
  target,
  headers: [
    ['host', `127.0.0.1:${port}`],
    ['content-type', type],
    ['content-length', String(body.length)],
  ],
  body,
});

/** Requests without a session, to this address, of the same costly body. */
const anonymous = (method: string, path: string, count: number, type = 'application/json'): Case => ({
  entry: count === 1 ? 'without a session' : `without a session, ${path}, ${type}`,
  name: `${count} × ${ANONYMOUS_BYTES / 1e6} MB of ${type} without a session to ${method} ${path}`,
  async run(subject, report, _stage, index) {
    const raw = request(subject.port, method, path.replaceAll(/\{\w+\}/gu, 'x'), type, ANONYMOUS_BODY);
    const before = subject.memory();
    let most = before;
    const watching = setInterval(() => (most = Math.max(most, subject.memory())), 20);
    const responses = await Promise.all(Array.from({ length: count }, () => sendRaw(subject.port, raw, READ_MS)));
    clearInterval(watching);
    for (const response of responses) checkResponse(report, response, `${method} ${path}`, index);
    if (responses.some(({ status }) => status === 200))
      report.find('leak', `${method} ${path} accepted a call without a session`, index);
    if (count === 1) return;
    report.count(`most memory in MB above that before, without a session to ${path}`, Math.round((most - before) / 1_048_576));
    if (most - before > ANONYMOUS_MEMORY) report.find('memory', `without a session to ${path}: more than 64 MB`, index);
  },
});

const ANONYMOUS_BODY = Buffer.from(numberedObjects(ANONYMOUS_BYTES));

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'];

export const ofAnonymous: readonly Case[] = [
  ...[
    ['POST', '/data_manager/v1/dm/org/device'],
    ['POST', '/data_manager/v1/dm/geofences/import'],
    ['POST', '/dmp_aa/api/v1/auth/token'],
    ['POST', '/console/handover'],
    ['POST', '/nowhere'],
  ].map(([method = '', path = '']) => anonymous(method, path, ANONYMOUS)),
  ...formTypes.map((type) => anonymous('POST', '/dmp_aa/api/v1/auth/token', ANONYMOUS, type)),
  ...allOperations.map(({ method, path }) => anonymous(method, path, 1)),
  {
    entry: 'upgrades',
    name: 'upgrades with long headers and wrong secrets',
    async run({ port }, report, _stage, index) {
      const upgrade = (n: number): RawRequest => ({
        method: 'GET',
        target: `/usp/${'x'.repeat(40)}${n}?eid=${'%41'.repeat(2_000)}`,
        headers: [
          ['host', `127.0.0.1:${port}`],
          ['connection', 'Upgrade'],
          ['upgrade', 'websocket'],
          ['sec-websocket-version', '13'],
          ['sec-websocket-key', 'AAAAAAAAAAAAAAAAAAAAAA=='],
          ['sec-websocket-protocol', `${'v1.usp,'.repeat(500)}v1.usp`],
          ['cookie', 'vap=x;'.repeat(700)],
        ],
        body: Buffer.alloc(0),
      });
      const responses = await Promise.all(Array.from({ length: 300 }, (_, n) => sendRaw(port, upgrade(n), READ_MS)));
      // They wait on purpose: only a few wrong secrets of one network are looked up at a time.
      for (const { status, ms } of responses) report.responded(status ?? 'none', ms, `upgrade (case ${index})`);
    },
  },
];
