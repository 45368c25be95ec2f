import type { ReactNode } from 'react';
import { storeLanguage, useLanguage } from '../ui/language.ts';
import { useTexts } from './useTexts.ts';

export interface CardProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** The sheet that every step of the page is written on. */
export function Card({ title, children }: CardProps): ReactNode {
  const texts = useTexts();
  const language = useLanguage();
  const other = language === 'en-US' ? 'zh-TW' : 'en-US';
  return (
    <main className="account">
      <div className="account__card">
        <img src="/mark.svg" width="40" height="40" alt="Highline" />
        <h1>{title}</h1>
        {children}
      </div>
      <button type="button" className="account__language" lang={other} onClick={() => storeLanguage(other)}>
        {texts.language}
      </button>
    </main>
  );
}
