import { builtinEnvironments, type Environment } from 'vitest/runtime';

const shared = globalThis as { highlinePage?: true };

/**
 * A page of happy-dom for all files of a worker, so that the console is loaded and compiled once and not for each file (page-setup.ts). Each file begins with
 * an empty one. A file that mocks modules needs them for itself: it says `@vitest-environment happy-dom`, and gets a page and modules of its own.
 */
const page: Environment = {
  name: 'page',
  viteEnvironment: 'client',
  async setup(global, options) {
    if (shared.highlinePage !== true) await builtinEnvironments['happy-dom'].setup(global, options);
    shared.highlinePage = true;
    document.head.replaceChildren();
    document.body.replaceChildren();
    history.replaceState(null, '', '/');
    return { teardown() {} };
  },
};

export default page;
