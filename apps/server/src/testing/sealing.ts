import { createSecretKey, randomBytes } from 'node:crypto';
import { createSealing, type Sealing } from '../kernel/sealing.ts';

/** A sealing with a random key, for services whose secrets a test does not read. */
export const createTestSealing = (): Sealing => createSealing(createSecretKey(randomBytes(32)), 'tests');
