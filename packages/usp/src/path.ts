/**
 * Paths of the data model (TR-369 "Path Names"): object paths end in a dot, commands in `()`, events in `!`, everything else is a
 * parameter. A segment is a name, an instance number, `*`, or a search expression in brackets, which may itself contain dots.
 */
export type PathKind = 'object' | 'parameter' | 'command' | 'event';

/** Kind of a path, by its ending. */
export function pathKind(path: string): PathKind {
  if (path.endsWith('.')) return 'object';
  if (path.endsWith('()')) return 'command';
  return path.endsWith('!') ? 'event' : 'parameter';
}

/**
 * Split a path at its dots, but not within brackets: 'Device.A.1.B' → ['Device', 'A', '1', 'B']. The final dot of an object path
 * adds no segment.
 */
export function splitPath(path: string): string[] {
  const segments: string[] = [];
  let start = 0;
  let brackets = 0;
  for (let at = 0; at < path.length; at++) {
    const character = path[at];
    if (character === '[') brackets++;
    else if (character === ']') brackets--;
    else if (character === '.' && brackets <= 0) {
      segments.push(path.slice(start, at));
      start = at + 1;
    }
  }
  if (start < path.length) segments.push(path.slice(start));
  return segments;
}

/** Join segments into the path of an object, with its final dot: ['Device', 'A', 1] → 'Device.A.1.' */
export function objectPath(...segments: (string | number)[]): string {
  return `${segments.join('.')}.`;
}

/** A reference of an agent, with or without final dot, as an object path with exactly one. */
export function asObjectPath(path: string): string {
  let end = path.length;
  // A loop: `/\.+$/` would take quadratic time on a long run of dots.
  while (end > 0 && path[end - 1] === '.') end--;
  return `${path.slice(0, end)}.`;
}

/** Split a parameter, command or event path into its object and its last name: 'Device.A.B' → ['Device.A.', 'B']. */
export function splitLeaf(path: string): [objPath: string, name: string] {
  const segments = splitPath(path);
  const name = segments.pop() ?? '';
  return [path.slice(0, path.length - name.length), name];
}

/** Whether the path names several instances at once, by `*` or a search expression. */
export function isSearchPath(path: string): boolean {
  return splitPath(path).some((segment) => segment === '*' || segment.startsWith('['));
}

/**
 * Whether a reference (TR-181 "ReferenceList": exact, partial or with `*`) covers a full path. A partial path covers everything
 * below it. Search expressions cover nothing here: they need the instances' values.
 */
export function pathCovers(reference: string, path: string): boolean {
  const pattern = splitPath(reference);
  const given = splitPath(path);
  if (pattern.length > given.length || (pattern.length < given.length && !reference.endsWith('.'))) return false;
  return pattern.every((segment, at) => segment === given[at] || (segment === '*' && isInstanceNumber(given[at] ?? '')));
}

function isInstanceNumber(segment: string): boolean {
  return /^[1-9][0-9]*$/.test(segment);
}
