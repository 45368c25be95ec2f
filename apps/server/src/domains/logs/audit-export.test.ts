import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, describe, test } from 'vitest';
import { hashEntry } from './audit.ts';
import { verifyAuditExport } from './audit-verification.ts';
import { AuditExportFault, writeAuditExport, type AuditExportEntry, type Known } from './audit-export.ts';
import { signCheckpoint, signCut } from './signatures.ts';

const CHAIN = '01990000-0000-7000-8000-000000000001';
const pair = generateKeyPairSync('ed25519');
const unrelated = generateKeyPairSync('ed25519');

/** Entries `from` to `count`, the first of them after the entry with the hash `after`. */
function chainOf(count: number, word = 'Changed', from = 1, after = '0'.repeat(64)): AuditExportEntry[] {
  const entries: AuditExportEntry[] = [];
  let previous = after;
  for (let seq = from; seq <= count; seq += 1) {
    const content = {
      seq,
      at: new Date(Date.UTC(2026, 0, 1, 0, seq)).toISOString(),
      actorId: null,
      actorEmail: 'dana@highline.invalid',
      actorRole: 'admin',
      address: '192.0.2.7',
      action: `${word} notes of device HL-${seq}`,
      // Entries of versions before it have no sentence, and stay in the same chain.
      ...(seq % 2 === 0 ? { sentence: { key: 'device.changed', params: [{ terms: ['note'] }, `HL-${seq}`] } } : {}),
      subjectKind: 'device',
      subjectId: 'x',
      detail: { note: 'é 路 🚌', n: seq },
    };
    const hash = hashEntry(Buffer.from(previous, 'hex'), { chainId: CHAIN, ...content }).toString('hex');
    entries.push({ ...content, previous, hash });
    previous = hash;
  }
  return entries;
}

async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

type Cut = ReturnType<typeof cutAt>;

/** The signature of a retention cut that removed the first entries of a log. */
function cutAt(entries: readonly AuditExportEntry[], seq: number, sign = signCut, key = pair.privateKey) {
  const { chain: _, ...cut } = sign(
    CHAIN,
    seq,
    Buffer.from(entries[seq - 1]!.hash, 'hex'),
    new Date('2026-11-20T00:00:00Z'),
    key,
  );
  return cut;
}

async function fileOf(entries: readonly AuditExportEntry[], key = pair.privateKey, cut?: Cut): Promise<Buffer> {
  const pieces: string[] = [];
  const about = { chain: CHAIN, exported: '2026-11-21T00:00:00.000Z', ...(cut === undefined ? {} : { cut }) };
  for await (const piece of writeAuditExport(about, stream(entries), key)) pieces.push(piece);
  return Buffer.from(pieces.join(''));
}

/** Read in small pieces, so that lines cross their edges. */
function check(file: Buffer, known: readonly Known[] = [], key = pair.publicKey) {
  const pieces = Array.from({ length: Math.ceil(file.length / 997) }, (_, at) => file.subarray(at * 997, (at + 1) * 997));
  return verifyAuditExport(stream(pieces), [key], (chain) => (chain === CHAIN ? known : []));
}

const lines = (file: Buffer) => file.toString('utf8').split('\n');
const joined = (parts: readonly string[]) => Buffer.from(parts.join('\n'));

