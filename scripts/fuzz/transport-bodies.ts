import * as fc from 'fast-check';
import type { RawRequest } from './raw-call.ts';

/** A change of a request below the level of the contract. */
export type Mutation = (request: RawRequest) => RawRequest;

export const bodies: fc.Arbitrary<Mutation> = fc.oneof(
  fc
    .constantFrom(
      '',
      '{',
      '[',
      '"',
      'nul',
      '{"a":1,}',
      '{"a":1}{"b":2}',
      '\ufeff{}',
      '[]',
      '0',
      '"x"',
      '['.repeat(100_000),
      `{"a":${'9'.repeat(10_000)}}`,
    )
    .map(asBody),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => replaceBody(Buffer.from(bytes))),
  fc.nat(31).map(
    (bit): Mutation =>
      (request) =>
        replaceBody(flip(request.body, bit))(request),
  ),
);

function asBody(text: string): Mutation {
  return replaceBody(Buffer.from(text));
}

function replaceBody(body: Buffer): Mutation {
  return (request) => ({
    ...request,
    body,
    headers: [...request.headers.filter(([name]) => name !== 'content-length'), ['content-length', String(body.length)]],
  });
}

/** Flip one bit in each hundred bytes. */
function flip(body: Buffer, bit: number): Buffer {
  const copy = Buffer.from(body);
  for (let at = bit; at < copy.length; at += 100) copy[at] = copy[at]! ^ (1 << (bit % 8));
  return copy;
}
