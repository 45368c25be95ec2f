import { partsOf, shapeFault, type Corner, type GeofenceShape, type ShapeFault } from '@highline/contract';
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

const lineOf = ([longitude, latitude]: Corner) => `${degrees(latitude)}, ${degrees(longitude)}`;

/** The fields of a shape; holes and further parts of a polygon have no field. */
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
  return { ...emptyArea, kind: 'polygon', corners: outer.slice(0, -1).map(lineOf).join('\n') };
}

/** Whether no area was drawn or typed yet: nothing is wrong with it. */
export function hasNoArea({ kind, latitude, longitude, corners }: AreaDraft): boolean {
  return (kind === 'circle' ? latitude + longitude : corners).trim() === '';
}

const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.trim()));

/** `parts`: a hole would be outside of the area, or another part inside of it. */
type Typed = GeofenceShape | { readonly fault: ShapeFault | 'parts' } | { readonly line: number };

/**
 * The shape that is typed, or why it is none; a line that is no corner is named by its number.
 * @param stored what it replaces: what was not typed again stays as exact as it is, and holes and further parts stay, which have no field
 */
export function shapeOf(draft: AreaDraft, stored?: GeofenceShape): Typed {
  if (draft.kind === 'polygon') return polygonOf(draft.corners, stored?.kind === 'polygon' ? stored.rings : undefined);
  const before = stored?.kind === 'circle' ? { shape: stored, fields: areaOf(stored) } : undefined;
  const value = (name: 'latitude' | 'longitude' | 'radius') =>
    before?.fields[name] === draft[name] ? before.shape[name] : numberOf(draft[name]);
  return checked({ kind: 'circle', latitude: value('latitude'), longitude: value('longitude'), radius: value('radius') });
}

function polygonOf(text: string, stored: readonly Corner[][] = []): Typed {
  const [outer = [], ...further] = stored;
  const exact = new Map(outer.map((corner) => [lineOf(corner), corner]));
  const corners: Corner[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const corner = exact.get(line.trim()) ?? cornerOf(line);
    if (corner === undefined) return { line: index + 1 };
    corners.push(corner);
  }
  const [first] = corners;
  // The last corner need not repeat the first one.
  if (first !== undefined && String(first) !== String(corners.at(-1))) corners.push(first);
  const shape = checked({ kind: 'polygon', rings: [corners, ...further] });
  const isArranged = further.length === 0 || arrangementOf([corners, ...further]) === arrangementOf(stored);
  return 'fault' in shape || isArranged ? shape : { fault: 'parts' };
}

function cornerOf(line: string): Corner | undefined {
  const [latitude = NaN, longitude = NaN, ...more] = line
    .trim()
    .split(/[\s,;，；、]+/u)
    .map(Number);
  return Number.isNaN(latitude) || Number.isNaN(longitude) || more.length > 0 ? undefined : [longitude, latitude];
}

/** Which rings are parts, and which are holes of which part. */
const arrangementOf = (rings: readonly Corner[][]) =>
  JSON.stringify(partsOf(rings).map((part) => part.map((ring) => rings.indexOf(ring))));

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
