import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintOf, generateKeyPair, parsePublicKey } from '@highline/image';
import { CommandFault, readArguments, type Command } from './command.ts';

/** Make a key pair; the private half stays with the signer and is never stored on the server. */
export const keygen: Command = {
  name: 'keygen',
  usage: '--out <folder>',
  summary: 'Create a key pair: firmware-key.pem signs and stays with you; firmware-key.pub.pem goes into FIRMWARE_PUBLIC_KEYS.',
  async run(argv, _environment, say) {
    const { values } = readArguments(argv, { required: ['out'] }, 0);
    const folder = values['out']!;
    const { privateKey, publicKey } = generateKeyPair();
    const path = join(folder, 'firmware-key.pem');
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(path, privateKey, { mode: 0o600, flag: 'wx' });
      await writeFile(join(folder, 'firmware-key.pub.pem'), publicKey);
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
      throw new CommandFault(isThere ? `${path} already exists; it is not overwritten.` : (error as Error).message, {
        cause: error,
      });
    }
    say(`Created ${path} and firmware-key.pub.pem, fingerprint ${fingerprintOf(parsePublicKey(publicKey))}.`);
  },
};
