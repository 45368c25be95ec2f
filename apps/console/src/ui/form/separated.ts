/** Addresses, networks, ports or numbers as a person types them: white space, commas or semicolons are between them, also those of Chinese. */
export const partsOf = (text: string): string[] => text.split(/[\s,;，；、]+/u).filter((part) => part !== '');

/** Whether a text has what `namesOf` separates names by. */
export const separatesNames = (text: string): boolean => /[\n,;，；、]/u.test(text);

/** The same of names, which may have spaces: commas or semicolons are between them, also those of Chinese, or each has a line of its own. */
export const namesOf = (text: string): string[] =>
  text
    .split(/[\n,;，；、]/u)
    .map((name) => name.trim())
    .filter((name) => name !== '');
