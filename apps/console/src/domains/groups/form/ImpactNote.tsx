import { IconInfoCircle } from '@tabler/icons-react';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../../api/useErrorText.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import { type Impact, type ImpactInput, impactQuery } from './files.api.ts';
import type { RolloutInput } from './rollout-draft.ts';
import { changedFiles, type GroupValues, versionOf } from './values.ts';

/** The input of the impact check; undefined when saving affects no router's firmware or config file. */
function impactInput(
  group: string | undefined,
  base: GroupValues,
  now: GroupValues,
  rollout: RolloutInput,
): ImpactInput | undefined {
  const changed = changedFiles(base, now);
  const { add, remove } = now.moves;
  const moving = add.length > 0 || remove.length > 0;
  const requested = (['firmware', 'config'] as const).filter((kind) => now[kind].pk !== '' && (moving || changed.includes(kind)));
  if (requested.length === 0) return undefined;
  return {
    ...(group === undefined ? {} : { group }),
    ...Object.fromEntries(requested.map((kind) => [kind, now[kind].pk])),
    ...versionOf(requested, now),
    ...(add.length === 0 ? {} : { add: add.map(({ device }) => device) }),
    ...(remove.length === 0 ? {} : { remove: remove.map(({ device }) => device) }),
    ...(changed.length === 0 || now.canaries === null ? {} : { canaries: now.canaries }),
    ...(changed.length === 0 ? {} : rollout),
  };
}

/** Check what saving would do. */
export function useImpact(group: string | undefined, base: GroupValues, now: GroupValues, rollout: RolloutInput = {}) {
  const input = impactInput(group, base, now, rollout);
  const query = useQuery(input === undefined ? { queryKey: ['rollouts', 'impact'], queryFn: skipToken } : impactQuery(input));
  const { firmware, config, first, window } = query.data ?? {};
  return { requested: input !== undefined, firmware, config, first, window, query };
}

/** '412 routers: 371 will update, 9 more when they connect, 23 already have it.' */
function useSentence() {
  const { t } = useTranslation();
  const part = (key: 'unsuited' | 'unsigned', count: number) =>
    count > 0 ? [t(`groups.impact.${key}`, { shown: formatNumber(count) })] : [];
  return ({ change, already, offline, unsuited, unsigned }: Impact) =>
    [
      ...(change > offline || offline === 0 ? [t('groups.impact.change', { shown: formatNumber(change - offline) })] : []),
      ...(offline > 0
        ? [t(change > offline ? 'groups.impact.offlineMore' : 'groups.impact.offline', { shown: formatNumber(offline) })]
        : []),
      ...(already > 0 ? [t('groups.impact.already', { count: already, shown: formatNumber(already) })] : []),
      ...part('unsuited', unsuited),
      ...part('unsigned', unsigned),
    ].join(t('groups.impact.comma'));
}

interface LineProps {
  readonly title: string;
  /** Of the file. */
  readonly name: string;
  readonly impact: Impact;
}

function Line({ title, name, impact }: LineProps): ReactNode {
  const { t } = useTranslation();
  const sentence = useSentence();
  const routers = t('groups.impact.routers', { count: impact.routers, shown: formatNumber(impact.routers) });
  return (
    <p>
      <span className="dim">{title}</span>
      <br />
      {impact.routers === 0 ? (
        t('groups.impact.none')
      ) : (
        <>
          <strong>{t('groups.impact.subject', { routers })}</strong>
          {t('groups.impact.sentence', { parts: sentence(impact) })}
          {impact.older > 0 && (
            <span className="impact__older">
              {t('groups.impact.older', {
                count: impact.older,
                shown: formatNumber(impact.older),
                versions: impact.newer.join(t('ui.between')),
                name,
              })}
            </span>
          )}
        </>
      )}
    </p>
  );
}

export interface ImpactNoteProps {
  readonly base: GroupValues;
  readonly now: GroupValues;
  readonly impact: ReturnType<typeof useImpact>;
}

/** Shows what saving will do to the routers, before it is done (issue 3, item 5). */
export function ImpactNote({ base, now, impact }: ImpactNoteProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { firmware, config, requested, query } = impact;
  const removed = (['firmware', 'config'] as const).filter((kind) => base[kind].pk !== '' && now[kind].pk === '');
  if (!requested && removed.length === 0) return null;
  return (
    <div className="note impact" role="status" aria-busy={requested && query.isFetching}>
      <IconInfoCircle size={18} />
      <div className="impact__lines">
        {requested && query.isPending && <p>{t('groups.impact.checking')}</p>}
        {requested && query.error !== null && <p className="bad">{errorText(query.error)}</p>}
        {requested && firmware && (
          <Line title={t('groups.impact.firmware', { name: now.firmware.name })} name={now.firmware.name} impact={firmware} />
        )}
        {requested && config && (
          <Line title={t('groups.impact.config', { name: now.config.name })} name={now.config.name} impact={config} />
        )}
        {removed.map((kind) => (
          <p key={kind}>{t(kind === 'firmware' ? 'groups.impact.removedFirmware' : 'groups.impact.removedConfig')}</p>
        ))}
      </div>
    </div>
  );
}
