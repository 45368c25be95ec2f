import { readFileSync } from 'node:fs';
import { readClientCas, readTlsFiles } from './tls-files.ts';
import { isLoopback, variables, type Name, type Values } from './variables.ts';

/** `demo` is `npm start`: sample data on this machine only. `serve` is production. */
export type Mode = 'demo' | 'serve';

/**
 * The faults of variables that are valid each by itself but not together, or not in this mode. One line each: the variable, the
 * fault, the remedy.
 */
export function combinationFaults(mode: Mode, values: Values, isGiven: (name: Name) => boolean): string[] {
  return [
    ...halves(values, isGiven),
    ...(mode === 'demo' ? demoFaults(values) : productionFaults(values, isGiven)),
    ...tlsFaults(values),
    ...tunnelFaults(values),
    ...natsFaults(values),
    ...keyFaults(values),
    ...mapFaults(values),
    ...cellFaults(mode, values),
  ];
}

/** Variables that are valid only together. */
function halves({ SMTP_URL }: Values, isGiven: (name: Name) => boolean): string[] {
  const pairs = [
    ['DATABASE_SERVE_URL', 'DATABASE_URL', 'the database that DATABASE_SERVE_URL serves'],
    ['DATABASE_POOLER', 'DATABASE_SERVE_URL', 'the address of the pooler'],
    ['DATABASE_READ_URL', 'DATABASE_URL', 'the primary of that replica'],
    ['DATABASE_READ_MAX_AGE_SECONDS', 'DATABASE_READ_URL', 'the replica that it limits'],
    ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'the key of that certificate'],
    ['TLS_KEY_FILE', 'TLS_CERT_FILE', 'the certificate of that key'],
    ['TLS_CLIENT_CA_FILE', 'TLS_CERT_FILE', 'the certificate of our own TLS, without which clients present none'],
    ['SMTP_URL', 'MAIL_FROM', 'the sender of the mails'],
    ['MAIL_BOUNCES', 'SMTP_URL', 'the mail server that returns mails to this address'],
    ['BLOBS_PUBLIC_URL', 'BLOBS_URL', 'the bucket of that store'],
    ['TELEMETRY_SINK_CA_FILE', 'TELEMETRY_SINK_URL', 'the sink with a certificate of this authority'],
    ['TELEMETRY_SINK_HOURS', 'TELEMETRY_SINK_URL', 'the sink that readings wait for'],
    ['NATS_CREDENTIALS_FILE', 'NATS_URL', 'the servers that accept these credentials'],
    ['NATS_CA_FILE', 'NATS_URL', 'the servers with certificates of this authority'],
    ['NATS_CERT_FILE', 'NATS_URL', 'the servers that verify this certificate'],
    ['NATS_CERT_FILE', 'NATS_KEY_FILE', 'the key of that certificate'],
    ['NATS_KEY_FILE', 'NATS_CERT_FILE', 'the certificate of that key'],
    ['MAP_ORIGINS', 'MAP_STYLE_URL', 'the style that uses these origins'],
    ['HIGHLINE_MASTER_KEY_PREVIOUS', 'HIGHLINE_MASTER_KEY', 'the key that replaces it'],
  ] as const;
  return pairs
    .filter(([one, other]) => isGiven(one) && !isGiven(other) && !(one === 'SMTP_URL' && SMTP_URL === 'none'))
    .map(([one, other, what]) => `${other}: is missing while ${one} is set. Set it to ${what}, or leave both out.`);
}

function demoFaults({ HOST, PUBLIC_URL }: Values): string[] {
  const faults: string[] = [];
  if (HOST !== undefined && !isLoopback(HOST))
    faults.push(
      `HOST: "${HOST}" can be reached from outside, and the demo's passwords are known. Leave it out, or use npm run serve.`,
    );
  if (PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname))
    faults.push(
      `PUBLIC_URL: "${PUBLIC_URL}" is not this machine, and the demo's passwords are known. Leave it out, or use npm run serve.`,
    );
  return faults;
}

function productionFaults({ PUBLIC_URL, BLOBS_PUBLIC_URL }: Values, isGiven: (name: Name) => boolean): string[] {
  const needed = isGiven('CELLS') ? (['PUBLIC_URL'] as const) : (['PUBLIC_URL', 'HIGHLINE_MASTER_KEY', 'SMTP_URL'] as const);
  const faults: string[] = needed
    .filter((name) => !isGiven(name))
    .map((name) => `${name}: is missing. Set it to ${variables[name].needs}.`);
  if (PUBLIC_URL?.startsWith('http:') === true && !isLoopback(new URL(PUBLIC_URL).hostname))
    faults.push(
      `PUBLIC_URL: "${PUBLIC_URL}" would send passwords unencrypted. Use https, with TLS_CERT_FILE and TLS_KEY_FILE or behind a proxy.`,
    );
  if (BLOBS_PUBLIC_URL?.startsWith('http:') === true && !isLoopback(new URL(BLOBS_PUBLIC_URL).hostname))
    faults.push(`BLOBS_PUBLIC_URL: "${BLOBS_PUBLIC_URL}" would send firmware unencrypted. Use https.`);
  // Otherwise all users behind the proxy would share one address, and a few wrong passwords would lock everyone out.
  if (PUBLIC_URL?.startsWith('https:') === true && !isGiven('TLS_CERT_FILE') && !isGiven('TRUSTED_PROXIES'))
    faults.push(
      'TRUSTED_PROXIES: is missing while PUBLIC_URL is https and TLS_CERT_FILE is not set. Set it to the addresses of the proxy that terminates TLS, or serve TLS here with TLS_CERT_FILE and TLS_KEY_FILE.',
    );
  return faults;
}

