import type { ReactNode } from 'react';
import { useLanguage } from '../ui/language.ts';

/** When the page was opened, in ms: the ages of the examples count from it. */
export const OPENED_AT = Date.now();

/** Nothing happens: the gallery shows states, it has no server. */
export const ignore = (): void => undefined;

/** The example texts of the gallery in the language of the page. */
export function useSay(): (english: string, chinese: string) => string {
  const language = useLanguage();
  return (english, chinese) => (language === 'zh-TW' ? chinese : english);
}

/** A section of the gallery. The browser tests compare a picture of each, named by its id. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }): ReactNode {
  return (
    <section id={id} className="gallery__section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

interface StateProps {
  /** The state, in English: it is for developers. */
  readonly name: string;
  /** As wide as the page: tables, page headers. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** One component in one state, with its name below. */
export function State({ name, wide = false, children }: StateProps): ReactNode {
  return (
    <div className="gallery__state" data-wide={wide || undefined}>
      {children}
      <p className="gallery__name" lang="en-US">
        {name}
      </p>
    </div>
  );
}
