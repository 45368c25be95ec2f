import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';

/** The names that the operator of this machine gave to addresses. */
export interface HostsFile {
  /** Addresses of a name in the order of the file; none if it is not there. */
  addressesOf(host: string): Promise<readonly string[]>;
}

type Names = ReadonlyMap<string, readonly string[]>;

/** A hosts file, read again when it has changed. One that cannot be read has no names. */
export function createHostsFile(path: string): HostsFile {
  let version = '';
  let names: Names = new Map();
  const renew = async (): Promise<void> => {
    const found = await versionOf(path);
    if (found === version) return;
    names = parseHosts(await readFile(path, 'utf8').catch(() => ''));
    version = found;
  };
  return {
    async addressesOf(host) {
      await renew();
      return names.get(host.toLowerCase()) ?? [];
    },
  };
}

/** Changes with the file. */
async function versionOf(path: string): Promise<string> {
  const file = await stat(path, { bigint: true }).catch(() => undefined);
  return file === undefined ? 'none' : `${file.ino} ${file.size} ${file.mtimeNs}`;
}

/** Lines of an address and its names; what follows `#` is a comment. */
function parseHosts(text: string): Names {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...hosts] = line.split('#', 1)[0]!.trim().split(/\s+/u);
    if (isIP(address) === 0) continue;
    for (const host of new Set(hosts.map((each) => each.toLowerCase()))) names.set(host, [...(names.get(host) ?? []), address]);
  }
  return names;
}
