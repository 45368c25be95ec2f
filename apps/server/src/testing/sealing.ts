import { createSecretKey, randomBytes } from 'node:crypto';
import { createSealing, type Sealing } from '../sealing.ts';

/** A sealing under a key that nobody keeps, for services whose secrets a test does not read. */
export const createTestSealing = (): Sealing => createSealing(createSecretKey(randomBytes(32)), 'tests');
