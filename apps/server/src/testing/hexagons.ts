// Hexagons as the server stores them.
export { cellAt, parentOf, resolutions } from '../domains/coverage/index.ts';
