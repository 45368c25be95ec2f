import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * A password as an account stores it, at the least cost that argon2id has. A stored hash names its own cost, so to sign in with this one takes
 * no time: for tests that sign in hundreds of times and are about something else.
 */
export async function hashCheaply(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const message = Buffer.from(password.normalize('NFKC'), 'utf8');
  const tag = await promisify(argon2)('argon2id', { message, nonce, parallelism: 1, tagLength: 32, memory: 8, passes: 1 });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`;
}