describe('LOG-02-partial an exported log', () => {
  test('verifies as a whole, also when it is empty, and when retention removed its first entries', async () => {
    expect(await check(await fileOf(chainOf(40)))).toEqual({ chain: CHAIN, entries: 40, lastSeq: 40 });
    expect(await check(await fileOf([]))).toEqual({ chain: CHAIN, entries: 0, lastSeq: 0 });
    const all = chainOf(15);
    const cut = cutAt(all, 10);
    const known = [all[3]!, all[9]!, all[13]!];
    const summary = { chain: CHAIN, entries: 5, lastSeq: 15, cut: { seq: 10, at: '2026-11-20T00:00:00.000Z' } };
    expect(await check(await fileOf(all.slice(10), pair.privateKey, cut), known)).toEqual(summary);
    expect(await check(await fileOf([], pair.privateKey, cut))).toEqual({ ...summary, entries: 0, lastSeq: 10 });
  });

  test('whose first entries were removed by anything but retention does not verify', async () => {
    const all = chainOf(15);
    const rewritten = chainOf(15, 'Rewrote');
    const short = (cut?: Cut, from = 10, entries = all) => fileOf(entries.slice(from), pair.privateKey, cut);
    await expect(check(await short())).rejects.toThrow('entries before its first were removed');
    // The header contains a false hash before the first entry, and there is still no signature of a retention cut for it.
    const header = (await short()).toString().replace(all[9]!.hash, '0'.repeat(64));
    await expect(check(Buffer.from(header))).rejects.toThrow('Entries 1 to 10 are missing.');
    await expect(check(await short(cutAt(all, 9)))).rejects.toThrow('begin after entry 9');
    const forged = 'Entries up to 10 were removed, but not by retention';
    await expect(check(await short({ ...cutAt(all, 8), seq: 10, hash: all[9]!.hash }))).rejects.toThrow(forged);
    await expect(check(await short(cutAt(all, 10, signCut, unrelated.privateKey)))).rejects.toThrow(forged);
    await expect(check(await short(cutAt(all, 10, signCheckpoint))), 'a checkpoint is not a cut').rejects.toThrow(forged);
    // A log that was rewritten before its retention: the checkpoint of its last entry differs.
    const late = await short(cutAt(rewritten, 10), 10, rewritten);
    await expect(check(late, [{ seq: 10, hash: all[9]!.hash }])).rejects.toThrow('Entry 10 does not match its checkpoint');
    // More was removed from the front than the signed cut covers.
    await expect(check(await short(cutAt(all, 10), 12))).rejects.toThrow('begin after entry 10');
  });

  test('detects every one of 1,000 random changes of a single byte, and names the entry', async () => {
    const logs = await Promise.all(Array.from({ length: 10 }, async (_, count) => lines(await fileOf(chainOf(count + 1)))));
    const change = fc.tuple(
      fc.nat(9),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 1, max: 255 }),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([log, share, bits]) => {
        const file = joined(logs[log]!);
        const at = Math.floor(share * file.length);
        // Line 0 is the header, others have the number of their entry; the line break belongs to the line before it.
        const line = file.subarray(0, at).toString('latin1').split('\n').length - 1;
        const count = log + 1;
        file[at] = file[at]! ^ bits;
        const fault = await check(file).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(fault, `byte ${at}`).toBeInstanceOf(AuditExportFault);
        if (line === 0 || line > count) return;
        const before = line - 1;
        const names = [
          `Entry ${line} was changed`,
          `entry ${line},`,
          ...(line === count ? [`after entry ${before}: its end`] : []),
        ];
        expect(
          names.some((name) => (fault as Error).message.includes(name)),
          `${(fault as Error).message} (line ${line})`,
        ).toBe(true);
      }),
      { numRuns: 1_000, seed: 20_261_121 },
    );
  });

  test('detects every removal, swap, cut and rewriting, and names the entry', async () => {
    const original = chainOf(12);
    const all = lines(await fileOf(original));
    const place = fc.integer({ min: 1, max: 12 });
    const fault = (file: Buffer, known?: readonly Known[]) =>
      check(file, known).then(
        () => 'nothing',
        (error: Error) => error.message,
      );
    await fc.assert(
      fc.asyncProperty(place, place, async (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const removed = await fault(joined(all.filter((_, line) => line < from || line > to)));
        if (from === to && to < 12) expect(removed).toContain(`Entry ${from} is missing`);
        else if (to < 12) expect(removed).toContain(`Entries ${from} to ${to} are missing`);
        else expect(removed).toContain(`Entries after ${from - 1} were cut off`);
        if (from < to) {
          const swapped = all.with(from, all[to]!).with(to, all[from]!);
          expect(await fault(joined(swapped))).toContain(`Entry ${from} is in the wrong place`);
        }
        expect(await fault(joined([...all.slice(0, from), '']))).toContain(`after entry ${from === 1 ? 0 : from - 2}`);
        // Rewritten from an entry on, with every hash and the server's own signature: only data outside the file can reveal it.
        const rewritten = [...original.slice(0, from - 1), ...chainOf(12, 'Rewrote', from, original[from - 2]?.hash)];
        const file = await fileOf(rewritten);
        expect(await fault(file)).toBe('nothing');
        expect(await fault(file, [original[to - 1]!])).toContain(`Entry ${to} does not match its checkpoint`);
      }),
      { numRuns: 150, seed: 20_261_121 },
    );
  });

  test('accepts no other encoding of its signature, and no missing line break at its end', async () => {
    const file = (await fileOf(chainOf(2))).toString();
    const [before, last] = [file.slice(0, -6), file.slice(-6)];
    expect(last).toMatch(/^.==""?\}\n$|^.=="\}\n$/u);
    const next = String.fromCodePoint(last.codePointAt(0)! + 1);
    await expect(check(Buffer.from(before + next + last.slice(1)))).rejects.toThrow(AuditExportFault);
    await expect(check(Buffer.from(file.slice(0, -1)))).rejects.toThrow('after entry 2');
    await expect(check(Buffer.from(`${file}\n`))).rejects.toThrow(AuditExportFault);
  });

  test('names the entry that was changed, is missing, was swapped or cut off', async () => {
    const all = lines(await fileOf(chainOf(9)));
    const without = (at: number) => joined(all.filter((_, index) => index !== at));
    for (let entry = 2; entry <= 8; entry += 1) await expect(check(without(entry))).rejects.toThrow(`Entry ${entry} is missing`);
    const swapped = [...all];
    [swapped[4], swapped[5]] = [all[5]!, all[4]!];
    await expect(check(joined(swapped))).rejects.toThrow('Entry 4 is in the wrong place');
    const far = [...all];
    [far[2], far[8]] = [all[8]!, all[2]!];
    await expect(check(joined(far))).rejects.toThrow('Entry 2 is in the wrong place');
    await expect(check(joined(all.toSpliced(6, 0, all[5]!)))).rejects.toThrow('Entry 5 is in the wrong place or duplicated');
    await expect(check(joined([...all.slice(0, 7), ''])), 'its end cut off').rejects.toThrow('after entry 5');
    await expect(check(joined([...all.slice(0, 7), ...all.slice(10)]))).rejects.toThrow('Entries after 6 were cut off: entry 9');
    await expect(check(joined(all.with(3, all[3]!.replace('HL-3', 'HL-4'))))).rejects.toThrow('Entry 3 was changed');
    await expect(check(Buffer.alloc(0))).rejects.toThrow(AuditExportFault);
  });

  test('rewritten as a whole, or made with another key, does not verify', async () => {
    const known = [{ seq: 7, hash: chainOf(9)[6]!.hash }];
    expect(await check(await fileOf(chainOf(9)), known)).toMatchObject({ entries: 9 });
    await expect(check(await fileOf(chainOf(9, 'Rewrote')), known)).rejects.toThrow('Entry 7 does not match its checkpoint');
    // Also one that the server has signed since.
    const signed = [...known, { seq: 7, hash: chainOf(9, 'Rewrote')[6]!.hash }];
    await expect(check(await fileOf(chainOf(9, 'Rewrote')), signed)).rejects.toThrow('Entry 7 does not match its checkpoint');
    await expect(check(await fileOf(chainOf(5)), known)).rejects.toThrow('Entries after 5 were cut off: entry 7');
    await expect(check(await fileOf(chainOf(9), unrelated.privateKey))).rejects.toThrow('The signature does not match');
  });
});
