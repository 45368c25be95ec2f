// A test that fails once in a thousand runs must neither block the others nor be hidden: files with failures are run once more by
// themselves, and tests that pass only then are reported as unsteady.

/** More failing files than this are no coincidence. */
export const FILES_AT_MOST = 5;

/**
 * The entries (see reports.mjs) of `run(files)`, where an empty list means all files. When a few files failed, their entries are
 * those of a second run of them alone, and `unsteady` lists failures that did not recur. A fault without a file is not repeated.
 */
export async function withSecondLook(run) {
  const first = await run([]);
  const doubtful = first.filter(({ failed }) => failed > 0);
  const files = doubtful.map(({ file }) => file);
  if (files.length === 0 || files.length > FILES_AT_MOST || files.includes(undefined)) return { entries: first, unsteady: [] };
  const second = await run(files);
  // Files that were not run again, because a runner did not even start, keep their result.
  const again = new Map(second.map((entry) => [entry.file, entry]));
  const outside = second.filter(({ file }) => file === undefined);
  return {
    entries: [...first.map((entry) => again.get(entry.file) ?? entry), ...outside],
    unsteady: doubtful.flatMap(({ file, failures }) => failures.filter(({ title }) => !failedAgain(again.get(file), title))),
  };
}

const failedAgain = (entry, title) => entry === undefined || entry.failures.some((failure) => failure.title === title);
