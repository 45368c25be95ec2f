import type { Plugin, Rolldown } from 'vite';

type Chunk = Rolldown.OutputChunk;

/**
 * Files that import each other, each cycle as the names on its way: `frame, list, frame`. The browser runs one of them before the
 * other, and what it calls while it starts may not exist yet. Modules without a cycle can end in such files (codeSplitting).
 */
export function cyclesOf(bundle: Rolldown.OutputBundle): readonly string[] {
  const chunks = new Map<string, Chunk>();
  for (const file of Object.values(bundle)) if (file.type === 'chunk') chunks.set(file.fileName, file);
  const done = new Set<string>();
  const way: string[] = [];
  const found: string[] = [];
  const visit = (file: string): void => {
    const begin = way.indexOf(file);
    if (begin !== -1) found.push([...way.slice(begin), file].map((name) => chunks.get(name)!.name).join(', '));
    if (begin !== -1 || done.has(file)) return;
    way.push(file);
    for (const next of chunks.get(file)?.imports ?? []) if (chunks.has(next)) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of chunks.keys()) visit(file);
  return found;
}

/** Fails a build whose files import each other. */
export function withoutCycles(): Plugin {
  return {
    name: 'without-cycles',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const faults = cyclesOf(bundle);
      if (faults.length > 0)
        this.error(
          `Files of the console import each other: ${faults.join('; ')}. Move what one of them needs into a file of its own, or to the other, in codeSplitting of vite.config.ts.`,
        );
    },
  };
}
