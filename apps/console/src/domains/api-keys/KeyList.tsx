import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { ListBar, MOST_IN_JOB } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { ListChips } from '../../api/ListTools.tsx';
import { useSession } from '../../api/session.ts';
import { useAction, useShowError } from '../../api/useAction.ts';
import { useList } from '../../api/useList.ts';
import { useRemoval } from '../../entities/jobs/useRemoval.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { useOrganizationFilter } from '../../entities/organizations/useOrganizationFilter.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { KeyDetail } from './KeyDetail.tsx';
import { KeySecret } from './KeySecret.tsx';
import { type ApiKey, fetchKeys, type MintedKey } from './api-keys.api.ts';
import { keyList } from './api-keys.lists.ts';
import { keyColumns } from './key-columns.tsx';
import './api-keys.css';

const idOf = ({ id }: ApiKey) => id;
const nameOf = ({ name }: ApiKey) => name;

/** Revokes the selected keys that have not ended, as one job. */
function RevokeChosen({ selection, reload }: { selection: Selection<ApiKey>; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const showError = useShowError();
  const chosen = [...selection.selected.values()].filter(({ state }) => state === 'active' || state === 'suspended');
  const removal = useRemoval('apiKeys');
  const revoke = useAction<readonly ApiKey[], () => void>({
    run: (keys) => removal(keys.map(idOf)),
    onDone: (show) => {
      selection.leave();
      reload();
      show();
    },
  });
  const confirm = async () => {
    const isSure = await confirmAction({
      title: t('apiKeys.bar.question', { count: chosen.length }),
      text: t('apiKeys.detail.revokeMeans'),
      items: chosen.map(nameOf),
      yes: t('apiKeys.bar.revoke', { count: chosen.length }),
      no: t('ui.cancel'),
      effect: 'permanent',
    });
    if (isSure) revoke.run(chosen);
  };
  return (
    <ActionButton
      color="danger"
      loading={revoke.busy}
      disabledReason={chosen.length === 0 ? t('apiKeys.bar.ended') : undefined}
      onClick={() => void confirm().catch(showError)}
    >
      {t('apiKeys.bar.revoke', { count: chosen.length })}
    </ActionButton>
  );
}

/** /api-keys: API keys of an organization, or of a main account and its organizations (HKS-02). */
export function KeyList(): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<ApiKey>();
  const [minted, setMinted] = useState<MintedKey>();
  const columns = useMemo(() => keyColumns(t, role === 'main', setShown), [t, role]);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({
    spec: keyList,
    topics: ['apiKeys'],
    fetchPage: ({ limit, offset = 0, org }, signal) => fetchKeys({ limit, offset, ...(org !== undefined && { org }) }, signal),
  });
  const show = (result: MintedKey) => {
    setAdding(false);
    setShown(undefined);
    setMinted(result);
    list.reload();
  };
  const organization = useOrganizationFilter(list.state.search.org);
  return (
    <ListPage
      list={list}
      title={t('apiKeys.title')}
      count={(count, total) => t('apiKeys.count', { count, shown: total })}
      actions={
        <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t('apiKeys.add.open')}
        </Button>
      }
      note={
        <p className="dim">
          {t('apiKeys.hint')}{' '}
          <a className="key-docs" href="/docs">
            {t('apiKeys.docs')}
          </a>
        </p>
      }
      tools={<ListChips list={list} filters={[organization]} />}
      caption={t('apiKeys.caption')}
      columns={columns}
      rowId={idOf}
      selection={selection}
      bar={
        <ListBar list={list} selection={selection} most={MOST_IN_JOB} file={{ name: 'API_keys_export.csv', columns }}>
          <RevokeChosen selection={selection} reload={list.reload} />
        </ListBar>
      }
      onOpen={setShown}
    >
      {isAdding && (
        <CreateKeyDialog
          org={list.state.search.org}
          hasGroups={role !== 'main' || list.state.search.org !== undefined}
          onClose={() => setAdding(false)}
          onCreated={show}
        />
      )}
      {shown !== undefined && (
        <KeyDetail
          shown={shown}
          onClose={() => setShown(undefined)}
          onRotated={show}
          onRevoked={() => {
            setShown(undefined);
            list.reload();
          }}
        />
      )}
      {minted !== undefined && <KeySecret minted={minted} onClose={() => setMinted(undefined)} />}
    </ListPage>
  );
}
