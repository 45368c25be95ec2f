import { generateKeyPairSync } from 'node:crypto';
import { expect, describe, test } from 'vitest';
import { hashEntry } from './audit.ts';
import { EvidenceFault, verifyEvidence, writeEvidence, type EvidenceEntry, type Known } from './evidence.ts';

const CHAIN = '01990000-0000-7000-8000-000000000001';
const pair = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');

function chainOf(count: number, word = 'Changed', from = 1): EvidenceEntry[] {
  const entries: EvidenceEntry[] = [];
  let previous = Buffer.alloc(32);
  for (let seq = 1; seq < from + count; seq += 1) {
    const content = {
      seq,
      at: new Date(Date.UTC(2026, 0, 1, 0, seq)).toISOString(),
      actorId: null,
      actorEmail: 'dana@highline.invalid',
      actorRole: 'admin',
      address: '192.0.2.7',
      action: `${word} notes of device HL-${seq}`,
      subjectKind: 'device',
      subjectId: 'x',
      detail: { note: 'é 路 🚌', n: seq },
    };
    const hash = hashEntry(previous, { chainId: CHAIN, ...content });
    if (seq >= from) entries.push({ ...content, previous: previous.toString('hex'), hash: hash.toString('hex') });
    previous = hash as Buffer<ArrayBuffer>;
  }
  return entries;
}

async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function fileOf(entries: readonly EvidenceEntry[], key = pair.privateKey): Promise<Buffer> {
  const pieces: string[] = [];
  for await (const piece of writeEvidence({ chain: CHAIN, exported: '2026-11-21T00:00:00.000Z' }, stream(entries), key))
    pieces.push(piece);
  return Buffer.from(pieces.join(''));
}

/** Read in small pieces, so that lines lie across their edges. */
function check(file: Buffer, known: readonly Known[] = [], key = pair.publicKey) {
  const pieces = Array.from({ length: Math.ceil(file.length / 997) }, (_, at) => file.subarray(at * 997, (at + 1) * 997));
  return verifyEvidence(stream(pieces), key, (chain) => (chain === CHAIN ? known : []));
}

const lines = (file: Buffer) => file.toString('utf8').split('\n');
const joined = (parts: readonly string[]) => Buffer.from(parts.join('\n'));

describe('LOG-02-partial an exported log', () => {
  test('verifies as a whole, also when it does not begin at the first entry, and when it is empty', async () => {
    expect(await check(await fileOf(chainOf(40)))).toEqual({ chain: CHAIN, entries: 40, lastSeq: 40 });
    expect(await check(await fileOf(chainOf(5, 'Changed', 11)))).toEqual({ chain: CHAIN, entries: 5, lastSeq: 15 });
    expect(await check(await fileOf([]))).toEqual({ chain: CHAIN, entries: 0, lastSeq: 0 });
  });

  test('shows every one of 1,000 changes of a single byte', async () => {
    const file = await fileOf(chainOf(12));
    for (let round = 0; round < 1_000; round += 1) {
      const changed = Buffer.from(file);
      const at = (round * 7_919) % file.length;
      changed[at] = changed[at]! ^ (1 + ((round * 31) % 255));
      await expect(check(changed), `byte ${at}`).rejects.toThrow(EvidenceFault);
    }
  });

  test('names the entry that was changed, is missing, was swapped or cut off', async () => {
    const all = lines(await fileOf(chainOf(9)));
    const without = (at: number) => joined(all.filter((_, index) => index !== at));
    for (let entry = 2; entry <= 8; entry += 1) await expect(check(without(entry))).rejects.toThrow(`Entry ${entry} is missing`);
    const swapped = [...all];
    [swapped[4], swapped[5]] = [all[5]!, all[4]!];
    await expect(check(joined(swapped))).rejects.toThrow('Entry 4 stands in the wrong place');
    const far = [...all];
    [far[2], far[8]] = [all[8]!, all[2]!];
    await expect(check(joined(far))).rejects.toThrow('Entry 2 stands in the wrong place');
    await expect(check(joined(all.toSpliced(6, 0, all[5]!)))).rejects.toThrow('Entry 5 stands in the wrong place or twice');
    await expect(check(joined([...all.slice(0, 7), ''])), 'its end cut off').rejects.toThrow('after entry 5');
    await expect(check(joined([...all.slice(0, 7), ...all.slice(10)]))).rejects.toThrow('Entries after 6 were cut off: entry 9');
    await expect(check(joined(all.with(3, all[3]!.replace('HL-3', 'HL-4'))))).rejects.toThrow('Entry 3 was changed');
    await expect(check(Buffer.alloc(0))).rejects.toThrow(EvidenceFault);
  });

  test('rewritten as a whole, or made with another key, does not verify', async () => {
    const known = [{ seq: 7, hash: chainOf(9)[6]!.hash }];
    expect(await check(await fileOf(chainOf(9)), known)).toMatchObject({ entries: 9 });
    await expect(check(await fileOf(chainOf(9, 'Rewrote')), known)).rejects.toThrow('Entry 7 is not the one that a checkpoint');
    await expect(check(await fileOf(chainOf(5)), known)).rejects.toThrow('Entries after 5 were cut off: entry 7');
    await expect(check(await fileOf(chainOf(9), stranger.privateKey))).rejects.toThrow('The signature does not fit');
  });
});
