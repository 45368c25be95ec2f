// In each worker of component tests, before anything else: packages are loaded from their bundles (apps/console/vite.packages.ts).
import { registerHooks } from 'node:module';

/** By the file that each would be loaded from: bare names are resolved by Vite before. */
const bundles = new Map(
  Object.entries(JSON.parse(process.env.HIGHLINE_TEST_PACKAGES ?? '{}')).map(([name, bundle]) => [
    import.meta.resolve(name),
    bundle,
  ]),
);

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const url = bundles.get(found.url);
    return url === undefined ? found : { ...found, url, format: 'module' };
  },
});
