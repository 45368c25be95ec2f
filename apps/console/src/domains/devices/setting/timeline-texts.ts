import { alerts } from '@highline/contract';
import type { TFunction } from 'i18next';
import { reasonOf } from '../../../entities/devices/device.ts';
import type { Said } from '../../logs/index.ts';
import type { ItemOf, TimelineItem } from './timeline.api.ts';
import { alarmNameOf, bootCauseOf, endReasonOf, outcomeOf, profileReasonOf, stepReasonOf, stepStateOf } from './timeline.ts';

/** The texts of an item: a title, and its explanation. */
interface EntryText {
  readonly title: string;
  readonly detail?: string | undefined;
}

function textOfAction(item: ItemOf<'action'>, t: TFunction, action: (item: Said) => string): EntryText {
  const { email, outcome: raw } = item;
  const by = t('timeline.by', { who: email });
  const outcome = outcomeOf(raw);
  return { title: action(item), detail: outcome === undefined ? by : `${by} · ${t(`timeline.outcome.${outcome}`)}` };
}

function textOfConnection({ event, reason }: ItemOf<'connection'>, t: TFunction): EntryText {
  const title = t(`timeline.connection.${event}`);
  if (event === 'boot') {
    const cause = bootCauseOf(reason);
    return { title, detail: cause === undefined ? reason : t(`timeline.boot.${cause}`) };
  }
  const known = reasonOf(reason);
  const isUsual = event === 'online' && known === 'connected';
  return { title, detail: isUsual ? undefined : known === undefined ? reason : t(`devices.reason.${known}`) };
}

function textOfStep({ file, label, state, reason }: ItemOf<'rollout'>, t: TFunction): EntryText {
  const known = stepStateOf(state);
  const code = stepReasonOf(reason);
  const word = known === undefined ? state : known === 'ended' ? t('timeline.ended') : t(`rollouts.state.${known}`);
  return {
    title: t('timeline.step', { file: t(`timeline.rollout.${file}`, { name: label }), state: word }),
    detail: code === undefined ? reason : t(`rollouts.reason.${code}`),
  };
}

function textOfAlarm({ event, state, reason }: ItemOf<'alarm'>, t: TFunction): EntryText {
  const known = alarmNameOf(event);
  const how = state === 'raised' || state === 'cleared' ? t(`timeline.alarmState.${state}`) : '';
  return {
    title: known === undefined ? event : t(`timeline.alarm.${known}`),
    detail: [how, reason].filter((part) => part !== '').join(' · '),
  };
}

function textOfProfile({ label, state, reason }: ItemOf<'sim'>, t: TFunction): EntryText {
  const code = profileReasonOf(reason);
  return {
    title: t('timeline.profile', { name: label, state: t(`timeline.sim.${state}`) }),
    detail: code === undefined ? reason : t(`timeline.simReason.${code}`),
  };
}

function textOfRemote({ type, state, reason, by, client = '' }: ItemOf<'remote'>, t: TFunction): EntryText {
  const code = endReasonOf(reason);
  const why = code === undefined ? reason : t(`timeline.remoteEnd.${code}`);
  const who = by === '' ? '' : t('timeline.openedBy', { who: by });
  return { title: t(`timeline.remote.${type}.${state}`), detail: [client, why, who].filter((part) => part !== '').join(' · ') };
}

function textOfAlert({ label, state, reason, by }: ItemOf<'alert'>, t: TFunction): EntryText {
  const resolution = alerts.resolutions.find((known) => known === reason);
  const who = by === '' ? '' : t('timeline.by', { who: by });
  const why = resolution === undefined ? reason : t(`timeline.resolution.${resolution}`);
  return {
    title: t(`timeline.alertState.${state}`, { name: label }),
    detail: [who, why].filter((part) => part !== '').join(' · '),
  };
}

export function textOf(item: TimelineItem, t: TFunction, action: (item: Said) => string): EntryText {
  switch (item.kind) {
    case 'connection':
      return textOfConnection(item, t);
    case 'rollout':
      return textOfStep(item, t);
    case 'action':
      return textOfAction(item, t, action);
    case 'alarm':
      return textOfAlarm(item, t);
    case 'sim':
      return textOfProfile(item, t);
    case 'remote':
      return textOfRemote(item, t);
    case 'geofence':
      return { title: t(`timeline.geofence.${item.event}`, { name: item.label }), detail: '' };
    case 'alert':
      return textOfAlert(item, t);
  }
}
