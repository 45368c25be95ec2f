import { useTranslation } from '#i18n';
import { formatNumber } from '../../ui/time/format.ts';
import type { ToolRun } from './tools.api.ts';

/** The one number of a result that tells whether it is better than another; undefined = it has none. */
export function measureOf({ result }: ToolRun): number | undefined {
  if (result === null) return undefined;
  if (result.tool === 'ping') return result.average ?? undefined;
  return 'bitsPerSecond' in result ? (result.bitsPerSecond ?? undefined) : undefined;
}

/** The addresses that a result found, to compare with those of another; undefined = it has none. */
export function addressesOf({ result }: ToolRun): readonly string[] | undefined {
  if (result?.status !== 'complete') return undefined;
  if (result.tool === 'traceroute') return result.hops.map(({ address }) => address);
  // Servers answer in any order.
  return result.tool === 'dns' ? result.answers.flatMap(({ addresses }) => addresses).toSorted() : undefined;
}

/** Texts of results. */
export function useRunTexts() {
  const { t } = useTranslation();
  const milliseconds = (value: number) =>
    t('tools.milliseconds', { value: formatNumber(value < 10 ? Math.round(value * 100) / 100 : Math.round(value)) });
  const speed = (bits: number) => {
    const megabits = bits / 1e6;
    return t('tools.megabits', { value: formatNumber(megabits < 10 ? Math.round(megabits * 100) / 100 : Math.round(megabits)) });
  };
  return {
    milliseconds,
    speed,
    measure: ({ input }: ToolRun, value: number) => (input.tool === 'ping' ? milliseconds(value) : speed(value)),
    /** A run in short, for lists. */
    summary({ state, failure, result, input }: ToolRun): string {
      if (failure !== null) return t(`tools.failure.${failure.cause}`);
      if (result === null) return t(`tools.state.${state}`);
      if (result.status !== 'complete') return t(`tools.status.${result.status}`);
      switch (result.tool) {
        case 'ping':
          return result.average === null || result.answered === 0 ? t('tools.summary.lost') : milliseconds(result.average);
        case 'traceroute':
          return t('tools.summary.hops', { count: result.hops.length });
        case 'dns':
          return result.answers[0] === undefined || result.answers[0].status === 'found'
            ? (result.answers[0]?.addresses.join(', ') ?? '')
            : t(`tools.answer.${result.answers[0].status}`);
        case 'download':
        case 'upload':
          return result.bitsPerSecond === null ? t('tools.state.done') : speed(result.bitsPerSecond);
        default:
          return t(`tools.state.${input.tool === 'log' ? 'done' : state}`);
      }
    },
  };
}
