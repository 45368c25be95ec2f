import { hash, randomBytes } from 'node:crypto';

const PREFIX = 'hls_';
const SECRET = /^hls_[\w-]{43}$/u;

/** A new secret of a directory: 256 random bits behind a prefix by which programs that look for secrets find it. */
export const mintSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

/** Whether it has the form of one: others cost no look into the database. */
export const isSecret = (text: string): boolean => SECRET.test(text);

/** The stored form of a secret. */
export const hashSecret = (text: string): Buffer => hash('sha256', text, 'buffer');

/** What people recognize a secret by: too short to guess the rest. */
export const hintOf = (text: string): string => `${text.slice(0, PREFIX.length + 4)}…${text.slice(-4)}`;
