import type { analysis } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { useShownScheme } from '../../ui/scheme.ts';
import { IconPin, IconPinFilled, IconPinnedOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { IconButton } from '../../ui/ActionButton.tsx';
import { toast } from '../../ui/toasts.ts';
import type { Chart } from './analysis.api.ts';
import { pin, type PinnedChart, pinsQuery, unpin } from './pins.api.ts';
import { argumentsKey } from './question.ts';

/** The server keeps no larger drawing. */
const MOST_SPEC_BYTES = 60_000;

/** The pinned drawing; a large chart is stored without its values, which are refetched whenever it is shown. */
function kept(spec: NonNullable<Chart['spec']>): NonNullable<Chart['spec']> {
  return new TextEncoder().encode(JSON.stringify(spec)).length <= MOST_SPEC_BYTES ? spec : { ...spec, data: { values: [] } };
}

function useRefetchPins() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: pinsQuery().queryKey });
}

interface PinProps {
  readonly chart: Chart;
  readonly input: analysis.AnalysisArguments;
  readonly title: string;
  readonly labels: readonly string[];
}

/** Pin to the dashboard; a chart that is there already is marked (ANA-02). */
export function Pin({ chart, input, title, labels }: PinProps): ReactNode {
  const { t } = useTranslation();
  const theme = useShownScheme();
  const org = useSession().org?.id;
  const refetch = useRefetchPins();
  const { chartType, mark, spec } = chart;
  const isThis = ({ api, content }: PinnedChart) =>
    api.chartType === chartType && content.mark === mark && argumentsKey(api.arguments, org) === argumentsKey(input, org);
  const pinned = useQuery(pinsQuery()).data?.find(isThis);
  const add = useAction<NonNullable<Chart['spec']>, PinnedChart>({
    run: (drawn) =>
      pin({
        spec: kept(drawn),
        api: { chartType, arguments: input },
        content: { theme, mark, title, argsLabel: [...labels] },
      }),
    onDone: () => {
      toast(t('analysis.pinnedNow'));
      refetch();
    },
  });
  if (spec === null) return null;
  if (pinned !== undefined)
    return (
      <span className="chart__pinned">
        <IconPinFilled size={14} aria-hidden="true" />
        {t('analysis.pinned')}
      </span>
    );
  return (
    <Button leftSection={<IconPin size={16} />} loading={add.busy} onClick={() => add.run(spec)}>
      {t('analysis.pin')}
    </Button>
  );
}

/** Take a chart off the dashboard. */
export function Unpin({ draw, title }: { draw: string; title: string }): ReactNode {
  const { t } = useTranslation();
  const refetch = useRefetchPins();
  const remove = useAction<void, void>({
    run: () => unpin(draw),
    onDone: () => {
      toast(t('analysis.unpinned'));
      refetch();
    },
  });
  return <IconButton label={t('analysis.unpin', { title })} icon={<IconPinnedOff size={16} />} onClick={() => remove.run()} />;
}
