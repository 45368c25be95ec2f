import { describe, expect, it } from 'vitest';
import { createManualScheduler } from './scheduler.ts';
import { cellAt, createSimulatedPlatform } from './simulated.ts';

const MODEM = { imei: '', imsi: '', iccid: '', msisdn: '', eid: '', carrier: '', apn: '' };
const MINUTE = 60_000;

/** Readings of a day, one a minute. */
function dayOf(seed: number) {
  const scheduler = createManualScheduler();
  const { modem, sensors } = createSimulatedPlatform({ seed, scheduler, modem: MODEM, home: [40, -74], parks: true });
  return Array.from({ length: 24 * 60 }, () => {
    scheduler.advance(MINUTE);
    return {
      ...modem.signal(),
      ...modem.traffic(),
      ...sensors.position(),
      temperature: sensors.temperature(),
      millivolts: sensors.supplyMillivolts(),
      ignition: sensors.ignition(),
    };
  });
}

describe('the simulated router', () => {
  it('behaves the same in every run of a seed, and unlike another seed', () => {
    expect(dayOf(1)).toEqual(dayOf(1));
    expect(dayOf(1)).not.toEqual(dayOf(2));
  });

  it('stays within the range of such hardware', () => {
    for (const reading of [...dayOf(3), ...dayOf(4)]) {
      expect(reading.rsrp).toBeGreaterThanOrEqual(-120);
      expect(reading.rsrp).toBeLessThanOrEqual(-75);
      expect(reading.rsrq).toBeLessThan(0);
      expect(reading.temperature).toBeGreaterThan(20);
      expect(reading.temperature).toBeLessThan(75);
      expect(reading.millivolts).toBeGreaterThanOrEqual(12_000);
      expect(reading.millivolts).toBeLessThanOrEqual(14_400);
      expect(Math.hypot(reading.latitude - 40, reading.longitude + 74)).toBeLessThan(0.2);
    }
  });

  it('changes smoothly: adjacent readings are close, and the day has a spread', () => {
    const day = dayOf(5);
    const steps = day.slice(1).map((reading, at) => Math.abs(reading.rsrp - day[at]!.rsrp));
    expect(Math.max(...steps)).toBeLessThanOrEqual(8);
    const values = day.map(({ rsrp }) => rsrp);
    expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(15);
  });

  it('data only grows, and starts again when the router starts', () => {
    const day = dayOf(6);
    expect(day.slice(1).every((reading, at) => reading.bytesReceived > day[at]!.bytesReceived)).toBe(true);
    const scheduler = createManualScheduler();
    const { modem, power } = createSimulatedPlatform({ seed: 6, scheduler, modem: MODEM });
    scheduler.advance(60 * MINUTE);
    const before = modem.traffic();
    scheduler.setDate(scheduler.now() - 30 * MINUTE);
    expect(modem.traffic()).toEqual(before);
    power.started();
    expect(modem.traffic()).toEqual({ bytesSent: 0, bytesReceived: 0 });
  });

  it('moves while its ignition is on, at the speed of traffic, and rests while it is off', () => {
    const day = dayOf(7);
    const moved = day.slice(1).map((reading, at) => ({
      ignition: reading.ignition && day[at]!.ignition,
      resting: !reading.ignition && !day[at]!.ignition,
      distance: Math.hypot(reading.latitude - day[at]!.latitude, reading.longitude - day[at]!.longitude),
    }));
    expect(moved.filter(({ ignition }) => ignition).every(({ distance }) => distance > 0)).toBe(true);
    expect(moved.filter(({ resting }) => resting).every(({ distance }) => distance === 0)).toBe(true);
    expect(Math.max(...day.map(({ speed }) => speed))).toBeLessThan(120);
  });

  it('is served by the cells of the place where it is, those of its carrier', () => {
    const place = { latitude: 41.9, longitude: -87.65 };
    const near = { latitude: 41.9001, longitude: -87.6501 };
    const cell = cellAt(place, 'AT&T', 'LTE');
    expect(cell).toBeLessThan(2 ** 28);
    expect(cellAt(near, 'AT&T', 'LTE')).toBe(cell);
    const others = [
      cellAt(place, 'Verizon', 'LTE'),
      cellAt(place, 'AT&T', 'NR'),
      cellAt({ ...place, latitude: 42 }, 'AT&T', 'LTE'),
    ];
    expect(new Set([cell, ...others]).size).toBe(4);
  });

  it('has no fix without a satellite receiver', () => {
    const scheduler = createManualScheduler();
    scheduler.advance(60 * MINUTE);
    const { sensors } = createSimulatedPlatform({ seed: 1, scheduler, modem: MODEM, gnssOff: true });
    expect([sensors.lastFix(), sensors.fixesSince(0)]).toEqual([undefined, []]);
  });

  it('its clock may be wrong', () => {
    const scheduler = createManualScheduler();
    const { clock } = createSimulatedPlatform({ seed: 1, scheduler, modem: MODEM, clockSkewMs: -90_000 });
    expect(clock.now()).toBe(scheduler.now() - 90_000);
  });
});
