import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailTransport } from '../../ports/mail.ts';
import { messageOf } from './message.ts';

/** The demo keeps this many mails and deletes the oldest. */
const KEPT = 200;

/** Write each mail atomically as an .eml file into the demo's outbox folder. */
export function createFolderTransport(folder: string, from: string): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { message } = await composer.sendMail(messageOf(from, mail));
      // The name is derived from the id only: the same mail sent twice is one file.
      const name = `${mail.messageId.replaceAll(/[^A-Za-z0-9-]/gu, '')}.eml`;
      const unfinished = join(folder, `.${name}.part`);
      await writeFile(unfinished, message as Buffer, { mode: 0o600 });
      await rename(unfinished, join(folder, name));
      await dropOldest(folder);
    },
    keepsFiles: true,
    async close() {},
  };
}

/** Ids sort by time, and so do the file names. */
async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
  for (const name of names.slice(0, Math.max(0, names.length - KEPT))) await rm(join(folder, name), { force: true });
}
