import * as fc from 'fast-check';
import { hostileHeader, hostileText } from './hostile.ts';
import type { RawRequest } from './raw-call.ts';
import { bodies, type Mutation } from './transport-bodies.ts';

const BOUNDARY = 'fuzz-boundary';

/** The unchanged request. */
const none: Mutation = (request) => request;

const header = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<Mutation> =>
  fc.tuple(name, value).map(([name, value]): Mutation => (request) => ({
    ...request,
    headers: [...request.headers.filter(([known]) => known !== name), [name, value]],
  }));

/** Repeat an existing header. */
const second = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<Mutation> =>
  fc.tuple(name, value).map(([name, value]): Mutation => (request) => ({
    ...request,
    headers: [...request.headers, [name, value]],
  }));

const contentTypes = fc.constantFrom(
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;charset="',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(5_000)}`,
  `multipart/form-data; boundary=${BOUNDARY}`,
  'application/xml',
  'text/csv',
  '/',
  ';',
);

const cookies = fc.oneof(
  fc.constantFrom(
    'vap=; id=',
    'vap=a; vap=b; vap=c',
    'vap=%; id=%zz',
    '__proto__=1; constructor=2',
    ';'.repeat(5_000),
    '='.repeat(5_000),
    'highline_visitor=\u00e9aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    `vap="${'x'.repeat(43)}"`,
  ),
  hostileHeader.map((value) => `vap=${value}`),
  hostileHeader,
);

const entityTags = fc.oneof(
  fc.constantFrom('*', '"', '"1"', 'W/"1"', '"0", "1"', '"-1"', '"99999999999999999999"', '1e3'),
  hostileHeader,
);

const plain = fc.oneof(
  header(fc.constant('content-type'), fc.oneof(contentTypes, hostileHeader)),
  header(fc.constant('content-encoding'), fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'x', 'gzip, gzip')),
  header(fc.constant('accept-encoding'), fc.constantFrom('gzip', 'br;q=2', '*;q=0', 'identity;q=0', ',,,;;;')),
  header(fc.constant('accept-language'), fc.oneof(fc.constantFrom('zh-TW', '*', 'en;q=2', ','.repeat(4_000)), hostileHeader)),
  header(
    fc.constant('authorization'),
    fc.oneof(
      fc.constantFrom('Bearer', 'Bearer ', 'Basic YTpi', 'bearer x', 'Bearer a b'),
      hostileHeader.map((value) => `Bearer ${value}`),
    ),
  ),
  header(fc.constant('cookie'), cookies),
  header(fc.constantFrom('if-match', 'if-none-match'), entityTags),
  header(fc.constant('range'), fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,1-1,2-2', 'x')),
  header(fc.constant('origin'), fc.oneof(fc.constantFrom('null', 'http://evil.test', 'file://', ''), hostileHeader)),
  header(
    fc.constant('host'),
    fc.oneof(
      fc.constantFrom(
        '',
        'evil.test',
        'x.localhost',
        '.localhost',
        'localhost',
        '[::1',
        'a:b:c',
        `${'a.'.repeat(2_000)}localhost`,
      ),
      hostileHeader,
    ),
  ),
  header(fc.constant('x-forwarded-for'), fc.oneof(fc.constantFrom('1.2.3.4:5678', 'unknown', ','.repeat(3_000)), hostileHeader)),
  header(fc.constant('sec-fetch-site'), fc.constantFrom('cross-site', 'same-origin', 'none', 'x')),
  header(fc.constant('expect'), fc.constantFrom('100-continue', 'x')),
  header(fc.constant('last-event-id'), hostileHeader),
  header(
    fc.constantFrom('upgrade', 'connection', 'te', 'trailer', 'x-request-id', 'user-agent', '__proto__', 'x'),
    hostileHeader,
  ),
  second(fc.constantFrom('host', 'authorization', 'content-type', 'cookie', 'if-match'), hostileHeader),
);

const upgrade: fc.Arbitrary<Mutation> = fc.constantFrom('websocket', 'h2c', 'x').map((protocol): Mutation => (request) => ({
  ...request,
  headers: [
    ...request.headers.filter(([name]) => name !== 'connection'),
    ['connection', 'Upgrade'],
    ['upgrade', protocol],
    ['sec-websocket-key', 'AAAAAAAAAAAAAAAAAAAAAA=='],
    ['sec-websocket-version', '13'],
  ],
}));

