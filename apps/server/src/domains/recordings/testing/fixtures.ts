import { zstdCompressSync } from 'node:zlib';
import type { Fixture, Fixtures } from '../../../testing/fixture.ts';

/** A chunk as it is stored, of a header alone: its events as JSON, and the length of that. */
function chunkOf(header: object): Buffer {
  const events = Buffer.from(JSON.stringify([[0, 'h', header]]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(events.length);
  return zstdCompressSync(Buffer.concat([events, length]));
}

/** A recording of a terminal of the loose device, which has the device's id. */
const withRecording: NonNullable<Fixture['prepare']> = async ({ organizationId, looseDeviceId, loose }, _, { owner }) => {
  await owner.query(
    `insert into recordings (organization_id, id, device_id, serial, account_id, account_email, began_at, ended_at, end_reason, chunks, bytes, hash)
     values ($1, $2, $2, $3, $2, 'at-the-terminal@x.invalid', now(), now(), 'exited', 1, 14, '') on conflict do nothing`,
    [organizationId, looseDeviceId, loose.serial],
  );
  await owner.query(
    `insert into recording_chunks (organization_id, recording_id, seq, contents) values ($1, $2, 0, $3) on conflict do nothing`,
    [organizationId, looseDeviceId, chunkOf({ version: 2 })],
  );
};
const ofOne = (shows: string): Fixture => ({
  names: 'ids',
  make: ({ organizationId: org }, { looseDeviceId: recording }) => ({ params: { recording }, query: { org } }),
  prepare: withRecording,
  shows: () => shows,
});
const ofOrganization = (shows: NonNullable<Fixture['shows']>): Fixture => ({
  names: 'organization',
  make: ({ organizationId: org }) => ({ query: { org } }),
  prepare: withRecording,
  shows,
});

export const fixtures: Fixtures = {
  'recordings.settings': ofOrganization(() => '"days":'),
  'recordings.saveSettings': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, recorded: true, days: 30 } }),
    shows: () => '"days":30',
  },
  'recordings.list': ofOrganization(({ loose }) => loose.serial),
  'recordings.export': ofOrganization(({ loose }) => loose.serial),
  'recordings.file': ofOne('{"version":2}'),
  'recordings.verify': ofOne('"seal":"changed"'),
};
