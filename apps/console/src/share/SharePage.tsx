import { links } from '@highline/contract';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { type Language, storeLanguage, useLanguage } from '../ui/language.ts';
import { useShownScheme } from '../ui/scheme.ts';
import { useNowEvery } from '../ui/time/useNowEvery.ts';
import { type ShareTexts, shareTexts } from './texts.ts';
import { useLink } from './useLink.ts';

const ShareMap = lazy(async () => ({ default: (await import('./ShareMap.tsx')).ShareMap }));

/** The page of a link: where a vehicle or the vehicles of a group are, without sign-in (RPM-06). */
export function SharePage({ token }: { readonly token: string }): ReactNode {
  const language = useLanguage();
  const scheme = useShownScheme();
  const texts = shareTexts[language];
  const { shown, at, fault } = useLink(token);
  const title = shown?.name ?? texts.title;
  useEffect(() => {
    document.title = `${title} · Highline`;
  }, [title]);
  if (fault === 'over') return <Ended language={language} title={texts.over} hint={texts.overHint} />;
  if (fault === 'unknown') return <Ended language={language} title={texts.unknown} hint={texts.unknownHint} />;
  if (shown === undefined)
    return (
      <Ended
        language={language}
        title={texts.title}
        hint={fault === undefined ? texts.loading : fault === 'wait' ? texts.wait : texts.fault}
      />
    );
  return (
    <main className="share">
      <header className="share__head">
        <div>
          <h1>{title}</h1>
          <p className="dim">{texts.until.replace('{time}', timeText(language, new Date(shown.until)))}</p>
        </div>
        <LanguageButton language={language} />
      </header>
      {fault !== undefined && (
        <p className="note" role="status">
          {texts.stale.replace('{time}', timeText(language, new Date(at)))}
        </p>
      )}
      <div className="share__map vehicle-map">
        <Suspense fallback={<p className="share__notice">{texts.loading}</p>}>
          <ShareMap key={`${language} ${scheme}`} token={token} vehicles={shown.vehicles} language={language} texts={texts} />
        </Suspense>
      </div>
      <Places language={language} texts={texts} shown={shown} />
    </main>
  );
}

/** The same as the map, for everyone who does not see it. */
function Places({
  language,
  texts,
  shown: { vehicles, isCut },
}: {
  readonly language: Language;
  readonly texts: ShareTexts;
  readonly shown: links.OpenedLink;
}): ReactNode {
  const now = useNowEvery(TICK_MS) / 1_000;
  if (vehicles.length === 0) return <p className="note">{texts.none}</p>;
  return (
    <section className="share__places" aria-label={texts.where}>
      <ul>
        {vehicles.map(([name, latitude, longitude, at], index) => (
          // A link has no ids of vehicles; their order stays.
          <li key={index}>
            <strong>{name ?? texts.vehicle.replace('{number}', String(index + 1))}</strong>
            <span>
              {timeText(language, new Date(at * 1_000))} <span className="dim">({ageText(language, at, now)})</span>
            </span>
            <a href={osmAddress(latitude, longitude)} target="_blank" rel="noreferrer noopener" title={texts.openMap}>
              {latitude.toFixed(5)}, {longitude.toFixed(5)}
            </a>
          </li>
        ))}
      </ul>
      {isCut && <p className="dim">{texts.cut.replace('{count}', String(links.MOST_SHOWN))}</p>}
    </section>
  );
}

const osmAddress = (latitude: number, longitude: number) =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;

/** Nothing, or nothing more, is shown. */
function Ended({
  language,
  title,
  hint,
}: {
  readonly language: Language;
  readonly title: string;
  readonly hint: string;
}): ReactNode {
  return (
    <main className="share share--ended">
      <div className="share__card">
        <img src="/mark.svg" width="40" height="40" alt="Highline" />
        <h1>{title}</h1>
        <p role="status">{hint}</p>
      </div>
      <LanguageButton language={language} />
    </main>
  );
}

function LanguageButton({ language }: { readonly language: Language }): ReactNode {
  const other: Language = language === 'en-US' ? 'zh-TW' : 'en-US';
  return (
    <button type="button" className="share__language" lang={other} onClick={() => storeLanguage(other)}>
      {shareTexts[language].language}
    </button>
  );
}

const TICK_MS = 5_000;

/** Day and time where the reader is: there is no account with a zone. */
const timeText = (language: Language, time: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

function ageText(language: Language, at: number, now: number): string {
  const seconds = Math.max(0, now - at);
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(seconds / size), unit);
}
