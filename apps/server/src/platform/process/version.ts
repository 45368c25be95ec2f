import { readFileSync } from 'node:fs';

const root = new URL('../../../../../', import.meta.url);
const read = (path: string): string | undefined => {
  try {
    return readFileSync(new URL(path, root), 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** The one version of the footer (NAV-04), `/healthz`, the description of the calls and the release: that of the root package. */
export const version: string = (JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string }).version;

/** The commit that this program is of: a release has it in a file; undefined in a working copy whose Git is not read so easily. */
function findCommit(): string | undefined {
  const head = read('.git/HEAD');
  return read('COMMIT') ?? (head?.startsWith('ref: ') === true ? read(`.git/${head.slice(5)}`) : head);
}

const commit = findCommit();

/** What distinguishes two programs of one version, in log lines, metrics and messages: `0.2.0+1a2b3c4d`. */
export const build: string = commit === undefined ? version : `${version}+${commit.slice(0, 8)}`;
