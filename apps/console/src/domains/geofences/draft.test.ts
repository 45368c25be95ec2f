import type { Corner } from '@highline/contract';
import { describe, expect, test } from 'vitest';
import { areaOf, circleOf, emptyDraft, hasNoArea, ringsOf, shapeOf } from './draft.ts';

describe('POS-05-partial a geofence that is typed', () => {
  test('is a circle, or why it is none', () => {
    const typed = { ...emptyDraft, name: 'Depot', latitude: ' 41.88 ', longitude: '-87.63', radius: '250' };
    const shape = { kind: 'circle', latitude: 41.88, longitude: -87.63, radius: 250 } as const;
    expect(shapeOf(typed)).toEqual(shape);
    expect(areaOf(shape)).toMatchObject({ latitude: '41.88', longitude: '-87.63', radius: '250' });
    expect(shapeOf({ ...typed, latitude: '' })).toEqual({ fault: 'outside' });
    expect(shapeOf({ ...typed, radius: '1' })).toEqual({ fault: 'radius' });
    // Before anything is typed, nothing is wrong.
    const polygon = { ...typed, kind: 'polygon' as const };
    expect([emptyDraft, typed, polygon, { ...polygon, corners: '41, -87' }].map(hasNoArea)).toEqual([true, false, true, false]);
  });

  test('is a polygon with a corner on each line, closed by itself', () => {
    const typed = { ...emptyDraft, kind: 'polygon' as const, corners: '41, -87\n41;-86\n\n42 -86\n' };
    const shape = shapeOf(typed);
    expect(shape).toEqual({ kind: 'polygon', rings: [[[-87, 41], [-86, 41], [-86, 42], [-87, 41]]] }); // prettier-ignore
    if ('kind' in shape) expect(areaOf(shape).corners).toBe('41, -87\n41, -86\n42, -86');
    expect(shapeOf({ ...typed, corners: '41, -87\n41' })).toEqual({ line: 2 });
    expect(shapeOf({ ...typed, corners: '41, -87\nhere, there' })).toEqual({ line: 2 });
    expect(shapeOf({ ...typed, corners: '41, -87\n42, -86' })).toEqual({ fault: 'corners' });
  });

  test('keeps what was not typed again: exact numbers, holes and further parts', () => {
    const square = (size: number, at = 0): Corner[] => [[at, 0], [at + size, 0], [at + size, size], [at, size], [at, 0]]; // prettier-ignore
    const circle = { kind: 'circle', latitude: 41.888_888_888_88, longitude: -87.63, radius: 150.5 } as const;
    expect(shapeOf(areaOf(circle), circle)).toEqual(circle);
    expect(shapeOf({ ...areaOf(circle), radius: '160' }, circle)).toEqual({ ...circle, radius: 160 });
    const raised = (ring: Corner[]) => ring.map(([x, y]): Corner => [x, y + 1]);
    const rings = [square(4.123_456_789), raised(square(1, 1.123_456_789)), raised(square(1, 20))];
    const fields = areaOf({ kind: 'polygon', rings });
    expect(shapeOf(fields, { kind: 'polygon', rings })).toEqual({ kind: 'polygon', rings });
    const change = (from: string, to: string) =>
      shapeOf({ ...fields, corners: fields.corners.replace(from, to) }, { kind: 'polygon', rings });
    const moved = structuredClone(rings);
    [moved[0]![0], moved[0]![4]] = [[-1, 0], [-1, 0]]; // prettier-ignore
    expect(change('0, 0\n', '0, -1\n')).toEqual({ kind: 'polygon', rings: moved });
    const typed = (ring: Corner[]) => shapeOf(areaOf({ kind: 'polygon', rings: [ring] }), { kind: 'polygon', rings });
    expect(typed(square(4, 10))).toEqual({ fault: 'parts' });
    expect(typed(square(30))).toEqual({ fault: 'parts' });
    expect(typed(square(2))).toEqual({ fault: 'crosses_itself' });
  });

  test('a circle drawn on the map has its middle and its radius', () => {
    const shape = { kind: 'circle', latitude: 41.88, longitude: -87.63, radius: 400 } as const;
    const drawn = circleOf(ringsOf(shape)[0]!);
    expect(drawn).toMatchObject({ kind: 'circle', radius: 400 });
    if (drawn.kind === 'circle')
      expect([drawn.latitude, drawn.longitude].map((value) => value.toFixed(5))).toEqual(['41.88000', '-87.63000']);
  });
});
