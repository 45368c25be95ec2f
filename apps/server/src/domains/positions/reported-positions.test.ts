import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFix } from './fix.ts';
import { readPidfLo } from './pidf-lo.ts';
import { FaultCounts } from './fault-counts.ts';
import { positionTextsOf, readReportedFixes } from './push.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const DAY_MS = 86_400_000;

/** A document with our own choice of prefixes. */
function pidf({
  shape = POINT,
  more = '',
  time = '<timestamp>2026-11-23T11:59:30Z</timestamp>',
  geopriv = GEOPRIV,
} = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
    <presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:g="${geopriv}" xmlns:m="http://www.opengis.net/gml"
        xmlns:s="http://www.opengis.net/pidflo/1.0" xmlns:d="urn:ietf:params:xml:ns:pidf:geopriv10:dynamic" entity="pres:bus@example.net">
      <tuple id="a1"><status><g:geopriv><g:location-info>${shape}${more}</g:location-info><g:usage-rules/></g:geopriv></status>${time}</tuple>
    </presence>`;
}
const GEOPRIV = 'urn:ietf:params:xml:ns:pidf:geopriv10';
const CRS = 'srsName="urn:ogc:def:crs:EPSG::4326"';
const POINT = `<m:Point ${CRS}><m:pos>41.8826 -87.6233</m:pos></m:Point>`;
const METRES = 'uom="urn:ogc:def:uom:EPSG::9001"';

/** The positions in one message, and each fault with what came and how often. */
function fixesOf({ trails = [], locations = [] }: { trails?: readonly string[]; locations?: readonly string[] }) {
  const counts = new FaultCounts();
  const fixes = readReportedFixes(
    { trails, locations: locations.map((text) => ({ text, acquiredAt: undefined })) },
    NOW,
    counts.add,
  );
  const faults: unknown[] = [];
  counts.forEach((...fault) => faults.push(fault));
  return { fixes, faults };
}

describe('POS-01-partial PIDF-LO', () => {
  test('a point, a circle with altitude and an ellipse, under any prefix, with speed, heading and time', () => {
    expect(readPidfLo(pidf(), NOW)).toMatchObject({ at: NOW / 1_000 - 30, latitude: 41.8826, longitude: -87.6233 });
    const circle = `<s:Sphere srsName="urn:ogc:def:crs:EPSG::4979"><m:pos>41.5 -87.5 180</m:pos><s:radius ${METRES}>12.5</s:radius></s:Sphere>`;
    const more = '<d:Dynamic><d:orientation>90 10</d:orientation><d:speed>10</d:speed></d:Dynamic>';
    expect(readPidfLo(pidf({ shape: circle, more, time: '' }), NOW)).toEqual({
      at: NOW / 1_000,
      isUndated: true,
      latitude: 41.5,
      longitude: -87.5,
      accuracy: 12.5,
      speed: 36,
      heading: 90,
    });
    const ellipse = `<s:Ellipse ${CRS}><m:pos>41 -87</m:pos><s:semiMajorAxis ${METRES}>40</s:semiMajorAxis></s:Ellipse>`;
    expect(readPidfLo(pidf({ shape: ellipse }), NOW)).toMatchObject({ latitude: 41, longitude: -87, accuracy: 40 });
  });

  test('is rejected with its reason: too large, a type with entities, no XML, other namespaces, other shapes', () => {
    const entities = '<!DOCTYPE presence [<!ENTITY a "1"><!ENTITY b "&a;&a;&a;&a;">]>';
    expect(readPidfLo(`${' '.repeat(10 * 1_048_576)}${pidf()}`, NOW)).toBe('too_large');
    expect(readPidfLo(pidf().replace('?>', `?>${entities}`), NOW)).toBe('doctype');
    expect(readPidfLo(pidf({ shape: '<m:Point><m:pos>&a; 2</m:pos></m:Point>' }), NOW)).toBe('shape');
    expect(readPidfLo(pidf().slice(0, -20), NOW)).toBe('not_xml');
    expect(readPidfLo('41.88,-87.62', NOW)).toBe('not_xml');
    expect(readPidfLo(`${'<a>'.repeat(2_000)}${'</a>'.repeat(2_000)}`, NOW)).toBe('not_xml');
    expect(readPidfLo(pidf({ geopriv: 'urn:example:else' }), NOW)).toBe('namespace');
    expect(readPidfLo('<presence><location-info/></presence>', NOW)).toBe('namespace');
    expect(readPidfLo(pidf({ shape: '' }), NOW)).toBe('namespace');
    expect(readPidfLo(pidf({ shape: '<m:Point srsName="urn:ogc:def:crs:EPSG::3857"><m:pos>1 2</m:pos></m:Point>' }), NOW)).toBe(
      'shape',
    );
    expect(readPidfLo(pidf({ shape: '<m:Polygon><m:pos>1 2</m:pos></m:Polygon>' }), NOW)).toBe('shape');
    expect(readPidfLo(pidf({ shape: '<m:constructor><m:pos>1 2</m:pos></m:constructor>' }), NOW)).toBe('shape');
  });

  test('numbers and names of coordinate systems are read as other agents write them', () => {
    const at = (text: string, system = 'EPSG:4326') =>
      readPidfLo(pidf({ shape: `<m:Point srsName="${system}"><m:pos>${text}</m:pos></m:Point>` }), NOW);
    expect(at('51.4779 -5e-05')).toMatchObject({ latitude: 51.4779, longitude: -0.00005 });
    expect(at('51.507400000000000073 -.127758000000000012')).toMatchObject({ latitude: 51.5074, longitude: -0.127758 });
    for (const system of [
      'http://www.opengis.net/def/crs/EPSG/0/4326',
      'https://www.opengis.net/def/crs/EPSG/9.9.1/4979',
      'urn:ogc:def:crs:EPSG:6.9:4326',
      'urn:ogc:def:crs:epsg::4979',
    ])
      expect(at('51.5 -0.1', system), system).toMatchObject({ latitude: 51.5, longitude: -0.1 });
    for (const system of ['EPSG:3857', 'urn:ogc:def:crs:OGC:1.3:CRS84', 'EPSG:43260', ''])
      expect(at('51.5 -0.1', system)).toBe('shape');
    for (const text of ['1e400 1', `${'1'.repeat(41)} 1`, '0x10 1', '1e 1', '1e5e5 1', 'Infinity 1', '. 1', '--1 1'])
      expect(at(text), text).toBe('shape');
    expect(fixesOf({ trails: ['1795435200,51.4779,-5e-05,,1.5E1,'] }).fixes).toMatchObject([{ longitude: -0.00005, speed: 15 }]);
  });

  test('any text is read or rejected, never a fault', () => {
    assert(
      property(string(), string({ unit: 'binary' }), (text, other) => {
        for (const document of [text, `<presence>${text}</presence>`, pidf({ shape: other }), pidf({ more: text })])
          expect(['string', 'object']).toContain(typeof readPidfLo(document, NOW));
      }),
      { numRuns: 40 },
    );
  });
});

describe('POS-01-partial a trail', () => {
  test('is read entry by entry: wrong ones are counted, the others count', () => {
    const { fixes, faults } = fixesOf({
      trails: ['1795435200,41.88,-87.62,5,33.5,270;;1795435210,41.89,-87.63,,,; 1,2 ;a,b,c;1,2,3,4,5,6,7;1x9,1,1;1,,1'],
    });
    expect(fixes).toEqual([
      { at: 1_795_435_200, latitude: 41.88, longitude: -87.62, accuracy: 5, speed: 33.5, heading: 270 },
      { at: 1_795_435_210, latitude: 41.89, longitude: -87.63, accuracy: undefined, speed: undefined, heading: undefined },
    ]);
    expect(faults).toEqual([['malformed', '1,,1', 5]]);
  });

  test('of one message the newest 10,000 are read, in trails or in documents; the others are counted', () => {
    const trail = (from: number) => Array.from({ length: 7_200 }, (_, index) => `${from + index},1,1`).join(';');
    const { fixes, faults } = fixesOf({ trails: [trail(0), trail(7_200), trail(14_400)] });
    expect([fixes.length, fixes[0]!.at, fixes.at(-1)!.at, faults]).toEqual([10_000, 11_600, 21_599, [['too_many', '', 11_600]]]);
    for (const part of ['<b/>', '<b><b/></b>', '<b a="" b="" c=""/>']) {
      const many = fixesOf({ locations: Array.from({ length: 200 }, () => pidf({ more: part.repeat(400) })) });
      expect(many.fixes.length).toBeLessThan(25);
      expect(many.faults).toEqual([['too_many', '', 200 - many.fixes.length]]);
    }
    const usual = fixesOf({ locations: Array.from({ length: 150 }, () => pidf()) });
    expect([usual.fixes.length, usual.faults]).toEqual([150, []]);
  });

  test('and documents are found in reports of bulk data', () => {
    const report = (values: object) => [{ values: [['CollectionTime', 1] as const] }, { values: Object.entries(values) }];
    const location = 'Device.DeviceInfo.Location.2.DataObject';
    expect(positionTextsOf(report({ 'Device.X_HIGHLINE_GPS.Trail': '1,2,3', [location]: '<a/>' }))).toEqual({
      trails: ['1,2,3'],
      locations: [{ text: '<a/>', acquiredAt: undefined }],
    });
    expect(positionTextsOf(report({ 'Device.X_HIGHLINE_GPS.Trail': '' }))).toBeUndefined();
    expect(
      positionTextsOf(report({ 'Device.X_HIGHLINE_GPS.Trail': 7, 'Device.DeviceInfo.Location.x.DataObject': 'a' })),
    ).toBeUndefined();
  });
});

describe('POS-01-partial a position', () => {
  const window = { now: NOW, from: NOW - 7 * DAY_MS };
  const check = (fix: object) => checkFix({ at: NOW / 1_000, latitude: 41, longitude: -87, ...fix }, window);

  test('is rejected outside the earth, at 0/0, in the future, ten years old, and older than what is stored', () => {
    expect(check({ latitude: 90.01 })).toBe('outside');
    expect(check({ longitude: -180.5 })).toBe('outside');
    expect(check({ latitude: Number.NaN })).toBe('outside');
    expect(check({ latitude: 0, longitude: -0 })).toBe('zero');
    expect(check({ at: NOW / 1_000 + 120 })).toBe('future');
    expect(check({ at: NOW / 1_000 - 11 * 365 * 86_400 })).toBe('old');
    expect(check({ at: NOW / 1_000 - 8 * 86_400 })).toBe('expired');
    expect(check({ at: Number.NaN })).toBe('malformed');
  });

  test('with the week number of GPS rolled over, or with local time as UTC, gets the time that alone can be meant; others do not', () => {
    const WEEKS = 1_024 * 7 * 86_400;
    const now = NOW / 1_000;
    for (const [at, stored, corrected] of [
      [now - WEEKS, NOW, 'week-rollover'],
      [now - WEEKS - 6 * 86_400, NOW - 6 * DAY_MS, 'week-rollover'],
      [now - 2 * WEEKS, NOW, 'week-rollover'],
      [now + 7_200, NOW, 'local-time'],
      [now + 5.75 * 3_600 - 240, NOW - 240_000, 'local-time'],
    ] as const)
      expect(check({ at }), String(at - now)).toMatchObject({ at: stored, corrected });
    // Not of the days that are stored, before GPS began, no offset of a zone, and too long ago to know which.
    for (const [at, reason] of [
      [now - WEEKS - 8 * 86_400, 'old'],
      [now - WEEKS + 120, 'old'],
      [0, 'old'],
      [now + 90, 'future'],
      [now + 900, 'future'],
      [now + 7_200 - 360, 'future'],
      [now + 15 * 3_600, 'future'],
    ] as const)
      expect(check({ at }), String(at - now)).toBe(reason);
  });

  test('at the edge of the earth is accepted; accuracy, speed and heading out of range are left out', () => {
    expect(check({ latitude: -90, longitude: 180, at: NOW / 1_000 + 0.9, accuracy: -1, speed: 5_000, heading: 360 })).toEqual({
      at: NOW,
      latitude: -90,
      longitude: 180,
      accuracy: null,
      speed: null,
      heading: 0,
    });
    expect(check({ latitude: 0, longitude: 10 })).toMatchObject({ latitude: 0 });
    // No number of a router is so small that the database rejects it, and the positions that came with it.
    expect(check({ accuracy: 1e-200, speed: 5e-324, heading: 12.3 })).toMatchObject({ accuracy: 0, speed: 0, heading: 12.3 });
  });
});
