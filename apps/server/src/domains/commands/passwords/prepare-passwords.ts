import type { Sealing } from '../../../kernel/sealing.ts';
import type { Tx } from '../../../platform/ports/database.ts';
import { generatePassword } from './generate-password.ts';
import { readPasswordSettings } from './passwords.queries.ts';
import { insertPasswords, type NewPassword } from './stored-passwords.job.queries.ts';

/** A command that is about to set a password. */
interface PasswordCommand extends Pick<NewPassword, 'id' | 'organizationId' | 'deviceId' | 'routerId'> {
  readonly mainAccountId: string;
  /** The user. */
  readonly argument: string;
}

/** Store a random password for each of these commands that has none: committed before it is sent, so that no router has one that is lost. */
export async function preparePasswords(tx: Tx, sealing: Sealing, commands: readonly PasswordCommand[], now: Date): Promise<void> {
  for (const own of Map.groupBy(commands, ({ organizationId }) => organizationId).values()) {
    const { mainAccountId, organizationId } = own[0]!;
    const settings = await readPasswordSettings(tx, { kind: 'organization', mainAccountId, organizationId });
    const passwords = own.map(({ id, deviceId, routerId, argument: username }) => ({
      id,
      organizationId,
      deviceId,
      routerId,
      username,
      password: generatePassword(settings),
    }));
    await insertPasswords(tx, sealing, passwords, now);
  }
}
