import { readArguments, UsageFault, type Command } from '../command.ts';
import { extractRegion } from './extract.ts';
import { createRangeReader } from './range-reader.ts';
import type { Box } from './region.ts';

/** Streets of a city are whole there; MAP_TILES draws closer from the same tiles. */
const USUAL_ZOOM = 14;
const MOST_ZOOM = 20;

/** Get the part of a map that a fleet needs (SAY-07). */
export const fetchMap: Command = {
  name: 'fetch',
  usage: '--from <address> --box=<west,south,east,north> --to <file.pmtiles> [--zoom <number>]',
  summary: 'Get the tiles of a region, in degrees, from a PMTiles file at a web server, for MAP_TILES.',
  async run(argv, _environment, say) {
    const { values } = readArguments(argv, { required: ['from', 'box', 'to'], optional: ['zoom'] }, 0);
    const from = values['from']!;
    if (!/^https?:\/\//u.test(from) || !URL.canParse(from))
      throw new UsageFault('--from: expected an address with http or https');
    const { tiles, bytes } = await extractRegion(
      createRangeReader(from),
      readBox(values['box']!),
      readZoom(values['zoom']),
      values['to']!,
      say,
    );
    say(
      `${values['to']} has ${tiles} tiles, ${(bytes / 1_048_576).toFixed(1)} MiB. Start Highline with MAP_TILES=${values['to']}`,
    );
  },
};

function readBox(text: string): Box {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [west, south, east, north] = numbers as [number, number, number, number];
  const isBox =
    numbers.length === 4 && west >= -180 && west < east && east <= 180 && south >= -90 && south < north && north <= 90;
  if (!isBox) throw new UsageFault('--box: expected west,south,east,north in degrees, such as -88.3,41.5,-87.4,42.2');
  return { west, south, east, north };
}

function readZoom(text = String(USUAL_ZOOM)): number {
  const zoom = Number(text);
  if (!Number.isInteger(zoom) || zoom < 0 || zoom > MOST_ZOOM)
    throw new UsageFault(`--zoom: expected a number from 0 to ${MOST_ZOOM}`);
  return zoom;
}
