import { Button } from '../../ui/controls/Button.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { IconBookmark, IconChevronDown } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../../ui/Check.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Menu, type MenuItem } from '../../ui/Menu.tsx';
import { applyView } from '../../ui/preferences.ts';
import { toast } from '../../ui/toasts.ts';
import { ApiError } from '../errors.ts';
import { useAction } from '../useAction.ts';
import type { ListView } from './useListView.ts';
import { addView, deleteView, type SavedView, saveView, type ViewEdit, viewsQuery } from './views.api.ts';

const LONGEST_NAME = 60;

/** Name of a view, and whether everyone sees it. */
function ViewDialog({
  view,
  mayShare,
  onDone,
  onClose,
}: {
  view: SavedView | undefined;
  mayShare: boolean;
  onDone: (input: { readonly name: string; readonly shared: boolean }) => Promise<boolean>;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    if (await onDone({ name: name.trim(), shared })) onClose();
    else setBusy(false);
  };
  return (
    <FormDialog
      title={t(view === undefined ? 'views.create' : 'views.edit')}
      submit={t('ui.save')}
      busy={busy}
      disabledReason={name.trim() === '' ? t('views.nameFirst') : undefined}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextInput
        label={t('views.name')}
        value={name}
        maxLength={LONGEST_NAME}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {mayShare && <Check label={t('views.share')} checked={shared} onChange={setShared} />}
    </FormDialog>
  );
}

/** The views of a list: open, save, rename, share, delete one, or make it the default (BLK-03). */
export function ViewMenu({ listView, mayShare }: { listView: ListView; mayShare: boolean }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { list, view, views, current, isChanged, open } = listView;
  const [dialog, setDialog] = useState<'new' | 'edit'>();
  const refresh = () => client.invalidateQueries({ queryKey: viewsQuery.queryKey });

  const add = useAction({
    run: async (input: { readonly name: string; readonly shared: boolean }) => {
      const added = await addView({ list, ...input, content: current });
      await refresh();
      return added;
    },
    onDone: (added) => {
      if (view !== undefined) applyView(list, { id: view.id, layout: view.content.layout }, 'changes');
      open(added);
      toast(t('views.saved', { name: added.name }));
    },
  });
  const save = useAction({
    run: async ({ of, edit }: { readonly of: SavedView; readonly edit: ViewEdit }) => {
      const saved = await saveView(of, edit);
      await refresh();
      return saved;
    },
    onDone: (saved, { edit }) => {
      if (edit.content !== undefined) applyView(list, { id: saved.id, layout: saved.content.layout }, 'changes');
      toast(t('views.saved', { name: saved.name }));
    },
    // The view as it is now: what the user has on the screen stays, and can be saved over it.
    onError: (error) => {
      if (error instanceof ApiError && error.key === 'conflict.stale') void refresh();
      return false;
    },
  });
  const remove = useAction({
    run: async (of: SavedView) => {
      await deleteView(of);
      open(undefined);
      await refresh();
    },
    onDone: (_, of) => toast(t('views.deleted', { name: of.name })),
  });

  const confirmDelete = async (of: SavedView) => {
    const isSure = await confirmAction({
      title: t('views.deleteTitle', { name: of.name }),
      text: t(of.shared ? 'views.deleteShared' : 'views.deleteOwn'),
      yes: t('views.delete'),
      effect: 'permanent',
    });
    if (isSure) remove.run(of);
  };
  const items: MenuItem[] = [
    { id: 'none', label: t('views.none'), checked: view === undefined, onPick: () => open(undefined) },
    ...views.map((one) => ({
      id: one.id,
      label: one.shared ? t('views.sharedName', { name: one.name }) : one.name,
      checked: one.id === view?.id,
      onPick: () => open(one),
    })),
    { id: 'new', label: t('views.saveAs'), onPick: () => setDialog('new') },
  ];
  if (view !== undefined) {
    if (isChanged && view.editable)
      items.push({ id: 'save', label: t('views.saveChanges'), onPick: () => save.run({ of: view, edit: { content: current } }) });
    if (view.editable) items.push({ id: 'edit', label: t('views.edit'), onPick: () => setDialog('edit') });
    items.push({
      id: 'default',
      label: t(view.isDefault ? 'views.noDefault' : 'views.makeDefault'),
      onPick: () => save.run({ of: view, edit: { isDefault: !view.isDefault } }),
    });
    if (view.editable) items.push({ id: 'delete', label: t('views.delete'), onPick: () => void confirmDelete(view) });
  }
  return (
    <>
      {isChanged && view?.editable === true && (
        <Button loading={save.busy} onClick={() => save.run({ of: view, edit: { content: current } })}>
          {t('views.saveChanges')}
        </Button>
      )}
      <Menu
        label={t('views.menu')}
        align="end"
        items={items}
        trigger={(trigger) => (
          <Button
            leftSection={<IconBookmark size={16} />}
            rightSection={<IconChevronDown size={14} />}
            aria-label={view === undefined ? t('views.menu') : t('views.menuOf', { name: view.name })}
            {...trigger}
          >
            {view?.name ?? t('views.menu')}
          </Button>
        )}
      />
      {dialog === 'new' && (
        <ViewDialog view={undefined} mayShare={mayShare} onDone={add.attempt} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'edit' && view !== undefined && (
        <ViewDialog
          view={view}
          mayShare={mayShare}
          onDone={(edit) => save.attempt({ of: view, edit })}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

/** A filter of the view names something that is gone, or the view itself is. */
export function ViewNote({ listView: { missing, isGone } }: { listView: ListView }): ReactNode {
  const { t, i18n } = useTranslation();
  if (isGone) return <p className="note">{t('views.gone')}</p>;
  if (missing.length === 0) return null;
  const nameOf = (filter: string) =>
    i18n.exists(`views.filter.${filter}`) ? t(`views.filter.${filter}` as 'views.filter.group') : filter;
  return (
    <p className="note" role="status">
      {t('views.missing', { filters: missing.map(nameOf).join(t('ui.between')) })}
    </p>
  );
}
