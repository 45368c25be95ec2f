import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const text = /\.(?:m?js|json|css|html|svg)$/u;
/** Below this a compressed file saves no packet. */
export const WORTH_IT = 1024;
/** Compressed once, by the build: as small as it gets. */
export const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Writes a compressed copy of each text file of the build, so that the server never compresses while it serves. */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const content = file.type === 'chunk' ? file.code : file.source;
          const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
          if (!text.test(file.fileName) || bytes.length < WORTH_IT) continue;
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(bytes, { level: 9 }) });
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(bytes, BEST) });
        }
      },
    },
  };
}
