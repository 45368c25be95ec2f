import { normalizeIccid, normalizeImsi, normalizeMsisdn } from '@highline/usp';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeIccid } from '../identity.ts';
import type { ChipMemory } from '../state/state.ts';
import type { ProfileOrder } from './euicc.ts';
import { createManualScheduler } from './scheduler.ts';
import { createSimulatedEuicc } from './simulated-euicc.ts';

const FACTORY = { iccid: makeIccid(1), imsi: '999700000000001', msisdn: '12015550101', carrier: 'Testnet' };
let chip: ChipMemory;
let scheduler: ReturnType<typeof createManualScheduler>;

beforeEach(() => {
  chip = { enabled: '', profiles: [] };
  scheduler = createManualScheduler();
});

const createChip = () => {
  const write = (next: ChipMemory) => {
    chip = next;
  };
  return createSimulatedEuicc({ factory: FACTORY, memory: { read: () => chip, write }, scheduler, downloadMs: 1_000 });
};

/** Advance by `ms`, and run everything that follows. */
async function pass(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 50) {
    scheduler.advance(50);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Result of an order: 'there', the reason of a failure, or 'under way' after `ms`. */
async function order(activationCode: string, ms = 1_400, more: Partial<ProfileOrder> = {}): Promise<string> {
  let end = 'under way';
  const abort = new AbortController();
  const input = { activationCode, confirmationCode: '', iccid: '', ...more };
  void createChip()
    .download(input, abort.signal, () => undefined)
    .then(
      () => (end = 'there'),
      (error: Error) => (end = error.message),
    );
  await pass(ms);
  abort.abort();
  return end;
}

describe('the simulated eUICC', () => {
  it('a profile is derived from its activation code alone: valid numbers, and the operator of its server', async () => {
    expect(await order('1$rsp.orange.example$K2-44')).toBe('there');
    const [first] = chip.profiles;
    expect(first).toMatchObject({ carrier: 'Orange', connects: true });
    expect(normalizeIccid(first!.iccid)).toBe(first!.iccid);
    expect(normalizeImsi(first!.imsi)).toBe(first!.imsi);
    expect(normalizeMsisdn(first!.msisdn)).toBe(first!.msisdn);
    chip = { enabled: '', profiles: [] };
    await order('LPA:1$RSP.orange.example$K2-44');
    expect(chip.profiles).toEqual([first]);
    await order('1$rsp.orange.example$K2-45');
    expect(new Set(chip.profiles.map(({ iccid }) => iccid)).size).toBe(2);
  });

  it('a slow one takes longer, and is installed in the end', async () => {
    expect(await order('1$smdp.example$SLOW-1')).toBe('under way');
    expect(chip.profiles).toEqual([]);
    expect(await order('1$smdp.example$SLOW-1', 8_400)).toBe('there');
  });

  it('one whose matching id names a confirmation code requires that code', async () => {
    const input = '1$smdp.example$PIN4711-A$$1';
    expect(await order(input)).toMatch(/^wrong-confirmation/u);
    expect(await order(input, 1_400, { confirmationCode: '4712' })).toMatch(/^wrong-confirmation/u);
    expect(chip.profiles).toEqual([]);
    expect(await order(input, 1_400, { confirmationCode: '4711' })).toBe('there');
  });

  it('a keyword makes a profile faulty only when a part of the matching id begins with it', async () => {
    expect(await order('1$smdp.example$A-FAIL2-B')).toMatch(/^download-failed/u);
    expect(await order('1$smdp.example$PREFAIL')).toBe('there');
    expect(await order('1$FAIL.example$A')).toBe('there');
    expect(await order('1$smdp.example$NOCONN')).toBe('there');
    const chipNow = createChip();
    expect(chipNow.connects()).toBe(true);
    chipNow.enable(chip.profiles[2]!.iccid);
    expect(chipNow.connects()).toBe(false);
    chipNow.enable(FACTORY.iccid);
    expect(chipNow.connects()).toBe(true);
  });

  it('holds four including the preloaded one, and each number once', async () => {
    for (const id of ['A', 'B']) expect(await order(`1$smdp.example$${id}`)).toBe('there');
    expect(await order('1$smdp.example$X', 1_400, { iccid: FACTORY.iccid })).toMatch(/^download-failed: .*already/u);
    expect(await order('1$smdp.example$C')).toBe('there');
    expect(await order('1$smdp.example$D')).toMatch(/^out-of-memory/u);
    expect(createChip().profiles()).toHaveLength(createChip().capacity);
  });

  it('one that is too large leaves nothing behind, and a smaller one still fits', async () => {
    expect(await order('1$smdp.example$BIG-1')).toMatch(/^out-of-memory/u);
    expect(chip.profiles).toEqual([]);
    expect(await order('1$smdp.example$A')).toBe('there');
  });

  it('a missing profile cannot be enabled, and removing it does nothing', () => {
    expect(() => createChip().enable(makeIccid(9))).toThrow('no profile');
    createChip().remove(makeIccid(9));
    expect(chip).toEqual({ enabled: '', profiles: [] });
  });
});