/** Variants of the body length and of how much of it is sent. */
const lengths: fc.Arbitrary<Mutation> = fc.oneof(
  fc.nat(1_000).map((promille): Mutation => (request) => ({
    ...request,
    cutAfter: Math.floor((request.body.length * promille) / 1_001),
  })),
  fc
    .constantFrom('-1', 'abc', '', '99999999999999999999', '1e3', '0')
    .map((value): Mutation => withLength([['content-length', value]])),
  fc.constant<Mutation>(
    withLength([
      ['content-length', '5'],
      ['transfer-encoding', 'chunked'],
    ]),
  ),
  fc
    .constantFrom('zz\r\n', '5\r\nab', '-1\r\n', 'ffffffffffffffff\r\n', '1;x=y\r\na\r\n0\r\n\r\n', '0\r\nx: y\r\n\r\n')
    .map((text): Mutation => (request) => ({
      ...withLength([['transfer-encoding', 'chunked']])(request),
      body: Buffer.from(text),
      cutAfter: text.length,
    })),
);

function withLength(headers: RawRequest['headers']): Mutation {
  return (request) => ({
    ...request,
    headers: [...request.headers.filter(([name]) => name !== 'content-length'), ...headers],
    cutAfter: request.body.length,
  });
}

const targets: fc.Arbitrary<Mutation> = fc.oneof(
  fc
    .constantFrom(
      '%',
      '%zz',
      '%00',
      '%2e%2e%2f',
      '//',
      '/..',
      '?',
      '#',
      '?a=b?c=d&&&===',
      '?__proto__[x]=1&constructor=2',
      `?x=${'y'.repeat(15_000)}`,
      ';',
      '\\',
      '\u00ff',
    )
    .map((end): Mutation => (request) => ({ ...request, target: `${request.target}${end}` })),
  hostileText.map((text): Mutation => (request) => ({
    ...request,
    target: `${request.target}${request.target.includes('?') ? '&' : '?'}${encodeURIComponent(text.toWellFormed()).slice(0, 12_000)}=1`,
  })),
  fc
    .constantFrom(
      '/',
      '/account.html',
      '/openapi.json',
      '/livez',
      '/healthz',
      '/assets/x',
      '/usp/x',
      '/tunnel',
      '*',
      'http://evil.test/',
      'evil.test:443',
    )
    .map((target): Mutation => (request) => ({ ...request, target })),
);

const methods: fc.Arbitrary<Mutation> = fc
  .constantFrom('HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'PUT', 'DELETE', 'PATCH', 'GET', 'POST', 'PROPFIND', 'get', 'X')
  .map((method): Mutation => (request) => ({ ...request, method }));

const parts: fc.Arbitrary<Mutation> = fc
  .tuple(fc.array(part(), { maxLength: 4 }), fc.constantFrom(`--${BOUNDARY}--\r\n`, `--${BOUNDARY}`, '', '--'))
  .map(([bodies, end]): Mutation => (request) => {
    const body = Buffer.from(`${bodies.join('')}${end}`, 'utf8');
    const headers = request.headers.filter(([name]) => name !== 'content-type' && name !== 'content-length');
    const own = [
      ['content-type', `multipart/form-data; boundary=${BOUNDARY}`],
      ['content-length', String(body.length)],
    ] as const;
    return { ...request, headers: [...headers, ...own], body };
  });

function part(): fc.Arbitrary<string> {
  const names = fc.constantFrom('org', 'file', 'note', '__proto__', '', 'x'.repeat(3_000), 'a"b', 'a\r\nb');
  const files = fc.constantFrom('; filename="a.csv"', '; filename=', '; filename="../../x"', "; filename*=utf-8''%zz", '');
  return fc
    .tuple(names, files, hostileText)
    .map(([name, file, text]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`);
}

/** Two of three requests are unchanged. */
export const anyMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 20, arbitrary: fc.constant(none) },
  { weight: 4, arbitrary: plain },
  {
    weight: 2,
    arbitrary: fc.tuple(plain, plain).map(
      ([one, other]): Mutation =>
        (request) =>
          other(one(request)),
    ),
  },
  { weight: 1, arbitrary: upgrade },
  { weight: 1, arbitrary: lengths },
  { weight: 1, arbitrary: targets },
  { weight: 1, arbitrary: methods },
  { weight: 1, arbitrary: parts },
  { weight: 1, arbitrary: bodies },
);
