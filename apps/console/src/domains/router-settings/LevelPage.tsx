import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { useRoleFor } from '../../api/session.ts';
import { useAction } from '../../api/useAction.ts';
import { GroupLink } from '../../entities/groups/GroupLink.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { FormFoot } from '../../ui/form/FormFoot.tsx';
import { useUnsavedChanges } from '../../ui/form/useUnsavedChanges.ts';
import '../../ui/form/form.css';
import { lastSearch } from '../../ui/list/last-search.ts';
import { useConfirmDrop } from '../../ui/losses.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../ui/page/Skeleton.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { toast } from '../../ui/toasts.ts';
import { countChanges, countSecrets, type Draft, draftOf, isFit, rebaseDraft, valuesOf } from './draft.ts';
import { ProfileDialog } from './ProfileDialog.tsx';
import { ReviewDialog, type Sending } from './ReviewDialog.tsx';
import { SchemaFiles } from './SchemaFiles.tsx';
import { VersionsDialog } from './VersionsDialog.tsx';
import { SettingPanels } from './SettingPanels.tsx';
import { levelName } from './setting-texts.ts';
import {
  catalogueWith,
  type LevelName,
  levelQuery,
  type LevelSettings,
  saveLevel,
  type SchemaFile,
  schemasQuery,
  sendLevel,
} from './settings.api.ts';
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
        <GroupLink group={group}>{name ?? t('routerSettings.back.group')}</GroupLink>
      ) : (
        <Link to="/groups/list" search={lastSearch('/groups/list')}>
          {t('routerSettings.back.groups')}
        </Link>
      )}
    </span>
  );
}

interface LevelFormProps {
  readonly level: LevelName;
  readonly stored: LevelSettings;
  readonly etag: string | undefined;
  readonly files: readonly SchemaFile[];
}

interface LevelFootProps {
  /** How many values differ from those stored. */
  readonly changes: number;
  readonly hasVersions: boolean;
  readonly isAdmin: boolean;
  /** Why it cannot be reviewed now. */
  readonly reason: string | undefined;
  readonly onOpen: (dialog: 'profile' | 'versions' | 'review') => void;
}

function LevelFoot({ changes, hasVersions, isAdmin, reason, onOpen }: LevelFootProps): ReactNode {
  const { t } = useTranslation();
  const adminsOnly = isAdmin ? undefined : t('routerSettings.adminsOnly');
  return (
    <FormFoot effect={changes > 0 && t('routerSettings.changed', { count: changes, shown: formatNumber(changes) })}>
      <ActionButton disabledReason={adminsOnly} onClick={() => onOpen('profile')}>
        {t('routerSettings.profile.open')}
      </ActionButton>
      {hasVersions && (
        <ActionButton disabledReason={adminsOnly} onClick={() => onOpen('versions')}>
          {t('routerSettings.versions.open')}
        </ActionButton>
      )}
      <ActionButton variant="filled" disabledReason={adminsOnly ?? reason} onClick={() => onOpen('review')}>
        {t(changes > 0 ? 'routerSettings.review.open' : 'routerSettings.review.openSame')}
      </ActionButton>
    </FormFoot>
  );
}

