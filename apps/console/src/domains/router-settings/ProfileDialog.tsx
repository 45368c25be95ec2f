import type { SettingsCatalogue } from '@highline/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { saveFile } from '../../api/download.ts';
import { useAction } from '../../api/useAction.ts';
import { GroupSelect, useChosenGroup } from '../../entities/groups/GroupSelect.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { CloseButton, Dialog } from '../../ui/Dialog.tsx';
import { FilePick } from '../../ui/form/FilePick.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import {
  checkProfile,
  fetchProfile,
  fetchRunning,
  profileFile,
  readProfileFile,
  type ProfileReport,
  type SettingsProfile,
} from './profiles.api.ts';
import type { LevelName } from './settings.api.ts';
import { valueText, wholeLabel } from './setting-texts.ts';

/** What is compared. */
interface Origin {
  readonly source: 'file' | 'organization' | 'group' | 'router';
  readonly file: File | undefined;
  readonly group: string;
}
type Source = Origin['source'];

export interface ProfileDialogProps {
  readonly level: LevelName;
  /** In file names. */
  readonly name: string;
  readonly catalogue: SettingsCatalogue;
  /** Takes the values of the profile into the form; nothing is saved by that. */
  readonly onUse: (values: ProfileReport['values']) => void;
  readonly onClose: () => void;
}

/** Profiles of settings: compare with another level, a file or what the router runs, take it over, or save one as a file (TPL-07). */
export function ProfileDialog({ level, name, catalogue, onUse, onClose }: ProfileDialogProps): ReactNode {
  const { t } = useTranslation();
  const sources: readonly Source[] = [
    'file',
    'organization',
    'group',
    ...(level.device === undefined ? [] : ['router' as const]),
  ];
  const [origin, setOrigin] = useState<Origin>({ source: 'file', file: undefined, group: '' });
  const { source, file, group } = origin;
  const chosen = useChosenGroup(group, undefined, group !== '');
  const [found, setFound] = useState<{ readonly of: Origin; readonly report: ProfileReport | undefined }>();
  // Something else may have been chosen while this was compared.
  const isOfThis = found?.of === origin;
  const report = isOfThis ? found.report : undefined;
  const isUnreadable = isOfThis && report === undefined;
  const readSource = async (of: Origin): Promise<SettingsProfile | undefined> => {
    if (of.source === 'file') return of.file && readProfileFile(of.file);
    if (of.source === 'router') return fetchRunning(level.device ?? '');
    return fetchProfile(of.source === 'group' ? { group: of.group } : {});
  };
  const check = useAction<Origin, ProfileReport | undefined>({
    run: async (of) => {
      const profile = await readSource(of);
      return profile && checkProfile(level, profile);
    },
    onDone: (result, of) => setFound({ of, report: result }),
  });
  const save = useAction<'level' | 'router', SettingsProfile>({
    run: (of) => (of === 'router' ? fetchRunning(level.device ?? '') : fetchProfile(level)),
    onDone: (profile, of) => saveFile(profileFile(profile), `${of === 'router' ? `${name} running` : name}.json`),
  });
  const change = (part: Partial<Origin>) => setOrigin({ ...origin, ...part });
  const lacks =
    (source === 'file' && file === undefined) || (source === 'group' && group === '')
      ? t('routerSettings.profile.chooseFirst')
      : undefined;
  return (
    <Dialog
      title={t('routerSettings.profile.title')}
      onClose={onClose}
      wide
      actions={
        <>
          <CloseButton>{t('ui.close')}</CloseButton>
          <ActionButton
            variant="filled"
            disabledReason={report === undefined ? t('routerSettings.profile.compareFirst') : undefined}
            onClick={() => report !== undefined && onUse(report.values)}
          >
            {t('routerSettings.profile.use')}
          </ActionButton>
        </>
      }
    >
      <p className="dim">{t('routerSettings.profile.hint')}</p>
      <div className="setting-actions">
        <ActionButton loading={save.busy} onClick={() => save.run('level')}>
          {t('routerSettings.profile.save')}
        </ActionButton>
        {level.device !== undefined && (
          <ActionButton loading={save.busy} onClick={() => save.run('router')}>
            {t('routerSettings.profile.saveRunning')}
          </ActionButton>
        )}
      </div>
      <NativeSelect
        label={t('routerSettings.profile.source')}
        data={sources.map((value) => ({ value, label: t(`routerSettings.profile.of.${value}`) }))}
        value={source}
        onChange={({ currentTarget: { value } }) => change({ source: value as Source })}
      />
      {source === 'file' && (
        <FilePick
          label={t('routerSettings.profile.file')}
          endings={['.json']}
          wrongType={t('routerSettings.profile.wrongType')}
          file={file}
          error={isUnreadable ? t('routerSettings.profile.unreadable') : undefined}
          onPick={(picked) => change({ file: picked })}
        />
      )}
      {source === 'group' && (
        <GroupSelect label={t('routerSettings.profile.group')} value={chosen} onChange={(key) => change({ group: key })} />
      )}
      <div className="setting-actions">
        <ActionButton loading={check.busy} disabledReason={lacks} onClick={() => check.run(origin)}>
          {t('routerSettings.profile.compare')}
        </ActionButton>
      </div>
      {report !== undefined && <Report report={report} catalogue={catalogue} />}
    </Dialog>
  );
}

/** The difference, and the rows that cannot be taken. */
function Report({ report, catalogue }: { report: ProfileReport; catalogue: SettingsCatalogue }): ReactNode {
  const { t } = useTranslation();
  const { changes, problems } = report;
  const text = (path: string, value: string | null) =>
    value === null ? t('routerSettings.review.unset') : valueText(t, path, value);
  return (
    <div role="status">
      <p>
        {changes.length === 0
          ? t('routerSettings.profile.same')
          : t('routerSettings.profile.differs', { count: changes.length, shown: formatNumber(changes.length) })}
      </p>
      {changes.length > 0 && (
        <ul className="setting-changes">
          {changes.map(({ path, before, after, isSecret }) => (
            <li key={path}>
              <strong>{wholeLabel(t, path, catalogue)}</strong>{' '}
              {isSecret ? (
                t('routerSettings.review.secret')
              ) : (
                <>
                  <del>{text(path, before)}</del> → <ins>{text(path, after)}</ins>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <ul className="setting-changes setting-changes--problems">
          {problems.map(({ row, path, kind }) => (
            <li key={`${row} ${kind}`}>
              {t('routerSettings.profile.row', { row: formatNumber(row) })}{' '}
              <strong>{path === '' ? '' : wholeLabel(t, path, catalogue)}</strong> {t(`routerSettings.profile.fault.${kind}`)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
