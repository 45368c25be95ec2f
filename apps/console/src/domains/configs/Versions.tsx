import { Button } from '../../ui/controls/Button.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../api/download.ts';
import { useAction } from '../../api/useAction.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { ErrorState } from '../../ui/states.tsx';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import { formatKilobytes } from './config.ts';
import { type ConfigDetails, contentsQuery, fetchContents } from './configs.api.ts';
import { compareLines, type Line, linesOf, textOf } from '../../entities/lines/lines.ts';
import { Lines } from '../../entities/lines/Lines.tsx';

/** Its text; null when it is none, undefined until it is there. */
const decoded = (contents: ArrayBuffer | undefined) => (contents === undefined ? undefined : (textOf(contents) ?? null));

function useLines(text: string | undefined, earlier: string | undefined): readonly Line[] | undefined {
  return useMemo(() => {
    if (text === undefined) return undefined;
    return earlier === undefined ? linesOf(text) : compareLines(earlier, text);
  }, [text, earlier]);
}

/** One version as text, and how it differs from another. */
function Contents({ config, number }: { readonly config: ConfigDetails; readonly number: number }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [other, setOther] = useState<number>();
  const shown = useQuery(contentsQuery(config.pk, number));
  const compared = useQuery({ ...contentsQuery(config.pk, other ?? number), enabled: other !== undefined });
  const text = decoded(shown.data);
  // Without a choice this query has the version that is shown.
  const earlier = other === undefined ? undefined : decoded(compared.data);
  const lines = useLines(text ?? undefined, earlier ?? undefined);
  const error = shown.error ?? compared.error;
  const others = config.versions.filter((version) => version.number !== number);
  const isText = text !== null && earlier !== null;
  return (
    <div className="panel--stack" aria-busy={shown.isPending}>
      {others.length > 0 && (
        <NativeSelect
          label={t('configs.setting.compare')}
          data={[
            { value: '', label: t('configs.setting.noComparison') },
            ...others.map((version) => ({
              value: String(version.number),
              label: t('configs.setting.version', { number: version.number }),
            })),
          ]}
          value={other === undefined ? '' : String(other)}
          onChange={({ currentTarget: { value } }) => setOther(value === '' ? undefined : Number(value))}
          className="config-compare"
        />
      )}
      {error !== null && <ErrorState text={errorText(error)} onRetry={() => void (shown.error ? shown : compared).refetch()} />}
      {!isText && <p className="dim">{t('configs.setting.notText')}</p>}
      {isText && lines !== undefined && (
        <>
          {earlier !== undefined && !lines.some(({ change }) => change !== undefined) && (
            <p className="dim">{t('configs.setting.same')}</p>
          )}
          <Lines lines={lines} label={t('configs.setting.contentsOf', { number })} />
        </>
      )}
      {isText && text !== undefined && lines === undefined && <p className="dim">{t('configs.setting.tooDifferent')}</p>}
    </div>
  );
}

/** The versions of a config file; each can be read, compared with another, and saved as a file. */
export function Versions({ config }: { readonly config: ConfigDetails }): ReactNode {
  const { t } = useTranslation();
  const [shown, setShown] = useState<number>();
  const download = useAction<number, Blob>({
    run: (number) => fetchContents(config.pk, number),
    onDone: (file) => saveFile(file, config.name),
  });
  return (
    <section className="card panel panel--stack" aria-labelledby="config-versions">
      <h2 id="config-versions">{t('configs.setting.versions')}</h2>
      <p className="dim">{t('configs.setting.logged')}</p>
      <ul className="config-facts">
        {config.versions.map(({ number, size, sha256, created, by }) => (
          <li key={number}>
            <div className="config-version">
              <div className="config-version__facts">
                <span className="strong">{t('configs.setting.version', { number })}</span> · {formatKilobytes(size)} ·{' '}
                <DateTime moment={created} /> · {t('configs.setting.by')} {by}
                <br />
                <span className="mono dim config-hash">SHA-256 {sha256}</span>
              </div>
              <Button
                variant="default"
                size="xs"
                aria-expanded={shown === number}
                aria-label={t(shown === number ? 'configs.setting.hideOne' : 'configs.setting.viewOne', { number })}
                onClick={() => setShown(shown === number ? undefined : number)}
              >
                {t(shown === number ? 'configs.setting.hide' : 'configs.setting.view')}
              </Button>
              <Button
                variant="default"
                size="xs"
                aria-label={t('configs.setting.downloadOne', { number })}
                loading={download.busy}
                onClick={() => download.run(number)}
              >
                {t('configs.setting.download')}
              </Button>
            </div>
            {shown === number && <Contents key={number} config={config} number={number} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
