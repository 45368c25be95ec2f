import type { Fix } from './drive.ts';

/** A fix as PIDF-LO (RFC 5491), with speed and heading as RFC 5962; speeds are in metres per second there. */
export function pidfLo({ at, latitude, longitude, accuracy, speed, heading }: Fix): string {
  return (
    '<presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:dm="urn:ietf:params:xml:ns:pidf:data-model"' +
    ' xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10" xmlns:dyn="urn:ietf:params:xml:ns:pidf:geopriv10:dynamic"' +
    ' xmlns:gml="http://www.opengis.net/gml" xmlns:gs="http://www.opengis.net/pidflo/1.0" entity="pres:router@vehicle.invalid">' +
    '<dm:device id="router"><gp:geopriv><gp:location-info>' +
    `<gs:Circle srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>${latitude} ${longitude}</gml:pos>` +
    `<gs:radius uom="urn:ogc:def:uom:EPSG::9001">${accuracy}</gs:radius></gs:Circle>` +
    `<dyn:Dynamic><dyn:heading>${heading}</dyn:heading><dyn:speed>${(speed / 3.6).toFixed(2)}</dyn:speed></dyn:Dynamic>` +
    '</gp:location-info><gp:usage-rules/><gp:method>GPS</gp:method></gp:geopriv>' +
    `<dm:timestamp>${new Date(at).toISOString().slice(0, 19)}Z</dm:timestamp></dm:device></presence>`
  );
}

/** Fixes as the value of Device.X_HIGHLINE_GPS.Trail: seconds, latitude, longitude, accuracy, speed (km/h), heading. */
export function compactTrail(fixes: readonly Fix[]): string {
  return fixes
    .map(({ at, latitude, longitude, accuracy, speed, heading }) =>
      [Math.floor(at / 1_000), latitude, longitude, accuracy, speed, heading].join(','),
    )
    .join(';');
}