function LevelForm({ level, stored: loaded, etag, files }: LevelFormProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const isAdmin = useRoleFor('settings') === 'admin';
  const [stored, setStored] = useState(loaded);
  const [isRebased, setRebased] = useState(false);
  const [draft, setDraft] = useState<Draft>(() => draftOf(stored));
  const [secretsOf, setSecretsOf] = useState<number>();
  const [dialog, setDialog] = useState<'profile' | 'versions' | 'review'>();
  const closeDialog = () => setDialog(undefined);
  const isSaved = useRef(false);
  // Secrets of a former version are others, though both are not shown.
  const changes = countChanges(draft, stored) + (secretsOf === undefined ? 0 : countSecrets(draft));
  // Another user saved meanwhile: what was typed here stays, on what is stored now.
  if (loaded.version > stored.version) {
    setStored(loaded);
    setDraft(rebaseDraft(draft, stored, loaded));
    setRebased(changes > 0);
  }
  useUnsavedChanges(changes > 0, { address: 'whole', isSaved });
  const confirmDrop = useConfirmDrop();
  /** Fill the form with other values; what was typed is dropped. */
  const fill = async (values: Pick<LevelSettings, 'values'>, version?: number) => {
    if (!(await confirmDrop(changes > 0))) return;
    setDraft(draftOf(values));
    setSecretsOf(version);
    closeDialog();
  };
  const catalogue = useMemo(() => catalogueWith(files), [files]);
  const unfit = Object.keys(draft).some((path) => {
    const setting = catalogue.find(path);
    return setting !== undefined && !isFit(setting, draft);
  });
  const takeOver = (saved: LevelSettings) => {
    setStored(saved);
    setDraft(draftOf(saved));
    setSecretsOf(undefined);
    setRebased(false);
    void client.invalidateQueries({ queryKey: ['settings'] });
  };
  const save = useAction<Sending | undefined, 'saved' | 'sent' | 'waits'>({
    run: async (sending) => {
      const saved = changes === 0 ? stored : await saveLevel(level, valuesOf(catalogue, draft), etag, secretsOf);
      // At once: they are stored also if they cannot be sent, or if sending waits for an approval.
      if (changes > 0) takeOver(saved);
      if (sending === undefined) return 'saved';
      return sendLevel(level, saved.version, sending).catch((error: unknown) => {
        if (changes > 0) toast(t('routerSettings.toast.saved'));
        throw error;
      });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.key === 'approval.waiting') closeDialog();
      if (error instanceof ApiError && error.key === 'conflict.stale') void client.invalidateQueries({ queryKey: ['settings'] });
      return false;
    },
    onDone: (done, sending) => {
      isSaved.current = sending !== undefined;
      void client.invalidateQueries({ queryKey: ['settings'] });
      toast(t(`routerSettings.toast.${done}`));
      closeDialog();
      if (sending === undefined) return;
      const { group, device } = level;
      void (device === undefined
        ? navigate({ to: '/groups/settings/devices', search: group === undefined ? {} : { group } })
        : navigate({ to: '/devices/setting', search: { device, tab: 'settings' } }));
    },
  });
  // A device is sent what it inherits, too.
  const isEmpty = changes === 0 && stored.version === 0 && (level.device === undefined || loaded.inherited.length === 0);
  const missing = isEmpty ? t('routerSettings.review.nothingSet') : undefined;
  return (
    <>
      {isRebased && (
        <p role="status" className="setting-warning">
          {t('routerSettings.rebased', { by: loaded.by })}
        </p>
      )}
      <SettingPanels
        catalogue={catalogue}
        draft={draft}
        stored={stored}
        inherited={loaded.inherited}
        isReadOnly={!isAdmin}
        onChange={(values) => setDraft((before) => ({ ...before, ...values }))}
      />
      <LevelFoot
        changes={changes}
        hasVersions={stored.version > 1}
        isAdmin={isAdmin}
        reason={unfit ? t('routerSettings.fixFirst') : missing}
        onOpen={setDialog}
      />
      {dialog === 'profile' && (
        <ProfileDialog
          level={level}
          name={stored.name === '' ? 'organization' : stored.name}
          catalogue={catalogue}
          onUse={(values) => void fill({ values })}
          onClose={closeDialog}
        />
      )}
      {dialog === 'versions' && (
        <VersionsDialog
          level={level}
          present={stored.version}
          onClose={closeDialog}
          onChoose={(chosen) => void fill(chosen, chosen.version)}
        />
      )}
      {dialog === 'review' && (
        <ReviewDialog
          level={level}
          draft={draft}
          catalogue={catalogue}
          secretsOf={secretsOf}
          isChanged={changes > 0}
          busy={save.busy}
          onConfirm={(sending) => save.run(sending)}
          onClose={closeDialog}
        />
      )}
    </>
  );
}

const NO_FILES: readonly SchemaFile[] = [];

/** /groups/settings?group=… or device=…: what a level sets on routers (TPL-01, TPL-02). */
export function LevelPage(): ReactNode {
  const { t } = useTranslation();
  const { group, device } = useSearch({ from: '/signed-in/groups/settings' });
  const level: LevelName = device === undefined ? { group } : { device };
  const query = useQuery(levelQuery(level));
  const files = useQuery(schemasQuery);
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
          <LevelForm
            // Not its name, which another user may change while this one types.
            key={device ?? group ?? 'organization'}
            level={level}
            stored={settings}
            etag={etag}
            files={files.data ?? NO_FILES}
          />
        )}
      </Loaded>
      {group === undefined && device === undefined && <SchemaFiles query={files} />}
    </div>
  );
}
