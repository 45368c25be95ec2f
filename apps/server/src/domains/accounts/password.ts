import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { DomainError } from '../../failure.ts';

// OWASP's second recommended setting of argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const TAG_BYTES = 32;

const derive = promisify(argon2);

/** At most so many derivations at once: a flood of sign-ins may queue, but not take the machine's memory or both its cores. */
const AT_ONCE = 2;
const MAX_WAITING = 200;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw new DomainError('server.busy', { retryAfter: 5 });
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function tagOf(password: string, salt: Buffer, memory: number, passes: number, parallelism: number): Promise<Buffer> {
  // NFKC, so that a password typed on another keyboard is the same password.
  const message = Buffer.from(password.normalize('NFKC'), 'utf8');
  return inTurn(() => derive('argon2id', { message, nonce: salt, parallelism, tagLength: TAG_BYTES, memory, passes }));
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/u, '');

/** Hash a password with argon2id (RFC 9106) into a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await tagOf(password, salt, MEMORY_KIB, PASSES, LANES);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/u;
/** Stands in for an account that does not exist or has no password, so that both answers take the same time. */
const nobody = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(Buffer.alloc(16, 1))}$${unpadded(Buffer.alloc(TAG_BYTES))}`;

/** Whether a password fits a stored hash. Takes the same time for an account without one (`null`), and says no. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const match = phc.exec(stored ?? nobody) ?? phc.exec(nobody)!;
  const [, memory, passes, lanes, salt, tag] = match as unknown as [string, string, string, string, string, string];
  const expected = Buffer.from(tag, 'base64');
  const actual = await tagOf(password, Buffer.from(salt, 'base64'), Number(memory), Number(passes), Number(lanes));
  return stored !== null && expected.length === actual.length && timingSafeEqual(expected, actual);
}

/**
 * Length beats composition (NIST SP 800-63B): 10 to 200 characters, and not the e-mail address.
 * @throws DomainError `account.weak_password`
 */
export function checkNewPassword(password: string, email: string): void {
  const length = Array.from(password).length;
  const local = email.split('@')[0] ?? '';
  if (length < 10 || length > 200 || password.toLowerCase() === email || (local.length > 3 && password.toLowerCase() === local))
    throw new DomainError('account.weak_password', { field: 'password' });
}
