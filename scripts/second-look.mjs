// A test that fails once in a thousand runs must not stop what thousands of others prove, and must not be hidden either: files in
// which something failed are run once more by themselves, and what passes only then is told by name as unsteady.

/** More files than these do not fail by chance. */
export const FILES_AT_MOST = 5;

/**
 * The entries (see reports.mjs) of `run(files)`, an empty list meaning all files. Where a few failed, theirs are those of a second
 * run of them alone, and `unsteady` has the failures that it did not repeat. A fault that belongs to no file is not looked at again.
 */
export async function withSecondLook(run) {
  const first = await run([]);
  const doubtful = first.filter(({ failed }) => failed > 0);
  const files = doubtful.map(({ file }) => file);
  if (files.length === 0 || files.length > FILES_AT_MOST || files.includes(undefined)) return { entries: first, unsteady: [] };
  const second = await run(files);
  // What was not run again, because a runner did not even begin, stays as it was.
  const again = new Map(second.map((entry) => [entry.file, entry]));
  const outside = second.filter(({ file }) => file === undefined);
  return {
    entries: [...first.map((entry) => again.get(entry.file) ?? entry), ...outside],
    unsteady: doubtful.flatMap(({ file, failures }) => failures.filter(({ title }) => !failedAgain(again.get(file), title))),
  };
}

const failedAgain = (entry, title) => entry === undefined || entry.failures.some((failure) => failure.title === title);
