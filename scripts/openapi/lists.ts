import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A list of what the folders of domains hold under the same file name. */
interface List {
  readonly file: string;
  /** Which files it lists, from the folder of the list's `root`. */
  readonly root: string;
  readonly pattern: string;
  readonly holds?: RegExp;
  /** What each of them exports and the list combines; left out: everything of a file, under the name of its folder or its own. */
  readonly combined?: Readonly<Record<string, string>>;
  /** It passes on what they export, under the same names. */
  readonly isFlat?: boolean;
}

const contract = 'packages/contract/src';
const texts = 'Readonly<Record<string, string>>';

const lists: readonly List[] = [
  { file: `${contract}/domains.ts`, root: contract, pattern: '*/*.ts', holds: /^export const \w+ = operation\(/mu },
  { file: `${contract}/domains/shared.ts`, root: contract, pattern: '*/{formats,kinds,limits,rights}.ts', isFlat: true },
  { file: `${contract}/domains/errors.ts`, root: contract, pattern: '*/errors.ts', combined: { errors: '' } },
  { file: `${contract}/domains/errors.zh-TW.ts`, root: contract, pattern: '*/errors.zh-TW.ts', combined: { errors: '' } },
  {
    file: `${contract}/domains/calls.zh-TW.ts`,
    root: contract,
    pattern: '*/calls.zh-TW.ts',
    combined: { summaries: texts, areas: texts },
  },
  { file: `${contract}/domains/log.ts`, root: contract, pattern: '*/log.ts', combined: { log: '' } },
  { file: 'apps/console/src/app/features.ts', root: 'apps/console/src/domains', pattern: '*/feature.ts' },
];

const HEADING = '// Written by `npm run openapi` from the folders of the domains.';

/**
 * Write the lists of what the domains declare: calls, what console and server share, errors, sentences of the log, texts, features of the console.
 * @param root the checkout; with the folders of the domains as they are
 * @returns the files that were not up to date; with `onlyCheck` they stay as they are
 */
export function writeLists(root: string, { onlyCheck = false } = {}): string[] {
  return lists.flatMap((list) => {
    const path = join(root, list.file);
    const text = textOf(root, list);
    if (readIfThere(path) === text) return [];
    if (!onlyCheck) writeFileSync(path, text);
    return [list.file];
  });
}

function textOf(root: string, { file, root: folder, pattern, holds = /^/u, combined, isFlat }: List): string {
  const isListed = (name: string) =>
    !/\.test\.ts$|^domains\//u.test(name) && holds.test(readFileSync(join(root, folder, name), 'utf8'));
  const names = globSync(pattern, { cwd: join(root, folder) })
    .filter(isListed)
    .sort();
  const up = file.slice(folder.length + 1).includes('/') ? '..' : '.';
  const from = folder.startsWith(contract) ? up : '../domains';
  if (isFlat) return [HEADING, ...names.map((name) => `export * from '${from}/${name}';`), ''].join('\n');
  if (combined === undefined)
    return [HEADING, ...names.map((name) => `export * as ${nameOf(name)} from '${from}/${name}';`), ''].join('\n');
  const parts = Object.entries(combined);
  const imports = names.map((name) =>
    parts.length > 1
      ? `import * as ${nameOf(name)}Texts from '${from}/${name}';`
      : `import { ${parts[0]![0]} as ${nameOf(name)} } from '${from}/${name}';`,
  );
  const declared = parts.map(([part, type]) => {
    const spread = names.map((name) => `  ...${nameOf(name)}${parts.length > 1 ? `Texts.${part}` : ''},`);
    const [annotation, end] = type === '' ? ['', '} as const;'] : [`: ${type}`, '};'];
    return [`export const ${part}${annotation} = {`, ...spread, end].join('\n');
  });
  return [HEADING, ...imports, '', declared.join('\n\n'), ''].join('\n');
}

/** `device-adding.ts` is `deviceAdding`; what each domain has under the same name is called as the domain. */
function nameOf(name: string): string {
  const [folder = '', file = ''] = name.split('/');
  const own = /^(?:calls|errors|log|feature)(?:\.zh-TW)?\.ts$/u.test(file) ? folder : file.replace(/\.ts$/u, '');
  return own.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
