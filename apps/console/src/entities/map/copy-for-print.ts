import type { MapLibreMap } from 'maplibre-gl';

/**
 * Lays a picture of the map over it while the page is printed: what the graphics card has drawn is on no paper (SAY-12). It ends with
 * the map.
 */
export function copyForPrint(map: MapLibreMap): void {
  const copy = document.createElement('canvas');
  copy.className = 'map-print';
  const draw = () => {
    map.redraw();
    const drawn = map.getCanvas();
    copy.width = drawn.width;
    copy.height = drawn.height;
    // In the same task as the drawing, before it is thrown away.
    copy.getContext('2d')?.drawImage(drawn, 0, 0);
    map.getContainer().append(copy);
  };
  const drop = () => copy.remove();
  addEventListener('beforeprint', draw);
  addEventListener('afterprint', drop);
  map.on('remove', () => {
    removeEventListener('beforeprint', draw);
    removeEventListener('afterprint', drop);
  });
}
