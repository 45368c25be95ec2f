import type { Plugin, Rolldown } from 'vite';

/**
 * The files of pages that other files import, each with one that does. Loading such a file runs that page: its code that others
 * need belongs to a file of its own (codeSplitting in vite.config.ts).
 */
export function importedEntries(bundle: Rolldown.OutputBundle): readonly string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  return chunks
    .filter(({ isEntry }) => isEntry)
    .flatMap(({ fileName, name }) => {
      const importer = chunks.find(({ imports }) => imports.includes(fileName));
      return importer === undefined ? [] : [`${importer.name} imports the page ${name}`];
    });
}

/** Fails a build in which a page would start on another page. */
export function entriesStandAlone(): Plugin {
  return {
    name: 'entries-stand-alone',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const faults = importedEntries(bundle);
      if (faults.length > 0) this.error(`${faults.join(', ')}: move what is shared into a file of its own in vite.config.ts.`);
    },
  };
}
