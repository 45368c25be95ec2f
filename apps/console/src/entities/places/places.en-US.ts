/** How places are described (SAY-07). */
export const places = {
  near: {
    crossing: '{{street}} at {{crossing}}',
    inside: 'inside {{name}}',
    outside: '{{distance}} {{direction}} of {{name}}',
  },
  direction: {
    n: 'north',
    ne: 'north-east',
    e: 'east',
    se: 'south-east',
    s: 'south',
    sw: 'south-west',
    w: 'west',
    nw: 'north-west',
  },
};
