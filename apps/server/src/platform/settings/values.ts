import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { parsePublicKeys } from '@highline/image';

export const CELL = /^[a-z\d](?:[a-z\d-]{0,38}[a-z\d])?$/u;

const MOST_CELLS = 100;

const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Undefined for anything but 32 bytes in base64, base64url or hex, and for bytes that are evidently not random. */
export function readKey(text: string): KeyObject | undefined {
  const bytes = /^[0-9a-f]{64}$/iu.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  const isWhole = bytes.length === 32 && (bytes.toString('hex') === text.toLowerCase() || /^[\w+/-]{43}=?$/u.test(text));
  return isWhole && new Set(bytes).size >= 16 ? createSecretKey(bytes) : undefined;
}

/** `<name>=<origin>,…` with at least one cell, each name once; undefined for anything else. */
export function readCells(text: string): ReadonlyMap<string, string> | undefined {
  const pairs = splitList(text).map((part) => {
    const [name = '', ...rest] = part.split('=');
    return [name, rest.join('=')] as const;
  });
  const isValid = pairs.every(([name, url]) => CELL.test(name) && isOrigin(url));
  const cells = new Map(pairs.map(([name, url]) => [name, URL.parse(url)?.origin ?? '']));
  return isValid && cells.size === pairs.length && cells.size > 0 && cells.size <= MOST_CELLS ? cells : undefined;
}

/** The public keys of PEM files; undefined when one of the files is unreadable or contains anything else. */
export function readPublicKeys(paths: string): readonly KeyObject[] | undefined {
  try {
    return splitList(paths).flatMap((path) => parsePublicKeys(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** A range of ports, both ends included. */
export interface Ports {
  readonly first: number;
  readonly last: number;
}

export function readPorts(text: string): Ports {
  const [first = 0, last = 0] = text.split('-').map(Number);
  return { first, last };
}

/** An address or a name; an invalid IPv4 address is a mistake, not a name. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || (/^[\w.-]+$/u.test(text) && !/^[\d.]+$/u.test(text));
}

/** `host:port`; undefined for anything else. */
export function readListen(text: string): { host: string; port: number } | undefined {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/u.exec(text) ?? [];
  const bare = host.replace(/^\[(.+)\]$/u, '$1');
  return isHost(bare) && Number(port) <= 65_535 ? { host: bare, port: Number(port) } : undefined;
}

export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.pathname === '/' && `${url.search}${url.hash}${url.username}` === '' && !text.endsWith('?');
}

export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function isProxy(text: string): boolean {
  return PROXY_NAMES.has(text) || isNetwork(text);
}

/** An address, or a network in CIDR. */
export function isNetwork(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [address = '', prefix = ''] = text.split('/');
  try {
    new BlockList().addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
    return /^\d+$/u.test(prefix);
  } catch {
    return false;
  }
}

export function canRead(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
