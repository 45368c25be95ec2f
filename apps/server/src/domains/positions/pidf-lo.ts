import { readDecimal } from './decimal.ts';
import type { FixRejection, ReportedFix } from './fix.ts';
import { parseXml, type XmlElement } from './xml.ts';

/** TR-181 allows a DataObject of 16,384 characters, which is also where the text of a message is cut: one of that length may be incomplete. */
const LONGEST = 16_383;

const PIDF = 'urn:ietf:params:xml:ns:pidf';
const GEOPRIV = 'urn:ietf:params:xml:ns:pidf:geopriv10';
const DYNAMIC = 'urn:ietf:params:xml:ns:pidf:geopriv10:dynamic';
const GML = 'http://www.opengis.net/gml';
const SHAPES = 'http://www.opengis.net/pidflo/1.0';
/** Names of the coordinate systems of RFC 5491, latitude and longitude without and with altitude: as it writes them, as OGC does, and short. */
const SYSTEM =
  /^(?:urn:(?:x-)?ogc:def:crs:EPSG:[\d.]{0,9}:|https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[\d.]{1,9}\/|EPSG:)(?:4326|4979)$/iu;
const METRES = 'urn:ogc:def:uom:EPSG::9001';
const KMH_PER_MS = 3.6;

/**
 * The position in a PIDF-LO document (RFC 4119, RFC 5491): a point, or the centre of a circle, a sphere or an ellipse, with its uncertainty in metres;
 * speed and heading as in RFC 5962. The first shape counts, since RFC 5491 puts the best first.
 * @param now epoch milliseconds: the time of a document without a timestamp
 */
export function readPidfLo(document: string, now: number): ReportedFix | FixRejection {
  if (document.length > LONGEST) return 'too_large';
  // Without a type there are no entities besides the five of XML, and no place or number contains one.
  if (/<!(?:DOCTYPE|ENTITY)/iu.test(document)) return 'doctype';
  const root = parseXml(document);
  if (root === undefined) return 'not_xml';
  const all = descendantsOf(root);
  if (root.namespace !== PIDF || root.name !== 'presence') return 'namespace';
  const info = all.find((each) => each.namespace === GEOPRIV && each.name === 'location-info');
  if (info === undefined) return 'namespace';
  const shape = info.children.find(({ namespace }) => namespace === GML || namespace === SHAPES);
  if (shape === undefined) return 'namespace';
  const place = readShape(shape);
  if (place === undefined) return 'shape';
  const time = timeOf(all);
  return { ...place, at: time ?? now / 1_000, isUndated: time === undefined, ...movementOf(descendantsOf(info)) };
}

/** With the element itself, in the order of the document. Copied once: it may be deep. */
function descendantsOf(element: XmlElement, found: XmlElement[] = []): XmlElement[] {
  found.push(element);
  for (const child of element.children) descendantsOf(child, found);
  return found;
}

type Place = Pick<ReportedFix, 'latitude' | 'longitude' | 'accuracy'>;

/** The element that holds the uncertainty of each shape; a point has none. */
const RADII: Readonly<Record<string, string | undefined>> = {
  Point: undefined,
  Circle: 'radius',
  Sphere: 'radius',
  Ellipse: 'semiMajorAxis',
  Ellipsoid: 'semiMajorAxis',
};

function readShape(shape: XmlElement): Place | undefined {
  if (!Object.hasOwn(RADII, shape.name) || (shape.name === 'Point') !== (shape.namespace === GML)) return undefined;
  const system = shape.attributes.get('srsName');
  if (system !== undefined && !SYSTEM.test(system.trim())) return undefined;
  const text = shape.children.find(({ namespace, name }) => namespace === GML && name === 'pos')?.text.trim() ?? '';
  const numbers = text
    .split(/\s/u)
    .filter((part) => part !== '')
    .map(readDecimal);
  if (numbers.length < 2 || numbers.length > 3 || numbers.includes(undefined)) return undefined;
  const [latitude, longitude] = numbers as [number, number];
  const radius = shape.children.find(({ name }) => name === RADII[shape.name]);
  if (radius === undefined) return { latitude, longitude };
  const isMetres = (radius.attributes.get('uom') ?? METRES) === METRES;
  return { latitude, longitude, accuracy: isMetres ? readDecimal(radius.text.trim()) : undefined };
}

function movementOf(elements: readonly XmlElement[]): Pick<ReportedFix, 'speed' | 'heading'> {
  const value = (name: string) => {
    const found = elements.find((each) => each.namespace === DYNAMIC && each.name === name);
    // A direction may be followed by an elevation.
    return found === undefined ? undefined : readDecimal(found.text.trim().split(/\s/u, 1)[0]!);
  };
  const speed = value('speed');
  return { speed: speed === undefined ? undefined : speed * KMH_PER_MS, heading: value('heading') ?? value('orientation') };
}

/** Epoch seconds of the first timestamp of the presence. */
function timeOf(elements: readonly XmlElement[]): number | undefined {
  const text = elements.find(({ name }) => name === 'timestamp')?.text.trim() ?? '';
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/u.test(text) || text.length > 40) return undefined;
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/u.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time / 1_000;
}
