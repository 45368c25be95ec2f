import { randomInt } from 'node:crypto';
import type { routerPasswords } from '@highline/contract';

/** Without look-alikes: people read them from a screen and type them at a vehicle. */
const LETTERS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789'] as const;
/** Those that forms, shells and URLs of routers take as they are. */
const SYMBOLS = '-_.+=@%';

/** A random password with a character of each set at least; all that fit the policy are as likely. */
export function generatePassword({ length, symbols }: Pick<routerPasswords.PasswordSettings, 'length' | 'symbols'>): string {
  const sets: readonly string[] = symbols ? [...LETTERS, SYMBOLS] : LETTERS;
  const all = sets.join('');
  for (;;) {
    const password = Array.from({ length }, () => all[randomInt(all.length)]!).join('');
    if (sets.every((set) => Array.from(password).some((character) => set.includes(character)))) return password;
  }
}
