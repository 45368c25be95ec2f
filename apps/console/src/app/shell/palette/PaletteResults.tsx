import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../../api/useErrorText.ts';
import { hasTerms, Marked } from './marked.tsx';
import type { KeyQueue } from '../../../ui/key-queue.ts';
import type { PaletteEntry, PaletteSection } from './entry.ts';
import { storeRecent } from './recent.ts';
import { useFound, useRecent } from './useFound.tsx';
import { usePlaces } from './usePlaces.tsx';
import './palette.css';

export interface PaletteResultsProps {
  /** The id of the list. */
  readonly id: string;
  readonly text: string;
  /** Keys of the field that choose among the results. */
  readonly keys: KeyQueue;
  /** The id of the active entry, for the field's `aria-activedescendant`. */
  readonly onActive: (id: string | undefined) => void;
  readonly onClose: () => void;
}

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
};

/** Entries with every part of the text; of a section without such there is nothing. */
function matching(sections: readonly PaletteSection[], text: string): readonly PaletteSection[] {
  return sections
    .map((section) => ({
      ...section,
      entries: section.entries.filter(({ title, detail = '', also = '' }) => hasTerms([title, detail, also], text)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

interface LineProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly term: string;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

function Line({ id, entry, term, isActive, onPoint, onPick }: LineProps): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- keys live at the field
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className="options__option"
      ref={(line) => {
        if (isActive) line?.scrollIntoView({ block: 'nearest' });
      }}
      data-active={isActive || undefined}
      onPointerMove={onPoint}
      onClick={onPick}
    >
      {entry.icon}
      <span className="palette__title">
        <Marked text={entry.title} part={term} />
      </span>
      {entry.detail !== undefined && entry.detail !== '' && (
        <span className="palette__detail">
          <Marked text={entry.detail} part={term} />
        </span>
      )}
      {entry.hint !== undefined && entry.hint !== '' && (
        <span className="options__hint">
          <Marked text={entry.hint} part={term} />
        </span>
      )}
    </div>
  );
}

/** Pages and actions, whose order never changes under a key, then what the server found, of each kind the closest (BLK-04). */
export function PaletteResults({ id, text, keys, onActive, onClose }: PaletteResultsProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const term = text.trim();
  const places = usePlaces();
  const recent = useRecent();
  const found = useFound(term);
  const local =
    term === ''
      ? [...(recent.length === 0 ? [] : [{ key: 'recent', title: t('palette.section.recent'), entries: recent }]), ...places]
      : matching(places, term);
  const sections = [...local, ...found.sections];
  const entries = sections.flatMap((section) => section.entries);
  const own = local.flatMap((section) => section.entries).length;

  const [chosen, setChosen] = useState({ term, at: 0 });
  const at = Math.min(chosen.term === term ? chosen.at : 0, Math.max(0, entries.length - 1));
  // The text for which Enter came before the response.
  const opens = useRef<string>(undefined);
  const idOf = (index: number) => `${id}-${index}`;
  const activeId = entries.length > 0 ? idOf(at) : undefined;

  const open = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    if (entry.recent !== undefined) storeRecent(entry.recent);
    entry.run();
  };
  const onKey = (key: string) => {
    const step = steps[key];
    if (step !== undefined)
      setChosen((before) => ({
        term,
        at: step(before.term === term ? Math.min(before.at, entries.length - 1) : 0, entries.length - 1),
      }));
    // What is on the screen may still be the answer to an earlier text.
    else if (at < own || found.isCurrent) open(entries[at]);
    else opens.current = term;
  };
  const latest = useRef(onKey);
  useLayoutEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => keys.listen((key) => latest.current(key)), [keys, latest]);
  useEffect(() => onActive(activeId), [onActive, activeId]);
  useEffect(() => {
    if (opens.current !== term || !found.isCurrent) return;
    opens.current = undefined;
    open(entries[at]);
  });

  let index = -1;
  return (
    <>
      <div
        id={id}
        role="listbox"
        aria-label={t('shell.palette.open')}
        aria-busy={!found.isCurrent}
        className="options__list palette__list"
      >
        {sections.map((section) => (
          <div key={section.key} role="group" aria-labelledby={`${id}-${section.key}`}>
            <div id={`${id}-${section.key}`} className="palette__section">
              {section.title}
            </div>
            {section.entries.map((entry) => {
              index += 1;
              const mine = index;
              return (
                <Line
                  key={entry.key}
                  id={idOf(mine)}
                  entry={entry}
                  term={term}
                  isActive={mine === at}
                  onPoint={() => setChosen({ term, at: mine })}
                  onPick={() => open(entry)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {found.error !== null && (
        <div className="options__none" role="alert">
          {errorText(found.error)}{' '}
          <button type="button" className="link" onClick={found.retry}>
            {t('ui.retry')}
          </button>
        </div>
      )}
      {entries.length === 0 && found.isCurrent && found.error === null && (
        <div className="options__none">{t('palette.none')}</div>
      )}
      <div className={term === '' ? 'options__none' : 'unseen'} role="status">
        {term === '' ? t('palette.tryThis') : found.isCurrent ? t('palette.found', { count: entries.length }) : ''}
      </div>
    </>
  );
}
