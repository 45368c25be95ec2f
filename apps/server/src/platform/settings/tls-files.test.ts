import { expect, test } from 'vitest';
import { createTestAuthority, writePems } from '../../testing/certificates.ts';
import { certificateWarnings, readTlsFiles } from './tls-files.ts';

const authority = await createTestAuthority('Carrier CA');
const leaf = await authority.issue({ isServer: true, until: 100 });
const now = new Date();

test('a chain that ends at its root is no reason to warn; one without the issuer names it', () => {
  expect(certificateWarnings(leaf.cert + '\n' + authority.cert, now)).toEqual([]);
  expect(certificateWarnings(leaf.cert, now)).toEqual([
    'The certificate of the issuer, Carrier CA, is not in the file. Browsers may find it elsewhere, routers do not: add it, unless it is an authority that all of them trust.',
  ]);
});

test('an expired certificate, and one that will be soon, is named with the date', () => {
  const chain = leaf.cert + '\n' + authority.cert;
  const at = (days: number) => new Date(now.getTime() + days * 86_400_000);
  expect(certificateWarnings(chain, at(101))).toEqual([expect.stringMatching(/^The certificate of 127\.0\.0\.1 expired on 20/u)]);
  expect(certificateWarnings(chain, at(90))).toEqual([expect.stringMatching(/expires on 20/u)]);
  expect(certificateWarnings(chain, at(-10))).toEqual([expect.stringMatching(/valid only from 20/u)]);
});

test('another certificate than that of the issuer is reported, and a wrong order is rejected with a sentence', async () => {
  const other = await createTestAuthority('Other CA');
  expect(certificateWarnings(leaf.cert + '\n' + other.cert, now)).toEqual([
    expect.stringContaining('is followed by one that did not sign it: after each comes that of its issuer, here Carrier CA.'),
  ]);
  const files = writePems({ cert: authority.cert + '\n' + leaf.cert, key: leaf.key, other: other.cert });
  expect(() => readTlsFiles({ certFile: files.cert, keyFile: files.key })).toThrow(
    /wrong order: that of the server comes first/u,
  );
  expect(() => readTlsFiles({ certFile: files.other, keyFile: files.key })).toThrow(/do not belong together/u);
});
