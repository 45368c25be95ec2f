import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { languages, storeLanguage, useLanguage } from '../ui/language.ts';
import { CallEntry } from './CallEntry.tsx';
import { type Call, type Description, matches, readDescription } from './description.ts';
import { Guide } from './Guide.tsx';
import { useDocsTexts } from './texts.ts';
import { translatorFor } from './translate.ts';

const LANGUAGE_NAMES = { 'en-US': 'English', 'zh-TW': '繁體中文' } as const;

/** Every call of this server, from its own description: search, fields, and examples to copy (HKS-03). */
export function DocsApp(): ReactNode {
  const t = useDocsTexts();
  const { description, failed, load } = useDescription();
  const all = useTranslated(description?.calls);
  const [search, setSearch] = useSearch();
  const open = useOpenCall(all !== undefined);
  const calls = all?.filter((call) => matches(call, search)) ?? [];
  const areas = Map.groupBy(calls, ({ area }) => area);
  return (
    <div className="docs">
      <header className="docs__head">
        <img src="/mark.svg" alt="" width="24" height="24" />
        <h1>{t.title}</h1>
        <a href="/">{t.console}</a>
        <a href="/openapi.json" download>
          {t.download}
        </a>
        <Languages />
      </header>
      <div className="docs__page" aria-busy={all === undefined && !failed}>
        <nav className="docs__nav" aria-label={t.areas}>
          <input
            type="search"
            aria-label={t.search}
            placeholder={t.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <ul>
            {[...areas].map(([area, own]) => (
              <li key={area}>
                <a href={`#${area}`}>{nameOf(area, own)}</a> <span>{own.length}</span>
              </li>
            ))}
          </ul>
        </nav>
        <main className="docs__main">
          {description === undefined || all === undefined ? (
            <State failed={failed} onAgain={load} />
          ) : (
            <>
              {search === '' && <Guide />}
              <p className="docs__count" role="status">
                {calls.length === 0 ? t.none : t.calls.replace('{count}', String(calls.length))}
                {' · '}
                {t.version.replace('{version}', description.version)}
              </p>
              {[...areas].map(([area, own]) => (
                <Area key={area} area={area} calls={own} open={open} />
              ))}
            </>
          )}
        </main>
      </div>
    </div>
  );
}

const nameOf = (area: string, [first]: readonly Call[]) => first?.areaName ?? area;

interface AreaProps {
  readonly area: string;
  readonly calls: readonly Call[];
  /** The id of the call that the address names. */
  readonly open: string;
}

function Area({ area, calls, open }: AreaProps): ReactNode {
  const name = nameOf(area, calls);
  return (
    <section aria-labelledby={area}>
      <h2 id={area}>
        {name === area ? (
          area
        ) : (
          <>
            {name} <span>{area}</span>
          </>
        )}
      </h2>
      {calls.map((call) => (
        <CallEntry key={call.id} call={call} isOpen={open === call.id} />
      ))}
    </section>
  );
}

function State({ failed, onAgain }: { readonly failed: boolean; readonly onAgain: () => void }): ReactNode {
  const t = useDocsTexts();
  if (!failed) return <p role="status">{t.loading}</p>;
  return (
    <p role="alert">
      {t.failed}{' '}
      <button type="button" onClick={onAgain}>
        {t.again}
      </button>
    </p>
  );
}

function Languages(): ReactNode {
  const t = useDocsTexts();
  const language = useLanguage();
  return (
    <select
      aria-label={t.language}
      value={language}
      onChange={(event) => storeLanguage(languages.find((each) => each === event.target.value) ?? 'en-US')}
    >
      {languages.map((each) => (
        <option key={each} value={each}>
          {LANGUAGE_NAMES[each]}
        </option>
      ))}
    </select>
  );
}

function useDescription() {
  const [description, setDescription] = useState<Description>();
  const [failed, setFailed] = useState(false);
  const read = useCallback(() => {
    readDescription().then(setDescription, () => setFailed(true));
  }, []);
  useEffect(read, [read]);
  const load = () => {
    setFailed(false);
    read();
  };
  return { description, failed, load };
}

/** The calls in the language of the page. After a change of the language the former texts stay until the others are loaded. */
function useTranslated(calls: readonly Call[] | undefined): readonly Call[] | undefined {
  const language = useLanguage();
  const [translated, setTranslated] = useState<readonly Call[]>();
  useEffect(() => {
    let isCurrent = true;
    // Begins before the description is there: both files are loaded at once.
    const show = async () => {
      const translate = await translatorFor(language);
      if (isCurrent) setTranslated(calls?.map(translate));
    };
    void show();
    return () => {
      isCurrent = false;
    };
  }, [language, calls]);
  return translated;
}

/** The search is part of the address. */
function useSearch(): [string, (search: string) => void] {
  const [search, setSearch] = useState(() => new URLSearchParams(location.search).get('q') ?? '');
  const change = (next: string) => {
    setSearch(next);
    const address = next === '' ? location.pathname : `${location.pathname}?${new URLSearchParams({ q: next }).toString()}`;
    history.replaceState(null, '', address + location.hash);
  };
  return [search, change];
}

/** The call that the address names; the page scrolls to it once it is there. */
function useOpenCall(isLoaded: boolean): string {
  const [open, setOpen] = useState(namedCall);
  useEffect(() => {
    const follow = () => setOpen(namedCall());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    if (isLoaded && open !== '') document.getElementById(open)?.scrollIntoView();
  }, [isLoaded, open]);
  return open;
}

/** A hash that is no encoded text names nothing. */
function namedCall(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}
