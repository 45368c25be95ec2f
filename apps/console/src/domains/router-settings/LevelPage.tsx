import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { Loaded } from '../../api/Loaded.tsx';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { FormFoot } from '../../ui/form/FormFoot.tsx';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
import '../../ui/form/form.css';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../ui/page/Skeleton.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import { countChanges, type Draft, draftOf, isFit, valuesOf } from './draft.ts';
import { ReviewDialog } from './ReviewDialog.tsx';
import { SettingField } from './SettingField.tsx';
import { levelName, settingGroups, titleOf } from './setting-texts.ts';
import { applyLevel, type LevelName, levelQuery, type LevelSettings, saveLevel } from './settings.api.ts';
import './router-settings.css';

/** Where the page was opened from. */
function Crumbs({ level, name }: { level: LevelName; name?: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const { group, device } = level;
  return (
    <span className="crumbs">
      {device !== undefined ? (
        <Link to="/devices/setting" search={{ device, tab: 'settings' }}>
          {name ?? t('routerSettings.back.device')}
        </Link>
      ) : group !== undefined ? (
        <Link to="/groups/detail" search={{ group }}>
          {name ?? t('routerSettings.back.group')}
        </Link>
      ) : (
        <Link to="/groups/list" search={{}}>
          {t('routerSettings.back.groups')}
        </Link>
      )}
    </span>
  );
}

function LevelForm({ level, stored, etag }: { level: LevelName; stored: LevelSettings; etag: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const isAdmin = useRoleFor('settings') === 'admin';
  const [draft, setDraft] = useState<Draft>(() => draftOf(stored));
  const [isReviewing, setReviewing] = useState(false);
  const isSaved = useRef(false);
  const changes = countChanges(draft, stored);
  useUnsavedChanges(changes > 0, undefined, 'whole', isSaved);
  const inherited = new Map(stored.inherited.map((each) => [each.path, each]));
  const unfit = settingGroups.some(({ settings }) => settings.some((setting) => !isFit(setting, draft)));
  const save = useAction<number | undefined, LevelSettings>({
    run: async (devices) => {
      const saved = changes === 0 ? stored : await saveLevel(level, valuesOf(draft), etag);
      if (devices !== undefined) await applyLevel(level, devices);
      return saved;
    },
    onDone: (_saved, devices) => {
      isSaved.current = true;
      void client.invalidateQueries({ queryKey: ['settings'] });
      toast(t(devices === undefined ? 'routerSettings.toast.saved' : 'routerSettings.toast.sent'));
      setReviewing(false);
      if (devices === undefined) return;
      const { group, device } = level;
      void (device === undefined
        ? navigate({ to: '/groups/settings/devices', search: group === undefined ? {} : { group } })
        : navigate({ to: '/devices/setting', search: { device, tab: 'settings' } }));
    },
  });
  const reason = isAdmin ? (unfit ? t('routerSettings.fixFirst') : undefined) : t('routerSettings.adminsOnly');
  return (
    <>
      <div className="setting-groups">
        {settingGroups.map((group) => (
          <section key={group.id} className="card panel" aria-labelledby={`settings-${group.id}`}>
            <div className="panel__head">
              <h2 id={`settings-${group.id}`}>{titleOf(t, group)}</h2>
            </div>
            <div className="form">
              {group.settings.map((setting) => (
                <SettingField
                  key={setting.path}
                  setting={setting}
                  value={draft[setting.path] === undefined ? '' : draft[setting.path]!}
                  inherited={inherited.get(setting.path)}
                  isFit={isFit(setting, draft)}
                  isReadOnly={!isAdmin}
                  onChange={(value) => setDraft((before) => ({ ...before, [setting.path]: value }))}
                />
              ))}
            </div>
          </section>
        ))}
      </div>
      <FormFoot effect={changes > 0 && t('routerSettings.changed', { count: changes, shown: formatNumber(changes) })}>
        <ActionButton variant="filled" disabledReason={reason} onClick={() => setReviewing(true)}>
          {t(changes > 0 ? 'routerSettings.review.open' : 'routerSettings.review.openSame')}
        </ActionButton>
      </FormFoot>
      {isReviewing && (
        <ReviewDialog
          level={level}
          draft={draft}
          isChanged={changes > 0}
          busy={save.busy}
          onConfirm={save.run}
          onClose={() => setReviewing(false)}
        />
      )}
    </>
  );
}

/** /groups/settings?group=… or device=…: what a level sets on routers (TPL-01, TPL-02). */
export function LevelPage(): ReactNode {
  const { t } = useTranslation();
  const { group, device } = useSearch({ from: '/signed-in/groups/settings' });
  const level: LevelName = device === undefined ? { group } : { device };
  const query = useQuery(levelQuery(level));
  const stored = query.data?.settings;
  return (
    <div className="page" aria-busy={query.isPending}>
      <PageHeader
        title={stored === undefined ? t('routerSettings.title') : levelName(t, stored)}
        back={<Crumbs level={level} name={stored?.name} />}
        sub={
          stored !== undefined && (
            <>
              {t('routerSettings.devices', { count: stored.devices, shown: formatNumber(stored.devices) })}
              {stored.exceptions > 0 &&
                ` · ${t('routerSettings.exceptions', { count: stored.exceptions, shown: formatNumber(stored.exceptions) })}`}
              {stored.changed !== null && (
                <>
                  {' · '}
                  {t('routerSettings.changedBy', { by: stored.by })} <RelativeTime moment={stored.changed} />
                </>
              )}
            </>
          )
        }
        actions={
          <>
            {group !== undefined && device === undefined && (
              <Link to="/groups/settings" search={{}}>
                {t('routerSettings.organization')}
              </Link>
            )}
            {device === undefined && (
              <Link to="/groups/settings/devices" search={group === undefined ? {} : { group }}>
                {t('routerSettings.vehicles')}
              </Link>
            )}
          </>
        }
      />
      <p className="dim">{t('routerSettings.hint', { vehicle: '{{vehicle}}', serial: '{{serial}}' })}</p>
      <Loaded
        query={query}
        gone={t('routerSettings.gone')}
        action={<Crumbs level={level} />}
        skeleton={<PageSkeleton panels={2} />}
      >
        {({ settings, etag }) => (
          <LevelForm key={`${settings.level} ${settings.name} ${settings.version}`} level={level} stored={settings} etag={etag} />
        )}
      </Loaded>
    </div>
  );
}
