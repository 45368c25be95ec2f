import { parsePublicKeys, verifyTrailer } from '@highline/image';
import { hashStart } from '../platform/files/image-file.ts';
import { CommandFault, readArguments, type Command } from './command.ts';
import { openImage, readKeyFile } from './image-file.ts';

/** Check an image as the server and the routers do. */
export const verify: Command = {
  name: 'verify',
  usage: '--key <public.pem> <file>',
  summary: 'Check an image against public keys, as the server and the routers do.',
  async run(argv, _environment, say) {
    const { values, files } = readArguments(argv, { required: ['key'] }, 1);
    const publicKeys = await readKeyFile(values['key']!, parsePublicKeys);
    const { path, size, trailer } = await openImage(files[0]!);
    if (trailer === 'absent') throw new CommandFault(`${path} has no signature.`);
    if (trailer === 'damaged') throw new CommandFault(`${path} is incomplete.`);
    const signedBy = verifyTrailer(trailer, await hashStart(path, size - trailer.size), publicKeys);
    if (signedBy === undefined) throw new CommandFault(`${path} was changed, or signed with another key.`);
    say(`${path}: version ${trailer.manifest.version} for ${trailer.manifest.model}, signed by ${signedBy}.`);
  },
};
