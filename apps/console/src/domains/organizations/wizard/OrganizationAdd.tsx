import { Button } from '../../../ui/controls/Button.tsx';
import { IconHistory } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../../api/session.ts';
import { lastSearch } from '../../../ui/list/last-search.ts';
import '../../../ui/form/form.css';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { ImportDialog } from '../../devices/index.ts';
import { DevicesStep } from './DevicesStep.tsx';
import { InfoStep } from './InfoStep.tsx';
import { SummaryStep } from './SummaryStep.tsx';
import { useWizard, type Wizard } from './useWizard.ts';
import { mayCreate, type Step, steps } from './wizard.ts';
import './wizard.css';

function Progress({ step }: { step: Step }): ReactNode {
  const { t } = useTranslation();
  return (
    <ol className="steps" aria-label={t('wizard.steps.label')}>
      {steps.map((each, index) => (
        <li key={each} aria-current={each === step ? 'step' : undefined} data-done={index < steps.indexOf(step) || undefined}>
          <span className="steps__number">{index + 1}</span>
          {t(`wizard.steps.${each}`)}
        </li>
      ))}
    </ol>
  );
}

function Restored({ text, onStartOver }: { text: string; onStartOver: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="note" role="status">
      <IconHistory size={18} />
      <span className="spacer">{text}</span>
      <Button onClick={onStartOver}>{t('wizard.startOver')}</Button>
    </div>
  );
}

function StepForm({ wizard }: { wizard: Wizard }): ReactNode {
  switch (wizard.step) {
    case 'info':
      return <InfoStep wizard={wizard} />;
    case 'devices':
      return <DevicesStep wizard={wizard} />;
    case 'summary':
      return <SummaryStep wizard={wizard} />;
  }
}

function Steps(): ReactNode {
  const { t } = useTranslation();
  const wizard = useWizard();
  const { step, rejected } = wizard;
  const [isOffered, setOffered] = useState(wizard.wasFound);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  // A new step focuses its heading, for keyboard and screen-reader users.
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus();
    shown.current = step;
  }, [step]);
  return (
    <section className="card panel form wizard" data-step={step}>
      <Progress step={step} />
      {(isOffered || wizard.hasFailed) && (
        <Restored
          text={wizard.hasFailed ? t('wizard.kept') : t('wizard.restored')}
          onStartOver={() => {
            setOffered(false);
            wizard.startOver();
          }}
        />
      )}
      <h2 ref={heading} tabIndex={-1} className="wizard__title">
        {t(`wizard.steps.${step}`)}
      </h2>
      <StepForm wizard={wizard} />
      {rejected !== undefined && <ImportDialog outcome={rejected.outcome} reason={rejected.reason} onClose={wizard.close} />}
    </section>
  );
}

/** /organization/add: the wizard in three steps (ORG-03). */
export function OrganizationAdd(): ReactNode {
  const { t } = useTranslation();
  const { permissions } = useSession();
  return (
    <div className="page">
      <PageHeader
        title={t('wizard.title')}
        back={
          <Link to="/organization" search={lastSearch('/organization')}>
            {t('organizations.title')}
          </Link>
        }
      />
      {mayCreate(permissions) ? (
        <Steps />
      ) : (
        <section className="card">
          <EmptyState text={t('errors.permission_denied')} />
        </section>
      )}
    </div>
  );
}
