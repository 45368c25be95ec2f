import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { KeyObject } from 'node:crypto';
import { isOlderVersion, parsePrivateKey, sealTrailer, type Manifest } from '@highline/image';
import { hashStart } from '../platform/files/image-file.ts';
import { CommandFault, readArguments, type Command } from './command.ts';
import { openImage, readKeyFile } from './image-file.ts';

/** Append a signed trailer to a payload. */
export const sign: Command = {
  name: 'sign',
  usage: '--key <private.pem> --model <model> --version <version> [--oldest <version>] <in> <out>',
  summary: 'Append a signed trailer to a payload; the catalog and the routers accept the result.',
  async run(argv, _environment, say) {
    const { values, files } = readArguments(argv, { required: ['key', 'model', 'version'], optional: ['oldest'] }, 2);
    const [from, to] = files as [string, string];
    const privateKey = await readKeyFile(values['key']!, parsePrivateKey);
    const image = await openImage(from);
    if (image.trailer !== 'absent') throw new CommandFault(`${from} already has a trailer. Sign the payload it was made from.`);
    const { oldest } = values;
    if (oldest !== undefined && isOlderVersion(values['version']!, oldest))
      throw new CommandFault(
        `Version ${values['version']} is older than --oldest ${oldest}. Sign a newer one, or name an older --oldest.`,
      );
    const manifest = { model: values['model']!, version: values['version']!, oldest, payloadSize: image.size };
    const trailer = seal(manifest, await hashStart(from, image.size), privateKey);
    await writeWhole(from, to, trailer);
    say(`Signed ${to}: version ${manifest.version} for ${manifest.model}, ${image.size + trailer.length} bytes.`);
  },
};

function seal(manifest: Manifest, payloadSha256: Buffer, privateKey: KeyObject): Uint8Array {
  try {
    return sealTrailer({ ...manifest, payloadSha256, privateKey });
  } catch (error) {
    throw new CommandFault('A model has 1 to 60 characters and a version 1 to 100, on one line.', { cause: error });
  }
}

/** The file appears complete or not at all. */
async function writeWhole(from: string, to: string, trailer: Uint8Array): Promise<void> {
  const unfinished = `${to}.part`;
  try {
    await pipeline(createReadStream(from), createWriteStream(unfinished));
    await appendFile(unfinished, trailer, { flush: true });
    await rename(unfinished, to);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new CommandFault(`${to} cannot be written (${(error as Error).message}).`, { cause: error });
  }
}
