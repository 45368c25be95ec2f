import type { Translation } from '../../ui/translation.ts';
import type { places as english } from './places.en-US.ts';

/** 地點的描述（SAY-07）。 */
export const places: Translation<typeof english> = {
  near: {
    crossing: '{{street}}與{{crossing}}路口',
    inside: '位於{{name}}內',
    outside: '{{name}}{{direction}} {{distance}}',
  },
  direction: {
    n: '北方',
    ne: '東北方',
    e: '東方',
    se: '東南方',
    s: '南方',
    sw: '西南方',
    w: '西方',
    nw: '西北方',
  },
};
