import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, preview } from 'vite';
import { contractAsData } from './vite.contract.ts';

const root = import.meta.dirname;

/**
 * Build the gallery of `src/gallery` by itself and serve it on a free port. `vite.config.ts` does not name its page, so the
 * console that ships does not contain it; `npm run dev` serves it at `/gallery.html`.
 * @param outDir where the build is written
 * @returns the address of the page, and a function that stops serving
 */
export async function serveGallery(outDir: string): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const common = { root, configFile: false, logLevel: 'warn', build: { outDir } } as const;
  await build({
    ...common,
    plugins: [contractAsData(), react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input: join(root, 'gallery.html') },
    },
  });
  const server = await preview({ ...common, preview: { host: '127.0.0.1', port: 0 } });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('The gallery is not served on a port.');
  return { url: `http://127.0.0.1:${address.port}/gallery.html`, stop: () => server.close() };
}