function tlsFaults({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CLIENT_CA_FILE: clientCaFile }: Values): string[] {
  return [
    ...pairFaults('TLS', certFile, keyFile),
    ...(certFile === undefined ? [] : authorityFaults('TLS_CLIENT_CA_FILE', clientCaFile)),
  ];
}

function pairFaults(prefix: 'TLS' | 'NATS', certFile: string | undefined, keyFile: string | undefined): string[] {
  if (certFile === undefined || keyFile === undefined) return [];
  return faultOfFile(
    () => readTlsFiles({ certFile, keyFile }),
    (why) =>
      `${prefix}_CERT_FILE: it and ${prefix}_KEY_FILE cannot be used together (${why}). Name a certificate and its own key, both PEM.`,
  );
}

function authorityFaults(name: Name, path: string | undefined): string[] {
  if (path === undefined) return [];
  return faultOfFile(
    () => readClientCas(readFileSync(path, 'utf8')),
    (why) => `${name}: it cannot be used (${why}). Name a PEM file of certificates of authorities.`,
  );
}

function keyFaults({ HIGHLINE_MASTER_KEY: key, HIGHLINE_MASTER_KEY_PREVIOUS: previous }: Values): string[] {
  if (previous === undefined || key?.equals(previous) !== true) return [];
  return [
    'HIGHLINE_MASTER_KEY_PREVIOUS: it is the same key as HIGHLINE_MASTER_KEY. Leave it out, or set it to the key that is replaced.',
  ];
}

/** Browsers load nothing over http into a page from https, except from their own machine. */
function mapFaults({ PUBLIC_URL, MAP_STYLE_URL: style, MAP_ORIGINS: origins }: Values): string[] {
  if (PUBLIC_URL?.startsWith('https:') !== true || style === undefined) return [];
  const isMixed = (url: string) => url.startsWith('http:') && !isLoopback(new URL(url).hostname);
  const named = [['MAP_STYLE_URL', style.url], ...origins.map((origin) => ['MAP_ORIGINS', origin])] as const;
  return named
    .filter(([, url]) => isMixed(url))
    .map(([name, url]) => `${name}: "${url}" is not loaded by a browser while PUBLIC_URL is https. Use https.`);
}

function natsFaults(values: Values): string[] {
  const { NATS_URL: address, NATS_CREDENTIALS_FILE: credentials } = values;
  const faults: string[] = [];
  if (credentials !== undefined && (address?.user !== undefined || address?.token !== undefined))
    faults.push('NATS_CREDENTIALS_FILE: NATS_URL names a user or a token as well. Leave one of them out.');
  faults.push(
    ...authorityFaults('NATS_CA_FILE', values.NATS_CA_FILE),
    ...pairFaults('NATS', values.NATS_CERT_FILE, values.NATS_KEY_FILE),
  );
  for (const name of ['NATS_CA_FILE', 'NATS_CERT_FILE'] as const)
    if (values[name] !== undefined && address?.tls === false)
      faults.push(`${name}: is set while NATS_URL is not tls://. Use tls://, or leave it out.`);
  return faults;
}

function cellFaults(mode: Mode, values: Values): string[] {
  const { CELLS: cells, DIRECTORY_URL: url, CELLS_KEY: key, CELL_NAME: cell, METRICS_LISTEN: metrics } = values;
  const faults: string[] = [];
  if (mode === 'demo' && cells !== undefined) faults.push('CELLS: the demo is no directory. Leave it out, or use npm run serve.');
  if (cells !== undefined && url !== undefined)
    faults.push('DIRECTORY_URL: is set while CELLS makes this a directory. Leave one of them out.');
  const isPart = cells !== undefined || (url !== undefined && url !== 'none');
  if (isPart && key === undefined) faults.push(`CELLS_KEY: is missing. Set it to ${variables.CELLS_KEY.needs}.`);
  if (url !== undefined && url !== 'none' && cell === undefined)
    faults.push(`CELL_NAME: is missing while DIRECTORY_URL is set. Set it to ${variables.CELL_NAME.needs}.`);
  if (cells !== undefined && metrics !== undefined) faults.push('METRICS_LISTEN: a directory has no metrics. Leave it out.');
  for (const [name, origin] of [
    ['DIRECTORY_URL', url],
    ...[...(cells ?? [])].map((each) => ['CELLS', each[1]] as const),
  ] as const)
    if (origin?.startsWith('http:') === true && !isLoopback(new URL(origin).hostname))
      faults.push(`${name}: "${origin}" would send secrets of routers unencrypted. Use https.`);
  return faults;
}

function faultOfFile(read: () => unknown, sentence: (why: string) => string): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return [sentence((error as Error).message)];
  }
}

/** The console must not be on a name of routers' web pages, or it would be handled as one of them and never be reached. */
function tunnelFaults({ PUBLIC_URL, TUNNEL_DOMAIN: domain }: Values): string[] {
  if (PUBLIC_URL === undefined || domain === undefined) return [];
  if (!new URL(PUBLIC_URL).hostname.endsWith(`.${domain}`)) return [];
  return [`TUNNEL_DOMAIN: "${domain}" contains the name of PUBLIC_URL. Set it to ${variables.TUNNEL_DOMAIN.needs}.`];
}
