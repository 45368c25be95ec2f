import { hash } from 'node:crypto';

/** Tokens are stored and looked up as SHA-256; only the link has the text. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
