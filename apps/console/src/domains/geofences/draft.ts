import { shapeFault, type Corner, type GeofenceShape, type ShapeFault } from '@highline/contract';
import type { Geofence } from '../../entities/geofences/geofence.api.ts';
import type { GeofenceInput } from './geofences.api.ts';

/** An area as it is typed. */
interface AreaDraft {
  readonly kind: GeofenceShape['kind'];
  /** Degrees, and metres. */
  readonly latitude: string;
  readonly longitude: string;
  readonly radius: string;
  /** A corner on each line: latitude, longitude. */
  readonly corners: string;
}

/** A geofence as it is typed. */
export type Draft = AreaDraft & Omit<GeofenceInput, 'shape'>;

const emptyArea: AreaDraft = { kind: 'circle', latitude: '', longitude: '', radius: '200', corners: '' };
export const emptyDraft: Draft = { ...emptyArea, name: '' };

/** A stored geofence as it is typed. */
export const draftOf = ({ id: _id, inside: _inside, version: _version, shape, ...fields }: Geofence): Draft => ({
  ...fields,
  ...areaOf(shape),
});

/** What a geofence with this shape is saved with. */
export function inputOf(
  { kind: _kind, latitude: _latitude, longitude: _longitude, radius: _radius, corners: _corners, ...fields }: Draft,
  shape: GeofenceShape,
): GeofenceInput {
  return { ...fields, name: fields.name.trim(), shape };
}

const degrees = (value: number) => String(Number(value.toFixed(6)));

/** The fields of a shape; holes of a polygon have no field. */
export function areaOf(shape: GeofenceShape): AreaDraft {
  if (shape.kind === 'circle') {
    const { latitude, longitude, radius } = shape;
    return {
      ...emptyArea,
      kind: 'circle',
      latitude: degrees(latitude),
      longitude: degrees(longitude),
      radius: String(Math.round(radius)),
    };
  }
  const [outer = []] = shape.rings;
  const corners = outer.slice(0, -1).map(([longitude, latitude]) => `${degrees(latitude)}, ${degrees(longitude)}`);
  return { ...emptyArea, kind: 'polygon', corners: corners.join('\n') };
}

/** Whether no area was drawn or typed yet: nothing is wrong with it. */
export function hasNoArea({ kind, latitude, longitude, corners }: AreaDraft): boolean {
  return (kind === 'circle' ? latitude + longitude : corners).trim() === '';
}

const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.trim()));

/** The shape that is typed, or why it is none; a line that is no corner is named by its number. */
export function shapeOf(draft: AreaDraft): GeofenceShape | { readonly fault: ShapeFault } | { readonly line: number } {
  if (draft.kind === 'circle') {
    const shape = {
      kind: 'circle' as const,
      latitude: numberOf(draft.latitude),
      longitude: numberOf(draft.longitude),
      radius: numberOf(draft.radius),
    };
    return checked(shape);
  }
  const corners: Corner[] = [];
  for (const [index, line] of draft.corners.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [latitude, longitude, ...more] = line
      .trim()
      .split(/[\s,;]+/u)
      .map(Number);
    if (latitude === undefined || longitude === undefined || more.length > 0) return { line: index + 1 };
    if (Number.isNaN(latitude) || Number.isNaN(longitude)) return { line: index + 1 };
    corners.push([longitude, latitude]);
  }
  const [first] = corners;
  const last = corners.at(-1);
  // The last corner need not repeat the first one.
  if (first !== undefined && String(first) !== String(last)) corners.push(first);
  return checked({ kind: 'polygon', rings: [corners] });
}

function checked(shape: GeofenceShape): GeofenceShape | { readonly fault: ShapeFault } {
  const fault = shapeFault(shape);
  return fault === undefined ? shape : { fault };
}

const CIRCLE_CORNERS = 64;
const DEGREE_METRES = 111_195;

/** The rings that the map draws of a shape. */
export function ringsOf(shape: GeofenceShape): Corner[][] {
  if (shape.kind === 'polygon') return shape.rings;
  const { latitude, longitude, radius } = shape;
  const north = radius / DEGREE_METRES;
  const east = north / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  return [
    Array.from({ length: CIRCLE_CORNERS + 1 }, (_, index): Corner => {
      const angle = ((index % CIRCLE_CORNERS) / CIRCLE_CORNERS) * 2 * Math.PI;
      return [longitude + east * Math.sin(angle), latitude + north * Math.cos(angle)];
    }),
  ];
}

/** A circle as it was drawn on the map: the middle of its corners, and the distance to the first. */
export function circleOf(ring: readonly (readonly number[])[]): GeofenceShape {
  const corners = ring.slice(0, -1);
  const mean = (axis: 0 | 1) => corners.reduce((sum, corner) => sum + corner[axis]!, 0) / corners.length;
  const [longitude, latitude] = [mean(0), mean(1)];
  const [x, y] = ring[0]!;
  const shrink = Math.cos((latitude * Math.PI) / 180);
  const radius = Math.hypot((x! - longitude) * shrink, y! - latitude) * DEGREE_METRES;
  return { kind: 'circle', latitude, longitude, radius: Math.round(radius) };
}
