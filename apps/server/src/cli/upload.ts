import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { InputOf } from '@highline/client';
import { originOf, passwordOf, OTP_VARIABLE, PASSWORD_VARIABLE, withSession } from './client.ts';
import { CommandFault, readArguments, UsageFault, type Command, type Parsed } from './command.ts';
import { openImage, type ImageFile } from './image-file.ts';

/** Send an image to the catalogue of a running server. */
export const upload: Command = {
  name: 'upload',
  usage: `--server <url> --email <address> [--notes <text>] [--unsigned --model <model> --version <version>] <file>`,
  summary: `Upload an image to the firmware catalog. Signs in as the main account; the password comes from ${PASSWORD_VARIABLE} or --password.`,
  async run(argv, environment, say) {
    const optional = ['password', 'notes', 'model', 'version'];
    const parsed = readArguments(argv, { required: ['server', 'email'], optional, switches: ['unsigned'] }, 1);
    const password = passwordOf(parsed, environment);
    const server = originOf(parsed.values['server']!);
    const image = await openImage(parsed.files[0]!);
    const body = fieldsOf(parsed, image);
    await withSession(server, parsed.values['email']!, password, environment[OTP_VARIABLE], async (calls) => {
      // Streamed from disk, never completely in memory.
      const file = await openAsBlob(image.path);
      const { result } = await calls.call('firmware.upload', { body, file, fileName: basename(image.path) });
      say(`Uploaded version ${result.version} for ${result.profile}, ${result.size} bytes, SHA-256 ${result.sha256}.`);
    });
  },
};

/** The trailer contains model and version; an image without one needs both as options. */
function fieldsOf({ values, switches }: Parsed, { path, trailer }: ImageFile): InputOf<'firmware.upload'>['body'] & object {
  if (trailer === 'damaged') throw new CommandFault(`${path} is incomplete.`);
  const unsigned = switches.has('unsigned');
  if (trailer === 'absent' && !unsigned) throw new CommandFault(`${path} has no signature. Sign it, or use --unsigned.`);
  const manifest = trailer === 'absent' ? undefined : trailer.manifest;
  const profile = values['model'] ?? manifest?.model;
  const version = values['version'] ?? manifest?.version;
  if (profile === undefined || version === undefined)
    throw new UsageFault('--model and --version are needed for an image without a trailer');
  return { profile, version, note: values['notes'] ?? '', unsigned: unsigned ? 'true' : 'false' };
}
