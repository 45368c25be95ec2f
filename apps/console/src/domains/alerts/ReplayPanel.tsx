import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import type { Faults } from '../../api/useFaults.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { formatDateTime, formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { valueText } from './alert.ts';
import { type Replay, replayRule } from './alerts.api.ts';
import { inputOf } from './rule-input.ts';
import { type RuleDraft } from './empty-draft.ts';

/** What decides over a replay; a change of anything else keeps its response. */
const keyOf = (draft: RuleDraft) => {
  const { condition, forSeconds, scope, hours } = inputOf(draft);
  return JSON.stringify({ condition, forSeconds, scope, hours });
};

/** How often the rule would have fired in the last week, before it is saved (ALR-02). */
export function ReplayPanel({ draft, faults }: { draft: RuleDraft; faults: Faults<RuleDraft> }): ReactNode {
  const { t } = useTranslation();
  const [found, setFound] = useState<{ readonly replay: Replay; readonly key: string }>();
  const { mails: _mails, afterMinutes: _minutes, escalationMails: _escalation, ...watched } = faults;
  const isComplete = Object.values(watched).every((fault) => fault === undefined);
  const key = isComplete ? keyOf(draft) : '';
  const run = useAction<RuleDraft, Replay>({
    run: (sent) => replayRule(inputOf(sent)),
    onDone: (replay, sent) => setFound({ replay, key: keyOf(sent) }),
  });
  return (
    <div className="replay">
      <ActionButton
        loading={run.busy}
        disabledReason={isComplete ? undefined : t('alerts.replay.incomplete')}
        onClick={() => run.run(draft)}
      >
        {t('alerts.replay.run')}
      </ActionButton>
      <div role="status">{found !== undefined && found.key === key && <Response replay={found.replay} draft={draft} />}</div>
    </div>
  );
}

function Response({ replay, draft }: { replay: Replay; draft: RuleDraft }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { replayed, count, isCut, moments } = replay;
  if (!replayed) return <p className="dim">{t('alerts.replay.noHistory')}</p>;
  if (count === 0) return <p>{t('alerts.replay.none')}</p>;
  return (
    <>
      <p className="strong">{t('alerts.replay.count', { count, shown: formatNumber(count) })}</p>
      {isCut && <p className="dim">{t('alerts.replay.cut')}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <ul className="replay__moments" tabIndex={0} aria-label={t('alerts.replay.run')}>
        {moments.map(({ device, serial_number: serial, vehicle_number: vehicle, fired, cleared, value }) => (
          <li key={`${device} ${fired}`}>
            <span>{vehicle === '' ? serial : vehicle}</span>
            <span className="dim">
              {formatDateTime(new Date(fired * 1_000), zone)}{' '}
              {cleared === null
                ? t('alerts.replay.still')
                : t('alerts.replay.until', { time: formatDateTime(new Date(cleared * 1_000), zone) })}
              {value !== null && ` · ${valueText(value, draft.reading, draft.temperatures)}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
