import { createHash, randomBytes, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealTrailer } from '@highline/image';
import { uploadConfig, type Seal } from '../domains/configs/index.ts';
import { uploadFirmware } from '../domains/firmware/index.ts';
import type { CodeSeal } from '../domains/esims/index.ts';
import type { Deps } from '../platform/ports/deps.ts';
import type { Actor, MainScope, OrganizationScope } from '../kernel/scope.ts';
import { type DemoConfig } from './demo-vehicles.ts';
import { demoFirmware, type DemoFirmware } from './fleet-data.ts';
import type { DemoSigningKey } from './signing-key.ts';

/** Where the demo's files are stored, and the keys that sign and encrypt them. */
export interface DemoFileDeps extends Pick<Deps, 'database' | 'clock' | 'blobs'> {
  readonly seal: Seal;
  /** Encrypts activation codes. */
  readonly codes: CodeSeal;
  readonly signingKey: DemoSigningKey;
}

/** Upload the demo's images through the service, as a user would. */
export async function seedFirmware(deps: DemoFileDeps, main: MainScope, actor: Actor): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'highline-demo-'));
  try {
    for (const demoFleet of demoFirmware) {
      const path = join(folder, 'image');
      const image = signedImage(demoFleet, deps.signingKey.privateKey);
      await writeFile(path, image);
      const name = `${demoFleet.profile.toLowerCase().replaceAll(' ', '-')}_${demoFleet.version}.img`;
      const publicKeys = [deps.signingKey.publicKey];
      const { version, profile, note } = demoFleet;
      const file = { path, bytes: image.length, name };
      await uploadFirmware({ ...deps, publicKeys, maxBytes: image.length }, main, actor, { version, profile, note, file });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function signedImage({ profile: model, version, kilobytes }: DemoFirmware, privateKey: KeyObject): Buffer {
  const payload = randomBytes(kilobytes * 1_024);
  const payloadSha256 = createHash('sha256').update(payload).digest();
  return Buffer.concat([payload, sealTrailer({ model, version, payloadSize: payload.length, payloadSha256, privateKey })]);
}

/** Upload the demo's config files through the service, so that they are validated, encrypted and logged. */
export async function seedConfigs(
  deps: DemoFileDeps,
  scope: OrganizationScope,
  actor: Actor,
  files: readonly DemoConfig[],
): Promise<void> {
  for (const { name, note, lines } of files)
    await uploadConfig(deps, scope, actor, { fileName: name, note, contents: Buffer.from(`${lines.join('\n')}\n`) });
}
