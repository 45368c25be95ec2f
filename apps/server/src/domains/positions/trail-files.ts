import { Readable } from 'node:stream';
import type { Language, positions } from '@highline/contract';
import { timeIn, writeCsv, type CsvColumn } from '../../platform/csv/index.ts';
import { runsOf, stopsOf, type TrailPoint } from './day-trail.ts';
import type { DayTrail } from './day-trail.service.ts';

const SPEED_MS = 3.6;
/** Speed and course are an extension of GPX 1.1, which most programs read. */
const TRACK_POINTS = 'http://www.garmin.com/xmlschemas/TrackPointExtension/v2';

const iso = (at: number) => new Date(at * 1_000).toISOString().replace('.000Z', 'Z');
const number = (value: number | null) => (value === null ? '' : String(Number(value.toFixed(1))));
const degrees = (value: number) => Number(value.toFixed(6));

/** The positions of a day as a file. */
export function writeTrail(
  trail: DayTrail,
  { format, zone, language }: { format: positions.TrailFormat; zone?: string | undefined; language?: Language | undefined },
): Readable {
  if (format === 'csv') return writeCsv(columnsIn(zone, language), Readable.from(trail.points), language);
  return Readable.from(format === 'gpx' ? gpxOf(trail) : [geoJsonOf(trail)], { objectMode: false });
}

/** RFC 7946: a line for each part without a gap, with the times of its points, and a point for each stop. */
function geoJsonOf({ device, day, points }: DayTrail): string {
  const runs = runsOf(points).map((run) => ({
    type: 'Feature',
    properties: {
      device: device.serial,
      name: device.name,
      day,
      times: run.map(({ at }) => iso(at)),
      speeds: run.map(({ speed }) => (speed === null ? null : Number(speed.toFixed(1)))),
      rssi: run.map(({ signal }) => signal),
    },
    geometry:
      run.length === 1
        ? { type: 'Point', coordinates: [degrees(run[0]!.longitude), degrees(run[0]!.latitude)] }
        : { type: 'LineString', coordinates: run.map(({ longitude, latitude }) => [degrees(longitude), degrees(latitude)]) },
  }));
  const stops = stopsOf(points).map(({ from, until, latitude, longitude }) => ({
    type: 'Feature',
    properties: { device: device.serial, stop: true, from: iso(from), until: iso(until), seconds: until - from },
    geometry: { type: 'Point', coordinates: [degrees(longitude), degrees(latitude)] },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features: [...runs, ...stops] });
}

/** XML 1.0 has no control characters, not even escaped. */
function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}|[\ufffe\uffff]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function* gpxOf({ device, day, points }: DayTrail): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Highline" xmlns="http://www.topografix.com/GPX/1/1" xmlns:t="${TRACK_POINTS}">
<trk><name>${xmlText(`${device.name} ${day}`)}</name>
`;
  for (const run of runsOf(points)) yield `<trkseg>\n${run.map(trackPoint).join('')}</trkseg>\n`;
  yield '</trk></gpx>\n';
}

function trackPoint({ at, latitude, longitude, speed, heading }: TrailPoint): string {
  const more = [
    speed === null ? '' : `<t:speed>${(speed / SPEED_MS).toFixed(2)}</t:speed>`,
    heading === null ? '' : `<t:course>${Math.round(heading)}</t:course>`,
  ].join('');
  const extensions = more === '' ? '' : `<extensions><t:TrackPointExtension>${more}</t:TrackPointExtension></extensions>`;
  return `<trkpt lat="${degrees(latitude)}" lon="${degrees(longitude)}"><time>${iso(at)}</time>${extensions}</trkpt>\n`;
}

function columnsIn(zone: string | undefined, language: Language | undefined): CsvColumn<TrailPoint>[] {
  const time = timeIn(zone, language);
  return [
    ['Time', '時間', ({ at }) => time(new Date(at * 1_000))],
    ['Latitude', '緯度', ({ latitude }) => String(degrees(latitude))],
    ['Longitude', '經度', ({ longitude }) => String(degrees(longitude))],
    ['Speed (km/h)', '速度（公里／小時）', ({ speed }) => number(speed)],
    ['Heading (°)', '方位（°）', ({ heading }) => number(heading)],
    ['Accuracy (m)', '精確度（公尺）', ({ accuracy }) => number(accuracy)],
    ['Signal (RSSI, dBm)', '訊號（RSSI，dBm）', ({ signal }) => number(signal)],
  ];
}
