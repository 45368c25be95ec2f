import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { DomainError } from '../../kernel/failure.ts';
import { isGuessable } from './password-strength.ts';
import { createHashingQueue, type HashingQueue } from './hashing-queue.ts';

// OWASP's second recommended setting of argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const TAG_BYTES = 32;

/** Many concurrent sign-ins may queue, but must not exhaust memory, both cores or the thread pool for files and DNS. */
const AT_ONCE = 2;
const MAX_WAITING = 200;

const derive = promisify(argon2);

/** Passwords are stored as PHC strings of argon2id (RFC 9106). */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether a password fits a stored hash. Takes the same time without a hash (`null`), and returns false. */
  fits(password: string, stored: string | null): Promise<boolean>;
}

/** @throws DomainError `server.busy`, from both of its functions, when too many calls wait */
export function createPasswords(queue: HashingQueue = createHashingQueue(AT_ONCE, MAX_WAITING)): Passwords {
  const tagOf = (password: string, salt: Buffer, memory: number, passes: number, parallelism: number): Promise<Buffer> => {
    // NFKC, so that a password typed on another keyboard is the same password.
    const message = Buffer.from(password.normalize('NFKC'), 'utf8');
    return queue.run(() => derive('argon2id', { message, nonce: salt, parallelism, tagLength: TAG_BYTES, memory, passes }));
  };
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const tag = await tagOf(password, salt, MEMORY_KIB, PASSES, LANES);
      return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(tag)}`;
    },
    async fits(password, stored) {
      const match = phc.exec(stored ?? UNKNOWN_USER) ?? phc.exec(UNKNOWN_USER)!;
      const [, memory, passes, lanes, salt, tag] = match as unknown as [string, string, string, string, string, string];
      const expected = Buffer.from(tag, 'base64');
      const actual = await tagOf(password, Buffer.from(salt, 'base64'), Number(memory), Number(passes), Number(lanes));
      return stored !== null && expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/u;
/** Used for an account that does not exist or has no password, so that both answers take the same time. */
const UNKNOWN_USER = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(Buffer.alloc(16, 1))}$${unpadded(Buffer.alloc(TAG_BYTES))}`;

/**
 * Length matters more than composition (NIST SP 800-63B): 10 to 200 characters, not the e-mail address, and not easy to guess: no
 * common passwords, repetitions, sequences, or little more than the address.
 * @throws DomainError `account.weak_password`, `account.common_password`
 */
export function checkNewPassword(password: string, email: string): void {
  const length = Array.from(password).length;
  const local = email.split('@')[0] ?? '';
  if (length < 10 || length > 200 || password.toLowerCase() === email || (local.length > 3 && password.toLowerCase() === local))
    throw new DomainError('account.weak_password', { field: 'password' });
  if (isGuessable(password, email)) throw new DomainError('account.common_password', { field: 'password' });
}
