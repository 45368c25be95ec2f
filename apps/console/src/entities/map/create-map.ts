import { AttributionControl, MapLibreMap, NavigationControl, prewarm, setWorkerUrl, type StyleSpecification } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerAddress from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { MAP_FONT, type MapColors } from './base-map.ts';
import type { Box } from './bounds.ts';

// The worker is a file of ours: the content policy allows no other.
setWorkerUrl(workerAddress);
// It starts while the vehicles and the outlines are fetched.
prewarm();

/** Where a map was when it was drawn last. */
export interface Camera {
  readonly center: [longitude: number, latitude: number];
  readonly zoom: number;
}

/** Colours of what is drawn on the map, from tokens.css and map.css. */
export interface DrawnColors extends MapColors {
  readonly ok: string;
  readonly warn: string;
  readonly bad: string;
  readonly none: string;
  readonly ring: string;
  readonly text: string;
  readonly selected: string;
  /** Fonts of names. */
  readonly font: string[];
  /** A token by its name, without the dashes. */
  token(name: string): string;
}

/** A style with an address of glyphs has no others: names are then written in a font that it uses itself. */
export function fontOf({ glyphs, layers }: StyleSpecification): string[] {
  if (glyphs === undefined) return MAP_FONT;
  const fonts = layers.map((layer): unknown => (layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined));
  const isPlain = (font: unknown): font is string[] => Array.isArray(font) && font.every((each) => typeof each === 'string');
  return fonts.filter(isPlain).find(([first]) => first !== 'literal' && first !== 'step') ?? MAP_FONT;
}

export function colorsOf(element: Element): Omit<DrawnColors, 'font'> {
  const styles = getComputedStyle(element);
  const token = (name: string) => styles.getPropertyValue(`--${name}`).trim();
  return {
    water: token('map-water'),
    land: token('map-land'),
    border: token('map-border'),
    state: token('map-state'),
    town: token('ink-3'),
    ok: token('ok-dot'),
    warn: token('warn-dot'),
    bad: token('bad-dot'),
    none: token('idle-dot'),
    ring: token('surface'),
    text: token('ink'),
    selected: token('accent'),
    token,
  };
}

export interface MapOptions {
  readonly container: HTMLElement;
  readonly style: StyleSpecification;
  /** Accessible names of the map and of its buttons. */
  readonly texts: { readonly title: string; readonly zoomIn: string; readonly zoomOut: string; readonly sources: string };
  /** Where it was when it was drawn last. */
  readonly camera: Camera | undefined;
  /** What it shows first otherwise, and as near as it shows that. */
  readonly bounds: Box | undefined;
  readonly nearest: number;
}

/** A map without rotation and pitch, with its buttons and the sources of its data. */
export function createMap({ container, style, texts, camera, bounds, nearest }: MapOptions): MapLibreMap {
  const map = new MapLibreMap({
    container,
    style,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    renderWorldCopies: true,
    ...(camera ??
      (bounds === undefined
        ? { center: [-95, 38] as [number, number], zoom: 3 }
        : { bounds, fitBoundsOptions: { padding: 48, maxZoom: nearest } })),
    locale: {
      'Map.Title': texts.title,
      'NavigationControl.ZoomIn': texts.zoomIn,
      'NavigationControl.ZoomOut': texts.zoomOut,
      'AttributionControl.ToggleAttribution': texts.sources,
    },
  });
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new AttributionControl({ compact: true }), 'bottom-right');
  return map;
}
