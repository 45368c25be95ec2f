import { variables, type Environment } from './variables.ts';

/** Names with our prefix that belong to other programs of this repository, or to one command. */
const OTHERS = /^HIGHLINE_(?:SETTINGS|ROUTER_SECRET|PASSWORD|OTP|URL|API_KEY|(?:E2E|TEST|FUZZ|BENCH|SOAK)_\w+)$/u;
/** Shorter names are too often similar to those of other programs. */
const LEAST_LENGTH = 6;
/** Edit distance for our own names; names of other programs are naturally close to ours (SSL_CERT_FILE). */
const OUR_EDITS = 2;
const OTHER_EDITS = 1;

const known = [...Object.keys(variables), 'HIGHLINE_SETTINGS'];

/**
 * Unknown names: every one in a settings file; of the shared environment, unknown names that begin with HIGHLINE_ and misspelt
 * ones of settings that are not set.
 */
export function nameFaults(environment: Environment, file: Environment): string[] {
  const given = new Set([...Object.keys(environment), ...Object.keys(file)]);
  const isOurs = (name: string) => name in file || /^HIGHLINE_/iu.test(name);
  return [...given].sort().flatMap((name) => {
    if (known.includes(name) || OTHERS.test(name)) return [];
    const near = nearestTo(name, isOurs(name) ? OUR_EDITS : OTHER_EDITS);
    if (near !== undefined && (isOurs(name) || !given.has(near))) return [`${name}: is not a setting. Did you mean ${near}?`];
    return isOurs(name) ? [`${name}: is not a setting. Remove it; docs/operations.md lists all settings.`] : [];
  });
}

function nearestTo(name: string, most: number): string | undefined {
  if (name.length < LEAST_LENGTH) return undefined;
  const ranked = known.map((candidate) => ({ candidate, edits: editsBetween(name.toUpperCase(), candidate, most) }));
  const [best] = ranked.filter(({ edits }) => edits <= most).sort((a, b) => a.edits - b.edits);
  return best?.candidate;
}

/** Number of letters added, left out, changed or swapped with the next (optimal string alignment); stops above `most`. */
function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      line[column] = Math.min(
        above[column]! + 1,
        line[column - 1]! + 1,
        above[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = above;
    above = line;
  }
  return above[other.length]!;
}
