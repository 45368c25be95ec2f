import type { GeofenceShape } from '@highline/contract';
import type { MapLibreMap } from 'maplibre-gl';
import { TerraDraw, TerraDrawCircleMode, TerraDrawPolygonMode } from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import { circleOf } from './draft.ts';

/** Let the person draw a shape on a map. @returns a function that ends it */
export function startDrawing(map: MapLibreMap, kind: GeofenceShape['kind'], onDrawn: (shape: GeofenceShape) => void): () => void {
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map }),
    modes: [new TerraDrawCircleMode(), new TerraDrawPolygonMode()],
  });
  draw.start();
  draw.setMode(kind);
  draw.on('finish', (id) => {
    const drawn = draw.getSnapshotFeature(id)?.geometry;
    if (drawn?.type !== 'Polygon') return;
    const rings = drawn.coordinates.map((ring) => ring.map(([x, y]): [number, number] => [x!, y!]));
    onDrawn(kind === 'circle' ? circleOf(rings[0]!) : { kind: 'polygon', rings });
  });
  return () => draw.stop();
}
