import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../../../ui/Check.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { NativeSelect } from '../../../ui/controls/TextInput.tsx';
import { openScreen } from '../../../ui/terminal/open-screen.ts';
import { clockOf } from '../clock.ts';
import type { Cast } from './cast.ts';
import { createReplay, type Replay } from './replay.ts';

const TICK_MS = 50;
const STEP_SECONDS = 5;
const speeds = ['0.5', '1', '2', '4', '8'] as const;

/** Keys that the element with the focus needs itself. */
const isControl = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, select, button, a, textarea:not(.xterm-helper-textarea)') !== null;

/** A recorded terminal with its controls, at its begin (LIV-07). */
export default function Player({ cast }: { cast: Cast }): ReactNode {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const replay = useRef<Replay>(undefined);
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<string>('1');
  const [skips, setSkips] = useState(true);
  const label = t('recordings.player.screen');

  useEffect(() => {
    if (host.current === null) return undefined;
    const { terminal, close } = openScreen(host.current, label, { disableStdin: true });
    terminal.textarea?.setAttribute('tabindex', '-1');
    replay.current = createReplay(cast, terminal);
    return close;
  }, [cast, label]);

  const seek = (to: number): void => {
    replay.current?.seek(to);
    setAt(replay.current?.at ?? 0);
  };
  const toggle = (): void => {
    if (!playing && replay.current?.isOver === true) seek(0);
    setPlaying(!playing);
  };
  const tick = useEffectEvent((milliseconds: number) => {
    replay.current?.advance((milliseconds / 1_000) * Number(speed), skips);
    setAt(replay.current?.at ?? 0);
    if (replay.current?.isOver === true) setPlaying(false);
  });
  useEffect(() => {
    if (!playing) return undefined;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      tick(now - last);
      last = now;
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [playing]);

  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isControl(event.target)) return;
    if (event.key === ' ') toggle();
    else if (event.key === 'ArrowLeft') seek(at - STEP_SECONDS);
    else if (event.key === 'ArrowRight') seek(at + STEP_SECONDS);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  const isAtEnd = at >= cast.length && cast.length > 0;
  const position = t('recordings.player.at', { at: clockOf(at), length: clockOf(cast.length) });
  return (
    <section className="player" aria-label={t('recordings.player.label')}>
      <div ref={host} className="player__screen" />
      <div className="player__bar">
        <Button variant="filled" onClick={toggle}>
          {t(`recordings.player.${playing ? 'pause' : isAtEnd ? 'again' : 'play'}`)}
        </Button>
        <input
          type="range"
          className="player__position"
          aria-label={t('recordings.player.position')}
          aria-valuetext={position}
          min={0}
          max={cast.length}
          step={0.1}
          value={at}
          onChange={({ target }) => seek(Number(target.value))}
          onKeyDown={(event) => {
            // The browser's step is a tenth of a second, which is right for the pointer.
            const step = { ArrowLeft: -STEP_SECONDS, ArrowDown: -STEP_SECONDS, ArrowRight: STEP_SECONDS, ArrowUp: STEP_SECONDS }[
              event.key
            ];
            if (step === undefined) return;
            event.preventDefault();
            seek(at + step);
          }}
        />
        <output className="num">{`${clockOf(at)} / ${clockOf(cast.length)}`}</output>
      </div>
      <div className="player__bar player__settings">
        <NativeSelect
          label={t('recordings.player.speed')}
          data={speeds.map((value) => ({ value, label: `${value}×` }))}
          value={speed}
          onChange={(event) => setSpeed(event.currentTarget.value)}
        />
        <Check label={t('recordings.player.skip')} checked={skips} onChange={setSkips} />
        <span className="dim">{t('recordings.player.keys')}</span>
      </div>
    </section>
  );
}
