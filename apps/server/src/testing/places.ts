export { zxyToTileId } from 'pmtiles';
export { writeDirectories, type TileRun } from '../cli/map/directories.ts';
export { createStreetFinder } from '../domains/places/index.ts';
