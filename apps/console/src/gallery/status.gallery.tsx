import type { ReactNode } from 'react';
import { Check } from '../ui/Check.tsx';
import { Freshness } from '../ui/page/Freshness.tsx';
import { StatusDot, type Tone } from '../ui/StatusDot.tsx';
import { DateTime, RelativeTime } from '../ui/time/RelativeTime.tsx';
import { ignore, OPENED_AT, Section, State, useSay } from './parts.tsx';

const MINUTE = 60_000;

/** States, times and marks. */
export function Status(): ReactNode {
  const say = useSay();
  const now = OPENED_AT;
  const tones: readonly [Tone, string][] = [
    ['ok', say('Online', '上線')],
    ['warn', say('Weak signal', '訊號弱')],
    ['bad', say('Failed', '失敗')],
    ['idle', say('Offline', '離線')],
    ['unknown', say('Never connected', '從未連線')],
    ['busy', say('Updating', '更新中')],
    ['download', say('Downloading', '下載中')],
  ];
  const ages = [0, 12_000, 5 * MINUTE, 180 * MINUTE, 3 * 24 * 60 * MINUTE, undefined];
  return (
    <>
      <Section id="status" title="States and times">
        {tones.map(([tone, label]) => (
          <State key={tone} name={`status, ${tone}`}>
            <StatusDot tone={tone}>{label}</StatusDot>
          </State>
        ))}
        {ages.map((age) => (
          <State key={age ?? 'none'} name={age === undefined ? 'age, not reported' : `age, ${age / 1000} s`}>
            <RelativeTime moment={age === undefined ? null : new Date(now - age)} />
          </State>
        ))}
        <State name="date and time">
          <DateTime moment={new Date(now)} />
        </State>
        <State name="date and time, not reported">
          <DateTime moment={null} />
        </State>
        <State name="freshness, live">
          <Freshness updatedAt={now - 12_000} link="live" />
        </State>
        <State name="freshness, reconnecting">
          <Freshness updatedAt={now - 75_000} link="reconnecting" />
        </State>
        <State name="link">
          <button type="button" className="link">
            {say('Clear all filters', '清除所有篩選條件')}
          </button>
        </State>
        <State name="key">
          <kbd className="kbd">Esc</kbd>
        </State>
      </Section>
      <Section id="checks" title="Checkboxes">
        <State name="off">
          <Check label={say('Enabled', '啟用')} checked={false} onChange={ignore} />
        </State>
        <State name="on">
          <Check label={say('Enabled', '啟用')} checked onChange={ignore} />
        </State>
        <State name="partly">
          <Check label={say('All columns', '所有欄位')} checked={false} partly onChange={ignore} />
        </State>
        <State name="disabled">
          <Check label={say('Serial number', '序號')} checked disabled onChange={ignore} />
        </State>
        <State name="blocked">
          <Check label={say('Only an owner may change this', '只有擁有者可以變更')} checked={false} blocked onChange={ignore} />
        </State>
        <State name="bare">
          <Check label={say('Select row', '選取列')} bare checked onChange={ignore} />
        </State>
      </Section>
    </>
  );
}
