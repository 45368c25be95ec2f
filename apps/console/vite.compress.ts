import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const text = /\.(?:m?js|json|css|html|svg)$/u;
/** Below this a compressed file saves no packet. */
export const WORTH_IT = 1024;
/** Compressed once, by the build: as small as it gets. */
export const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** The files of a folder that are copied into the build as they are, by name. */
function publicFiles(folder: string): [string, Uint8Array][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [relative(folder, file), readFileSync(file)];
  });
}

/** Writes a compressed copy of each text file of the build, so that the server never compresses while it serves. */
export function compressed(): Plugin {
  let publicDir = '';
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => {
      ({ publicDir } = config);
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const built = Object.values(bundle).map((file): [string, Uint8Array] => {
          const content = file.type === 'chunk' ? file.code : file.source;
          return [file.fileName, typeof content === 'string' ? new TextEncoder().encode(content) : content];
        });
        for (const [fileName, bytes] of [...built, ...publicFiles(publicDir)]) {
          if (!text.test(fileName) || bytes.length < WORTH_IT) continue;
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(bytes, { level: 9 }) });
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(bytes, BEST) });
        }
      },
    },
  };
}
