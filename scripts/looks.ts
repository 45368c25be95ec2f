import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { root } from './toolchain.mjs';

/** Language, colours and width that a screen is examined in. */
export interface Look {
  readonly name: string;
  readonly language: 'en-US' | 'zh-TW';
  readonly scheme: 'light' | 'dark';
  readonly width: number;
}

const look = (language: Look['language'], scheme: Look['scheme'], width: number): Look => ({
  name: `${language}, ${scheme}, ${width} px`,
  language,
  scheme,
  width,
});

/** The look that each run examines. */
export const first = look('en-US', 'light', 1440);

/** The other looks: with the first, each two of a language, a scheme and a width occur together in one. */
const others = [look('en-US', 'dark', 390), look('zh-TW', 'dark', 1440), look('zh-TW', 'light', 390)] as const;

/** Which looks a run examines. */
export interface Choice {
  /** Every look of every screen; otherwise the first, and of half of the screens another one: the commit chooses which and of which. */
  readonly isAll: boolean;
  readonly reason: string;
  readonly commit: string;
}

/** What the look of every screen depends on: components, styles, texts, the libraries and the build; and the list of screens itself. */
const ofEveryScreen = [
  /^apps\/console\/src\/ui\/(?!.*\.test\.)/u,
  /^apps\/console\/(?:public\/|vite\.|[^/]+\.html$)/u,
  /\.css$/u,
  /\.(?:en-US|zh-TW)\.ts$/u,
  /^package-lock\.json$/u,
  /^(?:e2e|scripts)\/looks\./u,
];

/** Whether a change of this file can change the look of any screen. */
export function concernsEveryScreen(file: string): boolean {
  return ofEveryScreen.some((pattern) => pattern.test(file));
}

/**
 * @param folder a Git checkout of the repository
 * @param setting `all`, or the commit to compare with
 */
export function chooseLooks(folder = root, setting = process.env['HIGHLINE_E2E_LOOKS']): Choice {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
    return status === 0 ? stdout.trim() : undefined;
  };
  const all = (reason: string): Choice => ({ isAll: true, reason, commit: '' });
  if (setting === 'all') return all('HIGHLINE_E2E_LOOKS=all');
  const commit = git('rev-parse', 'HEAD');
  if (commit === undefined || git('rev-parse', '--is-shallow-repository') !== 'false') return all('the history is not there');
  const forked = ['origin/HEAD', 'origin/main', 'main'].map((branch) => git('merge-base', branch, 'HEAD'));
  // On the main branch itself: what its last commit changed, which may be a merge.
  const base = setting ?? forked.find((found) => found !== undefined && found !== commit) ?? 'HEAD~1';
  const changed = git('diff', '--name-only', base);
  const added = git('ls-files', '--others', '--exclude-standard');
  if (changed === undefined || added === undefined) return all(`no commit ${base} to compare with`);
  const decisive = `${changed}\n${added}`.split('\n').find(concernsEveryScreen);
  if (decisive !== undefined) return all(`${decisive} changed since ${base}`);
  return { isAll: false, reason: `no component, style or text changed since ${base}`, commit };
}

/** The looks of a screen: the first, and with every second commit, for each screen by itself, another one. */
export function looksOf(screen: string, { isAll, commit }: Pick<Choice, 'isAll' | 'commit'>): readonly Look[] {
  if (isAll) return [first, ...others];
  const chosen = createHash('sha256').update(`${commit} ${screen}`).digest().readUInt32BE() % (2 * others.length);
  return [first, ...others.slice(chosen, chosen + 1)];
}

/** The choice as a sentence. */
export function describeChoice({ isAll, reason, commit }: Choice): string {
  const what = isAll ? 'all four' : `the first, and of half of the screens another one, by commit ${commit.slice(0, 8)}`;
  return `Looks: ${what} (${reason}).`;
}
