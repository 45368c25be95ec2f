import { RemoteRouter } from '@highline/testkit/scripted-router';
import * as fc from 'fast-check';
import { draw } from './cases.ts';
import { hostileHeader, hostileText } from './hostile.ts';
import { sendRaw, type RawRequest } from './raw-call.ts';
import type { Report } from './report.ts';
import { PAGE_DOMAIN, type Subject } from './subject.ts';
import { anyMutation } from './transport.ts';

/** Time limit of a visit: a silent page times out after 30 s, and a case cuts its connection long before. */
export const VISIT_MS = 3_000;

/** Address of a router's web page. */
export interface Page {
  readonly host: string;
  readonly router: RemoteRouter;
  used: number;
}

const visitorCookies = fc.oneof(
  fc.constantFrom(
    `highline_visitor=\u00e9${'a'.repeat(31)}`,
    `highline_visitor=${'a'.repeat(32)}`,
    'highline_visitor=',
    'highline_visitor',
    `highline_visitor=${'x'.repeat(9_000)}`,
  ),
  hostileHeader.map((value) => `highline_visitor=${value}`),
  hostileHeader,
);

const hosts = fc.constantFrom('page', 'page', 'page', 'page', 'upper', 'dot', 'unknown', 'below', 'bare', 'port');

const targets = fc.oneof(
  fc.constantFrom('/', '/index.html', '/x?y=z', '//', '/%00', '*', 'http://evil.test/'),
  hostileText.map((text) => `/${encodeURIComponent(text.toWellFormed()).slice(0, 8_000)}`),
);

/** One request for a router's web page, or for a similar host name. */
export async function visitPage(subject: Subject, report: Report, page: Page, index: number): Promise<void> {
  const { seed } = report.options;
  const host = hostOf(draw(hosts, seed ^ 3, index), page.host, subject.port);
  const right: RawRequest = {
    method: draw(fc.constantFrom('GET', 'GET', 'POST', 'HEAD'), seed ^ 4, index),
    target: draw(targets, seed ^ 5, index),
    headers: [
      ['host', host],
      ['connection', 'close'],
      ['cookie', draw(visitorCookies, seed ^ 6, index)],
    ],
    body: Buffer.alloc(0),
  };
  const response = await sendRaw(subject.port, draw(anyMutation, seed ^ 7, index)(right), VISIT_MS);
  // The status is the router's own: any of them is valid, and so is silence until we disconnect.
  report.responded(response.status ?? 'none', 0, 'visit');
  if (!subject.isRunning) report.find('server fault', `gone after a visit to ${host}`, index);
}

function hostOf(kind: string, host: string, port: number): string {
  switch (kind) {
    case 'upper':
      return host.toUpperCase();
    case 'dot':
      return host.replace(`:${port}`, `.:${port}`);
    case 'unknown':
      return `no-such-page.${PAGE_DOMAIN}:${port}`;
    case 'below':
      return `a.b.${host}`;
    case 'bare':
      return PAGE_DOMAIN;
    case 'port':
      return host.replace(/:\d+$/u, ':1');
    default:
      return host;
  }
}
