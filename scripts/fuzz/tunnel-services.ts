import * as fc from 'fast-check';
import { hostileHeader } from './hostile.ts';

const fields = fc.array(
  fc.oneof(
    fc.constantFrom(
      'Set-Cookie: vap=x; Domain=localhost',
      'Set-Cookie: highline_visitor=\u00e9; Path=/x',
      'Set-Cookie: ;;;=',
      'Location: //evil.test',
      'Transfer-Encoding: chunked',
      'Content-Length: 5',
      'Content-Length: -1',
      'Content-Length: 5, 6',
      'Connection: upgrade',
      'Upgrade: websocket',
      'Content-Encoding: gzip',
      'Trailer: x',
      ': x',
      'a b: c',
      'X: \u0000',
    ),
    hostileHeader.map((value) => `X-Odd: ${value}`),
  ),
  { maxLength: 2 },
);

const statusLines = fc.oneof(
  { weight: 1, arbitrary: hostileHeader },
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      'HTTP/1.1 200 OK',
      'HTTP/1.1 042 Odd',
      'HTTP/1.1 000 ',
      'HTTP/1.1 99 x',
      'HTTP/1.1 100 Continue',
      'HTTP/1.1 101 Switching',
      'HTTP/1.1 102 x',
      'HTTP/1.1 204 None',
      'HTTP/1.1 304 x',
      'HTTP/1.1 599 x',
      'HTTP/1.1 600 x',
      'HTTP/1.1 999 x',
      'HTTP/1.1 -1 x',
      'HTTP/1.0 200 OK',
      'HTTP/9.9 200 x',
      'HTTP/1.1 200 \u00e9\u00ff',
      'HTTP/1.1 200',
      'SSH-2.0-x',
      '',
    ),
  },
);

/** The service behind the tunnel: when it answers, and with which bytes. */
export interface Service {
  readonly when: 'at once' | 'on request' | 'never';
  readonly bytes: Buffer;
  readonly times: number;
  readonly end: 'end' | 'destroy' | 'keep';
}

export const anyService: fc.Arbitrary<Service> = fc.record({
  when: fc.constantFrom('at once', 'on request', 'on request', 'never'),
  bytes: fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(statusLines, fields, fc.constantFrom('hello', '', '5\r\nhello\r\n0\r\n\r\n', 'zz\r\n', 'x'.repeat(20_000)))
        .map(([line, list, body]) =>
          Buffer.from(`${line}\r\n${list.map((field) => `${field}\r\n`).join('')}\r\n${body}`, 'latin1'),
        ),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)) },
  ),
  times: fc.constantFrom(1, 1, 1, 2, 50),
  end: fc.constantFrom('end', 'destroy', 'keep'),
});
