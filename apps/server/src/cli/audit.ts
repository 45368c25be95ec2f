import type { KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { fingerprintOf, parsePublicKeys } from '@highline/image';
import { readCheckpoints } from '../platform/adapters/audit/checkpoints.ts';
import type { Checkpoint } from '../platform/ports/checkpoints.ts';
import { AuditExportFault, isGenuine, verifyAuditExport } from '../domains/logs/index.ts';
import { originOf, passwordOf, OTP_VARIABLE, PASSWORD_VARIABLE, withSession } from './client.ts';
import { CommandFault, readArguments, type Command } from './command.ts';
import { readKeyFile } from './image-file.ts';
import { saveFile } from './saved-file.ts';

/** Save a log as a signed file. */
export const exportAudit: Command = {
  name: 'export',
  usage: '--server <url> --email <address> [--org <id>] [--key-out <public.pem>] <file>',
  summary: `Save the log of an organization, or a main account's own, as a signed file. The password comes from ${PASSWORD_VARIABLE} or --password.`,
  async run(argv, environment, say) {
    const optional = ['password', 'org', 'key-out'];
    const parsed = readArguments(argv, { required: ['server', 'email'], optional }, 1);
    const server = originOf(parsed.values['server']!);
    const password = passwordOf(parsed, environment);
    const file = parsed.files[0]!;
    const keyOut = parsed.values['key-out'];
    await withSession(server, parsed.values['email']!, password, environment[OTP_VARIABLE], async (calls) => {
      const { body } = await calls.download('logs.evidence', { query: { org: parsed.values['org'] } });
      await saveFile(body, file, 0o600);
      if (keyOut !== undefined) await saveFile(new Blob([(await calls.call('logs.key')).result.publicKey]).stream(), keyOut);
    });
    say(`Saved ${file}. Check it with \`highline audit verify\`.`);
  },
};

/** Check a saved log offline. */
export const verifyAudit: Command = {
  name: 'verify',
  usage: '--key <public.pem> [--checkpoints <file.ndjson or folder>] <file>',
  summary:
    'Check a saved log without a server; names the entry that was changed, is missing, moved or cut off. The file of --key may contain several public keys.',
  async run(argv, _environment, say) {
    const { values, files } = readArguments(argv, { required: ['key'], optional: ['checkpoints'] }, 1);
    const keys = await readKeyFile(values['key']!, parsePublicKeys);
    const known = await knownOf(values['checkpoints'], keys);
    try {
      const verified = await verifyAuditExport(createReadStream(files[0]!), keys, (chain) => known.get(chain) ?? []);
      const checked = known.get(verified.chain)?.length ?? 0;
      if (values['checkpoints'] !== undefined && checked === 0)
        throw new CommandFault(
          `${values['checkpoints']} contains no checkpoint of this log, so nothing was compared. Name the folder with the copied audit files of this installation.`,
        );
      say(`${files[0]}: ${verified.entries} entries up to ${verified.lastSeq} are unchanged; ${checked} checkpoints agree.`);
      if (verified.cut !== undefined)
        say(`Retention removed the entries up to ${verified.cut.seq}, most recently on ${verified.cut.at.slice(0, 10)}.`);
    } catch (error) {
      if (error instanceof AuditExportFault) throw new CommandFault(`${files[0]}: ${error.message}`, { cause: error });
      throw error;
    }
  },
};

/** Checkpoints by chain. @throws CommandFault for one that is not signed with one of the keys */
async function knownOf(path: string | undefined, keys: readonly KeyObject[]) {
  const known = new Map<string, { seq: number; hash: string }[]>();
  if (path === undefined) return known;
  const byId = new Map(keys.map((key) => [fingerprintOf(key), key]));
  for await (const checkpoint of readCheckpoints(path)) {
    const fault = faultOf(checkpoint, byId);
    if (fault !== undefined)
      throw new CommandFault(`${path}: the checkpoint of entry ${checkpoint.seq} (${checkpoint.at}) ${fault}`);
    const { chain, seq, hash } = checkpoint;
    known.set(chain, [...(known.get(chain) ?? []), { seq, hash }]);
  }
  return known;
}

/** Why a checkpoint proves nothing. An unknown key is no sign of a change: each key of an installation has to be given. */
function faultOf(checkpoint: Checkpoint, keys: ReadonlyMap<string, KeyObject>): string | undefined {
  const { key: id } = checkpoint;
  const named = id === undefined ? undefined : keys.get(id);
  if (id !== undefined && named === undefined)
    return `was signed with the key ${id}, which is not in the file of --key, so it was not checked. Add the public key with this fingerprint to that file.`;
  const candidates = named === undefined ? [...keys.values()] : [named];
  if (candidates.some((key) => isGenuine(checkpoint, key))) return undefined;
  return named === undefined ? 'was changed, or signed with a key that is not in the file of --key.' : 'was changed.';
}
