import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FailureKey } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import { envelope } from './faults.ts';

/** Errors of Node's parser of HTTP; any other is a malformed request. */
const keys: Readonly<Record<string, FailureKey>> = {
  HPE_HEADER_OVERFLOW: 'request.headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request.too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timeout',
};

/**
 * Answer what never becomes a request, in our envelope and with the headers of other responses. Nothing of it is repeated.
 * @param secure users reach us over https
 */
export function respondToClientError(secure: boolean): (error: Error & { readonly code: string }, socket: Socket) => void {
  const common = [
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    "Content-Security-Policy: default-src 'none';frame-ancestors 'none'",
    'X-Content-Type-Options: nosniff',
    'Referrer-Policy: no-referrer',
    ...(secure ? ['Strict-Transport-Security: max-age=31536000; includeSubDomains'] : []),
    'Connection: close',
  ];
  return ({ code }, socket) => {
    if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { status, body } = envelope(new DomainError(keys[code] ?? 'request.malformed'));
    const text = JSON.stringify(body);
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...common, `Content-Length: ${Buffer.byteLength(text)}`];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
  };
}
