import * as fc from 'fast-check';
import { hostileNumber, hostileText } from './hostile.ts';

const DAY_SECONDS = 86_400;
/** Epoch seconds: now, in the future, years ago, and no time at all. */
const times = fc.oneof(
  fc.nat(3_600).map((age) => Math.floor(Date.now() / 1_000) - age),
  fc.constantFrom(DAY_SECONDS, -10 * 365 * DAY_SECONDS).map((ahead) => Math.floor(Date.now() / 1_000) + ahead),
  hostileNumber,
);
/** A few places far from each other, the edges of the earth, 0/0, and what lies outside. */
const latitudes = fc.oneof(fc.constantFrom(41.88, 41.880_1, 46.5, 0, -90, 90, 90.01), hostileNumber);
const longitudes = fc.oneof(fc.constantFrom(-87.63, -87.629_9, -93, 0, 180, -180, 180.01), hostileNumber);
const values = fc.oneof(fc.constantFrom('', '5', '33.5', '270', '360', '-1'), hostileNumber.map(String), hostileText);

/** A value of Device.X_HIGHLINE_GPS.Trail. */
export const anyTrail: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.tuple(times, latitudes, longitudes, values, values, values).map((fix) => fix.join(',')) },
      { weight: 1, arbitrary: hostileText },
    ),
    { maxLength: 20 },
  )
  .map((fixes) => fixes.join(';').slice(0, 4_000));

const shapes = fc.oneof(
  fc.tuple(latitudes, longitudes).map(([latitude, longitude]) => `<m:Point><m:pos>${latitude} ${longitude}</m:pos></m:Point>`),
  fc
    .tuple(latitudes, longitudes, values)
    .map(
      ([latitude, longitude, radius]) =>
        `<s:Circle><m:pos>${latitude} ${longitude}</m:pos><s:radius>${radius}</s:radius></s:Circle>`,
    ),
  fc.constantFrom('', '<m:Polygon/>', '<m:Point>&a;</m:Point>', '<m:Point><m:pos>1</m:pos></m:Point>'),
  fc.nat(2_000).map((depth) => '<m:a>'.repeat(depth)),
  hostileText,
);
const namespaces = fc.constantFrom(
  'urn:ietf:params:xml:ns:pidf:geopriv10',
  'urn:ietf:params:xml:ns:pidf:geopriv10',
  'urn:else',
  '',
);
const types = fc.constantFrom('', '', '', '<!DOCTYPE presence [<!ENTITY a "1"><!ENTITY b "&a;&a;&a;">]>', '<!ENTITY a "1">');
const stamps = fc.oneof(
  fc.constantFrom('', '<timestamp>2026-11-23T11:59:30Z</timestamp>', '<timestamp>0001-01-01T00:00:00Z</timestamp>'),
  hostileText.map((text) => `<timestamp>${text}</timestamp>`),
);

/** A value of Device.DeviceInfo.Location.{i}.DataObject: PIDF-LO (RFC 5491), with what is wrong with it. */
export const anyLocation: fc.Arbitrary<string> = fc
  .tuple(types, namespaces, shapes, stamps)
  .map(
    ([type, geopriv, shape, stamp]) =>
      `<?xml version="1.0"?>${type}<presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:g="${geopriv}" xmlns:m="http://www.opengis.net/gml" ` +
      `xmlns:s="http://www.opengis.net/pidflo/1.0" entity="pres:x"><tuple id="a"><status><g:geopriv><g:location-info>${shape}` +
      `</g:location-info></g:geopriv></status>${stamp}</tuple></presence>`,
  )
  .map((text) => text.slice(0, 20_000));
