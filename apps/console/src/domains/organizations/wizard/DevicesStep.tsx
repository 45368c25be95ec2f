import type { TextEncodingName } from '@highline/contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { IconFileOff } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { ownFileName } from '../../../api/fileName.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Choices } from '../../../ui/chart/Choices.tsx';
import { FilePick } from '../../../ui/form/FilePick.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { FileReason } from '../../../entities/imports/FileReason.tsx';
import { FailedRows } from '../../../entities/imports/FailedRows.tsx';
import { DatesDialog, FileNotes, TABLE_ENDINGS } from '../../../entities/imports/FileNotes.tsx';
import { saveReport } from '../../../entities/imports/outcome.ts';
import { TemplateDialog } from '../../devices/index.ts';
import type { ValidationResult } from './useCreation.ts';
import type { Wizard } from './useWizard.ts';
import { dayProblem } from './stock.ts';
import { StockFields } from './StockFields.tsx';
import { COLUMNS, EXAMPLE, sources } from './wizard.ts';

/** The result of the dry run of the file. */
function ValidationNote({
  validation: { outcome, reason },
  onEncoding,
}: {
  validation: ValidationResult;
  onEncoding: (encoding: TextEncodingName) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { success, total, failed } = outcome;
  return (
    <div className="wizard__validation" role="status">
      <FileReason reason={reason} />
      {total > 0 && <p>{t('wizard.checked', { success: formatNumber(success), total: formatNumber(total) })}</p>}
      {outcome.file !== undefined && <FileNotes file={outcome.file} dates={outcome.dates} onEncoding={onEncoding} />}
      <FailedRows outcome={outcome} />
      {failed > 0 && success > 0 && <p className="dim">{t('wizard.leftOut')}</p>}
      {outcome.report !== '' && (
        <div>
          <Button onClick={() => saveReport(outcome)}>{t('deviceForms.result.report')}</Button>
        </div>
      )}
    </div>
  );
}

/** The organization does not exist yet, so its example uses its name and a sample router. */
function Template({ name, onClose }: { name: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <TemplateDialog
      title={t('wizard.template.title')}
      columns={COLUMNS}
      examples={[EXAMPLE]}
      fileName={ownFileName('Organization_devices_template', name)}
      notes={[
        t('deviceForms.template.header'),
        t('wizard.template.mandatory'),
        t('wizard.template.mac'),
        t('wizard.template.dates'),
        t('deviceForms.template.optional'),
        t('deviceForms.template.text'),
      ]}
      onClose={onClose}
    />
  );
}

/** Step 2 from a CSV. */
function FileFields({ wizard }: { wizard: Wizard }): ReactNode {
  const { t } = useTranslation();
  const [template, setTemplate] = useState(false);
  const { file, validation, draft } = wizard;
  return (
    <>
      {file === undefined && draft.fileName !== '' && (
        <div className="note note--warn" role="status">
          <IconFileOff size={18} />
          <span>{t('wizard.fileGone', { name: draft.fileName })}</span>
        </div>
      )}
      <FilePick
        label={t('wizard.file')}
        endings={TABLE_ENDINGS}
        wrongType={t('ui.file.wrongType')}
        file={file}
        onPick={wizard.pick}
      />
      <p className="dim">{t('wizard.fileHint')}</p>
      <div>
        <Button onClick={() => setTemplate(true)}>{t('deviceForms.template.open')}</Button>
      </div>
      {file !== undefined && validation === undefined && <p role="status">{t('wizard.checking')}</p>}
      {validation !== undefined && file !== undefined && (
        <ValidationNote validation={validation} onEncoding={(encoding) => wizard.readAs({ encoding })} />
      )}
      {wizard.ambiguousDates !== undefined && (
        <DatesDialog
          dates={wizard.ambiguousDates}
          onChoose={(dates) => wizard.readAs({ dates })}
          onClose={() => wizard.pick(undefined)}
        />
      )}
      {template && <Template name={draft.name} onClose={() => setTemplate(false)} />}
    </>
  );
}

/** Why the step cannot be left yet; undefined when it can. */
function useReasonToWait({ file, validation, draft: { source, stock } }: Wizard): string | undefined {
  const { t } = useTranslation();
  if (source === 'stock') {
    const problem = stock.routers.length === 0 ? undefined : dayProblem(stock);
    return problem && t(`wizard.stock.${problem}`);
  }
  if (file === undefined) return undefined;
  if (validation === undefined) return t('wizard.checkFirst');
  return validation.outcome.success === 0 ? t('wizard.noneGood') : undefined;
}

/** Step 2: the organization's devices, from the stock or from a CSV, or none. */
export function DevicesStep({ wizard }: { wizard: Wizard }): ReactNode {
  const { t } = useTranslation();
  const { file, draft } = wizard;
  const step = useRef<HTMLDivElement>(null);
  const submit = () => {
    // A day that does not exist is none: without this its devices would get no subscription.
    if (Array.from(step.current?.querySelectorAll('input') ?? []).every((input) => input.checkValidity())) wizard.submitDevices();
  };
  const hasDevices = draft.source === 'stock' ? draft.stock.routers.length > 0 : file !== undefined;
  return (
    <div ref={step} className="form wizard__devices">
      <Choices
        label={t('wizard.source.label')}
        options={sources.map((value) => ({ value, label: t(`wizard.source.${value}`) }))}
        value={draft.source}
        onChange={wizard.chooseSource}
      />
      {draft.source === 'stock' ? (
        <StockFields choice={draft.stock} onChange={wizard.chooseStock} />
      ) : (
        <FileFields wizard={wizard} />
      )}
      <div className="form__actions">
        <Button onClick={() => wizard.go('info')}>{t('wizard.back')}</Button>
        <ActionButton variant="filled" disabledReason={useReasonToWait(wizard)} onClick={submit}>
          {hasDevices ? t('wizard.continue') : t('wizard.skip')}
        </ActionButton>
      </div>
    </div>
  );
}
